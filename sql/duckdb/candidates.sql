-- Pairs of a bucket: of block i with block j, for all i <= j, each a group of the join of its own.
CREATE TEMP TABLE candidates AS
WITH lefts AS (
  SELECT *, unnest(range(block, blocks)) AS other FROM members
), rights AS (
  SELECT *, unnest(range(0, block + 1)) AS other FROM members
)
SELECT DISTINCT least(l.number, r.number) AS a, greatest(l.number, r.number) AS b
FROM lefts l JOIN rights r
  ON l.bucket_table = r.bucket_table AND l.bucket = r.bucket AND l.block = r.other AND l.other = r.block
WHERE l.block < r.block OR l.number < r.number;
