package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/surrogate"
)

// surrogateRun is what flags say about documents without labels.
type surrogateRun struct {
	edits  string
	review int
	labels string
}

func (s *surrogateRun) flags(flags *pflag.FlagSet) {
	flags.StringVar(&s.edits, "edits", "", "without labels: the `EDITS` to expect, such as mixed:0.05*3,truncate:0.3 (default every kind)")
	flags.IntVar(&s.review, "review", 0, "without labels: ask about `N` pairs in the terminal, and learn from the answers")
	flags.StringVar(&s.labels, "labels", "", "keep answers in `FILE`, and learn from those that it has (default choose-labels.tsv with --review)")
}

// borderline is the number of doubtful pairs that are shown.
const borderline = 12

// withoutLabels is do for data whose truth nobody stated.
func (r *chooseRun) withoutLabels(ctx context.Context, data string, stdout, stderr io.Writer) error {
	docs, err := r.documents(data)
	if err != nil {
		return err
	}
	s := r.surrogate
	if s.labels == "" && s.review > 0 {
		s.labels = "choose-labels.tsv"
	}
	o := surrogate.Options{Seed: r.options.Seed, Workers: r.options.Workers, MaxDocs: r.options.MaxDocs}
	o.Progress = func(share float64, what string) { r.options.Progress(share*0.3, what) }
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
		if err := s.ask(truth, r.stdin, stderr); err != nil {
			return err
		}
	}
	search := r.options
	search.Progress = func(share float64, what string) { r.options.Progress(0.3+share*0.7, what) }
	result, err := choose.SearchTask(ctx, truth.Task(), search)
	if err != nil {
		return err
	}
	if r.format != "table" && r.format != "md" {
		return r.write(&result, data, stdout)
	}
	if err := r.writeRecords(&result); err != nil {
		return err
	}
	if err := r.writeTruth(ctx, stdout, truth, &result); err != nil {
		return err
	}
	writeSurrogateChoice(stdout, &result, inputOf(data))
	return writeTrials(stdout, r.format, &result)
}

// documents reads the documents of data, whatever is known of them.
func (r *chooseRun) documents(data string) ([]datasets.Doc, error) {
	if datasets.Labelled(data) {
		set, err := r.source.load(data, r.stdin)
		if err != nil {
			return nil, err
		}
		return set.Docs, nil
	}
	return datasets.ReadDocs(r.source.at(data, r.stdin))
}

// ask reviews pairs in the terminal. Each answer is kept before the next question.
func (s *surrogateRun) ask(truth *surrogate.Truth, stdin io.Reader, stderr io.Writer) error {
	in := bufio.NewScanner(stdin)
	asked := 0
	_, err := truth.Review(s.review, func(q surrogate.Question) (surrogate.Answer, error) {
		answer, err := askPair(in, stderr, q.A, q.B, fmt.Sprintf("%d of %d: are they the same? y, n, s (skip) or q (quit): ", asked+1, s.review))
		if err != nil || answer != surrogate.Yes && answer != surrogate.No {
			return answer, err
		}
		asked++
		return answer, surrogate.AppendLabel(s.labels, surrogate.Label{A: q.A.ID, B: q.B.ID, Alike: answer == surrogate.Yes})
	})
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	fmt.Fprintf(stderr, "\nalike: %d answers are in %s\n", truth.Labels, s.labels)
	return nil
}

// askPair shows two documents from where they part, and asks until it reads an
// answer: y, n, s or q. At the end of the input it is surrogate.Stop.
func askPair(in *bufio.Scanner, w io.Writer, a, b datasets.Doc, prompt string) (surrogate.Answer, error) {
	fmt.Fprintf(w, "\n%s\n  %s\n\n%s\n  %s\n\n", a.ID, surrogate.Excerpt(a.Text, b.Text, 600), b.ID, surrogate.Excerpt(b.Text, a.Text, 600))
	for {
		fmt.Fprint(w, prompt)
		if !in.Scan() {
			return surrogate.Stop, in.Err()
		}
		switch strings.ToLower(strings.TrimSpace(in.Text())) {
		case "y", "yes":
			return surrogate.Yes, nil
		case "n", "no":
			return surrogate.No, nil
		case "s":
			return surrogate.Skip, nil
		case "q":
			return surrogate.Stop, nil
		}
	}
}

// writeTruth says what was taken for true, and shows what is in doubt.
func (r *chooseRun) writeTruth(ctx context.Context, w io.Writer, t *surrogate.Truth, result *choose.Result) error {
	fmt.Fprintf(w, "%d documents without labels, %d of them looked at: some %.0f pairs of these are alike, by a committee of %d methods", t.Of, len(t.Docs), t.Expected(), len(t.Members))
	if t.Labels > 0 {
		fmt.Fprintf(w, " and %d answers", t.Labels)
	}
	fmt.Fprintf(w, "; %d edited copies are planted\n", len(t.Copies))
	d := t.Disagreement()
	fmt.Fprintf(w, "%s from %.3f on and %s from %.3f on agree about %.0f pairs; the former alone finds %.0f, the latter %.0f\n",
		d.Jaccard.Spec, d.Jaccard.Threshold, d.Cosine.Spec, d.Cosine.Threshold, d.Both, d.OnlyJaccard, d.OnlyCosine)
	for _, doubt := range t.Doubts() {
		fmt.Fprintln(w, doubt)
	}
	c, err := choose.NewCandidate(result.Best.Spec)
	if err != nil {
		return err
	}
	found, err := t.Found(ctx, c, float64(result.Best.Threshold), r.options.Workers)
	if err != nil {
		return err
	}
	var parts []string
	for _, f := range found {
		parts = append(parts, fmt.Sprintf("%s %d of %d", f.Edit, f.Found, f.Copies))
	}
	fmt.Fprintf(w, "planted copies that %s finds: %s\n\n", result.Best.Spec, strings.Join(parts, ", "))
	if doubtful := t.Borderline(borderline); len(doubtful) > 0 {
		fmt.Fprintln(w, "Pairs in doubt; --review 20 asks about such, and learns from the answers:")
		columns := []column{{"alike", false}, {"document", true}, {"text where they part", true}}
		var rows [][]string
		for _, q := range doubtful {
			rows = append(rows,
				[]string{fixed(q.Alike, 2), q.A.ID, surrogate.Excerpt(q.A.Text, q.B.Text, 80)},
				[]string{"", q.B.ID, surrogate.Excerpt(q.B.Text, q.A.Text, 80)})
		}
		if err := writeTable(w, r.format, columns, rows); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return nil
}

// writeSurrogateChoice says what to take, and the commands to run next.
func writeSurrogateChoice(w io.Writer, result *choose.Result, input string) {
	b := &result.Best
	if !result.Fit {
		writeUnfit(w, result)
	} else {
		fmt.Fprintf(w, "take %s from a score of %.3f on\n", b.Spec, float64(b.Threshold))
		fmt.Fprintf(w, "by the committee, not by labels: precision %.3f, recall %.3f, F1 %.3f\n\n",
			float64(b.Dev.Precision), float64(b.Dev.Recall), float64(b.Dev.F1))
		writeCommands(w, result, input)
	}
	writeNotes(w, result)
}
