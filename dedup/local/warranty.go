package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/internal/proportion"
	"github.com/alike-go/alike/internal/splitmix"
)

// Warranty asks for proof that few removals are wrong, before anything is
// written. The run draws removals at random, without replacement, after the rule
// is fixed, and has them judged one by one until the bound is shown or refuted. It
// reads the sources once more for their texts, and again if some are wrong.
type Warranty struct {
	// AtMost is the share of the removed documents that may be wrong, in (0, 1).
	AtMost float64

	// Confidence is the probability of the bound, in (0, 1). It holds although the
	// number of answers depends on the answers.
	Confidence float64

	// Seed selects the removals to judge.
	Seed uint64

	// Expect, if set, is called once before the first question.
	Expect func(Assurance)

	// Judge reports whether a removed document is alike to the one that stays. A
	// run whose Judge returns ErrUnanswered ends with a *WarrantyError.
	Judge func(context.Context, Judged) (alike bool, err error)

	// Open, if set, is called after ErrUnanswered with the removals that are needed
	// to show the bound if none is wrong, the unanswered one first.
	Open func(Judged) error
}

// ErrUnanswered is what Warranty.Judge returns if there is no answer, and none
// will come.
var ErrUnanswered = errors.New("dedup: no answer")

// Judged is a removal to judge. Texts are as in the sources.
type Judged struct {
	Removed, Kept datasets.Doc
	Score         float64

	// So far is what the answers before have shown, and Left how many more are
	// needed, this one included, if none is wrong.
	SoFar Assurance
	Left  int
}

// Assurance is what a warranty has shown.
type Assurance struct {
	AtMost     float64 `json:"at_most"`
	Confidence float64 `json:"confidence"`
	Seed       uint64  `json:"seed"`

	// Removals is the number of documents removed as duplicates. Equal is how many
	// of them have the bytes of the one that stays. They need no answer, and are
	// right.
	Removals int `json:"removals"`
	Equal    int `json:"equal"`

	// Expected is the number of answers that show the bound if none is wrong.
	Expected int `json:"expected"`

	// Judged is the number of answers, and Wrong how many of these say that the
	// removed document is not alike.
	Judged int `json:"judged"`
	Wrong  int `json:"wrong"`

	// Bound is the maximum share of the removals that is wrong, with the
	// confidence.
	Bound float64 `json:"bound"`
}

// WarrantyError is the error of a run whose removals are not shown to be right.
// Options.Resume goes on with it.
type WarrantyError struct {
	Assurance
	Refuted bool // too many are wrong; more answers would not help
}

// Error says what is shown and what is not.
func (e *WarrantyError) Error() string {
	s := fmt.Sprintf("dedup: it is not shown that at most %.4g%% of the removals are wrong: of %d judged %d are wrong, at most %.4g%% of all with a confidence of %.4g%%: nothing is written",
		100*e.AtMost, e.Judged, e.Wrong, 100*e.Bound, 100*e.Confidence)
	if e.Refuted {
		s += "; that more are wrong is shown, so that more answers would not help: take a stricter rule, and another seed, since answers that a rule was chosen by do not prove it"
	}
	return s
}

func (o *Options) checkWarranty() error {
	w := o.Warranty
	switch {
	case w == nil:
	case !(w.AtMost > 0 && w.AtMost < 1):
		return fmt.Errorf("dedup: the share of wrong removals is %v, want more than 0 and less than 1", w.AtMost)
	case !(w.Confidence > 0 && w.Confidence < 1):
		return fmt.Errorf("dedup: the confidence is %v, want more than 0 and less than 1", w.Confidence)
	case w.Judge == nil:
		return errors.New("dedup: a warranty needs somebody to judge")
	case o.Index != nil || slices.ContainsFunc(o.Against, func(s datasets.Source) bool { return IsSketchFile(s.Path) }):
		return errors.New("dedup: a warranty needs the texts that stay, and an index or a file of sketches has none")
	}
	return nil
}

// assure has removals judged until the warranty is shown.
func (w *writer) assure(ctx context.Context) error {
	o := w.o.Warranty
	if o == nil {
		return nil
	}
	w.stage("assure")
	rows, a := w.population()
	// Equal removals are right, so that the others may have all of the wrong ones.
	seq, err := proportion.NewSequence(len(rows), int(o.AtMost*float64(a.Removals)), o.Confidence)
	if err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	bound := func() {
		if a.Removals > 0 {
			a.Bound = float64(seq.Bound()) / float64(a.Removals)
		}
	}
	a.Expected = seq.Left()
	bound()
	if o.Expect != nil {
		o.Expect(a)
	}
	draw := splitmix.Stream(splitmix.Mix(o.Seed))
	for i := range rows { // Fisher and Yates
		j := i + draw.Below(len(rows)-i)
		rows[i], rows[j] = rows[j], rows[i]
	}
	for !seq.Shown() && !seq.Refuted() && err == nil {
		n := seq.Left()
		open := false
		err = w.judge(ctx, rows[:n], func(j Judged) error {
			if open {
				return o.Open(j)
			}
			if seq.Refuted() {
				return nil
			}
			j.SoFar, j.Left = a, seq.Left()
			alike, err := o.Judge(ctx, j)
			if open = errors.Is(err, ErrUnanswered) && o.Open != nil; open {
				return o.Open(j)
			}
			if err != nil {
				return err
			}
			seq.Add(!alike)
			if a.Judged++; !alike {
				a.Wrong++
			}
			bound()
			return nil
		})
		rows = rows[n:]
		if open && err == nil {
			err = ErrUnanswered
		}
	}
	w.report.Warranty = &a
	if errors.Is(err, ErrUnanswered) || err == nil && !seq.Shown() {
		return &WarrantyError{a, seq.Refuted()}
	}
	return err
}

// population returns the rows of the removals that may be wrong. Texts that are
// equal but for what is cleaned may be.
func (w *writer) population() ([]uint32, Assurance) {
	o := w.o.Warranty
	a := Assurance{AtMost: o.AtMost, Confidence: o.Confidence, Seed: o.Seed, Removals: w.report.Equal + w.report.Alike}
	cleaned := w.report.Settings.Clean != ""
	var rows []uint32
	for row := w.oldRows; row < len(w.Text); row++ {
		_, reason, _ := w.kept(row)
		if reason == reasonAlike || reason == reasonEqual && cleaned {
			rows = append(rows, uint32(row))
		}
	}
	a.Equal = a.Removals - len(rows)
	return rows, a
}

// judge reads removed rows and those that stay in their place, and calls ask with
// them in order.
func (w *writer) judge(ctx context.Context, rows []uint32, ask func(Judged) error) error {
	var want []uint32
	for _, row := range rows {
		kept, _, _ := w.kept(int(row))
		want = append(want, row, kept)
	}
	slices.Sort(want)
	want = slices.Compact(want)
	texts, err := newSpool(w.scratch)
	if err != nil {
		return err
	}
	defer texts.close()
	var ids []string
	err = eachChunk(ctx, w.in, func(row int) bool {
		_, found := slices.BinarySearch(want, uint32(row))
		return found
	}, w.progress("assure"), func(p *datasets.Parser, ch *chunk) ([]datasets.Doc, error) {
		docs := make([]datasets.Doc, len(ch.rows))
		return docs, ch.documents(p, func(i int, row *datasets.Row, bad error) error { docs[i] = row.Doc; return bad })
	}, func(_ *chunk, docs []datasets.Doc) error {
		for _, d := range docs {
			ids = append(ids, d.ID)
			if err := texts.add(d.Text); err != nil {
				return err
			}
		}
		return nil
	})
	if err = cmp.Or(err, texts.flush()); err != nil {
		return err
	}
	doc := func(row uint32) (datasets.Doc, error) {
		i, _ := slices.BinarySearch(want, row)
		text, err := texts.at(i)
		return datasets.Doc{ID: ids[i], Text: text}, err
	}
	for _, row := range rows {
		kept, _, score := w.kept(int(row))
		j := Judged{Score: score}
		if j.Removed, err = doc(row); err != nil {
			return err
		}
		if j.Kept, err = doc(kept); err != nil {
			return err
		}
		if err := ask(j); err != nil {
			return err
		}
	}
	return nil
}
