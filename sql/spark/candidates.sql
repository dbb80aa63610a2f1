-- Pairs of a bucket: of block i with block j, for all i <= j, each a group of the join of its own.
CREATE OR REPLACE TEMPORARY VIEW candidates AS
WITH lefts AS (
  SELECT *, explode(sequence(block, blocks - 1)) AS other FROM members
), rights AS (
  SELECT *, explode(sequence(0L, block)) AS other FROM members
)
SELECT DISTINCT least(l.number, r.number) AS a, greatest(l.number, r.number) AS b
FROM lefts l JOIN rights r
  ON l.bucket_table = r.bucket_table AND l.bucket = r.bucket AND l.block = r.other AND l.other = r.block
WHERE l.block < r.block OR l.number < r.number;
