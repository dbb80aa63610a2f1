package redis

import (
	"context"
	"fmt"

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
	for from := 0; from < len(entries); from += addAtOnce {
		k, err := s.remove(ctx, l, entries[from:min(from+addAtOnce, len(entries))])
		n += k
		if err != nil {
			return n, fmt.Errorf("redis: delete: %w", err)
		}
	}
	return n, nil
}

func (s *Store) remove(ctx context.Context, l layout, entries []index.Entry) (int, error) {
	var ops []op
	var calls []script
	var of []index.Entry
	for _, e := range entries {
		place, shard := l.split(e.Number)
		if shard != l.idShard(e.ID) {
			continue
		}
		c := evalKeys(ctx, removeScript, []string{l.docsKey(shard)}, idField(e.ID), place, remote.AppendID(nil, e.ID), l.sumBytes())
		ops, calls, of = append(ops, c.op()), append(calls, c), append(of, e)
	}
	if err := s.do(ctx, ops, true); err != nil {
		return 0, err
	}
	n := 0
	ops = ops[:0]
	for i, e := range of {
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
