package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/alike-go/alike/align"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/surrogate"
	"github.com/alike-go/alike/similarity"
)

// options are those of all searches here. Nothing ends early, and speeds do not matter.
var options = choose.Options{NoDeadline: true, NoSpeed: true, Resamples: 500}

// budget is the time that a search without labels may take, on two idle cores.
const budget = 15 * time.Second

// withLabels judges all candidates by labels.
func withLabels(ctx context.Context, c *corpus, r *record) error {
	trials, err := choose.Evaluate(ctx, c.task, options)
	if err != nil {
		return err
	}
	b := bestOf(trials)
	q, err := judge(ctx, c, b.Spec, b.Threshold)
	if err != nil {
		return err
	}
	b.Test, r.Best = &q, &b
	found, err := c.run(ctx, surrogate.Rule{Method: b.Spec, Threshold: float64(b.Threshold)})
	r.Whole = eval.Figure(found.F1())
	return err
}

// withoutLabels asks for advice, with and without a word on what is wanted, and judges
// it by labels.
func withoutLabels(ctx context.Context, c *corpus, r *record) error {
	for _, want := range []string{"", wants[c.name]} {
		var o surrogate.Options
		if want != "" {
			w, err := dedup.ParseWant(want)
			if err != nil {
				return err
			}
			o.Want = &w
		}
		t, err := surrogate.Build(ctx, c.name, c.docs, nil, o)
		if err != nil {
			return err
		}
		so := options
		so.Resamples, so.Budget = 20, budget
		found, err := t.Choose(ctx, so)
		if err != nil {
			return err
		}
		a := advice{Want: want, Outcome: found.Outcome, Why: found.Why, Copies: found.Copies}
		copies, err := c.run(ctx, t.CopiesRule())
		if err != nil {
			return err
		}
		a.TrueCopies = copies.pairs
		if e := found.Effect; e != nil {
			a.Rule, a.Removed = e.Rule, e.Removed
			does, err := c.run(ctx, e.Rule)
			if err != nil {
				return err
			}
			a.F1, a.Precision, a.Recall = eval.Figure(does.F1()), eval.Figure(does.Precision()), eval.Figure(does.Recall())
			a.TrueRemoved = does.removed
		}
		r.Advice = append(r.Advice, a)
	}
	return nil
}

// found is what a rule does on all documents.
type found struct {
	eval.Confusion     // by the labels
	pairs, removed int // that are alike by the rule, and documents that go
}

// run compares all documents by a rule, pair by pair.
func (c *corpus) run(ctx context.Context, r surrogate.Rule) (found, error) {
	candidate, err := choose.NewCandidate(r.Method)
	if err != nil {
		return found{}, err
	}
	s := &choose.Sample{}
	for _, d := range c.docs {
		s.Texts = append(s.Texts, d.Text)
	}
	var out found
	removed := make([]bool, len(c.docs))
	words, err := align.NewWords(align.WordsOptions{})
	if err != nil {
		return found{}, err
	}
	err = choose.Rank(ctx, s, s, []choose.Candidate{candidate}, options.Workers, func(_ int, x choose.Ranked) error {
		o := similarity.JoinOptions{Threshold: r.Threshold}
		if r.Verify != "" {
			o.Threshold = r.Candidates
		}
		_, err := x.Sketches.Join(ctx, nil, o, func(p similarity.Pair) error {
			if r.Verify != "" && words.Score(words.Sketch(s.Texts[p.A]), words.Sketch(s.Texts[p.B])) < r.Threshold {
				return nil
			}
			out.pairs++
			if !removed[p.A] && !removed[p.B] {
				removed[p.B] = true
				out.removed++
			}
			switch c.answer(p.A, p.B) {
			case surrogate.Yes:
				out.TP++
			case surrogate.No:
				out.FP++
			}
			return nil
		})
		return err
	})
	out.FN = c.alike() - out.TP
	return out, err
}

// alike returns the number of alike pairs by the labels.
func (c *corpus) alike() (n float64) {
	for _, alike := range c.pairs {
		if alike {
			n++
		}
	}
	size := map[int]float64{}
	for _, k := range c.cluster {
		size[k]++
	}
	for _, k := range c.cluster {
		n += (size[k] - 1) / 2
	}
	return n
}

// take searches the surrogate truth, all candidates or some, and judges what is taken by labels.
func take(ctx context.Context, c *corpus, t *surrogate.Truth, some []choose.Candidate) (choice, error) {
	o := options
	o.Resamples = 20
	o.Budget = budget
	o.Candidates = some
	r, err := choose.SearchTask(ctx, t.Task(), o)
	if err != nil {
		return choice{}, err
	}
	out := choice{Answers: t.Labels, Spec: r.Best.Spec, Threshold: r.Best.Threshold}
	out.Test, err = judge(ctx, c, out.Spec, out.Threshold)
	return out, err
}

func judge(ctx context.Context, c *corpus, spec string, threshold eval.Figure) (choose.Quality, error) {
	candidate, err := choose.NewCandidate(spec)
	if err != nil {
		return choose.Quality{}, fmt.Errorf("%s: %w", c.name, err)
	}
	return choose.Judge(ctx, c.task, candidate, float64(threshold), options)
}

// bestOf returns the trial of the greatest F1 on dev; among equals that of the greatest average precision, as a search
// does, and then the smallest.
func bestOf(trials []choose.Trial) choose.Trial {
	return slices.MaxFunc(trials, func(a, b choose.Trial) int {
		for _, d := range []eval.Figure{a.Dev.F1 - b.Dev.F1, a.Dev.AP - b.Dev.AP, b.BytesPerDoc - a.BytesPerDoc} {
			switch {
			case d > 0:
				return 1
			case d < 0:
				return -1
			}
		}
		return 0
	})
}

// nameOf returns the name of the method in a spec.
func nameOf(spec string) string {
	name, _, _ := strings.Cut(spec, ":")
	return name
}
