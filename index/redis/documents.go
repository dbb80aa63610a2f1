package redis

import (
	"context"
	"encoding/binary"
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
	return s.alive(ctx, l, out, func(int, index.Document) bool { return true })
}

// FindHash returns for each hash the number of the document that marked it.
func (s *Store) FindHash(ctx context.Context, hashes []index.Hash) ([]uint64, error) {
	l, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	cmds, err := ask(ctx, s, len(hashes), false, func(i int) *goredis.StringCmd {
		return goredis.NewStringCmd(ctx, "hget", l.hashesKey(l.hashShard(hashes[i])), hashes[i][:])
	})
	if err != nil {
		return nil, fmt.Errorf("redis: find hash: %w", err)
	}
	out := make([]uint64, len(hashes))
	for i := range hashes {
		if mark, _ := cmds[i].Bytes(); len(mark) > 8 {
			out[i] = binary.BigEndian.Uint64(mark)
		}
	}
	return s.alive(ctx, l, out, func(i int, d index.Document) bool { return d.Hash == hashes[i] })
}

// alive sets the numbers of documents that are not there, or not right, to 0.
func (s *Store) alive(ctx context.Context, l layout, numbers []uint64, right func(int, index.Document) bool) ([]uint64, error) {
	docs, err := s.documents(ctx, l, numbers)
	if err != nil {
		return nil, err
	}
	for i, d := range docs {
		if d.Number == 0 || !right(i, d) {
			numbers[i] = 0
		}
	}
	return numbers, nil
}
