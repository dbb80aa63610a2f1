-- The prefix of each set: its rarest words, of which two that are alike enough have one in common
-- (Chaudhuri, Ganti and Kaushik, ICDE 2006). total is the size of the set, and rest what it has from a word on,
-- in the order from rare to common; words that no other set has are before all, and make no pair. The prefix is
-- shorter where the set is the lesser of two. A text without words is known by checksum and length.
CREATE TEMP TABLE prefixes AS
WITH own AS NOT MATERIALIZED (
  SELECT s.* FROM sketches s SEMI JOIN firsts f ON s.number = f.number
), words AS NOT MATERIALIZED (
  SELECT number, unnest(words) AS word, unnest(weights) AS weight, ${total} AS total FROM own
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
SELECT sum, size, number, 1, 1, true FROM own WHERE len(words) = 0 AND size > 0;
