-- Bags: sums of lesser weights count for words in common. They are whole numbers, whose sums
-- do not depend on the order.
CREATE TEMP TABLE ${out} AS
WITH words AS (
  SELECT number, unnest(words) AS word, unnest(weights) AS weight
  FROM ${table}
  WHERE number IN (SELECT a FROM ${pairs} UNION ALL SELECT b FROM ${pairs})
), sums AS (
  SELECT number, sum(weight) AS n FROM words GROUP BY number
), shared AS (
  SELECT c.a, c.b, sum(least(l.weight, r.weight)) AS n
  FROM ${pairs} c JOIN words l ON l.number = c.a JOIN words r ON r.number = c.b AND r.word = l.word
  GROUP BY c.a, c.b
), judged AS (
  SELECT s.a, s.b, CAST(s.n AS DOUBLE) / CAST(${share} AS DOUBLE) AS score
  FROM (SELECT s.a, s.b, s.n, l.n AS na, r.n AS nb
        FROM shared s JOIN sums l ON l.number = s.a JOIN sums r ON r.number = s.b) s
)
SELECT a, b, score FROM judged WHERE score >= ${floor};
