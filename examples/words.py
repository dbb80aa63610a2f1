"""The least method for alike: the set of a text's words, without any library.

    alike eval --method 'exec:python3 examples/words.py' --method shingle

go doc github.com/alike-go/alike/external describes the lines that it reads and writes.
"""

import json
import sys
import zlib


def say(message):
    print(json.dumps(message), flush=True)


say({"alike": 1, "name": "words.py", "version": "1", "kind": "set", "bits": 32})
for line in sys.stdin:
    document = json.loads(line)
    words = set(document["text"].lower().split())
    say({"id": document["id"], "sketch": [zlib.crc32(w.encode()) for w in words]})
