-- Bags: sums of lesser weights count for words in common. They are whole numbers, whose sums
-- do not depend on the order.
CREATE OR REPLACE TEMPORARY VIEW ${out} AS
WITH wanted AS (
  SELECT a AS number FROM ${pairs} UNION SELECT b FROM ${pairs}
), words AS (
  SELECT number, z.words AS word, z.weights AS weight
  FROM (SELECT t.number, explode(arrays_zip(t.words, t.weights)) AS z FROM ${table} t LEFT SEMI JOIN wanted w ON t.number = w.number)
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
