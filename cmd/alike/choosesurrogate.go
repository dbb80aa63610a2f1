package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/review"
	"github.com/alike-go/alike/eval/surrogate"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/tables"
)

// surrogateRun is what flags say about documents without labels.
type surrogateRun struct {
	want   string
	differ string
	edits  string
	review int
	labels string
}

func (s *surrogateRun) flags(flags *pflag.FlagSet) {
	flags.StringVar(&s.want, "want", "", "without labels: what is alike: `copies`, versions or excerpts (default copies)")
	flags.StringVar(&s.differ, "differ", "", "without labels: the maximum `SHARE` of words that differ between copies (default 10%)")
	flags.StringVar(&s.edits, "edits", "", "without labels: the `EDITS` to expect, such as mixed:0.05*3,truncate:0.3 (default every kind)")
	flags.IntVar(&s.review, "review", 0, "without labels: ask about `N` pairs in the terminal, and learn from the answers")
	flags.StringVar(&s.labels, "labels", "", "keep answers in `FILE`, and learn from those that it has (default choose-labels.tsv with --review)")
}

// borderline is the number of doubtful pairs that are shown.
const borderline = 12

// withoutLabels is do for data whose truth nobody stated.
func (r *chooseRun) withoutLabels(ctx context.Context, data string, stdout, stderr io.Writer) error {
	read, err := r.source.loadDocs(data, r.stdin)
	if err != nil {
		return err
	}
	docs := read.Docs
	s := r.surrogate
	if s.labels == "" && s.review > 0 {
		s.labels = "choose-labels.tsv"
	}
	o := surrogate.Options{Seed: r.options.Seed, Workers: r.options.Workers, MaxDocs: r.options.MaxDocs}
	o.Progress = func(share float64, what string) { r.options.Progress(share*0.3, what) }
	if s.want != "" {
		w, err := dedup.ParseWant(s.want)
		if err != nil {
			return err
		}
		o.Want = &w
	}
	if s.differ != "" {
		if o.Differ, err = cli.ParseShare(s.differ); err != nil {
			return fmt.Errorf("--differ: %w", err)
		}
	}
	if s.edits != "" {
		if o.Mix, err = plant.ParseMix(s.edits); err != nil {
			return err
		}
	}
	var labels []surrogate.Label
	if s.labels != "" {
		if labels, err = surrogate.ReadLabels(s.labels); err != nil {
			return err
		}
	}
	truth, err := surrogate.Build(ctx, data, docs, labels, o)
	if err != nil {
		return err
	}
	if s.review > 0 {
		if err := s.ask(ctx, truth, r.stdin, stderr); err != nil {
			return err
		}
	}
	search := r.options
	search.Progress = func(share float64, what string) { r.options.Progress(0.3+share*0.7, what) }
	choice, err := truth.Choose(ctx, search)
	if err != nil {
		return err
	}
	if err := r.writeRecords(&choice.Result); err != nil {
		return err
	}
	if r.format.Format == "jsonl" {
		return tables.Write(stdout, r.format, []*surrogate.Choice{choice}, nil, nil)
	}
	if err := r.writeSurrogateChoice(ctx, r.format.Prose(stdout), truth, choice, data); err != nil {
		return err
	}
	return writeTrials(stdout, r.format, &choice.Result)
}

// ask reviews pairs in the terminal. Each answer is kept before the next question.
func (s *surrogateRun) ask(ctx context.Context, truth *surrogate.Truth, stdin io.Reader, stderr io.Writer) error {
	asker := review.NewAsker(stdin, stderr)
	asked := 0
	_, err := truth.Review(ctx, s.review, func(q surrogate.Question) (surrogate.Answer, error) {
		about := ""
		if q.Check {
			about = " (the rule removes the second)"
		}
		answer, err := asker.Ask(q.A, q.B, fmt.Sprintf("%d of %d%s: are they the same?", asked+1, s.review, about), review.Yes, review.No, review.Skip, review.Quit)
		switch {
		case err != nil || answer == review.Quit:
			return surrogate.Stop, err
		case answer == review.Skip:
			return surrogate.Skip, nil
		}
		asked++
		given := map[review.Answer]surrogate.Answer{review.Yes: surrogate.Yes, review.No: surrogate.No}[answer]
		return given, surrogate.AppendLabel(s.labels, surrogate.Label{A: q.A.ID, B: q.B.ID, Alike: answer == review.Yes, Check: q.Check})
	})
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	fmt.Fprintf(stderr, "\nalike: %s in %s\n", plural(truth.Labels, "answer"), s.labels)
	return nil
}

// writeSurrogateChoice says what can be said without labels: the outcome, what it rests
// on, and the commands to run next.
func (r *chooseRun) writeSurrogateChoice(ctx context.Context, w io.Writer, t *surrogate.Truth, c *surrogate.Choice, data string) error {
	fmt.Fprintf(w, "%s without labels", plural(t.Of, "document"))
	if t.Queries < t.Of {
		fmt.Fprintf(w, "; %d drawn at random were compared with %d", t.Queries, len(t.Docs))
	}
	if t.Labels > 0 {
		fmt.Fprintf(w, "; %s", plural(t.Labels, "answer"))
	}
	fmt.Fprintf(w, "\n%s pairs are copies (at most %.3g %% of the words differ)", estimate(c.Copies), 100*c.Differ)
	if t.Want == dedup.Copies {
		near := t.Count(func(p *surrogate.Pair) float64 {
			if p.Differ > c.Differ && p.Differ <= 2*c.Differ {
				return 1
			}
			return 0
		})
		fmt.Fprintf(w, ", %s more nearly so (at most %.3g %%)", estimate(near), 200*c.Differ)
	}
	// What rests on the committee or on a few answers has no interval.
	fmt.Fprintf(w, "; some %.0f resemble each other more than unrelated documents\n", c.Versions.Value)
	if t.Labels > 0 || t.Want == dedup.Excerpts {
		fmt.Fprintf(w, "some %.0f pairs are alike as wanted\n", c.Alike.Value)
	}
	for _, m := range c.Mislead {
		fmt.Fprintln(w, m)
	}
	fmt.Fprintf(w, "\n%s", c.Outcome)
	if c.Outcome == surrogate.Recommended {
		fmt.Fprintf(w, ": --want %s\n", c.Want)
	} else {
		fmt.Fprintln(w, ", because:")
	}
	for _, why := range c.Why {
		fmt.Fprintf(w, "  %s\n", why)
	}
	for _, command := range c.Commands(r.inputOf(data)) {
		fmt.Fprintf(w, "  %s%s\n", command, r.source.given())
	}
	if e := c.Effect; e != nil {
		what := "--want " + c.Want
		if c.Outcome == surrogate.Recommended {
			what = "the command"
		}
		fmt.Fprintf(w, "%s removes %s\n", what, removes(e, c.Differ))
	}
	if e := c.Other; e != nil {
		what := "which takes revisions as well"
		if c.Effect != nil && e.Removed.Value <= c.Effect.Removed.Value {
			what = "which goes by resemblance" // and may leave copies that share little but a form
		}
		fmt.Fprintf(w, "--want versions, %s, removes %s\n", what, removes(e, c.Differ))
	}
	if c.Ask > 0 {
		if !c.Stated {
			fmt.Fprint(w, "say what is alike (--want copies or versions), or ")
		}
		fmt.Fprintf(w, "judge %s:\n  alike choose %s --no-labels%s%s --review %d\n", plural(c.Ask, "pair"), choose.Quote(data), r.surrogate.given(), r.source.given(), c.Ask)
	}
	fmt.Fprintln(w)
	if c.Outcome != surrogate.Recommended {
		if err := r.writeBorderline(w, t); err != nil {
			return err
		}
	}
	if len(t.Copies) > 0 && len(c.Best.Spec) > 0 {
		candidate, err := choose.NewCandidate(c.Best.Spec)
		if err != nil {
			return err
		}
		found, err := t.Found(ctx, candidate, float64(c.Best.Threshold), r.options.Workers)
		if err != nil {
			return err
		}
		var parts []string
		for _, f := range found {
			parts = append(parts, fmt.Sprintf("%s %d of %d", f.Edit, f.Found, f.Copies))
		}
		fmt.Fprintf(w, "methods by themselves, against what is alike by the texts; planted copies that the best finds: %s\n\n", strings.Join(parts, ", "))
	}
	writeNotes(w, &c.Result)
	return nil
}

// given returns the flags that say what is alike, as they were given.
func (s *surrogateRun) given() (flags string) {
	for _, f := range [][2]string{{"want", s.want}, {"differ", s.differ}, {"edits", s.edits}, {"labels", s.labels}} {
		if f[1] != "" {
			flags += " --" + f[0] + " " + choose.Quote(f[1])
		}
	}
	return flags
}

// estimate writes a number with its interval, if it was not counted.
func estimate(e surrogate.Estimate) string {
	if e.Low == e.High {
		return fmt.Sprintf("%.0f", e.Value)
	}
	return fmt.Sprintf("about %.0f (95 %% interval %.0f to %.0f)", e.Value, e.Low, e.High)
}

// removes says in words what a rule does on the documents.
func removes(e *surrogate.Effect, differ float64) string {
	out := fmt.Sprintf("%s of %s (%.1f %%)", estimate(e.Removed), plural(e.Docs, "document"), 100*e.Removed.Value/float64(e.Docs))
	switch {
	case e.Removed.Value == 0:
	case e.Rule.Verify != "":
		out += fmt.Sprintf("; of each, at most %.3g %% of the words differ from the one that stays", 100*differ)
	case e.Sampled > 0:
		interval := ""
		if e.Share.Low < e.Share.High {
			interval = fmt.Sprintf(" (95 %% interval %.0f to %.0f %%)", 100*e.Share.Low, 100*e.Share.High)
		}
		out += fmt.Sprintf("; of those that equal no other, %.0f %%%s are copies of the one that stays", 100*e.Share.Value, interval)
	}
	if e.Checked > 0 {
		out += fmt.Sprintf("; of those that equal no other, %d were drawn after the rule was fixed, and you called %d alike: precision %.2f (95 %% interval %.2f to %.2f)",
			e.Checked, e.Right, e.Precision.Value, e.Precision.Low, e.Precision.High)
	}
	if e.Replies > 0 {
		out += fmt.Sprintf("; %d have little in common with the one that stays but what they quote", e.Replies)
	}
	return out
}

// writeBorderline shows pairs in doubt.
func (r *chooseRun) writeBorderline(w io.Writer, t *surrogate.Truth) error {
	doubtful := t.Borderline(borderline)
	if len(doubtful) == 0 {
		return nil
	}
	fmt.Fprintln(w, "Pairs in doubt; --review 20 asks about such, and learns from the answers:")
	columns := []column{"alike", "differ", "<document", "<text where they part"}
	var rows [][]string
	for _, q := range doubtful {
		differ := "> 50%"
		if q.Differ < 1 {
			differ = fmt.Sprintf("%.0f%%", 100*q.Differ)
		}
		rows = append(rows,
			[]string{fixed(q.Alike, 2), differ, q.A.ID, surrogate.Excerpt(q.A.Text, q.B.Text, 80)},
			[]string{"", "", q.B.ID, surrogate.Excerpt(q.B.Text, q.A.Text, 80)})
	}
	if err := tables.Table(w, r.format.Aside(), columns, rows); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return nil
}
