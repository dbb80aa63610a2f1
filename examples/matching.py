"""A method that scores pairs itself: difflib of Python's standard library.

    alike eval --data en --method 'exec:python3 examples/matching.py'

The process keeps every text by its id, and is asked for pairs.
"""

import difflib
import json
import sys


def say(message):
    print(json.dumps(message), flush=True)


def ratio(a, b):
    # The longest blocks in common are looked for from one side, so a and b in the other
    # order can come to another ratio; sorting them makes the score symmetric.
    a, b = sorted((texts[a], texts[b]))
    return difflib.SequenceMatcher(None, a, b, autojunk=False).ratio()


texts = {}
say({"alike": 1, "name": "difflib", "version": sys.version.split()[0], "kind": "scores"})
for line in sys.stdin:
    message = json.loads(line)
    if "score" in message:
        say({"scores": [ratio(a, b) for a, b in message["score"]]})
    else:
        words = message["text"].lower().split()
        texts[message["id"]] = words
        say({"id": message["id"], "bytes": sum(map(len, words)), "empty": not words})
