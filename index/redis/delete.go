package redis

import (
	"context"
	"fmt"
	"slices"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/internal/remote"
)

// Delete deletes documents. It takes two round trips for some thousand.
func (s *Store) Delete(ctx context.Context, entries []index.Entry) (int, error) {
	l, err := s.begin(ctx)
	if err != nil {
		return 0, err
	}
	n := 0
	for part := range slices.Chunk(entries, addAtOnce) {
		k, err := s.remove(ctx, l, part)
		n += k
		if err != nil {
			return n, fmt.Errorf("redis: delete: %w", err)
		}
	}
	return n, nil
}

func (s *Store) remove(ctx context.Context, l layout, entries []index.Entry) (int, error) {
	entries = slices.DeleteFunc(slices.Clone(entries), func(e index.Entry) bool {
		_, shard := l.split(e.Number)
		return shard != l.idShard(e.ID)
	})
	calls, err := ask(ctx, s, len(entries), true, func(i int) *goredis.Cmd {
		e := entries[i]
		place, shard := l.split(e.Number)
		return evalKeys(ctx, removeScript, []string{l.docsKey(shard)}, idField(e.ID), place, remote.AppendID(nil, e.ID), l.sumBytes())
	})
	if err != nil {
		return 0, err
	}
	n := 0
	var ops []op
	for i, e := range entries {
		was, err := calls[i].Int()
		if err != nil {
			return n, err
		}
		if was < 0 {
			continue
		}
		n += was
		// Also where it was not there, for a deletion may have been interrupted here.
		ops = append(ops, l.unmark(ctx, e.Hash, e.Number))
		for _, p := range e.Postings {
			ops = append(ops, l.dropPosting(ctx, p, e.Number))
		}
	}
	return n, s.do(ctx, ops, true)
}
