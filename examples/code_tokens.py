"""Source code as tokens of Pygments (pip install pygments): comments count for nothing.

    alike eval --data ir-plag --method 'exec:python3 examples/code_tokens.py java --width 8'

Every name becomes one token and every literal the kind that it is, so that renamed copies
are equal; --names keeps both as written. A feature is a run of --width tokens. The score is
|A∩B| / |A∪B|, with --counts the cosine of how often features occur.
"""

import argparse
import collections
import json
import zlib

import pygments
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Literal, Name, Text
import sys

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("language", help="as Pygments calls it, such as java or go")
parser.add_argument("--width", type=int, default=1, help="tokens in a feature")
parser.add_argument("--names", action="store_true", help="keep names and literals as they are")
parser.add_argument("--counts", action="store_true", help="compare counts by cosine")
args = parser.parse_args()
lexer = get_lexer_by_name(args.language)


def say(message):
    print(json.dumps(message), flush=True)


def tokens(text):
    folded = []
    for kind, value in lexer.get_tokens(text):
        if kind in Comment or kind in Text or not value.strip():
            continue
        if args.names or not (kind in Name or kind in Literal):
            folded.append(value)
        elif kind in Name:
            folded.append("NAME")
        elif kind not in Literal.String:
            folded.append("NUMBER")
        elif not folded or folded[-1] != "STRING":  # a lexer may cut a string at its escapes
            folded.append("STRING")
    return folded


def features(text):
    found = tokens(text)
    width = min(args.width, len(found))  # a text shorter than a feature is one
    runs = ("\n".join(found[i : i + width]) for i in range(len(found) - width + 1) if width)
    size = 2**20 if args.counts else 2**32
    return collections.Counter(zlib.crc32(run.encode()) % size for run in runs)


hello = {"alike": 1, "name": "Pygments", "version": pygments.__version__}
say({**hello, "kind": "vector", "size": 2**20} if args.counts else {**hello, "kind": "set", "bits": 32})
for line in sys.stdin:
    document = json.loads(line)
    counts = sorted(features(document["text"]).items())
    sketch = [hash for hash, _ in counts]
    if args.counts:
        sketch = {"indices": sketch, "values": [count for _, count in counts]}
    say({"id": document["id"], "sketch": sketch if counts else None})
