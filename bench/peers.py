"""Does the work of rows in Python and tells how long it took.

    peers.py CONTENDER FILE

FILE has one document a line, its shingles separated by tabs. Contenders are datasketch
and rensa. Orders come on stdin, one a line, and each is answered by one line:

    sketch            sketch all documents; the seconds of CPU time it took
    estimate A B      the estimate of Jaccard's index of documents A and B
    build THRESHOLD   put all sketches into an LSH index; the seconds
    query N           ask the index for the first N documents; the seconds
    found A           the documents that the index has for document A

The time of the interpreter's start and of reading the file does not count.
"""

import gc
import sys
import time

VALUES = 128


class Datasketch:
    def __init__(self):
        from datasketch import MinHash, MinHashLSH

        self.minhash, self.index = MinHash, MinHashLSH

    def sketch(self, docs):
        self.sketches = self.minhash.bulk(docs, num_perm=VALUES)

    def estimate(self, a, b):
        return self.sketches[a].jaccard(self.sketches[b])

    def build(self, threshold):
        self.lsh = self.index(threshold=threshold, num_perm=VALUES)
        for i, s in enumerate(self.sketches):
            self.lsh.insert(i, s)

    def query(self, i):
        return self.lsh.query(self.sketches[i])


class Rensa:
    def __init__(self):
        from rensa import RMinHash, RMinHashLSH

        self.minhash, self.index = RMinHash, RMinHashLSH

    def sketch(self, docs):
        self.sketches = []
        for doc in docs:
            s = self.minhash(num_perm=VALUES, seed=42)
            s.update(doc)
            self.sketches.append(s)

    def estimate(self, a, b):
        return self.sketches[a].jaccard(self.sketches[b])

    def build(self, threshold):
        # It takes the number of bands; this one suits thresholds about 0.8.
        self.lsh = self.index(threshold=threshold, num_perm=VALUES, num_bands=16)
        self.lsh.insert_many(self.sketches)

    def query(self, i):
        return self.lsh.query(self.sketches[i])


def timed(work, *args):
    gc.collect()
    start = time.process_time()
    work(*args)
    return time.process_time() - start


def main():
    contender = {"datasketch": Datasketch, "rensa": Rensa}[sys.argv[1]]()
    with open(sys.argv[2], "rb") as f:
        docs = [line.rstrip(b"\n").split(b"\t") for line in f]
    for line in sys.stdin:
        order, *args = line.split()
        if order == "sketch":
            answer = timed(contender.sketch, docs)
        elif order == "estimate":
            answer = contender.estimate(int(args[0]), int(args[1]))
        elif order == "build":
            answer = timed(contender.build, float(args[0]))
        elif order == "query":
            answer = timed(lambda: [contender.query(i) for i in range(int(args[0]))])
        elif order == "found":
            answer = " ".join(map(str, sorted(contender.query(int(args[0])))))
        print(answer, flush=True)


main()
