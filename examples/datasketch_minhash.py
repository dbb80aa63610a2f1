"""MinHash of datasketch as a method of alike (pip install datasketch).

    alike eval --data en --method minhash:scheme=kperm \\
        --method 'exec:python3 examples/datasketch_minhash.py --size 128 --width 1'

A feature is a run of --width words, or with --characters of so many characters; like
alike's own of one word each.
"""

import argparse
import base64
import json
import re
import sys

import datasketch
import numpy

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--size", type=int, default=128, help="values of a signature")
parser.add_argument("--width", type=int, default=1, help="words or characters in a feature")
parser.add_argument("--characters", action="store_true", help="cut characters instead of words")
args = parser.parse_args()


def say(message):
    print(json.dumps(message), flush=True)


def features(text):
    text = text.lower()
    if args.characters:
        tokens, joint = "".join(re.findall(r"\w+", text)), ""
    else:
        tokens, joint = re.findall(r"\w+", text), " "
    width = min(args.width, len(tokens))  # a text shorter than a feature is one
    return {joint.join(tokens[i : i + width]) for i in range(len(tokens) - width + 1)} if tokens else ()


# The permutations are drawn once; every signature shares them.
empty = datasketch.MinHash(num_perm=args.size)
bits = 32 if int(empty.hashvalues.max()) < 2**32 else 64
say({"alike": 1, "name": "datasketch", "version": datasketch.__version__, "kind": "minhash", "size": args.size, "bits": bits})
for line in sys.stdin:
    document = json.loads(line)
    found = features(document["text"])
    sketch = None
    if found:
        minhash = empty.copy()
        minhash.update_batch([f.encode() for f in found])
        values = minhash.hashvalues.astype(numpy.dtype(f"<u{bits // 8}"))
        sketch = base64.b64encode(values.tobytes()).decode()
    say({"id": document["id"], "sketch": sketch})
