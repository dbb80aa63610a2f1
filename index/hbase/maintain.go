package hbase

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/tsuna/gohbase/pb"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/internal/problems"
)

// Stats says how large the index is. It reads all of it. The bytes are those that
// the servers have last reported, in whole mebibytes.
func (s *Store) Stats(ctx context.Context) (index.Stats, error) {
	l, err := s.begin(ctx)
	if err != nil {
		return index.Stats{}, err
	}
	st := index.Stats{Stale: -1}
	now := time.Now().Unix()
	err = s.eachState(ctx, l, func(state state) error {
		if state.there(now) {
			st.Documents++
		}
		return nil
	})
	if err == nil {
		err = s.eachPosting(ctx, l, func(index.Posting, uint64) error {
			st.Postings++
			return nil
		})
	}
	if err == nil {
		st.PostingBytes, st.DocumentBytes, err = s.tableBytes(ctx)
	}
	if err != nil {
		return st, fmt.Errorf("hbase: stats: %w", err)
	}
	st.Details = []index.Detail{
		{Name: "tables", Value: fmt.Sprintf("%s, %s", s.postings, s.documents)},
		{Name: "salts", Value: strconv.Itoa(l.Salts)},
		{Name: "time to live", Value: (time.Duration(l.TTL) * time.Second).String()},
	}
	return st, nil
}

// Verify reads everything and returns what is wrong. HBase itself checks the
// checksums of its files whenever it reads them.
func (s *Store) Verify(ctx context.Context) ([]string, error) {
	l, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	v := &verifier{l: l}
	all := func(kind byte, check func(*pb.Cell)) func() error {
		return func() error {
			return s.eachOf(ctx, l, kind, func(c *pb.Cell) error { check(c); return nil })
		}
	}
	for _, step := range []func() error{
		all(kindDocument, v.document),
		func() error {
			last, err := s.lastNumber(ctx)
			if err == nil && last < v.most {
				v.Add("the last number is %d, want %d or more", last, v.most)
			}
			return err
		},
		all(kindBegun, v.begun), all(kindID, v.id), all(kindHash, v.hash),
		func() error {
			return s.postingCells(ctx, l, func(c *pb.Cell) error { v.posting(c); return nil })
		},
	} {
		if err := step(); err != nil {
			return v.List, wrap("verify", err)
		}
	}
	return v.List, nil
}

// verifier collects what Verify finds in the cells of rows.
type verifier struct {
	problems.List
	l    layout
	most uint64 // the maximum number of a document
}

func (v *verifier) document(c *pb.Cell) {
	st, err := v.l.parseState([]*pb.Cell{c})
	switch {
	case err != nil:
		v.Add("row %x: %v", c.Row, err)
	case st.Number == 0 || string(v.l.documentRow(st.Number)) != string(c.Row):
		v.Add("row %x: document %d does not belong there", c.Row, st.Number)
	default:
		v.most = max(v.most, st.Number)
	}
}

func (v *verifier) begun(c *pb.Cell) {
	if _, err := parseBegun(c); err != nil {
		v.Add("%v", err)
	}
}

func (v *verifier) id(c *pb.Cell) {
	if v.number(c, "no number") && string(v.l.idRow(string(c.Row[2:]))) != string(c.Row) {
		v.Add("row %x does not belong there", c.Row)
	}
}

func (v *verifier) hash(c *pb.Cell) {
	switch {
	case len(c.Row) != 2+len(index.Hash{}):
		v.Add("row %x is no hash's", c.Row)
	case string(c.Qualifier) != markColumn:
		v.number(c, "no number")
	case len(c.Value) != 0 && len(c.Value) != markSize:
		v.Add("row %x: mark of %d bytes", c.Row, len(c.Value))
	}
}

func (v *verifier) posting(c *pb.Cell) {
	p, err := parsePostingRow(c.Row)
	switch {
	case err != nil:
		v.Add("row %x: %v", c.Row, err)
	case string(v.l.postingRow(p)) != string(c.Row):
		v.Add("row %x does not belong there", c.Row)
	default:
		v.number(c, "no document's")
	}
}

// number checks that a column is named by the number of a document.
func (v *verifier) number(c *pb.Cell, otherwise string) bool {
	number, err := parseNumber(c.Qualifier)
	ok := err == nil && number != 0
	if !ok {
		v.Add("row %x: column %x is %s", c.Row, c.Qualifier, otherwise)
	}
	return ok
}

// Merge removes stale postings, expired documents, and the numbers and marks of
// documents that are gone. It asks the servers to rewrite their files, which
// they do in their own time. What an interrupted Add has left is removed a day
// later. Merge takes 8 bytes of memory per document. The error wraps
// index.ErrLost if Merge has removed what was left of lost documents.
func (s *Store) Merge(ctx context.Context) error {
	l, err := s.begin(ctx)
	if err != nil {
		return err
	}
	c, err := s.take(ctx, l)
	if err == nil {
		err = s.mergePostings(ctx, l, c)
	}
	if err == nil {
		err = s.mergeKeys(ctx, l, c, kindID)
	}
	if err == nil {
		err = s.mergeKeys(ctx, l, c, kindHash)
	}
	if err == nil {
		err = s.raise(ctx, c)
	}
	if err == nil {
		err = s.compact(ctx)
	}
	if err == nil && len(c.lost) > 0 {
		err = fmt.Errorf("%w: %d; what was left of them is removed: add them again", index.ErrLost, len(c.lost))
	}
	if err == nil && c.raised {
		err = fmt.Errorf("%w: the last number was smaller than one in use; it is mended", index.ErrLost)
	}
	return wrap("merge", err)
}

// inBatches collects ops and sends some thousand at a time.
type inBatches struct {
	s   *Store
	ops []*op
}

func (b *inBatches) add(ctx context.Context, o *op) error {
	if b.ops = append(b.ops, o); len(b.ops) < 8*b.s.o.Batch {
		return nil
	}
	return b.flush(ctx)
}

func (b *inBatches) flush(ctx context.Context) error {
	err := b.s.do(ctx, b.ops)
	b.ops = b.ops[:0]
	return err
}

// census has the numbers that have a row, in ascending order: those whose document
// is there, and void ones.
type census struct {
	there, void []uint64
	had         []bool   // for each of void, whether postings of it were dropped
	notes       []*begun // of batches that were under way or interrupted

	lost   map[uint64]bool // numbers of lost documents
	raised bool            // the last number was too small
}

// stale reports whether a cell of a number is no longer needed. A number without a
// row may belong to an Add that is under way, or that has ended since the census.
func (c *census) stale(number uint64, cell *pb.Cell, now time.Time) bool {
	if _, ok := slices.BinarySearch(c.void, number); ok {
		return true
	}
	_, ok := slices.BinarySearch(c.there, number)
	return !ok && now.Sub(written(cell)) > staleAfter
}

// stalePosting is stale for a posting. If batches are noted, it is unsure about a
// number that has neither a row nor an old note.
func (c *census) stalePosting(l layout, number uint64, cell *pb.Cell, now time.Time) (stale, unsure bool) {
	if !l.audited() {
		return c.stale(number, cell, now), false
	}
	if i, ok := slices.BinarySearch(c.void, number); ok {
		c.had[i] = true
		return true, false
	}
	if _, ok := slices.BinarySearch(c.there, number); ok {
		return false, false
	}
	if b := noteOf(c.notes, number); b != nil && b.old {
		b.had = true
		return true, false
	}
	return false, true
}

// raise makes the last number at least as great as every number in use. Otherwise
// numbers would be given again.
func (s *Store) raise(ctx context.Context, c *census) error {
	most := uint64(0)
	for _, numbers := range [][]uint64{c.there, c.void} {
		if n := len(numbers); n > 0 {
			most = max(most, numbers[n-1])
		}
	}
	last, err := s.lastNumber(ctx)
	if err != nil || last >= most {
		return err
	}
	c.raised = true
	return s.do(ctx, []*op{changeOp(s.documents, add(metaRow, counterColumn, most-last))})
}

func written(c *pb.Cell) time.Time { return time.UnixMilli(int64(c.GetTimestamp())) }

// take takes the census. It makes expired documents void.
func (s *Store) take(ctx context.Context, l layout) (*census, error) {
	notes, err := s.allBegun(ctx, l)
	if err != nil {
		return nil, err
	}
	c := &census{notes: notes, lost: map[uint64]bool{}}
	now := time.Now()
	out := inBatches{s: s}
	err = s.eachState(ctx, l, func(st state) error {
		if st.there(now.Unix()) {
			c.there = append(c.there, st.Number)
			return nil
		}
		c.void = append(c.void, st.Number)
		if !st.void {
			return out.add(ctx, s.voidOp(l, st.Number))
		}
		return nil
	})
	if err == nil {
		err = out.flush(ctx)
	}
	slices.Sort(c.there)
	slices.Sort(c.void)
	c.had = make([]bool, len(c.void))
	return c, err
}

// mergePostings removes the postings that are stale or whose document was lost.
// Then it removes old notes and the rows of numbers that have been void for
// long. A number whose postings it has just removed keeps its row or note until
// the next merge: a query that has read those postings may still look it up.
func (s *Store) mergePostings(ctx context.Context, l layout, c *census) error {
	now := time.Now()
	out := inBatches{s: s}
	var unsure []*pb.Cell
	judge := func() error {
		numbers := make([]uint64, len(unsure))
		for i, cell := range unsure {
			numbers[i] = binary.BigEndian.Uint64(cell.Qualifier)
		}
		evidence, err := s.findLost(ctx, l, numbers)
		if err != nil {
			return err
		}
		for i, cell := range unsure {
			if evidence[i] == "" {
				continue
			}
			c.lost[numbers[i]] = true
			if err := out.add(ctx, changeOp(s.postings, drop(cell.Row, string(cell.Qualifier)))); err != nil {
				return err
			}
		}
		unsure = unsure[:0]
		return nil
	}
	err := s.postingCells(ctx, l, func(cell *pb.Cell) error {
		number, err := parseNumber(cell.Qualifier)
		if err != nil {
			return err
		}
		stale, maybe := c.stalePosting(l, number, cell, now)
		switch {
		case stale:
			return out.add(ctx, changeOp(s.postings, drop(cell.Row, string(cell.Qualifier))))
		case maybe:
			if unsure = append(unsure, cell); len(unsure) >= s.o.Batch {
				return judge()
			}
		}
		return nil
	})
	if err == nil {
		err = judge()
	}
	if err == nil {
		err = out.flush(ctx)
	}
	if err != nil {
		return err
	}
	err = s.eachState(ctx, l, func(st state) error {
		if !st.void || now.Sub(time.UnixMilli(st.since)) <= staleAfter {
			return nil
		}
		if i, ok := slices.BinarySearch(c.void, st.Number); ok && c.had[i] {
			return nil
		}
		return out.add(ctx, changeOp(s.documents, dropRow(l.documentRow(st.Number))))
	})
	if err != nil {
		return err
	}
	for _, b := range c.notes {
		if b.old && !b.had {
			if err := out.add(ctx, changeOp(s.documents, dropRow(b.row))); err != nil {
				return err
			}
		}
	}
	return out.flush(ctx)
}

// mergeKeys removes stale numbers and marks from the rows of ids or hashes.
func (s *Store) mergeKeys(ctx context.Context, l layout, c *census, kind byte) error {
	now := time.Now()
	out := inBatches{s: s}
	err := s.eachOf(ctx, l, kind, func(cell *pb.Cell) error {
		if kind == kindHash && string(cell.Qualifier) == markColumn {
			if len(cell.Value) == markSize && c.stale(binary.BigEndian.Uint64(cell.Value), cell, now) {
				return out.add(ctx, casOp(s.documents, cell.Row, markColumn, bytes.Clone(cell.Value), clear(cell.Row, markColumn)))
			}
			if len(cell.Value) > 0 || now.Sub(written(cell)) <= staleAfter {
				return nil
			}
			// Only what was written by then, should somebody write at this very moment.
			m := drop(cell.Row, markColumn)
			m.ColumnValue[0].QualifierValue[0].Timestamp = cell.Timestamp
			return out.add(ctx, changeOp(s.documents, m))
		}
		number, err := parseNumber(cell.Qualifier)
		if err != nil || !c.stale(number, cell, now) {
			return err
		}
		return out.add(ctx, changeOp(s.documents, drop(cell.Row, string(cell.Qualifier))))
	})
	if err != nil {
		return err
	}
	return out.flush(ctx)
}
