package redis

import (
	"context"
	"fmt"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/index"
)

// posting returns the key of the string that a posting of a document lies in, and
// its record.
func (l layout) posting(p index.Posting, number uint64) (key string, record []byte) {
	group, rest := l.place(p)
	return l.postingsKey(group), l.appendRecord(make([]byte, 0, l.recordSize()), rest, p.Word, number)
}

// appendPosting appends the commands that store a posting.
func (l layout) appendPosting(ctx context.Context, ops []op, p index.Posting, number uint64) []op {
	key, record := l.posting(p, number)
	if ops = append(ops, goredis.NewIntCmd(ctx, "append", key, record)); l.TTL > 0 {
		ops = append(ops, goredis.NewIntCmd(ctx, "expire", key, l.TTL))
	}
	return ops
}

// dropPosting returns the command that removes a posting.
func (l layout) dropPosting(ctx context.Context, p index.Posting, number uint64) op {
	key, record := l.posting(p, number)
	return evalKeys(ctx, dropScript, []string{key}, record)
}

// Scan calls found with the documents in the buckets of the probes. It takes a
// round trip for each 8,192 probes.
func (s *Store) Scan(ctx context.Context, probes []index.Posting, within int, found func(probe int, number uint64)) error {
	l, err := s.begin(ctx)
	if err != nil {
		return err
	}
	rests := make([]uint64, len(probes))
	cmds, err := ask(ctx, s, len(probes), false, func(i int) *goredis.StringCmd {
		group, rest := l.place(probes[i])
		rests[i] = rest
		return goredis.NewStringCmd(ctx, "get", l.postingsKey(group))
	})
	if err != nil {
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
