package choose

import (
	"cmp"
	"context"
	"slices"

	"github.com/alike-go/alike/eval"
)

// What makes a candidate a cheaper one: that share of the best's bytes or nominal time,
// no more of the other, and on test a value that is shown not worse by more than the
// margin.
const cheaperShare = 0.8

// usable is the share of the best's dev value that a candidate needs for a place on the
// front.
const usable = 0.5

// finish judges the candidates that might be taken on test and says which is.
func (h *halving) finish(ctx context.Context, alive []int) (Result, error) {
	order := h.order(alive)
	best := order[0]
	front := slices.DeleteFunc(h.front(order), func(i int) bool {
		return h.trials[i].Dev.Value < usable*h.trials[best].Dev.Value
	})
	picked := slices.Clone(front[:min(len(front), finalists*2/3)])
	for _, i := range order {
		if len(picked) == finalists {
			break
		}
		if !slices.Contains(picked, i) {
			picked = append(picked, i)
		}
	}
	slices.Sort(picked)

	r := &h.result
	r.Dataset, r.Checksum, r.Profile, r.Goal = h.t.Name, h.t.Checksum, h.t.Profile, h.o.Goal.String()
	r.Margin = h.o.Margin
	r.Seed, r.Resamples, r.Docs = h.o.Seed, h.o.Resamples, len(h.t.Dev.Texts)
	r.Shared, r.StrictSplits = h.t.Shared, h.o.StrictSplits
	r.Machine = eval.ThisMachine()
	report := h.t.Dev
	if h.t.Test != nil {
		report = h.t.Test
		r.Docs += len(report.Texts)
	}
	var constant eval.Confusion // what calling every pair alike gives
	candidates := make([]Candidate, len(picked))
	for k, i := range picked {
		candidates[k] = h.candidates[i]
	}
	done := 0
	replicates := make([][]float32, len(picked))
	err := Rank(ctx, report, h.t.Dev, candidates, h.o.Workers, func(k int, x Ranked) error {
		t := &h.trials[picked[k]]
		q, values := judge(x.ranking, float64(t.Threshold), h.o)
		t.Test, replicates[k] = &q, values
		if !h.o.NoSpeed {
			measure(t, x, report)
		}
		constant = x.All()
		done++
		h.o.Progress(0.85+0.15*float64(done)/float64(len(picked)), "finalists")
		return ctx.Err()
	})
	if err != nil {
		return Result{}, err
	}
	at := slices.Index(picked, best)
	for k, state := range eval.States(replicates, at, h.o.Margin) {
		if t := &h.trials[picked[k]]; !t.Test.Unusable {
			t.State = state
		}
	}
	shape := newShape(h.t)
	for i := range h.trials {
		h.trials[i].warn(h.candidates[i], shape)
	}
	b := &h.trials[best]
	r.Best, r.Trials = *b, h.trials
	for _, i := range front {
		if h.trials[i].Test != nil {
			r.Front = append(r.Front, h.trials[i])
		}
	}
	for _, i := range picked {
		t := &h.trials[i]
		cheaper := float64(t.BytesPerDoc) <= cheaperShare*float64(b.BytesPerDoc) && t.Nominal <= b.Nominal ||
			t.Nominal <= cheaperShare*b.Nominal && t.BytesPerDoc <= b.BytesPerDoc
		if i != best && cheaper && (t.State == eval.Better || t.State == eval.NotWorse) && t.Test.Reached == b.Test.Reached {
			r.Cheaper = append(r.Cheaper, *t)
		}
	}
	slices.SortStableFunc(r.Cheaper, func(x, y Trial) int {
		return cmp.Or(cmp.Compare(x.BytesPerDoc, y.BytesPerDoc), cmp.Compare(x.Nominal, y.Nominal))
	})
	if r.Baselines, err = h.baselines(ctx, report); err != nil {
		return Result{}, err
	}
	r.verdict(h.o.Goal, constant)
	r.note()
	h.o.Progress(1, "chosen")
	return *r, nil
}

// baselines judges the baselines on test, at thresholds chosen on dev.
func (h *halving) baselines(ctx context.Context, report *Sample) ([]Trial, error) {
	var candidates []Candidate
	for _, m := range eval.BaselineMethods() {
		candidates = append(candidates, Candidate{Spec: m.String(), Method: m})
	}
	trials := make([]Trial, len(candidates))
	err := Rank(ctx, h.t.Dev, h.t.Dev, candidates, h.o.Workers, func(i int, x Ranked) error {
		trials[i] = newTrial(candidates[i], x, h.o.Goal, 1)
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = Rank(ctx, report, h.t.Dev, candidates, h.o.Workers, func(i int, x Ranked) error {
		q, _ := judge(x.ranking, float64(trials[i].Threshold), h.o)
		trials[i].Test = &q
		return nil
	})
	return trials, err
}

// judge returns the figures at a threshold and what the goal's value is in each resample.
func judge(r *ranking, threshold float64, o Options) (Quality, []float32) {
	q := quality(o.Goal, r.At(threshold), r.AP())
	values := make([]float32, o.Resamples)
	for i, c := range r.Replicates(threshold, o.Resamples, o.Seed) {
		values[i] = float32(o.Goal.Value(c))
	}
	n := eval.EffectiveUnits(r.positives())
	if q.Unusable = !eval.Usable(n); !q.Unusable {
		interval := eval.Interval95(values, n)
		q.Low, q.High = eval.Figure(interval.Low), eval.Figure(interval.High)
	}
	return q, values
}
