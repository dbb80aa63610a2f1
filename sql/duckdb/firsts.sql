-- One document stands for all of equal texts; those without features take no part.
CREATE TEMP TABLE firsts AS
SELECT min(number) AS number
FROM documents
WHERE NOT empty AND error = ''
GROUP BY hash_high, hash_low;
