package redis

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/internal/remote"
)

// keysAtOnce is how many keys are read at a time when all are read.
const keysAtOnce = 256

// EachDocument calls do with every document, shard by shard.
func (s *Store) EachDocument(ctx context.Context, do func(index.Document) error) error {
	l, err := s.beginExport(ctx)
	if err != nil {
		return err
	}
	now := time.Now().Unix()
	return s.eachShard(ctx, l, func(shard uint64, place string, row string) error {
		d, until, err := l.parseRow(row)
		if err != nil {
			return err
		}
		n, err := strconv.ParseUint(place, 10, 64)
		if err != nil {
			return fmt.Errorf("redis: place %q of shard %d", place, shard)
		}
		if remote.Gone(until, now) {
			return nil
		}
		d.Number = l.number(n, shard)
		return do(d)
	})
}

// eachShard calls do with every row of the documents' hashes.
func (s *Store) eachShard(ctx context.Context, l layout, do func(shard uint64, place, row string) error) error {
	return s.eachHash(ctx, l, l.docsKey, func(from uint64, hashes []map[string]string) error {
		for k, fields := range hashes {
			for _, place := range slices.Sorted(maps.Keys(fields)) {
				if !isPlace(place) {
					continue
				}
				if err := do(from+uint64(k), place, fields[place]); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// eachHash calls do with the fields of the hashes of all shards, keysAtOnce shards
// at a time: hashes begins with that of shard from.
func (s *Store) eachHash(ctx context.Context, l layout, key func(shard uint64) string, do func(from uint64, hashes []map[string]string) error) error {
	for from := uint64(0); from < 1<<l.Shards; from += keysAtOnce {
		to := min(from+keysAtOnce, 1<<l.Shards)
		cmds, err := ask(ctx, s, int(to-from), false, func(i int) *goredis.MapStringStringCmd {
			return goredis.NewMapStringStringCmd(ctx, "hgetall", key(from+uint64(i)))
		})
		if err != nil {
			return fmt.Errorf("redis: read shards: %w", err)
		}
		hashes := make([]map[string]string, len(cmds))
		for k, c := range cmds {
			hashes[k] = c.Val()
		}
		if err := do(from, hashes); err != nil {
			return err
		}
	}
	return nil
}

// EachPosting calls do with every posting, group by group.
func (s *Store) EachPosting(ctx context.Context, do func(p index.Posting, number uint64) error) error {
	l, err := s.begin(ctx)
	if err != nil {
		return err
	}
	return s.eachGroup(ctx, l, func(group uint64, all []byte) error {
		for _, r := range l.records(all) {
			if err := do(l.postingOf(group, r), r.number); err != nil {
				return err
			}
		}
		return nil
	})
}

// records returns the records of a group in ascending order, none twice.
func (l layout) records(all []byte) []record {
	size := l.recordSize()
	rs := make([]record, 0, len(all)/size)
	for ; len(all) >= size; all = all[size:] {
		rs = append(rs, l.parseRecord(all))
	}
	slices.SortFunc(rs, func(a, b record) int {
		return cmp.Or(cmp.Compare(a.rest, b.rest), cmp.Compare(a.word, b.word), cmp.Compare(a.number, b.number))
	})
	return slices.Compact(rs)
}

// eachGroup calls do with the string of every group that has one.
func (s *Store) eachGroup(ctx context.Context, l layout, do func(group uint64, all []byte) error) error {
	for from := uint64(0); from < 1<<l.Groups; from += keysAtOnce {
		to := min(from+keysAtOnce, 1<<l.Groups)
		cmds, err := ask(ctx, s, int(to-from), false, func(i int) *goredis.StringCmd {
			return goredis.NewStringCmd(ctx, "get", l.postingsKey(from+uint64(i)))
		})
		if err != nil {
			return fmt.Errorf("redis: read groups: %w", err)
		}
		for k, c := range cmds {
			all, err := c.Bytes()
			if err != nil {
				continue // there is none
			}
			if err := do(from+uint64(k), all); err != nil {
				return err
			}
		}
	}
	return nil
}
