package redis

import (
	"context"
	"encoding/binary"
	"fmt"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/internal/remote"
)

// posting returns the key of the string that a posting lies in, and its record
// without the number.
func (l layout) posting(p index.Posting) (key string, part []byte) {
	group, rest := l.place(p)
	part = appendUint(make([]byte, 0, l.recordSize()), rest, l.restBytes())
	return l.postingsKey(group), binary.BigEndian.AppendUint64(part, p.Word)
}

// record returns the key of the string that a posting of a document lies in, and
// its record.
func (l layout) record(p index.Posting, number uint64) (key string, whole []byte) {
	key, part := l.posting(p)
	return key, appendUint(part, number, l.numberBytes())
}

// appendPosting appends the commands that store a posting.
func (l layout) appendPosting(ctx context.Context, ops []op, p index.Posting, number uint64) []op {
	key, record := l.record(p, number)
	if ops = append(ops, op{key, goredis.NewIntCmd(ctx, "append", key, record)}); l.TTL > 0 {
		ops = append(ops, op{key, goredis.NewIntCmd(ctx, "expire", key, l.TTL)})
	}
	return ops
}

// dropPosting returns the command that removes a posting.
func (l layout) dropPosting(ctx context.Context, p index.Posting, number uint64) op {
	key, record := l.record(p, number)
	return evalKeys(ctx, dropScript, []string{key}, record).op()
}

// Scan appends the numbers of documents in the buckets of the probes, in one round trip.
func (s *Store) Scan(ctx context.Context, dst []uint64, probes []index.Posting, within int) ([]uint64, error) {
	err := s.scan(ctx, probes, within, func(_ int, number uint64) { dst = append(dst, number) })
	return dst, err
}

// ScanBatch returns the numbers of documents in the buckets of each element of probes, in a round trip for
// each 8,192 buckets.
func (s *Store) ScanBatch(ctx context.Context, probes [][]index.Posting, within int) ([][]uint64, error) {
	all, of := remote.Flat(probes)
	out := make([][]uint64, len(probes))
	err := s.scan(ctx, all, within, func(i int, number uint64) { out[of[i]] = append(out[of[i]], number) })
	if err != nil {
		return nil, err
	}
	return out, nil
}

// scan calls found with each document that a probe leads to.
func (s *Store) scan(ctx context.Context, probes []index.Posting, within int, found func(probe int, number uint64)) error {
	l, err := s.begin(ctx)
	if err != nil {
		return err
	}
	ops := make([]op, len(probes))
	cmds := make([]*goredis.StringCmd, len(probes))
	rests := make([]uint64, len(probes))
	for i, p := range probes {
		group, rest := l.place(p)
		key := l.postingsKey(group)
		cmds[i], rests[i] = goredis.NewStringCmd(ctx, "get", key), rest
		ops[i] = op{key, cmds[i]}
	}
	if err := s.do(ctx, ops, false); err != nil {
		return fmt.Errorf("redis: scan: %w", err)
	}
	size := l.recordSize()
	for i, p := range probes {
		all, _ := cmds[i].Bytes()
		for ; len(all) >= size; all = all[size:] {
			if r := l.parseRecord(all); r.rest == rests[i] && index.Near(r.word, p.Word, within) {
				found(i, r.number)
			}
		}
	}
	return nil
}
