package hbase

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tsuna/gohbase/pb"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/internal/remote"
	"github.com/alike-go/alike/similarity"
)

// adding is an entry on its way.
type adding struct {
	index.Entry
	out    *index.Outcome
	above  uint64    // the number must be greater than this
	old    []state   // of earlier numbers in the row of its id, ascending
	began  time.Time // when its number was claimed
	marked time.Time // when its hash was
}

// replaces returns the document that an entry replaces, if there is one.
func (a *adding) replaces(now int64) (index.Document, bool) { return current(a.old, a.ID, now) }

const (
	addAtOnce = 2048 // entries that go through the steps together
	reserved  = 64   // numbers that are taken at a time at least

	// staleAfter is how long unneeded rows are kept, because an Add that is under way
	// may still rely on them. An Add gives up long before.
	staleAfter = 24 * time.Hour
)

// errSlow is the error of an Add that stood still for so long that a merge may
// have removed what it had written.
var errSlow = errors.New("it has stood still for half a day")

// Add adds entries. It takes four round trips per 2,048 entries, six if ifNew is
// true, and some more if ids are known.
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
			batch = append(batch, &adding{Entry: entries[i], out: &out[i]})
		}
		for len(batch) > 0 { // once, unless another overtakes it
			if batch, err = s.add(ctx, l, batch, ifNew); err != nil {
				return nil, fmt.Errorf("hbase: add: %w", err)
			}
		}
	}
	return out, nil
}

// add takes entries through all steps, and returns those that have to begin again.
//
// Two writers may add under one id at the same time. Each first writes its
// number in the row of the id, and then reads the numbers that are there. A
// writer that finds a greater number begins again with a number that is greater
// still. Otherwise all others are smaller. It makes those it has found void
// once its own document is there; a smaller number that comes later finds the
// greater one. So the greatest number wins, whichever writer is slow.
func (s *Store) add(ctx context.Context, l layout, batch []*adding, ifNew bool) (again []*adding, err error) {
	if err := s.number(ctx, batch); err != nil {
		return nil, err
	}
	if ifNew {
		if batch, again, err = s.mark(ctx, l, batch); err != nil {
			return nil, err
		}
	}
	begun := l.beginning(batch)
	batch, late, err := s.claim(ctx, l, batch, begun)
	if err != nil {
		return nil, err
	}
	all := len(batch)
	again = append(late, again...) // so that the first of a hash stays the first
	var ops []*op
	for _, a := range batch {
		number := numberBytes(a.Number)
		for _, p := range a.Postings {
			ops = append(ops, changeOp(s.postings, put(l.postingRow(p), string(number), nil)))
		}
		ops = append(ops, changeOp(s.documents, put(l.hashRow(a.Hash), string(number), nil)))
	}
	if err := s.do(ctx, ops); err != nil {
		return nil, err
	}
	if ifNew && len(batch) > 0 && time.Since(batch[0].marked) > s.o.Lease/2 {
		var more []*adding
		if batch, more, err = s.mark(ctx, l, batch); err != nil {
			return nil, err
		}
		again = append(again, more...)
	}
	if err := s.commit(ctx, l, batch); err != nil {
		return nil, err
	}
	if begun == nil || len(batch) < all { // the postings of the others are there
		return again, nil
	}
	return again, s.do(ctx, []*op{changeOp(s.documents, dropRow(begun.Row))})
}

// number gives entries unused numbers.
func (s *Store) number(ctx context.Context, batch []*adding) error {
	s.numbers.Lock()
	defer s.numbers.Unlock()
	for i, a := range batch {
		// A reserve may be older than what is in the row of the id.
		if s.numbers.next == s.numbers.end || s.numbers.next <= a.above {
			n := uint64(max(reserved, len(batch)-i))
			o := changeOp(s.documents, add(metaRow, counterColumn, n))
			if err := s.do(ctx, []*op{o}); err != nil {
				return err
			}
			c := o.cell(counterColumn)
			if c == nil || len(c.Value) != 8 {
				return fmt.Errorf("no last number in the reply: %w", similarity.ErrFormat)
			}
			s.numbers.end = binary.BigEndian.Uint64(c.Value) + 1
			s.numbers.next = s.numbers.end - n
		}
		a.Number = s.numbers.next
		s.numbers.next++
	}
	return nil
}

// claim writes the numbers in the rows of the ids, and the note of the batch.
// Then it reads the other numbers of the ids. Entries whose document is there
// already are the same and drop out. Entries that find a greater number have to
// begin again.
func (s *Store) claim(ctx context.Context, l layout, batch []*adding, begun *pb.MutationProto) (claimed, late []*adding, err error) {
	ops := make([]*op, len(batch), len(batch)+1)
	ids := make([]string, len(batch))
	for i, a := range batch {
		ops[i] = changeOp(s.documents, put(l.idRow(a.ID), string(numberBytes(a.Number)), nil))
		ids[i] = a.ID
		a.began = time.Now()
	}
	if begun != nil {
		ops = append(ops, changeOp(s.documents, begun))
	}
	if err := s.do(ctx, ops); err != nil {
		return nil, nil, err
	}
	all, err := s.lookUp(ctx, l, ids, func(i int, number uint64) bool { return number != batch[i].Number })
	if err != nil {
		return nil, nil, err
	}
	var back []*op
	now := time.Now().Unix()
	for i, a := range batch {
		a.old = all[i]
		last := uint64(0)
		if n := len(a.old); n > 0 {
			last = a.old[n-1].Number
		}
		d, ok := a.replaces(now)
		same := ok && d.Hash == a.Hash && bytes.Equal(d.Sketch, a.Sketch)
		if !same && last < a.Number {
			claimed = append(claimed, a)
			continue
		}
		back = append(back, changeOp(s.documents, drop(l.idRow(a.ID), string(numberBytes(a.Number)))))
		if same {
			*a.out = index.Outcome{State: index.Same, Number: d.Number}
		} else {
			a.above = last
			late = append(late, a)
		}
	}
	return claimed, late, s.do(ctx, back)
}

// mark marks the hashes of entries as theirs. Entries whose hash another document
// has drop out as known. Entries whose hash an earlier entry of the batch has have
// to begin again.
func (s *Store) mark(ctx context.Context, l layout, batch []*adding) (marked, again []*adding, err error) {
	seen := map[index.Hash]bool{}
	known := map[*adding]bool{}
	var todo []*adding
	for _, a := range batch {
		if seen[a.Hash] {
			again = append(again, a)
			continue
		}
		seen[a.Hash] = true
		todo, marked = append(todo, a), append(marked, a)
	}
	for len(todo) > 0 {
		hashes := make([]index.Hash, len(todo))
		for i, a := range todo {
			hashes[i] = a.Hash
		}
		there, err := s.lookUpHashes(ctx, l, hashes)
		if err != nil {
			return nil, nil, err
		}
		var ops []*op
		var of []*adding
		now := time.Now()
		for i, a := range todo {
			a.marked = now
			free, expect, number := there[i].free(a, now, s.o.Lease)
			if number != 0 {
				known[a] = true
				*a.out = index.Outcome{State: index.Known, Number: number}
			} else if !free {
				row := l.hashRow(a.Hash)
				ops, of = append(ops, casOp(s.documents, row, markColumn, expect, put(row, markColumn, markOf(a.Number, a.ID)))), append(of, a)
			}
		}
		if err := s.do(ctx, ops); err != nil {
			return nil, nil, err
		}
		todo = todo[:0]
		for i, a := range of {
			if !ops[i].met {
				todo = append(todo, a)
			}
		}
	}
	return slices.DeleteFunc(marked, func(a *adding) bool { return known[a] }), again, nil
}

// hashRow is what the row of a hash says.
type hashRow struct {
	hash   index.Hash
	mark   *pb.Cell // nil where there is none
	marker state    // of the number in it
	states []state  // of the other numbers
}

// free says what an entry finds in the row of its hash. Either it needs no
// mark; or expect is the mark that it may take over; or number is the document
// that has the hash, or will have it soon.
func (r hashRow) free(a *adding, now time.Time, lease time.Duration) (free bool, expect []byte, number uint64) {
	for _, st := range r.states {
		if st.there(now.Unix()) && st.Hash == a.Hash {
			if st.ID == a.ID {
				return true, nil, 0
			}
			number = st.Number
		}
	}
	if number != 0 || r.mark == nil {
		return false, nil, number
	}
	mine := markOf(a.Number, a.ID)
	age := now.Sub(written(r.mark))
	if bytes.Equal(r.mark.Value, mine) && age < lease/4 {
		return true, nil, 0
	}
	there := r.marker.there(now.Unix()) && r.marker.Hash == a.Hash // beyond the states that were read
	over := r.marker.written || r.marker.void                      // so that it will never be
	if sameOwner(r.mark.Value, mine) || !there && (over || age > lease) {
		return false, bytes.Clone(r.mark.Value), 0
	}
	return false, nil, binary.BigEndian.Uint64(r.mark.Value)
}

// commit writes the documents, whose postings are there by now. Then it makes the
// earlier numbers of their ids void.
func (s *Store) commit(ctx context.Context, l layout, batch []*adding) error {
	ops := make([]*op, len(batch))
	now := time.Now()
	for i, a := range batch {
		if now.Sub(a.began) > staleAfter/2 {
			return errSlow
		}
		ops[i] = changeOp(s.documents, put(l.documentRow(a.Number), rowColumn, l.rows().Append(nil, a.Document, remote.Until(now, l.TTL))))
	}
	if err := s.do(ctx, ops); err != nil {
		return err
	}
	var voids, rest []*op
	for _, a := range batch {
		*a.out = index.Outcome{State: index.Added, Number: a.Number}
		if _, ok := a.replaces(now.Unix()); ok {
			a.out.State = index.Replaced
		}
		for _, st := range a.old {
			if st.written && st.ID != a.ID {
				continue // the row of the id was damaged, and leads to another document
			}
			voids = append(voids, s.voidOp(l, st.Number))
			rest = append(rest, changeOp(s.documents, drop(l.idRow(a.ID), string(numberBytes(st.Number)))))
			if st.written {
				rest = append(rest, s.unmark(l, st.Document)...)
			}
		}
	}
	if err := s.do(ctx, voids); err != nil {
		return err
	}
	return s.do(ctx, rest)
}

// voidOp makes a number void: it has no document and never will. Its condition is
// met if the number was not void before.
func (s *Store) voidOp(l layout, number uint64) *op {
	row := l.documentRow(number)
	return casOp(s.documents, row, voidColumn, nil, put(row, voidColumn, []byte{1}), drop(row, rowColumn))
}

// unmark removes a document that is gone from the row of its hash.
func (s *Store) unmark(l layout, d index.Document) []*op {
	row := l.hashRow(d.Hash)
	return []*op{
		changeOp(s.documents, drop(row, string(numberBytes(d.Number)))),
		casOp(s.documents, row, markColumn, markOf(d.Number, d.ID), clear(row, markColumn)),
	}
}
