package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/review"
	"github.com/alike-go/alike/eval/surrogate"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/jsonl"
	"github.com/alike-go/alike/internal/terminal"
)

// warrantyRun is what flags say about the warranty of dedup.
type warrantyRun struct {
	atMost, confidence, labels string
	seed                       uint64

	clear func() // what progress shows
	open  []openPair
}

// openPair is a removal that needs an answer, with both texts.
type openPair struct {
	ID1   string  `json:"id1"`
	ID2   string  `json:"id2"`
	Text1 string  `json:"text1"`
	Text2 string  `json:"text2"`
	Score float64 `json:"score"`
}

func (w *warrantyRun) flags(flags *pflag.FlagSet) {
	flags.StringVar(&w.atMost, "at-most-wrong", "", "write only if at most `SHARE` of the removals are wrong, by answers about a sample of them")
	flags.StringVar(&w.confidence, "confidence", "95%", "confidence of --at-most-wrong, as `SHARE`")
	flags.StringVar(&w.labels, "labels", "", "keep answers of --at-most-wrong in `FILE`, and take those that it has (default dedup-labels.tsv at a terminal)")
	flags.Uint64Var(&w.seed, "seed", 1, "seed of the sample of --at-most-wrong")
}

// warranty returns what the flags ask for, or nil. At a terminal it asks for
// answers that the file of labels does not have.
func (w *warrantyRun) warranty(cmd *cobra.Command) (*local.Warranty, error) {
	if w.atMost == "" {
		for _, name := range []string{"confidence", "labels", "seed"} {
			if cmd.Flags().Changed(name) {
				return nil, fmt.Errorf("dedup: --%s is of --at-most-wrong, which is not given", name)
			}
		}
		return nil, nil
	}
	o := &local.Warranty{Seed: w.seed}
	var err error
	if o.AtMost, err = cli.ParseShare(w.atMost); err != nil {
		return nil, fmt.Errorf("dedup: --at-most-wrong: %w", err)
	}
	if o.Confidence, err = cli.ParseShare(w.confidence); err != nil {
		return nil, fmt.Errorf("dedup: --confidence: %w", err)
	}
	typed := terminal.Typed(cmd.InOrStdin())
	if w.labels == "" {
		if !typed {
			return nil, errors.New("dedup: --at-most-wrong asks at a terminal, and this is none: want --labels, a file of answers")
		}
		w.labels = "dedup-labels.tsv"
	}
	labels, err := surrogate.ReadLabels(w.labels)
	if err != nil {
		return nil, err
	}
	known := surrogate.Answers(labels)
	stderr := cmd.ErrOrStderr()
	o.Expect = func(a local.Assurance) {
		w.clear()
		fmt.Fprintf(stderr, "alike: %d answers are expected, if none is wrong, to show that at most %.4g%% of %d removals are wrong (confidence %.4g%%); %d of the removals have equal bytes and need none\n",
			a.Expected, 100*a.AtMost, a.Removals, 100*a.Confidence, a.Equal)
	}
	answer := func(j local.Judged) (alike, ok bool) {
		alike, ok = known[surrogate.Key(j.Removed.ID, j.Kept.ID)]
		if !ok && j.Removed.Text == j.Kept.Text {
			return true, true
		}
		return alike, ok
	}
	if !typed {
		o.Open = func(j local.Judged) error {
			if _, ok := answer(j); !ok {
				w.open = append(w.open, openPair{j.Removed.ID, j.Kept.ID, j.Removed.Text, j.Kept.Text, j.Score})
			}
			return nil
		}
	}
	asker := review.NewAsker(cmd.InOrStdin(), stderr)
	asked := make(map[[2]string]bool)
	o.Judge = func(_ context.Context, j local.Judged) (bool, error) {
		pair := surrogate.Key(j.Removed.ID, j.Kept.ID)
		if asked[pair] {
			return false, fmt.Errorf("dedup: several removals have the ids %q and %q, so that an answer does not tell which it is about: --at-most-wrong wants unique ids", j.Removed.ID, j.Kept.ID)
		}
		asked[pair] = true
		if alike, ok := answer(j); ok {
			return alike, nil
		}
		if !typed {
			return false, local.ErrUnanswered
		}
		w.clear()
		prompt := fmt.Sprintf("%s, %d wrong, %d more if none is wrong: is the first a duplicate of the second?", plural(j.SoFar.Judged, "answer"), j.SoFar.Wrong, j.Left)
		// Leaving out what is hard to tell would mislead.
		answer, err := asker.Ask(j.Removed, j.Kept, prompt, review.Yes, review.No, review.Quit)
		switch {
		case err != nil:
			return false, err
		case answer == review.Quit:
			return false, local.ErrUnanswered
		}
		alike := answer == review.Yes
		return alike, surrogate.AppendLabel(w.labels, surrogate.Label{A: j.Removed.ID, B: j.Kept.ID, Alike: alike})
	}
	return o, nil
}

// refuse says why nothing is written, and how to go on. Pairs without an answer go
// to a file beside the labels.
func (w *warrantyRun) refuse(stderr io.Writer, unproved *local.WarrantyError) error {
	fmt.Fprintf(stderr, "alike: %v\n", unproved)
	if unproved.Refuted {
		return errBad
	}
	if len(w.open) > 0 {
		name := w.labels + ".open.jsonl"
		if err := jsonl.Write(name, w.open); err != nil {
			return fmt.Errorf("dedup: %w", err)
		}
		fmt.Fprintf(stderr, "alike: %s without an answer: alike review %s --labels %s asks about them\n", plural(len(w.open), "pair"), choose.Quote(name), choose.Quote(w.labels))
	}
	fmt.Fprintf(stderr, "alike: with more answers in %s (id1, id2 and label, 1 for duplicates), the same command with --resume goes on\n", w.labels)
	return errBad
}
