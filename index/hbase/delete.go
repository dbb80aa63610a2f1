package hbase

import (
	"context"
	"fmt"
	"time"

	"github.com/alike-go/alike/index"
)

// Delete deletes documents. It takes three round trips for some thousand.
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
			return n, fmt.Errorf("hbase: delete: %w", err)
		}
	}
	return n, nil
}

func (s *Store) remove(ctx context.Context, l layout, entries []index.Entry) (int, error) {
	numbers := make([]uint64, len(entries))
	for i, e := range entries {
		numbers[i] = e.Number
	}
	states, err := s.states(ctx, l, numbers)
	if err != nil {
		return 0, err
	}
	var ops []*op
	var alive []bool
	now := time.Now().Unix()
	for i, e := range entries {
		if st := states[i]; st.written && !st.void && st.ID == e.ID {
			ops, alive = append(ops, s.voidOp(l, e.Number)), append(alive, st.there(now))
		}
	}
	if err := s.do(ctx, ops); err != nil {
		return 0, err
	}
	n := 0
	for i, o := range ops {
		if o.met && alive[i] {
			n++
		}
	}
	ops = ops[:0]
	for i, e := range entries {
		// Also where it was not there, for a deletion may have been interrupted here.
		if st := states[i]; e.Number == 0 || st.written && st.ID != e.ID || st.Number == 0 {
			continue
		}
		for _, p := range e.Postings {
			ops = append(ops, changeOp(s.postings, drop(l.postingRow(p), string(numberBytes(e.Number)))))
		}
		ops = append(ops, changeOp(s.documents, drop(l.idRow(e.ID), string(numberBytes(e.Number)))))
		ops = append(ops, s.unmark(l, e.Document)...)
	}
	return n, s.do(ctx, ops)
}
