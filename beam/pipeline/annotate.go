package pipeline

import (
	"context"
	"errors"
	"io"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup/local"
)

// mark is what the columns of an annotated row say of it.
type mark struct {
	cluster    int
	unreadable bool
	removed    *local.Removal // nil if it is kept
}

// annotate writes the documents of a piece, with what a run that removes would do
// to them. Marks are by row of the source; a row in no cluster has none.
func (w *worker) annotate(ctx context.Context, p *piece, from start, marks map[int]mark) (err error) {
	var out *output
	var e *datasets.Extender
	defer func() {
		if e != nil && err == nil {
			err = e.Close()
		}
		if out != nil {
			err = out.close(err)
		}
	}()
	n, err := p.each(ctx, &w.t.Read, func(r *datasets.RawReader) (err error) {
		if out, err = w.t.create(ctx, p.shard("annotated", r.Extension())); err == nil {
			err = w.Settings.marked(p, r.Layout(), func() (err error) {
				e, err = datasets.NewExtender(out, r, local.Annotations()...)
				return err
			})
		}
		return err
	}, func(row, _ int, raw datasets.RawRow) error {
		m := marks[from.rows+row]
		if m.unreadable {
			return nil
		}
		values := []any{true, nil, nil, nil, nil}
		if m.cluster > 0 {
			values[2] = int64(m.cluster)
		}
		if r := m.removed; r != nil {
			values[0], values[1] = false, r.Reason
			if r.Kept != nil {
				values[3], values[4] = r.Kept.ID, r.Score
			}
		}
		return e.Write(raw, values...)
	})
	if err == nil {
		err = p.same(n, from.size)
	}
	return err
}

// checkColumns refuses sources whose rows cannot get more columns, before any is
// read.
func (p *piece) checkColumns(ctx context.Context, like *datasets.Source) error {
	file := *p
	file.From, file.To = 0, 0 // errors name whole files only
	r, err := file.open(ctx, 0, like)
	if err != nil {
		return err
	}
	_, err = datasets.NewExtender(io.Discard, r.RawReader, local.Annotations()...)
	return errors.Join(err, r.close())
}
