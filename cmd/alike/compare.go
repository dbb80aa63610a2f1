package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/tables"
	"github.com/alike-go/alike/internal/terminal"
	"github.com/alike-go/alike/internal/verdict"
	"github.com/alike-go/alike/similarity"
)

// comparison is one method's answer on two texts: a line of JSON.
type comparison struct {
	Method      string       `json:"method"`
	Score       float64      `json:"score"`
	BytesA      int          `json:"bytes_a"`
	BytesB      int          `json:"bytes_b"`
	AInB        *float64     `json:"containment_ab,omitempty"`
	BInA        *float64     `json:"containment_ba,omitempty"`
	Seconds     float64      `json:"seconds"` // both sketches and the score, once
	Explanation *explanation `json:"explanation,omitempty"`
	verdict.Agreement
	Verdict *verdict.Verdict `json:"verdict"` // the same on all lines

	empty [2]bool // which texts have no features
}

func newCompare() *cobra.Command {
	var specs []string
	var features, fit, wanted string
	var format tables.Output
	differ := cli.Differ(dedup.DefaultDiffer)
	var text, explain bool
	var most int
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "say whether two texts are alike, and score them by every method",
		Long: `Say whether two texts are alike, and score them by every method.

A and B are files, one of them may be - for standard input; with --text they are
the texts themselves. Methods that learn from a corpus run without a fit (idf 1)
unless --fit names one. A text without features scores 0 with everything.

The first line is the verdict on what --want says:
  copies    one could be dropped: at most --differ of the words differ
  versions  one is a revision of the other; only a collection tells how much its
            unrelated documents resemble each other (alike choose)
  excerpts  one contains at least half of the other, by runs of three words
The words that differ are those to insert, delete or replace, over the words of the
longer text. They are counted, and estimated only for very long texts.

threshold is the score that stands for this border, for methods and features that have a
measured model (see docs/differ.md); for excerpts it is a containment. agrees says
whether the method comes to the same verdict. With --differ, features are
` + catalog.DifferFeatures + ` unless --method or --features say otherwise.`,
		Example: `  alike compare old.txt new.txt
  alike compare old.txt new.txt --differ 5%
  alike compare letter.txt book.txt --want excerpts
  alike compare --text "the cat sat on the mat" "the cat sat on a mat" --method shingle:tokens=rune,width=2 --explain`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("compare: want two texts, A and B, got %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if explain && format.Data() && format.Format != "jsonl" {
				return fmt.Errorf("compare: --explain has no place in %s, want table, md, latex or jsonl", format.Format)
			}
			want, err := dedup.ParseWant(wanted)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("differ") && features == "" {
				features = catalog.DifferFeatures
			}
			methods, err := catalog.ParseAll(specs, features)
			if err != nil {
				return err
			}
			if fit != "" {
				if methods, err = catalog.WithFit(methods, fit, len(specs) > 0); err != nil {
					return err
				}
			}
			a, b := args[0], args[1]
			if !text {
				if a == "-" && b == "-" {
					return errors.New("compare: both texts are standard input, want at most one -")
				}
				if a, err = readText(args[0], cmd.InOrStdin()); err != nil {
					return err
				}
				if b, err = readText(args[1], cmd.InOrStdin()); err != nil {
					return err
				}
			}
			show, done := terminal.Progress(cmd.ErrOrStderr())
			v, err := until(cmd.Context(), func() (*verdict.Verdict, error) { return verdict.Of(a, b, want, float64(differ)) })
			if err != nil {
				done()
				return err
			}
			var rows []comparison
			for i, m := range methods {
				show(float64(i)/float64(len(methods)), m.String())
				row, err := until(cmd.Context(), func() (comparison, error) {
					row, err := compare(m, a, b, v)
					if explain {
						row.Explanation = explainPair(m, a, b, most)
					}
					return row, err
				})
				if err != nil {
					done()
					return err
				}
				for i, name := range args {
					if text {
						name = fmt.Sprintf("text %d", i+1)
					}
					if row.empty[i] {
						fmt.Fprintf(cmd.ErrOrStderr(), "alike: %s has no features for %s, so its score is 0 with every text\n", name, m)
					}
				}
				rows = append(rows, row)
			}
			done()
			return writeComparisons(cmd.OutOrStdout(), format, v, rows)
		},
	}
	flags := cmd.Flags()
	methodFlags(cmd, &specs, &features)
	formatFlag(cmd, &format)
	flags.StringVar(&wanted, "want", "copies", "what alike means: `copies`, versions or excerpts")
	flags.Var(&differ, "differ", "maximum `SHARE` of words that differ between copies, such as 5%")
	flags.BoolVar(&text, "text", false, "A and B are texts, not files")
	flags.BoolVarP(&explain, "explain", "e", false, "show the evidence for each score")
	flags.IntVar(&most, "most", 10, "with --explain, the most pieces of evidence a method (0 means all)")
	flags.StringVar(&fit, "fit", "", "`FILE` that alike fit wrote, for the methods that take it")
	return cmd
}

// until returns what f returns, or early when ctx is cancelled: f does not look at
// ctx, and the process is about to end.
func until[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	ready := make(chan answer, 1)
	go func() {
		value, err := f()
		ready <- answer{value, err}
	}()
	select {
	case a := <-ready:
		return a.value, cmp.Or(ctx.Err(), a.err)
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

func readText(name string, stdin io.Reader) (string, error) {
	data, err := readInput(name, stdin)
	if err != nil && name == "-" {
		err = fmt.Errorf("read standard input: %w", err)
	}
	if err != nil {
		return "", fmt.Errorf("compare: %w", err)
	}
	if err := datasets.CheckText(data); err != nil {
		return "", fmt.Errorf("compare: %s: %w", name, err)
	}
	return string(data), nil
}

func compare(m similarity.Method, a, b string, v *verdict.Verdict) (row comparison, err error) {
	c := m.NewCollection()
	if err := c.Err(); err != nil { // starts a command, whose time to load is not that of a score
		return row, err
	}
	start := time.Now()
	c.AddNamed("A", a)
	c.AddNamed("B", b)
	row.Score = c.Score(0, 1)
	row.Seconds = time.Since(start).Seconds()
	row.Method = m.String()
	row.BytesA, row.BytesB = c.Bytes(0), c.Bytes(1)
	if ab, ok := c.Containment(0, 1); ok {
		ba, _ := c.Containment(1, 0)
		row.AInB, row.BInA = &ab, &ba
	}
	row.empty = [2]bool{c.Empty(0), c.Empty(1)}
	row.Agreement, row.Verdict = v.Judge(m, c, row.Score), v
	return row, c.Err()
}

func writeComparisons(w io.Writer, format tables.Output, v *verdict.Verdict, rows []comparison) error {
	columns := []column{"<method", "score", "A in B", "B in A", "bytes A", "bytes B", "time", "threshold", "<agrees"}
	if format.Data() {
		columns = append(columns, "<note", "<verdict")
	}
	format.Say(w, "%s\n\n", v.Sentence)
	err := tables.Write(w, format.Hide("time").Fold("bytes B", "bytes A", "B in A", "A in B"), rows, columns, func(r comparison) []string {
		return []string{
			r.Method, fixed(r.Score, 6), optional(r.AInB), optional(r.BInA),
			fmt.Sprint(r.BytesA), fmt.Sprint(r.BytesB), time.Duration(r.Seconds * 1e9).Round(100 * time.Nanosecond).String(),
			optional(r.Threshold), cmp.Or(r.Agrees, "-"), r.Note, v.Sentence,
		}[:len(columns)]
	})
	if err != nil || format.Data() {
		return err
	}
	writeCompareNotes(w, format, v, rows)
	for _, r := range rows {
		if r.Explanation == nil {
			continue
		}
		if err := writeExplanation(w, format, r.Method, r.Explanation); err != nil {
			return err
		}
	}
	return nil
}

// writeCompareNotes writes below the table what its columns cannot say.
func writeCompareNotes(w io.Writer, format tables.Output, v *verdict.Verdict, rows []comparison) {
	if v.Want == dedup.Copies.String() && !slices.ContainsFunc(rows, func(r comparison) bool { return r.Threshold != nil }) {
		format.Say(w, "\nno thresholds: these scores have no model of the words that differ (docs/differ.md); with --differ 10%% the features have one\n")
	}
	for _, r := range rows {
		if r.Note != "" {
			format.Say(w, "\n%s: %s\n", r.Method, r.Note)
		}
	}
}

func optional(v *float64) string {
	if v == nil {
		return "-"
	}
	return fixed(*v, 6)
}
