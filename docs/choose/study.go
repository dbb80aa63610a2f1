package main

import (
	"context"
	"strconv"
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

// budget of the searches without labels: what they find is shown beside the rule, which
// rests on the committee's own scores.
const budget = time.Second

// answers is after how many of them the rule is looked at.
var answers = []int{0, 20, 50}

// withLabels finds the best of the exact candidates by labels.
func withLabels(ctx context.Context, c *corpus, r *record) error {
	o := options
	o.Candidates = exact(c.task.Profile)
	o.Budget = 24 * time.Hour // enough to judge every candidate on all of dev
	result, err := choose.SearchTask(ctx, c.task, o)
	if err != nil {
		return err
	}
	r.Best = &result.Best
	found, err := c.run(ctx, surrogate.Rule{Method: r.Best.Spec, Threshold: float64(r.Best.Threshold)})
	r.Whole = eval.Figure(found.F1())
	return err
}

// exact are exact methods on the features that read words and characters.
func exact(p choose.Profile) []choose.Candidate {
	var out []choose.Candidate
	for _, c := range choose.Space(p) {
		name, rest, _ := strings.Cut(c.Spec, ":")
		if (name == "shingle" || name == "cosine") && !strings.Contains(rest, "byte") && !strings.Contains(rest, "jieba") && !strings.Contains(rest, "bag") && !strings.Contains(rest, "scheme=nnc") {
			out = append(out, c)
		}
	}
	return out
}

// withoutLabels asks for advice with the want that labels mean, lets a reader answer who
// knows the labels, and asks again without a word on what is wanted.
func withoutLabels(ctx context.Context, c *corpus, r *record) error {
	want, err := dedup.ParseWant(c.want)
	if err != nil {
		return err
	}
	t, err := surrogate.Build(ctx, c.name, c.docs, nil, surrogate.Options{Want: &want})
	if err != nil {
		return err
	}
	if err := advise(ctx, c, t, r); err != nil {
		return err
	}
	var given []surrogate.Label
	for _, n := range answers {
		labels, err := t.Review(ctx, n-len(given), func(q surrogate.Question) (surrogate.Answer, error) { return c.says(q.A.ID, q.B.ID), nil })
		if err != nil {
			return err
		}
		given = append(given, labels...)
		rule, err := t.Rule(ctx)
		if err != nil {
			return err
		}
		found, err := c.run(ctx, rule)
		if err != nil {
			return err
		}
		e, err := t.Effect(ctx, rule)
		if err != nil {
			return err
		}
		r.Steps = append(r.Steps, step{len(given), rule, eval.Figure(found.F1()), e.Checked, e.Precision, c.right(e.Removals, given)})
	}
	// Nothing that was drawn or scored depends on copies or versions being wanted.
	t.Want, t.Stated = dedup.Copies, false
	t.Learn(nil)
	return advise(ctx, c, t, r)
}

// advise asks for advice and judges it by labels.
func advise(ctx context.Context, c *corpus, t *surrogate.Truth, r *record) error {
	so := options
	so.Resamples, so.Budget = 20, budget
	choice, err := t.Choose(ctx, so)
	if err != nil {
		return err
	}
	a := advice{Outcome: choice.Outcome, Why: choice.Why, Copies: choice.Copies}
	if t.Stated {
		a.Want = c.want
	}
	copies, err := c.run(ctx, t.CopiesRule())
	if err != nil {
		return err
	}
	a.TrueCopies = copies.pairs
	if e := choice.Effect; e != nil {
		a.Rule, a.Removed, a.Share = e.Rule, e.Removed, e.Share
		does, err := c.run(ctx, e.Rule)
		if err != nil {
			return err
		}
		a.F1, a.Precision, a.Recall = eval.Figure(does.F1()), eval.Figure(does.Precision()), eval.Figure(does.Recall())
		a.TrueRemoved, a.TrueShare, a.Replies = does.removed, does.share(), does.replies
	}
	r.Advice = append(r.Advice, a)
	return nil
}

// leastEstimated is the number of documents from which on half of them are enough to
// estimate from.
const leastEstimated = 600

// estimates lets the copies be estimated from half of the documents.
func estimates(ctx context.Context, c *corpus, r *record) error {
	if len(c.docs) < leastEstimated {
		return nil
	}
	for _, seed := range []uint64{1, 2} {
		t, err := surrogate.Build(ctx, c.name, c.docs, nil, surrogate.Options{MaxDocs: len(c.docs) / 2, Seed: seed})
		if err != nil {
			return err
		}
		copies, err := c.run(ctx, t.CopiesRule())
		if err != nil {
			return err
		}
		r.Advice = append(r.Advice, advice{Copies: t.Wanted(dedup.Copies), TrueCopies: copies.pairs})
	}
	return nil
}

// found is what a rule does on all documents.
type found struct {
	eval.Confusion               // by the labels
	pairs, removed       int     // that are alike by the rule, and documents that go
	replies              int     // that go because of a message that they answer, or that answers them
	changed, changedCopy float64 // documents that go and equal no other, and how many are copies of the one that stays
}

// share returns the share of copies among the documents that go and equal no other.
func (f *found) share() eval.Figure { return eval.Figure(f.changedCopy / f.changed) }

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
	equal := map[string]bool{}
	again := make([]bool, len(c.docs)) // an earlier document has this text
	for i, text := range s.Texts {
		again[i], equal[text] = equal[text], true
	}
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
				if c.replies[[2]int{p.A, p.B}] {
					out.replies++
				}
				if r.Verify == "" && !again[p.B] {
					out.changed++
					if _, ok := words.Differ(words.Sketch(s.Texts[p.A]), words.Sketch(s.Texts[p.B]), dedup.DefaultDiffer); ok {
						out.changedCopy++
					}
				}
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

// says is the answer about two documents by their ids, which are their numbers.
func (c *corpus) says(a, b string) surrogate.Answer {
	i, err := strconv.Atoi(a)
	if err != nil {
		panic(err) // corpus wrote them
	}
	j, err := strconv.Atoi(b)
	if err != nil {
		panic(err)
	}
	return c.answer(i, j)
}

// right returns the share of right ones among removals that no answer to learn from was
// about.
func (c *corpus) right(removals []surrogate.Removal, given []surrogate.Label) eval.Figure {
	learned := map[[2]string]bool{}
	for _, l := range given {
		if !l.Check {
			learned[[2]string{min(l.A, l.B), max(l.A, l.B)}] = true
		}
	}
	right, all := 0.0, 0.0
	for _, r := range removals {
		if a, b := r.Kept.ID, r.Removed.ID; !learned[[2]string{min(a, b), max(a, b)}] {
			switch c.says(a, b) {
			case surrogate.Yes:
				right++
				all++
			case surrogate.No:
				all++
			}
		}
	}
	return eval.Figure(right / all)
}

// alike returns the number of alike pairs by the labels.
func (c *corpus) alike() (n float64) {
	size := map[int]float64{}
	for _, k := range c.cluster {
		size[k]++
	}
	for _, k := range c.cluster {
		n += (size[k] - 1) / 2
	}
	return n
}
