package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/surrogate"
)

// options are those of all searches here. Nothing ends early, and speeds do not matter.
var options = choose.Options{NoDeadline: true, NoSpeed: true, Resamples: 500}

// budget is the time that a search without labels may take, on two idle cores.
const budget = 15 * time.Second

// withLabels judges all candidates by labels.
func withLabels(ctx context.Context, c *corpus, r *record) error {
	var err error
	if r.Trials, err = choose.Evaluate(ctx, c.task, options); err != nil {
		return err
	}
	b := bestOf(r.Trials)
	q, err := judge(ctx, c, b.Spec, b.Threshold)
	r.Best = &q
	return err
}

// withoutLabels lets a search take a method and a threshold by surrogate truth, and judges both by labels.
func withoutLabels(ctx context.Context, c *corpus, r *record) error {
	t, err := surrogate.Build(ctx, c.name, c.docs, nil, surrogate.Options{})
	if err != nil {
		return err
	}
	taken, err := take(ctx, c, t, nil)
	r.Choice = &taken
	return err
}

// take searches the surrogate truth, all candidates or some, and judges what is taken by labels.
func take(ctx context.Context, c *corpus, t *surrogate.Truth, some []choose.Candidate) (choice, error) {
	o := options
	o.Resamples = 20
	o.Budget = budget
	o.Candidates = some
	found, err := choose.SearchTask(ctx, t.Task(), o)
	if err != nil {
		return choice{}, err
	}
	b := found.Best
	out := choice{Answers: t.Labels, Spec: b.Spec, Threshold: b.Threshold, Expected: b.Dev.F1, Alike: t.Expected().Value}
	for _, m := range t.Members {
		if m.Trusted {
			out.Trusted++
		}
	}
	out.Test, err = judge(ctx, c, b.Spec, b.Threshold)
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
