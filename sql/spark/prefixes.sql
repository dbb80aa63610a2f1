-- The prefix of each set: its rarest words, of which two that are alike enough have one in common
-- (Chaudhuri, Ganti and Kaushik, ICDE 2006). total is the size of the set, and rest what it has from a word on,
-- in the order from rare to common; words that no other set has are before all, and make no pair. The prefix is
-- shorter where the set is the lesser of two. A text without words is known by checksum and length.
CREATE OR REPLACE TEMPORARY VIEW prefixes AS
WITH own AS (
  SELECT s.* FROM sketches s LEFT SEMI JOIN firsts f ON s.number = f.number
), words AS (
  SELECT number, total, z.words AS word, z.weights AS weight
  FROM (SELECT number, ${total} AS total, explode(arrays_zip(words, weights)) AS z FROM own)
), known AS (
  SELECT word, count(*) AS texts FROM words GROUP BY word HAVING count(*) > 1
), placed AS (
  SELECT w.number, w.word, w.total,
    CAST(${rest} OVER (PARTITION BY w.number ORDER BY k.texts DESC, w.word DESC ROWS UNBOUNDED PRECEDING) AS BIGINT) AS rest
  FROM words w JOIN known k ON k.word = w.word
)
SELECT word, CAST(0 AS BIGINT) AS length, number, total, rest, rest >= ${lesser} * total AS lesser
FROM placed
WHERE rest >= ${greater} * total
UNION ALL
SELECT sum, size, number, 1, 1, true FROM own WHERE size(words) = 0 AND size > 0;
