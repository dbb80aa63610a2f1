"""MinHash of rensa, which is written in Rust, as a method of alike (pip install rensa).

    alike eval --data en --method 'exec:python3 examples/rensa_minhash.py'

A feature is a word, or with --characters N a run of so many characters.
"""

import argparse
import importlib.metadata
import json
import re
import sys

import rensa

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--size", type=int, default=128, help="values of a signature")
parser.add_argument("--characters", type=int, default=0, metavar="N", help="cut runs of N characters instead of words")
args = parser.parse_args()


def say(message):
    print(json.dumps(message), flush=True)


def features(text):
    tokens = re.findall(r"\w+", text.lower())
    if not args.characters or not tokens:
        return sorted(set(tokens))
    text = "".join(tokens)
    width = min(args.characters, len(text))
    return sorted({text[i : i + width] for i in range(len(text) - width + 1)})


say({"alike": 1, "name": "rensa", "version": importlib.metadata.version("rensa"), "kind": "minhash", "size": args.size, "bits": 32})
for line in sys.stdin:
    document = json.loads(line)
    found = features(document["text"])
    sketch = None
    if found:
        minhash = rensa.RMinHash(num_perm=args.size, seed=42)
        minhash.update(found)
        sketch = minhash.digest()
    say({"id": document["id"], "sketch": sketch})
