package hbase

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/tsuna/gohbase/pb"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/similarity"
)

var _ index.LossFinder = (*Store)(nil)

// A number with postings has a row with its document, or a row that makes it
// void, unless its Add is under way or was interrupted. Add therefore notes the
// numbers of a batch before it writes postings, and drops the note when the
// documents are there. A number that has postings, but no row and no note, was
// lost.

// begun is the note of a batch.
type begun struct {
	row    []byte
	ranges []numberRange
	old    bool // it is so old that its Add is no longer under way
	had    bool // this merge has dropped postings of its numbers
}

// numberRange is count numbers from first on.
type numberRange struct{ first, count uint64 }

func (b *begun) has(number uint64) bool {
	for _, r := range b.ranges {
		if number-r.first < r.count {
			return true
		}
	}
	return false
}

// beginning returns the note of a batch, or nil if the layout has none.
func (l layout) beginning(batch []*adding) *pb.MutationProto {
	if !l.audited() || len(batch) == 0 {
		return nil
	}
	var ranges []numberRange
	for _, a := range batch {
		if n := len(ranges) - 1; n >= 0 && a.Number == ranges[n].first+ranges[n].count {
			ranges[n].count++
		} else {
			ranges = append(ranges, numberRange{a.Number, 1})
		}
	}
	var b []byte
	for _, r := range ranges {
		b = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, r.first), r.count)
	}
	return put(l.begunRow(batch[0].Number), begunColumn, b)
}

// parseBegun reads a note.
func parseBegun(c *pb.Cell) (*begun, error) {
	if len(c.Value)%16 != 0 {
		return nil, fmt.Errorf("hbase: row %x: %d bytes, want a multiple of 16: %w", c.Row, len(c.Value), similarity.ErrFormat)
	}
	b := &begun{row: c.Row, old: time.Since(written(c)) > staleAfter}
	for v := c.Value; len(v) > 0; v = v[16:] {
		b.ranges = append(b.ranges, numberRange{binary.BigEndian.Uint64(v), binary.BigEndian.Uint64(v[8:])})
	}
	return b, nil
}

// allBegun returns the notes of all batches that are under way or were
// interrupted.
func (s *Store) allBegun(ctx context.Context, l layout) ([]*begun, error) {
	var all []*begun
	err := s.eachOf(ctx, l, kindBegun, func(c *pb.Cell) error {
		b, err := parseBegun(c)
		all = append(all, b)
		return err
	})
	return all, err
}

// FindLost says which documents were lost. In an index of layout 1 it finds none.
func (s *Store) FindLost(ctx context.Context, numbers []uint64) ([]string, error) {
	l, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	out, err := s.findLost(ctx, l, numbers)
	return out, wrap("find what is lost", err)
}

func (s *Store) findLost(ctx context.Context, l layout, numbers []uint64) ([]string, error) {
	out := make([]string, len(numbers))
	if !l.audited() || len(numbers) == 0 {
		return out, nil
	}
	// In this order: a document is there before its note is dropped.
	notes, err := s.allBegun(ctx, l)
	if err != nil {
		return nil, err
	}
	states, err := s.states(ctx, l, numbers)
	if err != nil {
		return nil, err
	}
	for i, number := range numbers {
		if number != 0 && states[i].Number == 0 && noteOf(notes, number) == nil {
			out[i] = "its row is gone, and no add of it is under way or was interrupted"
		}
	}
	return out, nil
}

// noteOf returns the note that has a number, or nil.
func noteOf(notes []*begun, number uint64) *begun {
	for _, b := range notes {
		if b.has(number) {
			return b
		}
	}
	return nil
}

// lastNumber returns the last number that was given.
func (s *Store) lastNumber(ctx context.Context) (uint64, error) {
	o := getOp(s.documents, metaRow, counterColumn)
	if err := s.do(ctx, []*op{o}); err != nil {
		return 0, err
	}
	c := o.cell(counterColumn)
	if c == nil {
		return 0, nil
	}
	return parseNumber(c.Value)
}
