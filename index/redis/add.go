package redis

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/internal/remote"
)

// adding is an entry on its way.
type adding struct {
	index.Entry
	out    *index.Outcome
	shard  uint64
	key    string    // of the documents of its shard
	field  string    // of its id
	again  bool      // a place is wanted even if there is a row of the same hash
	marked time.Time // when its hash was
}

// addAtOnce is how many entries go through the steps together.
const addAtOnce = 1024

// Add adds entries. It takes three round trips for each 1,024, four if ifNew is
// true, and one or two more if some are there already.
func (s *Store) Add(ctx context.Context, entries []index.Entry, ifNew bool) ([]index.Outcome, error) {
	l, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]index.Outcome, len(entries))
	for from := 0; from < len(entries); from += addAtOnce {
		to := min(from+addAtOnce, len(entries))
		batch := make([]*adding, 0, to-from)
		for i := from; i < to; i++ {
			shard := l.idShard(entries[i].ID)
			batch = append(batch, &adding{Entry: entries[i], out: &out[i], shard: shard, key: l.docsKey(shard), field: idField(entries[i].ID)})
		}
		if err = s.addBatch(ctx, l, batch, ifNew); err != nil {
			return nil, fmt.Errorf("redis: add: %w", err)
		}
	}
	return out, nil
}

func (s *Store) addBatch(ctx context.Context, l layout, batch []*adding, ifNew bool) error {
	for len(batch) > 0 { // once, unless a merge overtakes it
		known := s.bySlot() // before add, which others may teach the store during
		again, err := s.add(ctx, l, batch, ifNew)
		switch {
		case err == nil:
			batch = again
		case known || !goredis.HasErrorPrefix(err, "CROSSSLOT"):
			return err
		default:
			s.slots.Store(true)
		}
	}
	return nil
}

// add takes entries through all steps, and returns those that have to begin again.
func (s *Store) add(ctx context.Context, l layout, batch []*adding, ifNew bool) ([]*adding, error) {
	batch, err := s.claim(ctx, l, batch)
	if err != nil {
		return nil, err
	}
	if ifNew {
		if batch, err = s.mark(ctx, l, batch, true, nil); err != nil {
			return nil, err
		}
	}
	ops := make([]op, 0, 5*len(batch))
	for _, a := range batch {
		for _, p := range a.Postings {
			ops = l.appendPosting(ctx, ops, p, a.Number)
		}
	}
	if !ifNew {
		_, err = s.mark(ctx, l, batch, false, ops)
	} else if err = s.do(ctx, ops, true); err == nil && len(batch) > 0 && time.Since(batch[0].marked) > s.o.Lease/2 {
		batch, err = s.mark(ctx, l, batch, true, nil)
	}
	if err != nil {
		return nil, err
	}
	return s.commit(ctx, l, batch)
}

// claim gives entries a number. Those whose document is there are the same and
// drop out.
func (s *Store) claim(ctx context.Context, l layout, batch []*adding) ([]*adding, error) {
	var claimed []*adding
	for len(batch) > 0 {
		calls := s.callEach(ctx, claimScript, len(batch), func(i int) string { return batch[i].key }, func(dst []any, i int) []any {
			if batch[i].again {
				return append(dst, batch[i].field, "")
			}
			return append(dst, batch[i].field, batch[i].Hash[:])
		})
		if err := s.do(ctx, calls.appendOps(nil), true); err != nil {
			return nil, err
		}
		now := time.Now().Unix()
		var more []*adding
		for c, call := range calls.each {
			replies, err := call.Slice()
			if err != nil {
				return nil, err
			}
			for k, i := range calls.of[c] {
				a := batch[i]
				place, isNew := replies[k].(int64)
				row := ""
				if !isNew {
					there := replies[k].([]any)
					place, row = there[0].(int64), there[1].(string)
				}
				a.Number = l.number(uint64(place), a.shard)
				if a.Number > l.mostNumber() {
					return nil, fmt.Errorf("the numbers of shard %d are used up: the index was made for too few documents", a.shard)
				}
				if isNew {
					claimed = append(claimed, a)
					continue
				}
				d, until, err := l.parseRow(row)
				if err != nil {
					return nil, err
				}
				if !remote.Gone(until, now) && d.ID == a.ID && bytes.Equal(d.Sketch, a.Sketch) {
					*a.out = index.Outcome{State: index.Same, Number: a.Number}
					continue
				}
				a.again = true
				more = append(more, a)
			}
		}
		batch = more
	}
	return claimed, nil
}

// markOf begins a mark: the number and the owner, which is a hash of the id.
func (a *adding) markOf() []byte {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, 16), a.Number)
	return binary.BigEndian.AppendUint64(b, xxh3.HashString(a.ID))
}

// mark marks the hashes of entries as theirs. Those whose hash another document
// has drop out as known where only is true, and otherwise leave it the mark.
// The commands in with go along.
func (s *Store) mark(ctx context.Context, l layout, batch []*adding, only bool, with []op) ([]*adding, error) {
	over := make([]string, len(batch)) // the marks that may be taken over
	todo := make([]int, len(batch))
	for i := range todo {
		todo[i] = i
	}
	known := make([]bool, len(batch))
	lease := int64(s.o.Lease.Seconds())
	if l.TTL > 0 { // a document that has expired holds no mark
		lease = min(lease, l.TTL)
	}
	for len(todo) > 0 {
		now := time.Now()
		calls := s.callEach(ctx, markScript, len(todo), func(k int) string {
			return l.hashesKey(l.hashShard(batch[todo[k]].Hash))
		}, func(dst []any, k int) []any {
			a := batch[todo[k]]
			a.marked = now
			return append(dst, a.Hash[:], a.markOf(), over[todo[k]])
		}, l.TTL)
		if err := s.do(ctx, calls.appendOps(with), true); err != nil {
			return nil, err
		}
		with = nil
		var held []int
		var numbers []uint64
		var ages []int64
		for c, call := range calls.each {
			marks, err := call.Slice()
			if err != nil {
				return nil, err
			}
			for _, m := range marks {
				m := m.([]any)
				i := todo[calls.of[c][m[0].(int64)-1]]
				over[i] = m[1].(string)
				held, numbers, ages = append(held, i), append(numbers, binary.BigEndian.Uint64([]byte(over[i]))), append(ages, m[2].(int64))
			}
		}
		if len(held) == 0 {
			break
		}
		docs, err := s.documents(ctx, l, numbers)
		if err != nil {
			return nil, err
		}
		todo = todo[:0]
		for k, i := range held {
			there := docs[k].Number != 0 && docs[k].Hash == batch[i].Hash
			if !there && ages[k] > lease {
				todo = append(todo, i)
				continue
			}
			if known[i] = true; only {
				*batch[i].out = index.Outcome{State: index.Known, Number: numbers[k]}
			}
		}
	}
	if !only {
		return batch, nil
	}
	var new []*adding
	for i, a := range batch {
		if !known[i] {
			new = append(new, a)
		}
	}
	return new, nil
}

// commit writes the documents, whose postings are there by now. It returns
// those that a merge has overtaken.
func (s *Store) commit(ctx context.Context, l layout, batch []*adding) ([]*adding, error) {
	now := time.Now()
	until := remote.Until(now, l.TTL)
	calls := s.callEach(ctx, commitScript, len(batch), func(i int) string { return batch[i].key }, func(dst []any, i int) []any {
		place, _ := l.split(batch[i].Number)
		return append(dst, batch[i].field, place, l.rows().Append(nil, batch[i].Document, until))
	}, now.Unix(), l.sumBytes())
	if err := s.do(ctx, calls.appendOps(nil), true); err != nil {
		return nil, err
	}
	for _, a := range batch {
		*a.out = index.Outcome{State: index.Added, Number: a.Number}
	}
	var late []*adding
	var ops []op
	for c, call := range calls.each {
		replies, err := call.Slice()
		if err != nil {
			return nil, err
		}
		for _, r := range replies {
			r := r.([]any)
			a := batch[calls.of[c][r[0].(int64)-1]]
			switch r[1].(string) {
			case "late":
				a.again = false
				late = append(late, a)
			case "same":
				*a.out = index.Outcome{State: index.Same, Number: l.number(uint64(r[2].(int64)), a.shard)}
			case "old":
				a.out.State = index.Replaced
			}
			if len(r) == 4 {
				ops = a.unmarkOld(ctx, l, ops, r[2].(int64), r[3].(string))
			}
		}
	}
	return late, s.do(ctx, ops, true)
}

// unmarkOld appends the command that removes the mark of the row that an entry
// has replaced, unless the mark is the entry's by now.
func (a *adding) unmarkOld(ctx context.Context, l layout, ops []op, place int64, hash string) []op {
	if hash == string(a.Hash[:]) {
		return ops
	}
	return append(ops, l.unmark(ctx, index.Hash([]byte(hash)), l.number(uint64(place), a.shard)))
}

// unmark removes the mark of a document that is gone.
func (l layout) unmark(ctx context.Context, h index.Hash, number uint64) op {
	return evalKeys(ctx, unmarkScript, []string{l.hashesKey(l.hashShard(h))}, h[:], binary.BigEndian.AppendUint64(nil, number))
}
