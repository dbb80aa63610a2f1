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

// Stats says how large the index is, in the memory that the servers report for its
// keys. The servers' own tables of keys are not counted. It asks for every key.
func (s *Store) Stats(ctx context.Context) (index.Stats, error) {
	l, err := s.begin(ctx)
	if err != nil {
		return index.Stats{}, err
	}
	st := index.Stats{Stale: -1}
	size := int64(l.recordSize())
	st.Postings, st.PostingBytes, err = s.measure(ctx, 1<<l.Groups, l.postingsKey, "strlen", func(n int64) int64 { return n / size })
	if err == nil {
		st.Documents, st.DocumentBytes, err = s.measure(ctx, 1<<l.Shards, l.docsKey, "hlen", l.rowsOf)
	}
	marks := int64(0)
	if err == nil {
		_, marks, err = s.measure(ctx, 1<<l.Shards, l.hashesKey, "hlen", l.rowsOf)
	}
	if err != nil {
		return st, fmt.Errorf("redis: stats: %w", err)
	}
	st.DocumentBytes += marks
	st.Details = []index.Detail{
		{Name: "layout", Value: fmt.Sprintf("records of %d bytes in %d strings", size, 1<<l.Groups)},
		{Name: "shards of documents", Value: strconv.Itoa(1 << l.Shards)},
		{Name: "time to live", Value: (time.Duration(l.TTL) * time.Second).String()},
	}
	return st, nil
}

// measure returns the memory of n keys and how many things they hold. The command
// length returns a number for each key, and things makes the count of it.
func (s *Store) measure(ctx context.Context, n uint64, key func(uint64) string, length string, things func(int64) int64) (sum, bytes int64, err error) {
	for from := uint64(0); from < n; from += atOnce / 2 {
		var ops []op
		var sizes, lengths []*goredis.IntCmd
		for i := from; i < min(from+atOnce/2, n); i++ {
			size, n := goredis.NewIntCmd(ctx, "memory", "usage", key(i)), goredis.NewIntCmd(ctx, length, key(i))
			size.SetFirstKeyPos(2)
			ops = append(ops, size, n)
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

// census says which numbers have documents, for the numbers that a merge may
// judge.
type census struct {
	layout
	last  []uint64   // by shard, the last place that the merge judges
	there [][]uint64 // by shard, places with documents, ascending

	lost   int64           // documents of which something was left
	mended int64           // shards that had lost documents, or whose ids or counts were wrong
	beyond map[uint64]bool // numbers of lost documents behind the last place of their shard
}

// stale reports whether a number has no document and never will.
func (c *census) stale(number uint64) bool {
	place, shard := c.split(number)
	if place > c.last[shard] {
		return c.beyond[number]
	}
	_, ok := slices.BinarySearch(c.there[shard], place)
	return !ok
}

// Merge removes stale postings, expired documents and the marks of documents that
// are gone, and writes strings without spare room. It takes 8 bytes of memory per
// document. The error wraps index.ErrLost if Merge has removed what was left of
// documents that the servers had lost.
func (s *Store) Merge(ctx context.Context) error {
	l, err := s.begin(ctx)
	if err != nil {
		return err
	}
	c, err := s.sweep(ctx, l)
	if err != nil {
		return fmt.Errorf("redis: merge: %w", err)
	}
	if err = s.mergeGroups(ctx, c); err == nil {
		err = s.mergeMarks(ctx, c)
	}
	if err == nil && c.mended+int64(len(c.beyond)) > 0 {
		err = fmt.Errorf("%w: %d of damaged shards and %d of shards that start anew; what was left of them is removed: add them again",
			index.ErrLost, c.lost, len(c.beyond))
	}
	if err != nil {
		return fmt.Errorf("redis: merge: %w", err)
	}
	return nil
}

// sweep closes the places of all shards and takes the census.
func (s *Store) sweep(ctx context.Context, l layout) (*census, error) {
	shards := uint64(1) << l.Shards
	c := &census{layout: l, last: make([]uint64, shards), there: make([][]uint64, shards), beyond: map[uint64]bool{}}
	now := time.Now().Unix()
	for from := uint64(0); from < shards; from += keysAtOnce {
		calls, err := ask(ctx, s, int(min(keysAtOnce, shards-from)), true, func(i int) *goredis.Cmd {
			return evalKeys(ctx, sweepScript, []string{l.docsKey(from + uint64(i))}, now, l.sumBytes())
		})
		if err != nil {
			return nil, err
		}
		for k, call := range calls {
			reply, err := call.Uint64Slice()
			if err != nil {
				return nil, err
			}
			c.lost += int64(reply[1])
			c.mended += int64(reply[2])
			there := reply[3:]
			slices.Sort(there)
			c.last[from+uint64(k)], c.there[from+uint64(k)] = reply[0], there
		}
	}
	return c, nil
}

// mergeGroups rewrites every group. It repeats a group that others have changed
// meanwhile.
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

// mergeSome rewrites groups, and returns those that others have changed meanwhile.
func (s *Store) mergeSome(ctx context.Context, c *census, groups []uint64) ([]uint64, error) {
	cmds, err := ask(ctx, s, len(groups), false, func(i int) *goredis.StringCmd {
		return goredis.NewStringCmd(ctx, "get", c.postingsKey(groups[i]))
	})
	if err != nil {
		return nil, err
	}
	var late []uint64
	for _, cmd := range cmds {
		all, _ := cmd.Bytes()
		for _, r := range c.records(all) {
			late = c.appendLate(late, r.number)
		}
	}
	if err := s.judgeLate(ctx, c, late); err != nil {
		return nil, err
	}
	var ops []op
	var calls []*goredis.Cmd
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
		ops, calls, of = append(ops, call), append(calls, call), append(of, g)
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

// appendLate appends a number that was given after the census, or was lost.
func (c *census) appendLate(late []uint64, number uint64) []uint64 {
	if place, shard := c.split(number); place > c.last[shard] && !c.beyond[number] {
		return append(late, number)
	}
	return late
}

// judgeLate adds numbers that their shards have not given to beyond: those shards
// start anew. It does not look for documents that a shard has lost since the
// census: an Add that is under way cannot be told from them.
func (s *Store) judgeLate(ctx context.Context, c *census, late []uint64) error {
	slices.Sort(late)
	late = slices.Compact(late)
	evidence, err := s.findLost(ctx, c.layout, late, notGiven)
	if err != nil {
		return err
	}
	for i, e := range evidence {
		if e != "" {
			c.beyond[late[i]] = true
		}
	}
	return nil
}

// mergeMarks removes the marks of documents that are gone.
func (s *Store) mergeMarks(ctx context.Context, c *census) error {
	return s.eachHash(ctx, c.layout, c.hashesKey, func(_ uint64, all []map[string]string) error {
		var late []uint64
		for _, fields := range all {
			for hash, mark := range fields {
				if len(hash) != len(index.Hash{}) || len(mark) < 16 {
					return fmt.Errorf("mark of %d bytes for a hash of %d", len(mark), len(hash))
				}
				late = c.appendLate(late, binary.BigEndian.Uint64([]byte(mark)))
			}
		}
		if err := s.judgeLate(ctx, c, late); err != nil {
			return err
		}
		var ops []op
		for _, fields := range all {
			for hash, mark := range fields {
				if number := binary.BigEndian.Uint64([]byte(mark)); c.stale(number) {
					ops = append(ops, c.unmark(ctx, index.Hash([]byte(hash)), number))
				}
			}
		}
		return s.do(ctx, ops, true)
	})
}
