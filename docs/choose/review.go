package main

import (
	"context"
	"strconv"

	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/surrogate"
)

// answers is after how many of them a search takes anew.
var answers = []int{0, 20, 50, 100}

// exact are the candidates of the review's searches: exact methods on all features of the
// profile, so that a step takes seconds and what changes is due to answers.
func exact(p choose.Profile) []choose.Candidate {
	var out []choose.Candidate
	for _, c := range choose.Space(p) {
		switch name := nameOf(c.Spec); name {
		case "shingle", "cosine":
			out = append(out, c)
		}
	}
	return out
}

// withAnswers lets a reader who knows the labels answer.
func withAnswers(ctx context.Context, c *corpus, r *record) error {
	t, err := surrogate.Build(ctx, c.name, c.docs, nil, surrogate.Options{})
	if err != nil {
		return err
	}
	space := exact(t.Profile)
	given := 0
	for _, n := range answers {
		labels, err := t.Review(n-given, func(q surrogate.Question) (surrogate.Answer, error) {
			a, err := strconv.Atoi(q.A.ID)
			if err != nil {
				return surrogate.Stop, err
			}
			b, err := strconv.Atoi(q.B.ID)
			if err != nil {
				return surrogate.Stop, err
			}
			return c.answer(a, b), nil
		})
		if err != nil {
			return err
		}
		given += len(labels)
		step, err := take(ctx, c, t, space)
		if err != nil {
			return err
		}
		r.Steps = append(r.Steps, step)
	}
	return nil
}

// answer says what the labels say of two documents, which nobody knows of pairs without a label.
func (c *corpus) answer(a, b int) surrogate.Answer {
	alike, known := c.pairs[[2]int{min(a, b), max(a, b)}]
	switch {
	case known && alike:
		return surrogate.Yes
	case known:
		return surrogate.No
	case c.cluster == nil:
		return surrogate.Skip
	case c.cluster[a] == c.cluster[b]:
		return surrogate.Yes
	}
	return surrogate.No
}
