package hbase

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/tsuna/gohbase/pb"
	"google.golang.org/protobuf/proto"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/internal/remote"
	"github.com/alike-go/alike/similarity"
)

// state is the content of the row of a number.
type state struct {
	index.Document       // its number is set in any case
	until          int64 // when it expires
	written        bool  // the row has a document
	void           bool  // it has none and never will
	since          int64 // when it became void, in milliseconds since 1970
}

// there reports whether there is a document.
func (st state) there(now int64) bool { return st.written && !st.void && !remote.Gone(st.until, now) }

// parseState reads the cells of a row. There must be at least one.
func (l layout) parseState(cells []*pb.Cell) (state, error) {
	var st state
	row := cells[0].Row
	if len(row) != 10 {
		return st, fmt.Errorf("hbase: row %x of documents, want 10 bytes: %w", row, similarity.ErrFormat)
	}
	for _, c := range cells {
		switch string(c.Qualifier) {
		case rowColumn:
			var err error
			if st.Document, st.until, err = l.rows().Parse(c.Value); err != nil {
				return st, fmt.Errorf("hbase: document %d: %w", binary.BigEndian.Uint64(row[2:]), err)
			}
			st.written = true
		case voidColumn:
			st.void, st.since = true, int64(c.GetTimestamp())
		}
	}
	st.Number = binary.BigEndian.Uint64(row[2:])
	return st, nil
}

// Documents returns documents by number, in a round trip.
func (s *Store) Documents(ctx context.Context, numbers []uint64) ([]index.Document, error) {
	l, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	states, err := s.states(ctx, l, numbers)
	if err != nil {
		return nil, fmt.Errorf("hbase: documents: %w", err)
	}
	now := time.Now().Unix()
	out := make([]index.Document, len(numbers))
	for i, st := range states {
		if st.there(now) {
			out[i] = st.Document
		}
	}
	return out, nil
}

// states returns what the rows of numbers say.
func (s *Store) states(ctx context.Context, l layout, numbers []uint64) ([]state, error) {
	out := make([]state, len(numbers))
	var ops []*op
	var of []int
	for i, n := range numbers {
		if n != 0 {
			ops, of = append(ops, getOp(s.documents, l.documentRow(n), "")), append(of, i)
		}
	}
	if err := s.do(ctx, ops); err != nil {
		return nil, err
	}
	for k, o := range ops {
		if len(o.cells) == 0 {
			continue
		}
		var err error
		if out[of[k]], err = l.parseState(o.cells); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// current returns the document of an id: the last document that is there among the
// numbers claimed for the id.
func current(claimed []state, id string, now int64) (index.Document, bool) {
	for _, st := range slices.Backward(claimed) {
		if st.there(now) && st.ID == id {
			return st.Document, true
		}
	}
	return index.Document{}, false
}

// lookUp returns the states of the numbers in the rows of ids, ascending, if want
// says so. It takes two round trips, or one if there is nothing.
func (s *Store) lookUp(ctx context.Context, l layout, ids []string, want func(i int, number uint64) bool) ([][]state, error) {
	ops := make([]*op, len(ids))
	for i, id := range ids {
		ops[i] = getOp(s.documents, l.idRow(id), "")
	}
	if err := s.do(ctx, ops); err != nil {
		return nil, err
	}
	var numbers []uint64
	counts := make([]int, len(ids))
	for i, o := range ops {
		for _, c := range o.cells {
			number, err := parseNumber(c.Qualifier)
			if err != nil {
				return nil, err
			}
			if want == nil || want(i, number) {
				numbers = append(numbers, number)
				counts[i]++
			}
		}
	}
	states, err := s.states(ctx, l, numbers)
	if err != nil {
		return nil, err
	}
	out := make([][]state, len(ids))
	for i, n := range counts {
		for k := range states[:n] { // also those whose rows are not there
			states[k].Number = numbers[k]
		}
		out[i], states, numbers = states[:n:n], states[n:], numbers[n:]
	}
	return out, nil
}

// Find returns numbers by id.
func (s *Store) Find(ctx context.Context, ids []string) ([]uint64, error) {
	l, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	all, err := s.lookUp(ctx, l, ids, nil)
	if err != nil {
		return nil, fmt.Errorf("hbase: find: %w", err)
	}
	now := time.Now().Unix()
	out := make([]uint64, len(ids))
	for i, claimed := range all {
		if d, ok := current(claimed, ids[i], now); ok {
			out[i] = d.Number
		}
	}
	return out, nil
}

// mostTwins is how many of the documents of one content are looked at.
const mostTwins = 256

// lookUpHashes returns what the rows of hashes say.
func (s *Store) lookUpHashes(ctx context.Context, l layout, hashes []index.Hash) ([]hashRow, error) {
	ops := make([]*op, len(hashes))
	for i, h := range hashes {
		ops[i] = getOp(s.documents, l.hashRow(h), "")
		ops[i].get.StoreLimit = proto.Uint32(mostTwins)
	}
	if err := s.do(ctx, ops); err != nil {
		return nil, err
	}
	out := make([]hashRow, len(hashes))
	var numbers []uint64
	var of []*state
	for i, o := range ops {
		out[i].hash = hashes[i]
		out[i].states = make([]state, 0, len(o.cells))
		for _, c := range o.cells {
			if string(c.Qualifier) == markColumn {
				if len(c.Value) == markSize {
					out[i].mark = c
					numbers, of = append(numbers, binary.BigEndian.Uint64(c.Value)), append(of, &out[i].marker)
				} else if len(c.Value) != 0 {
					return nil, fmt.Errorf("mark of %d bytes, want %d: %w", len(c.Value), markSize, similarity.ErrFormat)
				}
				continue
			}
			number, err := parseNumber(c.Qualifier)
			if err != nil {
				return nil, err
			}
			out[i].states = append(out[i].states, state{})
			numbers, of = append(numbers, number), append(of, &out[i].states[len(out[i].states)-1])
		}
	}
	states, err := s.states(ctx, l, numbers)
	if err != nil {
		return nil, err
	}
	for k, st := range states {
		*of[k] = st
	}
	return out, nil
}
