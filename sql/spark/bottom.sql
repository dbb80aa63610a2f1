-- Least words: of the ${size} least of both texts together, how many both have. With the highest bit
-- flipped signed integers are in the order of the unsigned ones.
CREATE OR REPLACE TEMPORARY VIEW ${out} AS
WITH flipped AS (
  SELECT number, transform(words, w -> w ^ (-9223372036854775807L - 1L)) AS words FROM ${table}
), joint AS (
  SELECT c.a, c.b, array_intersect(l.words, r.words) AS shared,
    slice(array_sort(array_distinct(concat(l.words, r.words))), 1, ${size}) AS least
  FROM ${pairs} c JOIN flipped l ON l.number = c.a JOIN flipped r ON r.number = c.b
), judged AS (
  SELECT a, b, CAST(size(array_intersect(shared, least)) AS DOUBLE) / CAST(size(least) AS DOUBLE) AS score FROM joint
)
SELECT a, b, score FROM judged WHERE score >= ${floor};
