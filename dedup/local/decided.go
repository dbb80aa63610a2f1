package local

import (
	"context"
	"errors"
	"fmt"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/steps"
)

// Decided says which rows of Options.Against and Sources stay. Rows are counted
// over all of them. Equal documents share a text, except documents without
// features. Texts are numbered from 0. Another engine may have decided; see
// Write.
type Decided struct {
	// Text is the text of each row, or math.MaxUint32 for a row that is no document.
	Text []uint32

	// Best is the row that is kept of each text. Leader is the text that is kept
	// in its place, which may be itself. Empty says that it has no features.
	// Scores has the score of each removed text with its leader.
	Best, Leader []uint32
	Empty        []bool
	Scores       map[uint32]float64

	Findings
}

// Findings is what finding and deciding give to the report, which describes it.
type Findings struct {
	Design   string
	Recall   float64
	Bytes    int64
	Missing  int64
	Repeated int // documents that have the id of an earlier one, and the first such id

	RepeatedID string
	Active     int
	Scored     int64
	Chaining   dedup.Chaining
	Misses     []Miss // what Options.Lower would remove besides, by text
}

// Undecided returns a decision in which each text stays, by its best row.
func Undecided(t *steps.Texts, best []uint32) *Decided {
	d := &Decided{Text: t.Of, Best: best, Empty: t.Empty, Leader: make([]uint32, t.Len()), Scores: make(map[uint32]float64)}
	for text := range d.Leader {
		d.Leader[text] = uint32(text)
	}
	return d
}

// Write writes what another engine decided under the same options, as Run writes
// its own decisions. Against must be empty, and Clean.Boilerplate 0.
func Write(ctx context.Context, o Options, d *Decided) (*Report, error) {
	switch {
	case len(o.Against) > 0:
		return nil, errors.New("dedup: Write takes no Against")
	case o.Clean.Boilerplate > 0:
		return nil, errors.New("dedup: Write takes no Clean.Boilerplate")
	case o.Lower != 0:
		return nil, errors.New("dedup: Write takes no Lower")
	case len(d.Leader) != len(d.Best) || len(d.Empty) != len(d.Best):
		return nil, fmt.Errorf("dedup: leaders of %d texts, and %d rows kept of them", len(d.Leader), len(d.Best))
	}
	r, err := newRun(o)
	if err != nil {
		return nil, err
	}
	return r.within(ctx, func() (*Report, error) {
		c, err := r.newCorpus(ctx)
		if err != nil {
			return nil, err
		}
		if err := c.readBad(ctx, d); err != nil {
			return nil, err
		}
		return c.conclude(ctx, d)
	})
}

// readBad reads the sources, for the layout of the files and the rows that hold
// no document.
func (c *corpus) readBad(ctx context.Context, d *Decided) error {
	c.stage("read")
	var sound error
	want := func(row int) bool { return row < len(d.Text) && d.Text[row] == none }
	err := eachChunk(ctx, c.in, want, c.progress("read"), func(p *datasets.Parser, ch *chunk) ([]error, error) {
		errs := make([]error, len(ch.rows))
		return errs, ch.documents(p, func(i int, _ *datasets.Row, bad error) error { errs[i] = bad; return nil })
	}, func(ch *chunk, errs []error) error {
		for i, raw := range ch.rows {
			if c.bad[ch.numbers[i]] = errs[i]; errs[i] == nil {
				sound = errors.Join(sound, fmt.Errorf("dedup: %s:%d has changed: it is a document now", raw.File(), raw.Line))
			}
		}
		return nil
	})
	if err = errors.Join(err, sound); err != nil {
		return err
	}
	if rows := c.in.starts[len(c.in.starts)-1]; rows != len(d.Text) {
		return fmt.Errorf("dedup: the sources have %d rows, and what was decided is of %d: they have changed", rows, len(d.Text))
	}
	return nil
}
