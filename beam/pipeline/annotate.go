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
	removed    *local.Removal // nil where it is kept
}

// annotate writes all rows of a piece but those that are no documents, with what a run that removes would do to them.
// Marks are by the rows of the source, of which that with the number first is the first of the piece. Of a row that is in
// no cluster there is none. read is what reading the piece has shown before.
func (w *worker) annotate(ctx context.Context, p *piece, first int, read size, marks map[int]mark) (err error) {
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
	n, err := p.eachIn(ctx, w.t.like, func(r *datasets.RawReader) (err error) {
		if out, err = w.t.create(ctx, p.shard("annotated", r.Extension())); err == nil {
			err = w.Settings.marked(p, r.Layout(), func() (err error) {
				e, err = datasets.NewExtender(out, r, local.Annotations()...)
				return err
			})
		}
		return err
	}, func(row, _ int, raw datasets.RawRow) error {
		m := marks[first+row]
		if m.unreadable {
			return nil
		}
		values := []any{true, nil, nil, nil, nil}
		if m.cluster > 0 {
			values[2] = int64(m.cluster)
		}
		if r := m.removed; r != nil {
			values[0], values[1], values[3], values[4] = false, r.Reason, r.Kept.ID, r.Score
		}
		return e.Write(raw, values...)
	})
	if err == nil {
		err = p.same(n, read)
	}
	return err
}

// checkColumns refuses sources to whose rows no columns can be added, before any is read.
func (p *piece) checkColumns(ctx context.Context, like datasets.Source) error {
	file := *p
	file.From, file.To = 0, 0 // the error names a file, of a part of which nobody knows the name
	r, err := file.open(ctx, 0, like)
	if err != nil {
		return err
	}
	_, err = datasets.NewExtender(io.Discard, r.RawReader, local.Annotations()...)
	return errors.Join(err, r.close())
}
