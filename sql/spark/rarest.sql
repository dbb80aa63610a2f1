-- Pairs of sets that share a word of their prefixes, of which one is the lesser. Those of a word are paired in
-- blocks of ${block}, each with each, so that no word is paired in one piece. All that two have in common lies from
-- the first word that they share on, so it is no more than the lesser rest there (Xiao et al., PPJoin, WWW 2008).
CREATE OR REPLACE TEMPORARY VIEW candidates AS
WITH sizes AS (
  SELECT word, length, (count(*) + ${block} - 1) DIV ${block} AS blocks,
    (count(*) FILTER (WHERE lesser) + ${block} - 1) DIV ${block} AS lesser_blocks
  FROM prefixes
  GROUP BY word, length
  HAVING count(*) > 1 AND count(*) FILTER (WHERE lesser) > 0
), greaters AS (
  SELECT p.*, p.number % s.blocks AS block, explode(sequence(0L, s.lesser_blocks - 1)) AS other
  FROM prefixes p JOIN sizes s ON p.word = s.word AND p.length = s.length
), lessers AS (
  SELECT p.*, p.number % s.lesser_blocks AS block, explode(sequence(0L, s.blocks - 1)) AS other
  FROM prefixes p JOIN sizes s ON p.word = s.word AND p.length = s.length
  WHERE p.lesser
)
SELECT DISTINCT least(l.number, g.number) AS a, greatest(l.number, g.number) AS b
FROM lessers l JOIN greaters g
  ON l.word = g.word AND l.length = g.length AND l.block = g.other AND l.other = g.block
WHERE (l.total < g.total OR (l.total = g.total AND l.number < g.number)) AND least(l.rest, g.rest) >= ${need};
