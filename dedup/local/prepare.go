package local

import (
	"context"
	"errors"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/internal/parallel"
)

// learn lets the cleaner learn from all sources, as often as it wants to.
func (r *run) learn(ctx context.Context) error {
	o := r.o.Clean
	if o.Memory == 0 {
		o.Memory = r.o.Memory / 4
	}
	c, err := clean.New(o)
	if err != nil {
		return err
	}
	r.cleaner = c
	for pass := range c.Passes() {
		r.stage("learn")
		err := parallel.Ordered(ctx, r.workers, func(ctx context.Context, emit func(*chunk) error) error {
			return r.in.read(ctx, nil, emit)
		}, func(ch *chunk) (*chunk, error) {
			p := r.parsers.Get().(*datasets.Parser)
			defer r.parsers.Put(p)
			for _, raw := range ch.rows {
				row, err := p.Row(raw)
				if _, bad := errors.AsType[*datasets.BadRow](err); bad {
					continue // told of where texts are sketched
				}
				if err != nil {
					return nil, err
				}
				c.Learn(row.Doc.Text)
			}
			return ch, nil
		}, func(ch *chunk) error {
			r.o.progress("learn", (float64(pass)+ch.share)/float64(c.Passes()))
			r.in.release(ch)
			return nil
		})
		if err == nil {
			err = c.Next()
		}
		if err != nil {
			return err
		}
	}
	return nil
}
