-- Signatures: the score goes by the number of lanes that differ, ${most} at most.
CREATE TEMP TABLE ${out} AS
WITH near AS (
  SELECT c.a, c.b, ${differ} AS lanes
  FROM ${pairs} c JOIN ${table} l ON l.number = c.a JOIN ${table} r ON r.number = c.b
)
SELECT a, b, (${scores})[lanes + 1] AS score FROM near WHERE lanes <= ${most};
