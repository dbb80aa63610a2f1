package redis

import (
	goredis "github.com/redis/go-redis/v9"
)

// The scripts run on one server, on keys of one shard, and are atomic. Each can be
// repeated without harm, for a reply may be lost.
var (
	// createScript: meta; header, layout. It returns what is there.
	createScript = goredis.NewScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then
	redis.call('HSET', KEYS[1], 'header', ARGV[1], 'layout', ARGV[2])
end
return redis.call('HMGET', KEYS[1], 'header', 'layout')`)

	// claimScript: ids, documents; id, hash, whether a row of the same hash is not asked for. It
	// returns the row of a document with this id and hash and its place, or a new
	// place.
	claimScript = goredis.NewScript(`
if ARGV[3] == '0' then
	local place = redis.call('HGET', KEYS[1], ARGV[1])
	local row = place and redis.call('HGET', KEYS[2], place)
	if row and string.sub(row, 13, 28) == ARGV[2] then
		return {tonumber(place), row}
	end
end
return {redis.call('HINCRBY', KEYS[1], '', 1)}`)

	// markScript: hashes; hash, number ‖ owner, the mark that may be taken over, life. It
	// returns the mark of another owner and its age in seconds, or nothing.
	markScript = goredis.NewScript(`
local now = tonumber(redis.call('TIME')[1])
local mark = redis.call('HGET', KEYS[1], ARGV[1])
if mark then
	local other = string.sub(mark, 1, 16)
	if string.sub(other, 9) ~= string.sub(ARGV[2], 9) and other ~= ARGV[3] then
		return {other, now - tonumber(string.sub(mark, 17))}
	end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. string.format('%d', now))
if ARGV[4] ~= '0' then redis.call('EXPIRE', KEYS[1], ARGV[4]) end
return {}`)

	// unmarkScript: hashes; hash, number. It removes the mark of a document.
	unmarkScript = goredis.NewScript(`
local mark = redis.call('HGET', KEYS[1], ARGV[1])
if mark and string.sub(mark, 1, 8) == ARGV[2] then
	return redis.call('HDEL', KEYS[1], ARGV[1])
end
return 0`)

	// commitScript: ids, documents, floor; id, place, row, life, now. It returns 'late' if a
	// merge has begun since the place was claimed, 'same' and the place of a document
	// that is the same, 'new', or 'old' and the place and the beginning of the row that
	// was replaced.
	commitScript = goredis.NewScript(`
local place = redis.call('HGET', KEYS[1], ARGV[1])
if place == ARGV[2] then return {'new'} end
if tonumber(ARGV[2]) <= tonumber(redis.call('GET', KEYS[3]) or '0') then return {'late'} end
local reply = {'new'}
local row = place and redis.call('HGET', KEYS[2], place)
if row then
	local a, b, c, d = string.byte(row, 1, 4)
	local stop = ((a * 256 + b) * 256 + c) * 256 + d
	local live = stop == 0 or stop > tonumber(ARGV[5])
	if live and string.sub(row, 13) == string.sub(ARGV[3], 13) then
		return {'same', tonumber(place)}
	end
	reply = {live and 'old' or 'new', tonumber(place), string.sub(row, 13, 28)}
	redis.call('HDEL', KEYS[2], place)
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if ARGV[4] ~= '0' then redis.call('EXPIRE', KEYS[2], ARGV[4]) end
return reply`)

	// removeScript: ids, documents; id, place, the id as it stands in a row. It returns
	// whether the document was there: 1, 0, or -1 if another is.
	removeScript = goredis.NewScript(`
local row = redis.call('HGET', KEYS[2], ARGV[2])
if row and string.sub(row, 29, 28 + #ARGV[3]) ~= ARGV[3] then return -1 end
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end
return redis.call('HDEL', KEYS[2], ARGV[2])`)

	// dropScript: postings; record. It removes the record wherever it stands.
	dropScript = goredis.NewScript(`
local all, one = redis.call('GET', KEYS[1]), ARGV[1]
if not all then return 0 end
local from, n = 1, 0
while true do
	local at = string.find(all, one, from, true)
	if not at then break end
	if (at - 1) % #one == 0 then
		all = string.sub(all, 1, at - 1) .. string.sub(all, at + #one)
		from, n = at, n + 1
	else
		from = at + 1
	end
end
if n == 0 then return 0 end
if all == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], all, 'KEEPTTL') end
return n`)

	// sweepScript: ids, documents, floor; now. It removes rows whose life is over and ids without a
	// row, makes all places that were claimed so far but not filled void, and
	// returns the last of them and those that are filled.
	sweepScript = goredis.NewScript(`
local last = tonumber(redis.call('HGET', KEYS[1], '') or '0')
if last == 0 then return {0} end
redis.call('SET', KEYS[3], last)
local reply, there = {last}, {}
local rows = redis.call('HGETALL', KEYS[2])
for i = 1, #rows, 2 do
	local a, b, c, d = string.byte(rows[i + 1], 1, 4)
	local stop = ((a * 256 + b) * 256 + c) * 256 + d
	if stop ~= 0 and stop <= tonumber(ARGV[1]) then
		redis.call('HDEL', KEYS[2], rows[i])
	else
		there[rows[i]] = true
		reply[#reply + 1] = tonumber(rows[i])
	end
end
local ids = redis.call('HGETALL', KEYS[1])
for i = 1, #ids, 2 do
	if ids[i] ~= '' and not there[ids[i + 1]] then redis.call('HDEL', KEYS[1], ids[i]) end
end
return reply`)

	// swapScript: postings; digest, value. It sets the value if that which is there has the digest.
	swapScript = goredis.NewScript(`
local all = redis.call('GET', KEYS[1])
if not all or redis.sha1hex(all) ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL') end
return 1`)
)

// scripts are all of them, which a server is given when it lacks one.
var scripts = []*goredis.Script{
	createScript, claimScript, markScript, unmarkScript, commitScript,
	removeScript, dropScript, sweepScript, swapScript,
}
