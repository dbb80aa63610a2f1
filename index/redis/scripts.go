package redis

import (
	goredis "github.com/redis/go-redis/v9"
)

// The scripts run on one server and are atomic. Each can be repeated without harm, for a reply may be
// lost. Those of Add take several documents, since to call a script takes longer than what it does with
// one. On a single server addScript does all of it; in a cluster, where a script may only touch keys of one slot,
// claim, mark and commit are for documents of the same shard.
var (
	// createScript: meta; header, layout. It returns what is there.
	createScript = goredis.NewScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then
	redis.call('HSET', KEYS[1], 'header', ARGV[1], 'layout', ARGV[2])
end
return redis.call('HMGET', KEYS[1], 'header', 'layout')`)

	// claimScript: the documents' hash of each; for each its id as a field, and its content hash, or
	// nothing if a new place is wanted at any rate. It returns for each a new place, or the place and the
	// row of a document with this id and content hash.
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

	// markScript: the hashes' hash of each; life, and for each its content hash, number ‖ owner, and the mark that
	// may be taken over. It returns those whose hash another has marked: which one, that
	// mark, and its age in seconds.
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

	// commitScript: the documents' hash of each; now, and for each its id as a field, place and row. It returns
	// those that are not simply new: which one, and 'late' if a merge has begun since its place was
	// claimed, 'same' and the place of a document that is the same, or 'old' or, where its life was over, 'new',
	// with the place and the content hash of the row that was replaced.
	commitScript = goredis.NewScript(`
local now, reply = tonumber(ARGV[1]), {}
for i, key in ipairs(KEYS) do
	local id, new, row = ARGV[3 * i - 1], ARGV[3 * i], ARGV[3 * i + 1]
	local there = redis.call('HMGET', key, id, '!')
	local place = there[1]
	if place == new then
		-- It was written before, and the reply was lost.
	elseif tonumber(new) <= tonumber(there[2] or '0') then
		reply[#reply + 1] = {i, 'late'}
	else
		local old, same = place and redis.call('HGET', key, place), false
		if old then
			local a, b, c, d = string.byte(old, 1, 4)
			local stop = ((a * 256 + b) * 256 + c) * 256 + d
			local live = stop == 0 or stop > now
			same = live and string.sub(old, 13) == string.sub(row, 13)
			if same then
				reply[#reply + 1] = {i, 'same', tonumber(place)}
			else
				reply[#reply + 1] = {i, live and 'old' or 'new', tonumber(place), string.sub(old, 13, 28)}
				redis.call('HDEL', key, place)
			end
		end
		if not same then redis.call('HSET', key, id, new, new, row) end
	end
end
return reply`)

	// addScript: of each the documents, the hashes, and the postings of each of its own; whether only new contents are
	// added, now, the stamp of its marks, life, the command that adds a posting, the name of the index, the number of
	// shards, the greatest number and the bytes of a number, and for each its id as a field, row, owner and
	// shard, the number of its postings, and them without the number. It returns for each its place if it is new, or what
	// has become of it: 'same' and the place of a document that is the same, 'known' and the number of
	// another of its content, or 'old' or, where its life was over, 'new', with its place and with the place and
	// the content hash of the row that was replaced. A call whose reply was lost knows by the
	// stamp what it added.
	addScript = goredis.NewScript(`
local call, sub = redis.call, string.sub
local onlyNew, now, stamp, life, append = ARGV[1] == '1', tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local name, shards, most, size = ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])

local function live(row)
	local a, b, c, d = string.byte(row, 1, 4)
	local stop = ((a * 256 + b) * 256 + c) * 256 + d
	return stop == 0 or stop > now
end

-- taken returns the number of the document of another owner that has marked a hash, if it is there.
local function taken(marks, hash, owner)
	local mark = call('HGET', marks, hash)
	if not mark or sub(mark, 9, 16) == owner then return nil end
	local number = struct.unpack('>I8', mark)
	local shard = number % shards
	local row = call('HGET', string.format('%s:{%x}d', name, shard), (number - shard) / shards)
	return row and live(row) and sub(row, 13, 28) == hash and number
end

local reply, key, arg = {}, 1, 10
while key <= #KEYS do
	local docs, marks = KEYS[key], KEYS[key + 1]
	local id, row, owner, shard, postings = ARGV[arg], ARGV[arg + 1], ARGV[arg + 2], tonumber(ARGV[arg + 3]), tonumber(ARGV[arg + 4])
	key, arg = key + 2, arg + 5
	local hash, outcome = sub(row, 13, 28), nil
	local place = call('HGET', docs, id)
	local old = place and call('HGET', docs, place)
	if old and live(old) and sub(old, 13) == sub(row, 13) then
		local mark = call('HGET', marks, hash)
		local mine = mark and sub(mark, 9) == owner .. stamp
		outcome = mine and tonumber(place) or {'same', tonumber(place)}
	elseif onlyNew then
		local other = taken(marks, hash, owner)
		outcome = other and {'known', other}
	end
	if not outcome then
		local new = call('HINCRBY', docs, '', 1)
		local number = new * shards + shard
		if number > most then
			return redis.error_reply('NUMBERS of a shard are used up: the index was made for too few documents')
		end
		outcome = new
		if old then
			outcome = {live(old) and 'old' or 'new', new, tonumber(place), sub(old, 13, 28)}
			call('HDEL', docs, place)
		end
		local packed = struct.pack('>I8', number)
		local ending = sub(packed, 9 - size)
		for i = 0, postings - 1 do
			call(append, KEYS[key + i], ARGV[arg + i] .. ending)
			if life ~= '0' then call('EXPIRE', KEYS[key + i], life) end
		end
		local mark = packed .. owner .. stamp
		if onlyNew then
			call('HSET', marks, hash, mark)
		elseif call('HSETNX', marks, hash, mark) == 0 and not taken(marks, hash, owner) then
			call('HSET', marks, hash, mark)
		end
		if life ~= '0' then call('EXPIRE', marks, life) end
		call('HSET', docs, id, new, new, row)
	end
	reply[#reply + 1] = outcome
	key, arg = key + postings, arg + postings
end
return reply`)

	// removeScript: documents; id as a field, place, the id as it stands in a row. It returns
	// whether the document was there: 1, 0, or -1 if another is.
	removeScript = goredis.NewScript(`
local row = redis.call('HGET', KEYS[1], ARGV[2])
if row and string.sub(row, 29, 28 + #ARGV[3]) ~= ARGV[3] then return -1 end
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end
return redis.call('HDEL', KEYS[1], ARGV[2])`)

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

	// sweepScript: documents; now. It removes rows whose life is over with their ids, makes all places that
	// were claimed so far but not filled void, and returns the last of them and those that are
	// filled.
	sweepScript = goredis.NewScript(`
local key, now = KEYS[1], tonumber(ARGV[1])
local last = tonumber(redis.call('HGET', key, '') or '0')
if last == 0 then return {0} end
redis.call('HSET', key, '!', last)
local reply, there, ids = {last}, {}, {}
local all = redis.call('HGETALL', key)
for i = 1, #all, 2 do
	local field, value = all[i], all[i + 1]
	if string.sub(field, 1, 1) == '=' then
		ids[#ids + 1] = i
	elseif field ~= '' and field ~= '!' then
		local a, b, c, d = string.byte(value, 1, 4)
		local stop = ((a * 256 + b) * 256 + c) * 256 + d
		if stop ~= 0 and stop <= now then
			redis.call('HDEL', key, field)
		else
			there[field] = true
			reply[#reply + 1] = tonumber(field)
		end
	end
end
for _, i in ipairs(ids) do
	if not there[all[i + 1]] then redis.call('HDEL', key, all[i]) end
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
	createScript, claimScript, markScript, unmarkScript, commitScript, addScript,
	removeScript, dropScript, sweepScript, swapScript,
}
