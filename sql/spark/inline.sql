-- Pairs of a bucket, as in candidates.sql, of which the words beside the keys show the score: those that
-- differ in ${most} lanes at most.
CREATE OR REPLACE TEMPORARY VIEW scored AS
WITH lefts AS (
  SELECT *, explode(sequence(block, blocks - 1)) AS other FROM members
), rights AS (
  SELECT *, explode(sequence(0L, block)) AS other FROM members
), near AS (
  SELECT DISTINCT least(l.number, r.number) AS a, greatest(l.number, r.number) AS b, ${differ} AS lanes
  FROM lefts l JOIN rights r
    ON l.bucket_table = r.bucket_table AND l.bucket = r.bucket AND l.block = r.other AND l.other = r.block
  WHERE (l.block < r.block OR l.number < r.number) AND ${differ} <= ${most}
)
SELECT a, b, element_at(${scores}, CAST(lanes AS INT) + 1) AS score FROM near;
