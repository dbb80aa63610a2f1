-- Least words: of the ${size} least of both texts together, how many both have. With the highest bit
-- flipped signed integers are in the order of the unsigned ones.
CREATE TEMP TABLE ${out} AS
WITH flipped AS (
  SELECT number, list_transform(words, lambda w: xor(w, CAST(-9223372036854775808 AS BIGINT))) AS words FROM ${table}
), joint AS (
  SELECT c.a, c.b, list_intersect(l.words, r.words) AS shared,
    list_sort(list_distinct(list_concat(l.words, r.words)))[1:${size}] AS least
  FROM ${pairs} c JOIN flipped l ON l.number = c.a JOIN flipped r ON r.number = c.b
), judged AS (
  SELECT a, b, CAST(len(list_intersect(shared, least)) AS DOUBLE) / CAST(len(least) AS DOUBLE) AS score FROM joint
)
SELECT a, b, score FROM judged WHERE score >= ${floor};
