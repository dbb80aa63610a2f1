-- Sets: the share of the words in common.
CREATE OR REPLACE TEMPORARY VIEW ${out} AS
WITH shared AS (
  SELECT c.a, c.b, size(array_intersect(l.words, r.words)) AS n, size(l.words) AS na, size(r.words) AS nb,
    ${whole} AS whole
  FROM ${pairs} c JOIN ${table} l ON l.number = c.a JOIN ${table} r ON r.number = c.b
), judged AS (
  SELECT a, b, CASE
    WHEN whole THEN 1e0
    WHEN na = 0 OR nb = 0 THEN 0e0
    ELSE CAST(n AS DOUBLE) / CAST(${share} AS DOUBLE)
  END AS score
  FROM shared
)
SELECT a, b, score FROM judged WHERE score >= ${floor};
