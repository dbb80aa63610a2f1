package pipeline

import (
	"context"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/alike-go/alike/dedup/local"
)

func init() {
	beam.RegisterDoFn(&explain{})
}

// explain finds what removed texts share with the one that is kept for them. Those of one piece meet that text, which
// is sent to each of its pieces once, so that of a text that is everywhere no worker gets all copies.
type explain struct{ worker }

// ProcessElement takes a text that is kept and those of a piece that are removed for it.
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

// meeting is where texts of a piece meet the one that is kept for them.
func meeting(piece, leader string) []byte { return []byte(piece + leader) }

// explained says which passages a removed row shares with the one that is kept, as package local finds them.
func (t *tools) explained(row int, removed, kept string) encoder {
	m := t.method
	if t.verify != nil {
		m = t.verify
	}
	shared := local.Shared(m, removed, kept)
	e := encoder{isExplained}.uint(row).uint(len(shared))
	for _, s := range shared {
		e = e.string(s)
	}
	return e
}

func (d *decoder) strings() (all []string) {
	for range d.uint() {
		all = append(all, d.string())
		if d.bad {
			return nil
		}
	}
	return all
}
