"""The clusters of a run of text-dedup as a table, for alike score.

    python3 examples/textdedup_clusters.py output/clusters.pickle > clusters.tsv
    alike score --truth SET --clusters clusters.tsv --rows 0

Reads the dictionary clusters.pickle (save_clusters), and the union-find uf.pkl of older
versions (--debug) without text-dedup itself. Unpickle no file that you have not made.
"""

import pickle
import sys


class Unpickler(pickle.Unpickler):
    def find_class(self, module, name):
        return type(name, (), {})  # all that is wanted of it are its fields


with open(sys.argv[1], "rb") as f:
    parents = Unpickler(f).load()
parents = getattr(parents, "parent", parents)


def root(row):
    while parents.get(row, row) != row:
        row = parents[row]
    return row


print("id", "cluster", sep="\t")
for row in sorted(parents):
    print(row, root(row), sep="\t")
