package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/alike-go/alike/datasets"
)

// idsOf are the ids of the new documents of a piece, in the order of the rows.
type idsOf struct {
	at  map[uint64]int // by hash
	all []idRows
}

// idRows are the rows of a piece whose documents have one id.
type idRows struct {
	hash          uint64
	first, second int // the first two rows; second is -1 if there is only one row
	n             int
}

func (s *idsOf) add(id string, row int) {
	if s.at == nil {
		s.at = map[uint64]int{}
	}
	hash := datasets.HashID(id)
	i, ok := s.at[hash]
	if !ok {
		s.at[hash] = len(s.all)
		s.all = append(s.all, idRows{hash: hash, first: row, second: -1, n: 1})
		return
	}
	if s.all[i].n++; s.all[i].second < 0 {
		s.all[i].second = row
	}
}

// send emits them by slots.
func (s *idsOf) send(set *settings, p *piece, emit func([]byte, []byte)) {
	blocks, last := make([]encoder, 1<<set.SlotBits), make([]int, 1<<set.SlotBits)
	for _, id := range s.all {
		slot, _ := set.slot(id.hash)
		if blocks[slot] == nil {
			blocks[slot] = p.key()
		}
		to := binary.LittleEndian.AppendUint64(blocks[slot], id.hash)
		blocks[slot] = encoder(to).uint(id.first - last[slot]).uint(id.n)
		if id.n > 1 {
			blocks[slot] = blocks[slot].uint(id.second - id.first)
		}
		last[slot] = id.first
	}
	for slot, b := range blocks {
		if b != nil {
			emit(encoder{}.uint(slot), b)
		}
	}
}

// repeats says how many documents have the id of an earlier one, and where the first of
// these stands. N is 0 if there is none.
type repeats struct {
	N     int64
	Piece []byte // its key
	Row   int    // in the piece
}

// add counts in the repeats of other ids, which have no id in common with r.
func (r *repeats) add(o repeats) {
	first := o
	if o.N == 0 || r.N > 0 && cmp.Or(bytes.Compare(r.Piece, o.Piece), cmp.Compare(r.Row, o.Row)) < 0 {
		first = *r
	}
	r.N, r.Piece, r.Row = r.N+o.N, first.Piece, first.Row
}

func (d *decoder) repeats() repeats {
	return repeats{int64(d.uint()), d.take(pieceKeyLen), d.uint()}
}

// groupIDs counts the documents of a slot that have the id of an earlier one.
type groupIDs struct{ worker }

// ProcessElement takes the ids of a slot.
func (w *groupIDs) ProcessElement(_ context.Context, _ []byte, next func(*[]byte) bool, repeated func([]byte)) error {
	type of struct {
		piece []byte
		idRows
	}
	var all []of
	err := w.t.decodeAll(next, func(d *decoder) {
		piece, row := d.take(pieceKeyLen), 0
		for len(d.b) > 0 {
			id := of{piece: piece}
			if b := d.take(8); b != nil {
				id.hash = binary.LittleEndian.Uint64(b)
			}
			row += d.uint()
			id.first = row
			if id.n = d.uint(); id.n > 1 {
				id.second = row + d.uint()
			}
			all = append(all, id)
		}
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b of) int { return cmp.Or(cmp.Compare(a.hash, b.hash), bytes.Compare(a.piece, b.piece)) })
	var sum repeats
	for i := 0; i < len(all); {
		one := repeats{N: -1}
		same := all[i:]
		for k, id := range same {
			if id.hash != same[0].hash {
				same = same[:k]
				break
			}
			one.N += int64(id.n)
		}
		switch {
		case same[0].n > 1:
			one.Piece, one.Row = same[0].piece, same[0].second
		case len(same) > 1:
			one.Piece, one.Row = same[1].piece, same[1].first
		}
		sum.add(one)
		i += len(same)
	}
	if sum.N > 0 {
		repeated(append(encoder{}.uint(int(sum.N)), sum.Piece...).uint(sum.Row))
	}
	return nil
}

// idAt returns the id of a row of a piece that begins at a start.
func (s *settings) idAt(ctx context.Context, p *piece, row int, from start) (id string, err error) {
	var parser datasets.Parser
	_, err = p.each(ctx, &s.Read, nil, func(at, file int, raw datasets.RawRow) error {
		if at < row {
			return nil
		}
		doc, err := parser.Row(raw)
		if err != nil {
			return err
		}
		id = p.id(&doc, file, from.lines+raw.Line, &s.Read)
		return errFound
	})
	if errors.Is(err, errFound) {
		err = nil
	}
	return id, err
}

// errFound ends the reading of a piece.
var errFound = errors.New("found")
