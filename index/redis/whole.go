package redis

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/internal/remote"
)

// postingsAtOnce is how many postings a call of addScript stores at most,
// unless one document has more.
const postingsAtOnce = 512

// addWhole adds entries on a single server, each of them at once.
func (s *Store) addWhole(ctx context.Context, l layout, batch []*adding, ifNew bool) error {
	now := time.Now()
	var ops []op
	var calls []script
	var of [][]*adding
	for rest := batch; len(rest) > 0; {
		n, postings := 0, 0
		for n < min(len(rest), atomically) && (n == 0 || postings+len(rest[n].Postings) <= postingsAtOnce) {
			postings += len(rest[n].Postings)
			n++
		}
		call := l.addCall(ctx, rest[:n], postings, ifNew, now, s.stamp(now))
		ops, calls, of, rest = append(ops, call.op()), append(calls, call), append(of, rest[:n]), rest[n:]
	}
	if err := s.do(ctx, ops, true); err != nil {
		return err
	}
	ops = ops[:0]
	for i, call := range calls {
		replies, err := call.Slice()
		if err != nil || len(replies) != len(of[i]) {
			return fmt.Errorf("%d replies for %d documents, %v", len(replies), len(of[i]), err)
		}
		for k, a := range of[i] {
			if place, ok := replies[k].(int64); ok {
				*a.out = index.Outcome{State: index.Added, Number: l.number(uint64(place), a.shard)}
				continue
			}
			r := replies[k].([]any)
			number := uint64(r[1].(int64))
			switch r[0].(string) {
			case "known":
				*a.out = index.Outcome{State: index.Known, Number: number}
			case "same":
				*a.out = index.Outcome{State: index.Same, Number: l.number(number, a.shard)}
			case "old":
				*a.out = index.Outcome{State: index.Replaced, Number: l.number(number, a.shard)}
			default:
				*a.out = index.Outcome{State: index.Added, Number: l.number(number, a.shard)}
			}
			if len(r) == 4 {
				ops = a.unmarkOld(ctx, l, ops, r[2].(int64), r[3].(string))
			}
		}
	}
	return s.do(ctx, ops, true)
}

// stamp returns the time in microseconds, but no number twice.
func (s *Store) stamp(now time.Time) int64 {
	for {
		last := s.stamped.Load()
		if next := max(now.UnixMicro(), last+1); s.stamped.CompareAndSwap(last, next) {
			return next
		}
	}
}

// addCall is the call of addScript for some entries with so many postings.
func (l layout) addCall(ctx context.Context, batch []*adding, postings int, ifNew bool, now time.Time, stamp int64) script {
	only := 0
	if ifNew {
		only = 1
	}
	keys := make([]string, 0, 2*len(batch)+postings)
	args := make([]any, 0, 9+5*len(batch)+postings)
	args = append(args, only, now.Unix(), binary.BigEndian.AppendUint64(nil, uint64(stamp)), l.TTL,
		l.name, 1<<l.Shards, l.mostNumber(), l.numberBytes(), l.sumBytes())
	until := remote.Until(now, l.TTL)
	for _, a := range batch {
		keys = append(keys, a.key, l.hashesKey(l.hashShard(a.Hash)))
		args = append(args, a.field, l.rows().Append(nil, a.Document, until), binary.BigEndian.AppendUint64(nil, a.owner()), a.shard, len(a.Postings))
		for _, p := range a.Postings {
			key, part := l.posting(p)
			keys, args = append(keys, key), append(args, part)
		}
	}
	return evalKeys(ctx, addScript, keys, args...)
}
