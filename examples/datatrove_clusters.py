"""The clusters of MinhashDedupCluster of datatrove as a table, for alike score.

    python3 examples/datatrove_clusters.py remove_ids [SIZE...] > clusters.tsv
    alike score --truth SET --clusters clusters.tsv --rows 0

The folder holds NNNNNN.clusters (save_cluster_id=True): little-endian pairs of uint32, the
number of a document in what task NNNNNN read, and its cluster. With several tasks, SIZE is the
number of documents of each but the last; rows are counted through. Without .clusters, those
to remove are read from NNNNNN.remove, for --removed.
"""

import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1])
sizes = [int(s) for s in sys.argv[2:]]
files = sorted(folder.glob("*.clusters"))
layout, columns = ("<2I", ["id", "cluster"]) if files else ("<I", ["id"])
files = files or sorted(folder.glob("*.remove"))
print(*columns, sep="\t")
for file in files:
    task = int(file.stem)
    if task > len(sizes):
        sys.exit(f"{file}: want the numbers of documents of tasks 0 to {task - 1}")
    first = sum(sizes[:task])
    for row, *cluster in struct.iter_unpack(layout, file.read_bytes()):
        print(first + row, *cluster, sep="\t")
