package redis

import (
	goredis "github.com/redis/go-redis/v9"
)

// Each script runs on one server and is atomic. It can be repeated without
// harm, because a reply may be lost. The scripts of Add take several documents,
// since the call of a script takes longer than its work on one document. In a
// cluster a script may only touch keys of one slot: there claim, mark and commit
// take documents of the same shard.
var (
	// createScript: meta; header, layout. It returns what is there.
	createScript = goredis.NewScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then
	redis.call('HSET', KEYS[1], 'header', ARGV[1], 'layout', ARGV[2])
end
return redis.call('HMGET', KEYS[1], 'header', 'layout')`)

	// claimScript: the documents' hash of each; for each its id as a field, and its
	// content hash, or nothing if it needs a new place in any case. It returns for
	// each a new place, or the place and the row of a document with this id and
	// content hash.
	claimScript = goredis.NewScript(`
local reply = {}
for i, key in ipairs(KEYS) do
	local place = redis.call('HGET', key, ARGV[2 * i - 1])
	local row = place and redis.call('HGET', key, place)
	if row and string.sub(row, 13, 28) == ARGV[2 * i] then
		reply[i] = {tonumber(place), row}
	else
		reply[i] = redis.call('HINCRBY', key, '', 1)
	end
end
return reply`)

	// markScript: the hashes' hash of each; time to live, and for each its content
	// hash, number ‖ owner, and the mark that may be taken over. It returns those
	// whose hash another has marked: which one, that mark, and its age in seconds.
	markScript = goredis.NewScript(`
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local stamp, reply = struct.pack('>I8', now), {}
for i, key in ipairs(KEYS) do
	local hash, own, over = ARGV[3 * i - 1], ARGV[3 * i], ARGV[3 * i + 1]
	local held = redis.call('HSETNX', key, hash, own .. stamp) == 0
	if held then
		local mark = redis.call('HGET', key, hash)
		local other = string.sub(mark, 1, 16)
		held = string.sub(other, 9) ~= string.sub(own, 9) and other ~= over
		if held then
			reply[#reply + 1] = {i, other, (now - struct.unpack('>I8', mark, 17)) / 1000000}
		else
			redis.call('HSET', key, hash, own .. stamp)
		end
	end
	if not held and ARGV[1] ~= '0' then redis.call('EXPIRE', key, ARGV[1]) end
end
return reply`)

	// unmarkScript: hashes; hash, number. It removes the mark of a document.
	unmarkScript = goredis.NewScript(`
local mark = redis.call('HGET', KEYS[1], ARGV[1])
if mark and string.sub(mark, 1, 8) == ARGV[2] then
	return redis.call('HDEL', KEYS[1], ARGV[1])
end
return 0`)

	// commitScript: the documents' hash of each; now, the bytes of a row's checksum,
	// and for each its id as a field, place and row. It returns those that are not
	// simply new, and for each which one it is and what has become of it:
	//
	//   - 'late' if a merge has begun since its place was claimed
	//   - 'same' and the place of a document that is the same
	//   - 'old', or 'new' if the replaced row had expired, and the place and the
	//     content hash of that row
	commitScript = goredis.NewScript(`
local now, tail, reply = tonumber(ARGV[1]), tonumber(ARGV[2]), {}

-- own returns a row if it has the id of another. An id that was damaged may lead to the row of
-- another document, which must not be replaced.
local function own(old, row)
	local last = 30 + string.byte(row, 29) * 256 + string.byte(row, 30)
	return old and string.sub(old, 29, last) == string.sub(row, 29, last) and old
end

for i, key in ipairs(KEYS) do
	local id, new, row = ARGV[3 * i], ARGV[3 * i + 1], ARGV[3 * i + 2]
	local there = redis.call('HMGET', key, id, '!')
	local place = there[1]
	if place == new then
		-- It was written before, and the reply was lost.
	elseif tonumber(new) <= tonumber(there[2] or '0') then
		reply[#reply + 1] = {i, 'late'}
	else
		local old, same = own(place and redis.call('HGET', key, place), row), false
		if old then
			local a, b, c, d = string.byte(old, 1, 4)
			local stop = ((a * 256 + b) * 256 + c) * 256 + d
			local live = stop == 0 or stop > now
			same = live and string.sub(old, 13, -1 - tail) == string.sub(row, 13, -1 - tail)
			if same then
				reply[#reply + 1] = {i, 'same', tonumber(place)}
			else
				reply[#reply + 1] = {i, live and 'old' or 'new', tonumber(place), string.sub(old, 13, 28)}
				redis.call('HDEL', key, place)
			end
		end
		if not same then
			redis.call('HSET', key, id, new, new, row)
			if tail > 0 and not old then redis.call('HINCRBY', key, '#', 1) end
		end
	end
end
return reply`)

	// removeScript: documents; id as a field, place, the id as it stands in a row, the
	// bytes of a row's checksum. It returns 1 if the document was there, 0 if not, and
	// -1 if another document has the place.
	removeScript = goredis.NewScript(`
local row = redis.call('HGET', KEYS[1], ARGV[2])
if row and string.sub(row, 29, 28 + #ARGV[3]) ~= ARGV[3] then return -1 end
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end
local n = redis.call('HDEL', KEYS[1], ARGV[2])
if n == 1 and ARGV[4] ~= '0' then redis.call('HINCRBY', KEYS[1], '#', -1) end
return n`)

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

	// sweepScript: documents; now, the bytes of a row's checksum. It removes expired
	// rows with their ids, and makes all places void that were claimed so far but not
	// filled. It mends what damage has left: ids that lead to no row or to the row of
	// another, rows to which no id leads, a wrong count, a last place before one that
	// is filled. If an id has several rows, the row to which it leads stays, otherwise
	// the last one. It returns the last place, how many documents were lost, whether
	// anything was mended, and the places that are filled.
	sweepScript = goredis.NewScript(`
local key, now, counted = KEYS[1], tonumber(ARGV[1]), ARGV[2] ~= '0'
local all = redis.call('HGETALL', key)
if #all == 0 then return {0, 0, 0} end
local last, count, rows, mended, lost = 0, 0, 0, 0, 0
local there, ids = {}, {} -- by place the id of its row, by id its place
for i = 1, #all, 2 do
	local field, value = all[i], all[i + 1]
	local place = tonumber(field)
	if string.sub(field, 1, 1) == '=' then
		ids[field] = value
	elseif field == '' then
		last = math.max(last, tonumber(value))
	elseif field == '#' then
		count = tonumber(value)
	elseif place then
		rows = rows + 1
		local a, b, c, d = string.byte(value, 1, 4)
		local stop = d and ((a * 256 + b) * 256 + c) * 256 + d or 0
		if stop ~= 0 and stop <= now then
			redis.call('HDEL', key, field)
			there[field] = 'over'
		else
			local long, short = string.byte(value, 29, 30)
			there[field] = short and '=' .. string.sub(value, 31, 30 + long * 256 + short) or '='
		end
	end
end
local wrong, fields = {}, {}
for id, place in pairs(ids) do
	local own = there[place]
	if own ~= id then
		redis.call('HDEL', key, id)
		ids[id] = nil
		if own ~= 'over' then wrong[id], lost = true, lost + 1 end
	end
end
for field, id in pairs(there) do
	if id ~= 'over' then fields[#fields + 1] = field end
end
table.sort(fields, function(a, b) return tonumber(a) > tonumber(b) end)
local live, reply = 0, {0, 0, 0}
for _, field in ipairs(fields) do
	local id, place = there[field], tonumber(field)
	if place > last then last, mended = place, 1 end
	if ids[id] ~= field then mended = 1 end
	if not ids[id] then
		redis.call('HSET', key, id, field)
		ids[id] = field
		if wrong[id] then lost = lost - 1 end
	end
	if ids[id] == field then
		live = live + 1
		reply[#reply + 1] = place
	else
		redis.call('HDEL', key, field)
	end
end
if counted then
	lost = math.max(lost, count - rows)
	if count ~= rows then mended = 1 end
	redis.call('HSET', key, '#', live)
end
redis.call('HSET', key, '', last, '!', last)
reply[1], reply[2], reply[3] = last, lost, lost > 0 and 1 or mended
return reply`)

	// shardScript: documents; places. It returns how the hash is filled: how many
	// fields it has, the last place, the last place that a merge has closed, and the
	// count of its documents. Then it returns for each place whether it is filled.
	shardScript = goredis.NewScript(`
local key = KEYS[1]
local state = redis.call('HMGET', key, '', '!', '#')
local reply = {redis.call('HLEN', key), state[1] or '', state[2] or '', state[3] or ''}
for i, place in ipairs(ARGV) do
	reply[i + 4] = redis.call('HEXISTS', key, place)
end
return reply`)

	// swapScript: postings; digest, value. It sets the value if the present one has
	// the digest.
	swapScript = goredis.NewScript(`
local all = redis.call('GET', KEYS[1])
if not all or redis.sha1hex(all) ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL') end
return 1`)
)

// scripts are all scripts. A server that lacks one is sent all of them.
var scripts = []*goredis.Script{
	createScript, claimScript, markScript, unmarkScript, commitScript,
	removeScript, dropScript, sweepScript, shardScript, swapScript,
}
