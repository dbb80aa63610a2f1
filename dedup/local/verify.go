package local

import (
	"context"
	"fmt"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// readActive reads the texts that candidates have again and reduces them to what the
// exact score needs, in the order of their numbers.
func (r *run) readActive(ctx context.Context, active bitmap) (*store, error) {
	out := newStore(r.o.Verify, r.scratch, r.o.Memory*2/5)
	want := func(row int) bool {
		t := r.texts.of[row]
		return t != none && int(r.texts.first[t]) == row && active.has(t)
	}
	type made struct {
		chunk *chunk
		sets  similarity.Collection
	}
	err := parallel.Ordered(ctx, r.workers, func(ctx context.Context, emit func(*chunk) error) error {
		return r.in.read(ctx, want, emit)
	}, func(c *chunk) (made, error) {
		p := r.parsers.Get().(*datasets.Parser)
		defer r.parsers.Put(p)
		m := made{c, r.o.Verify.NewCollection()}
		for i, raw := range c.rows {
			row, err := p.Row(raw)
			if err != nil {
				return m, err
			}
			text := r.cleaner.Clean(row.Doc.Text)
			if dedup.HashText(text) != r.texts.hash[r.texts.of[c.numbers[i]]] {
				return m, fmt.Errorf("dedup: %s has changed since it was read first", raw.File())
			}
			m.sets.Add(text)
		}
		return m, nil
	}, func(m made) error {
		r.o.progress("verify", m.chunk.share)
		r.in.release(m.chunk)
		return out.add(m.sets)
	})
	if err != nil {
		out.close()
		return nil, err
	}
	return out, nil
}
