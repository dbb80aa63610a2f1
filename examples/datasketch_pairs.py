"""Pairs that MinHashLSH of datasketch finds, for alike score (pip install datasketch).

    python3 examples/datasketch_pairs.py --threshold 0.5 < docs.jsonl > pairs.tsv
    alike score --truth SET --pairs pairs.tsv

docs.jsonl has a document with id and text a line.
"""

import argparse
import json
import re
import sys

from datasketch import MinHash, MinHashLSH

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--size", type=int, default=128, help="values of a signature")
parser.add_argument("--threshold", type=float, default=0.5, help="resemblance that the index aims at")
parser.add_argument("--characters", type=int, default=0, metavar="N", help="cut runs of N characters instead of words")
args = parser.parse_args()


def features(text):
    tokens = re.findall(r"\w+", text.lower())
    if not args.characters:
        return set(tokens)
    text = "".join(tokens)
    width = min(args.characters, len(text))
    return {text[i : i + width] for i in range(len(text) - width + 1)} if text else set()


index = MinHashLSH(threshold=args.threshold, num_perm=args.size)
empty = MinHash(num_perm=args.size)
seen = {}
print("id1", "id2", "score", sep="\t")
for line in sys.stdin:
    document = json.loads(line)
    found = features(document["text"])
    if not found:
        continue
    minhash = empty.copy()
    minhash.update_batch([f.encode() for f in found])
    for other in sorted(index.query(minhash)):
        print(other, document["id"], round(minhash.jaccard(seen[other]), 6), sep="\t")
    index.insert(document["id"], minhash)
    seen[document["id"]] = minhash
