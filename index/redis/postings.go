package redis

import (
	"context"
	"encoding/binary"
	"fmt"
	"strconv"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/similarity"
)

// posting returns the key under which a posting lies and what is stored of it, without the number.
func (l layout) posting(p index.Posting) (key string, part []byte) {
	if l.Sets {
		return l.setKey(p), binary.BigEndian.AppendUint64(make([]byte, 0, memberSize), p.Word)
	}
	group, rest := l.place(p)
	part = appendUint(make([]byte, 0, l.recordSize()), rest, l.restBytes())
	return l.postingsKey(group), binary.BigEndian.AppendUint64(part, p.Word)
}

// appending returns the command that adds to what lies under a key of postings, and how many bytes it adds of a
// number.
func (l layout) appending() (command string, numberBytes int) {
	if l.Sets {
		return "sadd", memberSize - wordBytes
	}
	return "append", l.numberBytes()
}

// appendPosting appends the commands that store a posting.
func (l layout) appendPosting(ctx context.Context, ops []op, p index.Posting, number uint64) []op {
	command, size := l.appending()
	key, part := l.posting(p)
	if ops = append(ops, op{key, goredis.NewIntCmd(ctx, command, key, appendUint(part, number, size))}); l.TTL > 0 {
		ops = append(ops, op{key, goredis.NewIntCmd(ctx, "expire", key, l.TTL)})
	}
	return ops
}

// dropPosting returns the command that removes a posting.
func (l layout) dropPosting(ctx context.Context, p index.Posting, number uint64) op {
	_, size := l.appending()
	key, part := l.posting(p)
	whole := appendUint(part, number, size)
	if l.Sets {
		return op{key, goredis.NewIntCmd(ctx, "srem", key, whole)}
	}
	return evalKeys(ctx, dropScript, []string{key}, whole).op()
}

// Scan appends the numbers of documents in the buckets of the probes, in one round trip.
func (s *Store) Scan(ctx context.Context, dst []uint64, probes []index.Posting, within int) ([]uint64, error) {
	err := s.scan(ctx, probes, within, func(_ int, number uint64) { dst = append(dst, number) })
	return dst, err
}

// ScanBatch returns the numbers of documents in the buckets of each element of probes, in a round trip for
// each 8,192 buckets.
func (s *Store) ScanBatch(ctx context.Context, probes [][]index.Posting, within int) ([][]uint64, error) {
	var all []index.Posting
	var of []int // by probe, the element it is of
	for i, p := range probes {
		all = append(all, p...)
		for range p {
			of = append(of, i)
		}
	}
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
	if l.Sets {
		return s.scanSets(ctx, l, probes, within, found)
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

// A member of a set is word ‖ number.
const memberSize = wordBytes + 6

func parseMember(m string) (word, number uint64, err error) {
	if len(m) != memberSize {
		return 0, 0, fmt.Errorf("redis: member of %d bytes, want %d: %w", len(m), memberSize, similarity.ErrFormat)
	}
	b := []byte(m)
	return binary.BigEndian.Uint64(b), uintOf(b[wordBytes:]), nil
}

func (s *Store) scanSets(ctx context.Context, l layout, probes []index.Posting, within int, found func(probe int, number uint64)) error {
	ops := make([]op, len(probes))
	cmds := make([]*goredis.StringSliceCmd, len(probes))
	for i, p := range probes {
		key := l.setKey(p)
		cmds[i] = goredis.NewStringSliceCmd(ctx, "smembers", key)
		ops[i] = op{key, cmds[i]}
	}
	if err := s.do(ctx, ops, false); err != nil {
		return fmt.Errorf("redis: scan: %w", err)
	}
	for i, p := range probes {
		for _, m := range cmds[i].Val() {
			word, number, err := parseMember(m)
			if err != nil {
				return err
			}
			if index.Near(word, p.Word, within) {
				found(i, number)
			}
		}
	}
	return nil
}

// parseSetKey returns the bucket and the table of a set.
func (l layout) parseSetKey(key string) (index.Posting, error) {
	digits := key[min(len(key), len(l.name)+2):]
	if len(digits) < 3 || digits[len(digits)-2:] != "}s" {
		return index.Posting{}, fmt.Errorf("redis: key %q of a set: %w", key, similarity.ErrFormat)
	}
	v, err := strconv.ParseUint(digits[:len(digits)-2], 16, pairBits)
	if err != nil {
		return index.Posting{}, fmt.Errorf("redis: key %q of a set: %v: %w", key, err, similarity.ErrFormat)
	}
	return index.Posting{Bucket: uint32(v >> 8), Table: uint8(v)}, nil
}
