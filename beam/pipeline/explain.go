package pipeline

import (
	"context"
	"slices"

	"github.com/alike-go/alike/dedup/local"
)

// explain finds what removed texts share with the text that is kept for them. That
// text is sent once to each piece with such texts, so no worker gets all copies of
// a text that is everywhere.
type explain struct{ worker }

// ProcessElement takes a text that is kept and the texts of a piece removed for it.
func (w *explain) ProcessElement(_ context.Context, key []byte, kept, removed func(*[]byte) bool, said func([]byte, []byte)) error {
	text, err := one(kept, "text that is kept")
	if err != nil {
		return err
	}
	of := string(text)
	piece := slices.Clone(key[:pieceKeyLen])
	return w.t.decodeAll(removed, func(d *decoder) {
		row := d.uint()
		said(piece, w.t.explained(row, string(d.b), of))
	})
}

// meeting is the key under which texts of a piece meet the one kept for them.
func meeting(piece, leader string) []byte { return []byte(piece + leader) }

// explained says which passages a removed row shares with the one that is kept.
func (t *tools) explained(row int, removed, kept string) encoder {
	m := t.method
	if t.verify != nil {
		m = t.verify
	}
	shared := local.Shared(m, removed, kept)
	e := encoder{isExplained}.uint(row)
	for _, s := range shared {
		e = e.string(s)
	}
	return e
}
