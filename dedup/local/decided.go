package local

import (
	"context"
	"errors"
	"fmt"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
)

// Decided is what another engine has decided on the rows of Options.Sources, counted over all of
// them. Equal documents share a text, but those without features have one each; texts are numbered from 0.
type Decided struct {
	// Text is the text of each row, and NoText that of one that is no document.
	Text []uint32

	// Best is the row that is kept of each text, Leader the text that is kept in its place, which
	// may be itself, and Empty says that it has no features. Scores are those of texts that are removed with their
	// leaders.
	Best, Leader []uint32
	Empty        []bool
	Scores       map[uint32]float64

	// What the report says.
	Design   string
	Recall   float64
	Bytes    int64
	Missing  int64
	Active   int
	Scored   int64
	Chaining dedup.Chaining
}

// NoText stands for the text of a row that is no document.
const NoText = none

// Write writes what was decided by another engine under the same options, as Run writes what it decides
// itself. Against must be empty, and Clean.Boilerplate 0.
func Write(ctx context.Context, o Options, d *Decided) (*Report, error) {
	switch {
	case len(o.Against) > 0:
		return nil, errors.New("dedup: Write takes no Against")
	case o.Clean.Boilerplate > 0:
		return nil, errors.New("dedup: Write takes no Clean.Boilerplate")
	case len(d.Leader) != len(d.Best) || len(d.Empty) != len(d.Best):
		return nil, fmt.Errorf("dedup: leaders of %d texts, and %d rows kept of them", len(d.Leader), len(d.Best))
	}
	r, err := newRun(o)
	if err != nil {
		return nil, err
	}
	r.decided = d
	return r.run(ctx)
}

// take reads the sources for what is in them besides documents, and notes what was decided.
func (r *run) take(ctx context.Context, d *Decided) error {
	if err := r.learn(ctx); err != nil {
		return err
	}
	r.stage("read")
	var p datasets.Parser
	var sound error
	want := func(row int) bool { return row < len(d.Text) && d.Text[row] == none }
	err := r.in.read(ctx, want, func(c *chunk) error {
		for i, raw := range c.rows {
			_, err := p.Row(raw)
			if err == nil {
				sound = errors.Join(sound, fmt.Errorf("dedup: %s:%d has changed: it is a document now", raw.File(), raw.Line))
				continue
			}
			if _, bad := errors.AsType[*datasets.BadRow](err); !bad {
				return err
			}
			r.badRows[c.numbers[i]] = err
		}
		r.o.progress("read", c.share)
		r.in.release(c)
		return nil
	})
	if err = errors.Join(err, sound); err != nil {
		return err
	}
	if rows := r.in.starts[len(r.in.starts)-1]; rows != len(d.Text) {
		return fmt.Errorf("dedup: the sources have %d rows, and what was decided is of %d: they have changed", rows, len(d.Text))
	}
	r.texts.of, r.texts.empty = d.Text, d.Empty
	r.best, r.leader, r.scores = d.Best, d.Leader, d.Scores
	rep := &r.report
	rep.Design, rep.Recall, rep.Bytes, rep.Missing = d.Design, d.Recall, d.Bytes, d.Missing
	rep.Active, rep.Scored, rep.Chaining = d.Active, d.Scored, d.Chaining
	return nil
}
