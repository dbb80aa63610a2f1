// Package stress measures how scores and recall fall under edits: the score of
// a text and its edited copy, and the share of such copies that are found, by
// kind of edit, rate of edit and length of the text.
//
// Documents are cut to texts of each length. The threshold is calibrated for
// each method and length: it is the lowest one that at most a stated share of
// the pairs of unrelated texts reaches. Recall is then comparable between
// methods whose scores mean different things, and it is the recall of a search
// in which false pairs are as rare as stated.
//
// Everything is a function of documents, methods and options, for any number of
// workers.
//
// The command alike stress runs it, and eval/report shows its records. The
// edits themselves belong to package plant.
package stress

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/internal/sketch"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// Options says what is measured. The zero value is a sound default.
type Options struct {
	// Lengths of texts in characters. Nil means 50, 100, 200, 500, 1000 and 2000.
	Lengths []int

	// Kinds of edits, and the rates that each is done at; a rate that a kind cannot
	// have is left out for it. Nil means all kinds, at 2, 5, 10, 20 and 40 %.
	Kinds []plant.Kind
	Rates []float64

	// Docs is how many texts of each length are taken, at least 10. Time grows with
	// its square, and below 150 there are less than 10,000 pairs to calibrate on.
	// Zero means 500.
	Docs int

	// FalsePositives is the share of unrelated pairs that may count as alike, above 0
	// and below 1. Zero means 0.0001.
	FalsePositives float64

	// Threshold, if above 0, is the score from which on pairs count as alike, for all
	// methods. Then nothing is calibrated, and records say what share of unrelated
	// pairs reaches it.
	Threshold float64

	// Lang is what edits take for units. The zero value goes by the script of each text.
	Lang plant.Lang

	// Seed selects texts and edits.
	Seed uint64

	// Workers is the number of goroutines; results do not depend on it. Zero means one
	// for each CPU.
	Workers int

	// Progress is told what share of the work is done. It may be nil.
	Progress func(share float64, what string)
}

func (o Options) withDefaults() (Options, error) {
	if o.Lengths == nil {
		o.Lengths = []int{50, 100, 200, 500, 1000, 2000}
	}
	if o.Kinds == nil {
		o.Kinds = plant.Kinds()
	}
	if o.Rates == nil {
		o.Rates = []float64{0.02, 0.05, 0.1, 0.2, 0.4}
	}
	if o.Docs == 0 {
		o.Docs = 500
	}
	if o.FalsePositives == 0 {
		o.FalsePositives = 1e-4
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Progress == nil {
		o.Progress = func(float64, string) {}
	}
	switch {
	case o.Docs < least:
		return o, fmt.Errorf("stress: Docs is %d, want at least %d", o.Docs, least)
	case !(o.FalsePositives > 0 && o.FalsePositives < 1):
		return o, fmt.Errorf("stress: FalsePositives is %v, want above 0 and below 1", o.FalsePositives)
	case !(o.Threshold >= 0 && o.Threshold <= 1):
		return o, fmt.Errorf("stress: Threshold is %v, want 0 to 1", o.Threshold)
	case o.Workers < 0:
		return o, fmt.Errorf("stress: Workers is %d, want 0 or more", o.Workers)
	}
	for _, n := range o.Lengths {
		if n < 1 {
			return o, fmt.Errorf("stress: a length is %d, want at least 1 character", n)
		}
	}
	if len(o.edits()) == 0 {
		return o, errors.New("stress: no kind of edit can have any of the rates")
	}
	return o, nil
}

// edits returns every kind at every rate it can have, kinds in order.
func (o Options) edits() []plant.Edit {
	var out []plant.Edit
	for _, k := range o.Kinds {
		for _, r := range o.Rates {
			e := plant.Edit{Kind: k, Rate: r}
			if _, err := plant.ParseEdit(e.String()); err == nil {
				out = append(out, e)
			}
		}
	}
	return out
}

// least is how many texts a length needs to be measured.
const least = 10

// Run measures methods on texts cut from documents, which should be unrelated; see
// Unrelated. The name is what records call the documents. Records are ordered by
// length, method and edit. A length that fewer than ten documents have is left out;
// it is an error if none is left. Methods that learn from a corpus and have not are
// fitted on the unedited texts of each length.
//
// The cost is that of sketching Docs texts of each length for every edit and method,
// and of scoring all pairs of them once.
func Run(ctx context.Context, name string, docs []string, methods []similarity.Method, o Options) ([]Record, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	var out []Record
	for i, n := range o.Lengths {
		texts := cut(docs, n, o.Docs, o.Seed)
		if len(texts) < least {
			continue
		}
		inner := o
		inner.Progress = func(share float64, what string) {
			o.Progress((float64(i)+share)/float64(len(o.Lengths)), what)
		}
		records, err := runLength(ctx, name, texts, n, methods, inner)
		if err != nil {
			return nil, fmt.Errorf("stress: %s: %w", name, err)
		}
		out = append(out, records...)
	}
	if out == nil {
		return nil, fmt.Errorf("stress: %s: fewer than %d of %d documents have %d characters", name, least, len(docs), slices.Min(o.Lengths))
	}
	return out, nil
}

func runLength(ctx context.Context, name string, texts []string, length int, methods []similarity.Method, o Options) ([]Record, error) {
	what := fmt.Sprintf("%s, %d characters", name, length)
	o.Progress(0, what)
	fitted := slices.Clone(methods)
	for i, m := range methods {
		if m.FitState() == similarity.FitNone {
			var err error
			if fitted[i], err = m.Fit(slices.Values(texts)); err != nil {
				return nil, err
			}
		}
	}
	edits := o.edits()
	base := sketchAll(fitted, texts)
	limits := make([]limit, len(methods))
	cells := make([][]Record, len(edits)) // by edit, then method
	errs := make([]error, len(edits))
	steps := len(methods) + len(edits)
	done := parallel.Progress(steps, func(share float64) { o.Progress(share, what) })
	parallel.For(ctx, o.Workers, steps, func(_, i int) {
		defer done()
		if i < len(methods) {
			limits[i] = calibrate(base[i], o)
			return
		}
		i -= len(methods)
		cells[i], errs[i] = damage(texts, edits[i], fitted, base, o)
	})
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return nil, err
	}
	var out []Record
	for i, m := range methods {
		for k := range edits {
			r := cells[k][i]
			r.Data, r.Method, r.Length, r.Seed = name, similarity.WithoutFit(m.String()), length, o.Seed
			limits[i].judge(&r)
			out = append(out, r)
		}
	}
	return out, nil
}

// damage makes a copy of every text by an edit and scores it with its original. The
// records lack what calibration tells.
func damage(texts []string, edit plant.Edit, methods []similarity.Method, base []similarity.Collection, o Options) ([]Record, error) {
	copies, of, touched, err := edited(texts, edit, o)
	if err != nil {
		return nil, err
	}
	out := make([]Record, len(methods))
	for i, c := range sketchAll(methods, copies) {
		both := base[i].Pick(of)
		both.Append(c)
		r := Record{Kind: edit.Kind, Rate: edit.Rate, Copies: len(of), Touched: eval.Figure(touched)}
		for k := range of {
			r.scores = append(r.scores, float32(both.Score(k, len(of)+k)))
		}
		slices.Sort(r.scores)
		var size, sum float64
		for k, s := range r.scores {
			size += float64(both.Bytes(k))
			sum += float64(s)
		}
		n := float64(len(of))
		r.Bytes, r.Score = eval.Figure(size/n), eval.Figure(sum/n)
		r.ScoreP10, r.ScoreP50, r.ScoreP90 = quantile(r.scores, 0.1), quantile(r.scores, 0.5), quantile(r.scores, 0.9)
		out[i] = r
	}
	return out, nil
}

func sketchAll(methods []similarity.Method, texts []string) []similarity.Collection {
	return sketch.By(methods).Docs(0, len(texts), func(i int) (id, text string) { return "", texts[i] })
}

// quantile returns a value of a sorted list: the one that a share of them is below.
func quantile(sorted []float32, share float64) eval.Figure {
	if len(sorted) == 0 {
		return eval.Figure(math.NaN())
	}
	return eval.Figure(sorted[int(share*float64(len(sorted)-1)+0.5)])
}
