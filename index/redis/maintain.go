package redis

import (
	"context"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/index"
)

// Stats says how large the index is, in the memory that the servers give for its keys; the tables
// in which they find keys are not counted. It asks for every key.
func (s *Store) Stats(ctx context.Context) (index.Stats, error) {
	l, err := s.begin(ctx)
	if err != nil {
		return index.Stats{}, err
	}
	st := index.Stats{Stale: -1}
	groups, group := uint64(1)<<l.Groups, l.postingsKey
	size, length := int64(l.recordSize()), "strlen"
	if l.Sets {
		keys, err := s.setKeys(ctx, l)
		if err != nil {
			return st, fmt.Errorf("redis: stats: %w", err)
		}
		groups, group = uint64(len(keys)), func(i uint64) string { return keys[i] }
		size, length = 1, "scard"
	}
	st.Postings, st.PostingBytes, err = s.measure(ctx, groups, group, length, func(n int64) int64 { return n / size })
	if err == nil {
		st.Documents, st.DocumentBytes, err = s.measure(ctx, 1<<l.Shards, l.docsKey, "hlen", rows)
	}
	marks := int64(0)
	if err == nil {
		_, marks, err = s.measure(ctx, 1<<l.Shards, l.hashesKey, "hlen", rows)
	}
	if err != nil {
		return st, fmt.Errorf("redis: stats: %w", err)
	}
	st.DocumentBytes += marks
	layout := fmt.Sprintf("records of %d bytes in %d strings", l.recordSize(), 1<<l.Groups)
	if l.Sets {
		layout = "a set for each bucket"
	}
	st.Details = []index.Detail{
		{Name: "layout", Value: layout},
		{Name: "shards of documents", Value: strconv.Itoa(1 << l.Shards)},
		{Name: "time to live", Value: (time.Duration(l.TTL) * time.Second).String()},
	}
	return st, nil
}

// measure returns the memory of n keys, and the sum of how many things each holds, by what a command says
// of it.
func (s *Store) measure(ctx context.Context, n uint64, key func(uint64) string, length string, things func(int64) int64) (sum, bytes int64, err error) {
	for from := uint64(0); from < n; from += atOnce / 2 {
		var ops []op
		var sizes, lengths []*goredis.IntCmd
		for i := from; i < min(from+atOnce/2, n); i++ {
			size, n := goredis.NewIntCmd(ctx, "memory", "usage", key(i)), goredis.NewIntCmd(ctx, length, key(i))
			size.SetFirstKeyPos(2)
			ops = append(ops, op{key(i), size}, op{key(i), n})
			sizes, lengths = append(sizes, size), append(lengths, n)
		}
		if err := s.do(ctx, ops, false); err != nil {
			return 0, 0, err
		}
		for i := range sizes {
			bytes += sizes[i].Val()
			sum += things(lengths[i].Val())
		}
	}
	return sum, bytes, nil
}

// mostProblems is how many lines Verify returns at most.
const mostProblems = 100

// Verify reads everything and returns what is not as it should be. Redis has no checksums
// that could be asked for.
func (s *Store) Verify(ctx context.Context) ([]string, error) {
	l, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	var problems []string
	report := func(format string, args ...any) {
		if len(problems) < mostProblems {
			problems = append(problems, fmt.Sprintf(format, args...))
		}
	}
	err = s.eachShard(ctx, l, func(shard uint64, place, row string) error {
		d, _, err := parseRow(row)
		if err != nil {
			report("document %s of shard %d: %v", place, shard, err)
		} else if of := l.idShard(d.ID); of != shard {
			report("document %s, id %q: in shard %d, want %d", place, d.ID, shard, of)
		}
		if n, err := strconv.ParseUint(place, 10, 64); err != nil || n == 0 || l.number(n, shard) > l.mostNumber() {
			report("place %q in shard %d is none", place, shard)
		}
		return nil
	})
	if err != nil {
		return problems, err
	}
	if l.Sets {
		return problems, s.eachSet(ctx, l, func(key string, _ index.Posting, members []string) error {
			for _, m := range members {
				if len(m) != memberSize {
					report("%s: member of %d bytes, want %d", key, len(m), memberSize)
				}
			}
			return nil
		})
	}
	return problems, s.eachGroup(ctx, l, func(group uint64, all []byte) error {
		if len(all)%l.recordSize() != 0 {
			report("group %x: %d bytes, want a multiple of %d", group, len(all), l.recordSize())
		}
		for _, r := range l.records(all) {
			if r.rest >= 1<<(pairBits-l.Groups) || r.number == 0 {
				report("group %x: record %x of document %d is none", group, r.rest, r.number)
			}
		}
		return nil
	})
}

// census says which numbers are those of documents, as far as a merge may judge.
type census struct {
	layout
	last  []uint64   // by shard: later places are none of its business
	there [][]uint64 // by shard: places in ascending order
}

// stale reports whether a number is of no document and never will be.
func (c *census) stale(number uint64) bool {
	place, shard := c.split(number)
	if place > c.last[shard] {
		return false
	}
	_, ok := slices.BinarySearch(c.there[shard], place)
	return !ok
}

// Merge removes stale postings, documents whose life is over and marks of hashes that are nobody's, and writes
// strings without room to spare. It takes 8 bytes of memory for each document.
func (s *Store) Merge(ctx context.Context) error {
	l, err := s.begin(ctx)
	if err != nil {
		return err
	}
	c, err := s.sweep(ctx, l)
	if err != nil {
		return fmt.Errorf("redis: merge: %w", err)
	}
	if l.Sets {
		err = s.mergeSets(ctx, c)
	} else {
		err = s.mergeGroups(ctx, c)
	}
	if err == nil {
		err = s.mergeMarks(ctx, c)
	}
	if err != nil {
		return fmt.Errorf("redis: merge: %w", err)
	}
	return nil
}

// sweep closes the places of all shards and takes the census.
func (s *Store) sweep(ctx context.Context, l layout) (*census, error) {
	shards := uint64(1) << l.Shards
	c := &census{layout: l, last: make([]uint64, shards), there: make([][]uint64, shards)}
	now := time.Now().Unix()
	for from := uint64(0); from < shards; from += keysAtOnce {
		var ops []op
		var calls []script
		for shard := from; shard < min(from+keysAtOnce, shards); shard++ {
			call := evalKeys(ctx, sweepScript, []string{l.docsKey(shard)}, now)
			ops, calls = append(ops, call.op()), append(calls, call)
		}
		if err := s.do(ctx, ops, true); err != nil {
			return nil, err
		}
		for k, call := range calls {
			reply, err := call.Uint64Slice()
			if err != nil {
				return nil, err
			}
			there := reply[1:]
			slices.Sort(there)
			c.last[from+uint64(k)], c.there[from+uint64(k)] = reply[0], there
		}
	}
	return c, nil
}

// mergeGroups writes every group anew, unless somebody adds to it meanwhile: then again.
func (s *Store) mergeGroups(ctx context.Context, c *census) error {
	groups := make([]uint64, 0, keysAtOnce)
	for from := uint64(0); from < 1<<c.Groups; from += keysAtOnce {
		groups = groups[:0]
		for g := from; g < min(from+keysAtOnce, 1<<c.Groups); g++ {
			groups = append(groups, g)
		}
		for len(groups) > 0 {
			var err error
			if groups, err = s.mergeSome(ctx, c, groups); err != nil {
				return err
			}
		}
	}
	return nil
}

// mergeSome returns the groups that were changed while it looked at them.
func (s *Store) mergeSome(ctx context.Context, c *census, groups []uint64) ([]uint64, error) {
	ops := make([]op, len(groups))
	cmds := make([]*goredis.StringCmd, len(groups))
	for i, g := range groups {
		key := c.postingsKey(g)
		cmds[i] = goredis.NewStringCmd(ctx, "get", key)
		ops[i] = op{key, cmds[i]}
	}
	if err := s.do(ctx, ops, false); err != nil {
		return nil, err
	}
	ops = ops[:0]
	var calls []script
	var of []uint64
	for i, g := range groups {
		all, err := cmds[i].Bytes()
		if err != nil {
			continue // there is none
		}
		fresh := make([]byte, 0, len(all))
		for _, r := range c.records(all) {
			if !c.stale(r.number) {
				fresh = c.appendRecord(fresh, r.rest, r.word, r.number)
			}
		}
		digest := sha1.Sum(all)
		call := evalKeys(ctx, swapScript, []string{c.postingsKey(g)}, hex.EncodeToString(digest[:]), fresh)
		ops, calls, of = append(ops, call.op()), append(calls, call), append(of, g)
	}
	if err := s.do(ctx, ops, true); err != nil {
		return nil, err
	}
	var again []uint64
	for i, call := range calls {
		if n, err := call.Int(); err != nil {
			return nil, err
		} else if n == 0 {
			again = append(again, of[i])
		}
	}
	return again, nil
}

func (s *Store) mergeSets(ctx context.Context, c *census) error {
	return s.eachSet(ctx, c.layout, func(key string, _ index.Posting, members []string) error {
		var ops []op
		for _, m := range members {
			_, number, err := parseMember(m)
			if err != nil {
				return err
			}
			if c.stale(number) {
				ops = append(ops, op{key, goredis.NewIntCmd(ctx, "srem", key, m)})
			}
		}
		return s.do(ctx, ops, true)
	})
}

// mergeMarks removes the marks of documents that are gone.
func (s *Store) mergeMarks(ctx context.Context, c *census) error {
	for from := uint64(0); from < 1<<c.Shards; from += keysAtOnce {
		var ops []op
		var cmds []*goredis.MapStringStringCmd
		for shard := from; shard < min(from+keysAtOnce, 1<<c.Shards); shard++ {
			key := c.hashesKey(shard)
			cmd := goredis.NewMapStringStringCmd(ctx, "hgetall", key)
			ops, cmds = append(ops, op{key, cmd}), append(cmds, cmd)
		}
		if err := s.do(ctx, ops, false); err != nil {
			return err
		}
		ops = ops[:0]
		for _, cmd := range cmds {
			for hash, mark := range cmd.Val() {
				if len(hash) != len(index.Hash{}) || len(mark) < 16 {
					return fmt.Errorf("mark of %d bytes for a hash of %d", len(mark), len(hash))
				}
				if number := binary.BigEndian.Uint64([]byte(mark)); c.stale(number) {
					ops = append(ops, c.unmark(ctx, index.Hash([]byte(hash)), number))
				}
			}
		}
		if err := s.do(ctx, ops, true); err != nil {
			return err
		}
	}
	return nil
}
