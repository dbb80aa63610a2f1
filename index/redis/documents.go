package redis

import (
	"context"
	"fmt"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/internal/remote"
)

// Documents returns documents by number, in a round trip for each 8,192.
func (s *Store) Documents(ctx context.Context, numbers []uint64) ([]index.Document, error) {
	l, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	return s.documents(ctx, l, numbers)
}

func (s *Store) documents(ctx context.Context, l layout, numbers []uint64) ([]index.Document, error) {
	out := make([]index.Document, len(numbers))
	cmds, err := ask(ctx, s, len(numbers), false, func(i int) *goredis.StringCmd {
		place, shard := l.split(numbers[i])
		return goredis.NewStringCmd(ctx, "hget", l.docsKey(shard), place)
	})
	if err != nil {
		return nil, fmt.Errorf("redis: documents: %w", err)
	}
	now := time.Now().Unix()
	for i, number := range numbers {
		row, err := cmds[i].Result()
		if err != nil {
			continue // there is none
		}
		d, until, err := l.parseRow(row)
		if err != nil {
			return nil, fmt.Errorf("redis: document %d: %w", number, err)
		}
		if !remote.Gone(until, now) {
			d.Number = number
			out[i] = d
		}
	}
	return out, nil
}

// Find returns numbers by id.
func (s *Store) Find(ctx context.Context, ids []string) ([]uint64, error) {
	l, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	cmds, err := ask(ctx, s, len(ids), false, func(i int) *goredis.StringCmd {
		return goredis.NewStringCmd(ctx, "hget", l.docsKey(l.idShard(ids[i])), idField(ids[i]))
	})
	if err != nil {
		return nil, fmt.Errorf("redis: find: %w", err)
	}
	out := make([]uint64, len(ids))
	for i, id := range ids {
		if place, err := cmds[i].Uint64(); err == nil {
			out[i] = l.number(place, l.idShard(id))
		}
	}
	if l.TTL == 0 {
		return out, nil
	}
	docs, err := s.documents(ctx, l, out)
	for i, d := range docs {
		out[i] = d.Number
	}
	return out, err
}
