-- Pairs of a bucket, as in candidates.sql, of which the words beside the keys show the score: those that
-- differ in ${most} lanes at most.
CREATE TEMP TABLE scored AS
WITH lefts AS (
  SELECT *, unnest(range(block, blocks)) AS other FROM members
), rights AS (
  SELECT *, unnest(range(0, block + 1)) AS other FROM members
), near AS (
  SELECT DISTINCT least(l.number, r.number) AS a, greatest(l.number, r.number) AS b, ${differ} AS lanes
  FROM lefts l JOIN rights r
    ON l.bucket_table = r.bucket_table AND l.bucket = r.bucket AND l.block = r.other AND l.other = r.block
  WHERE (l.block < r.block OR l.number < r.number) AND ${differ} <= ${most}
)
SELECT a, b, (${scores})[lanes + 1] AS score FROM near;
