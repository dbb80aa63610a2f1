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
)

// Stats says how large the index is. It reads all of it; of bytes it says what the servers have last told, in whole
// mebibytes.
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

// mostProblems is how many lines Verify returns at most.
const mostProblems = 100

// Verify reads everything and returns what is not as it should be. The checksums of files are HBase's own, which
// looks at them whenever it reads.
func (s *Store) Verify(ctx context.Context) ([]string, error) {
	l, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	var problems []string
	report := func(format string, args ...any) error {
		if len(problems) < mostProblems {
			problems = append(problems, fmt.Sprintf(format, args...))
		}
		return nil
	}
	err = s.eachOf(ctx, l, kindDocument, func(c *pb.Cell) error {
		st, err := parseState([]*pb.Cell{c})
		switch {
		case err != nil:
			return report("row %x: %v", c.Row, err)
		case st.Number == 0 || string(l.documentRow(st.Number)) != string(c.Row):
			return report("row %x: document %d does not belong there", c.Row, st.Number)
		}
		return nil
	})
	if err == nil {
		err = s.eachOf(ctx, l, kindID, func(c *pb.Cell) error {
			if number, err := parseNumber(c.Qualifier); err != nil || number == 0 {
				return report("row %x: column %x is no number", c.Row, c.Qualifier)
			}
			if string(l.idRow(string(c.Row[2:]))) != string(c.Row) {
				return report("row %x does not belong there", c.Row)
			}
			return nil
		})
	}
	if err == nil {
		err = s.eachOf(ctx, l, kindHash, func(c *pb.Cell) error {
			if len(c.Row) != 2+len(index.Hash{}) {
				return report("row %x is no hash's", c.Row)
			}
			if string(c.Qualifier) == markColumn {
				if len(c.Value) != 0 && len(c.Value) != markSize {
					return report("row %x: mark of %d bytes", c.Row, len(c.Value))
				}
			} else if number, err := parseNumber(c.Qualifier); err != nil || number == 0 {
				return report("row %x: column %x is no number", c.Row, c.Qualifier)
			}
			return nil
		})
	}
	for salt := 0; err == nil && salt < l.Salts; salt++ {
		from := []byte{byte(salt)}
		err = s.cells(ctx, s.postings, from, after(from), func(c *pb.Cell) error {
			p, err := parsePostingRow(c.Row)
			if err != nil {
				return report("row %x: %v", c.Row, err)
			}
			if string(l.postingRow(p)) != string(c.Row) {
				return report("row %x does not belong there", c.Row)
			}
			if number, err := parseNumber(c.Qualifier); err != nil || number == 0 {
				return report("row %x: column %x is no document's", c.Row, c.Qualifier)
			}
			return nil
		})
	}
	return problems, wrap("verify", err)
}

// Merge removes stale postings, documents whose life is over, and claims and marks that are nobody's, and asks the servers to
// write their files anew, which they do in their own time. What an Add that was interrupted has left is
// removed a day later. It takes 8 bytes of memory for each document.
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
		err = s.compact(ctx)
	}
	return wrap("merge", err)
}

// inBatches collects ops and carries out some thousand at a time.
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

// census are the numbers that have a row, in ascending order: of documents that are there, and of those that were and
// never will be again.
type census struct{ there, void []uint64 }

// stale reports whether what was written at a time of a number is needed no more. A number of which there is no row may
// be that of an Add that is under way, or that was ready after the census.
func (c *census) stale(number uint64, cell *pb.Cell, now time.Time) bool {
	if _, ok := slices.BinarySearch(c.void, number); ok {
		return true
	}
	_, ok := slices.BinarySearch(c.there, number)
	return !ok && now.Sub(written(cell)) > staleAfter
}

func written(c *pb.Cell) time.Time { return time.UnixMilli(int64(c.GetTimestamp())) }

// take takes the census. It removes documents whose life is over, and the rows of those that were void for long.
func (s *Store) take(ctx context.Context, l layout) (*census, error) {
	c := &census{}
	now := time.Now()
	out := inBatches{s: s}
	err := s.eachState(ctx, l, func(st state) error {
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
	return c, err
}

// mergePostings removes stale postings, and then the rows of the numbers that were void for long.
func (s *Store) mergePostings(ctx context.Context, l layout, c *census) error {
	now := time.Now()
	out := inBatches{s: s}
	for salt := range l.Salts {
		from := []byte{byte(salt)}
		err := s.cells(ctx, s.postings, from, after(from), func(cell *pb.Cell) error {
			number, err := parseNumber(cell.Qualifier)
			if err != nil || !c.stale(number, cell, now) {
				return err
			}
			return out.add(ctx, changeOp(s.postings, drop(cell.Row, string(cell.Qualifier))))
		})
		if err != nil {
			return err
		}
	}
	if err := out.flush(ctx); err != nil {
		return err
	}
	err := s.eachState(ctx, l, func(st state) error {
		if !st.void || now.Sub(time.UnixMilli(st.since)) <= staleAfter {
			return nil
		}
		return out.add(ctx, changeOp(s.documents, dropRow(l.documentRow(st.Number))))
	})
	if err != nil {
		return err
	}
	return out.flush(ctx)
}

// mergeKeys removes numbers from the rows of ids or hashes, and marks that are nobody's.
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
