-- All pairs that were looked at, with the score of what decides: those below the threshold too, for the
-- report counts them.
CREATE TEMP TABLE looked AS
SELECT s.a, s.b, coalesce(v.score, 0e0) AS score
FROM scored s LEFT JOIN verified v ON v.a = s.a AND v.b = s.b;
