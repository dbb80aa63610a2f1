package local

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/alike-go/alike/datasets"
)

// Annotations returns the columns that Options.Annotate adds.
func Annotations() []datasets.Column {
	return []datasets.Column{
		{Name: "alike_keep", Zero: false},
		{Name: "alike_reason", Zero: ""},
		{Name: "alike_cluster", Zero: int64(0)},
		{Name: "alike_kept", Zero: ""}, // id of the document that is kept in its place
		{Name: "alike_score", Zero: 0.0},
	}
}

// added returns the columns that Annotate or Counts add to those of the input.
func (o *Options) added() []datasets.Column {
	switch {
	case o.Annotate:
		return Annotations()
	case o.Counts:
		return []datasets.Column{countColumn}
	}
	return nil
}

// hasAdded returns an error if a row already has one of the columns to add. A table
// shows that in its header, JSONL only here.
func (o *Options) hasAdded(row *datasets.Row, raw *datasets.RawRow) error {
	for _, c := range o.added() {
		if _, ok := row.Get(c.Name); ok {
			return fmt.Errorf("dedup: %s:%d has a column %q already", raw.File(), raw.Line, c.Name)
		}
	}
	return nil
}

// annotate writes all rows with what a run that removes would do to them.
func (w *writer) annotate(ctx context.Context) error {
	m, err := w.route(ctx, nowhere{}, nowhere{}, true)
	if err != nil {
		return err
	}
	defer m.content.close()
	if err := w.writeTables(ctx, m); err != nil {
		return err
	}
	first, err := datasets.OpenRaw(w.in.sources[w.old])
	if err != nil {
		return err
	}
	defer first.Close()
	f, err := create(filepath.Join(w.made, "annotated"+first.Extension()))
	if err != nil {
		return err
	}
	e, err := datasets.NewExtender(f, first, Annotations()...)
	if err != nil {
		return errors.Join(err, f.close())
	}
	fresh := func(row int) bool { return row >= w.oldRows }
	err = eachChunk(ctx, w.in, fresh, w.progress("write"), asRead, func(c *chunk, _ struct{}) error {
		for i, raw := range c.rows {
			row := c.numbers[i]
			k, reason, score := w.kept(row)
			if reason == reasonBad {
				continue
			}
			values := []any{true, nil, nil, nil, nil}
			if n := w.cluster(k); n > 0 {
				values[2] = int64(n)
			}
			if reason != "" {
				values[0], values[1], values[3], values[4] = false, reason, m.id(m.find(k)), score
			}
			if reason == reasonFirst {
				values[3], values[4] = nil, nil
			}
			if err := e.Write(raw, values...); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, e.Close(), f.close())
}
