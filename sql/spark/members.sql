-- What shares a bucket with others, a member in one of the blocks that its bucket is cut in: of
-- ${block} members each, so that no bucket is paired in one piece, whatever its size.
CREATE OR REPLACE TEMPORARY VIEW members AS
WITH own AS (
  SELECT b.* FROM buckets b LEFT SEMI JOIN firsts f ON b.number = f.number
), sizes AS (
  SELECT bucket_table, bucket, (count(*) + ${block} - 1) DIV ${block} AS blocks
  FROM own
  GROUP BY bucket_table, bucket
  HAVING count(*) > 1
)
SELECT o.bucket_table, o.bucket, o.number, ${words} s.blocks, o.number % s.blocks AS block
FROM own o JOIN sizes s ON o.bucket_table = s.bucket_table AND o.bucket = s.bucket;
