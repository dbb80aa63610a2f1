package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/report"
	"github.com/alike-go/alike/eval/review"
	"github.com/alike-go/alike/internal/terminal"
)

func newReview() *cobra.Command {
	var labels, page, language string
	var low, high float64
	var src source
	cmd := &cobra.Command{
		Use:   "review PAIRS [INPUT...]",
		Short: "judge pairs of documents, one after the other",
		Long: `Judge pairs of documents, one after the other.

PAIRS is a file with the columns id1 and id2, and perhaps score, such as alike
pairs writes (TSV, CSV, JSONL or Parquet). The texts are its columns text1 and
text2, which alike pairs --texts writes, or else the texts of the documents of
INPUT with these ids. With text1 and text2 the first question comes at once.
Otherwise alike reads INPUT until it has found the texts of a pair. If that takes
long, it first asks about another pair whose texts it has found.

Each pair is shown with its differences marked. Type y (the same), n (not the
same), s (skip), u (undo) or q (quit), and Enter. Every answer is kept in the
file of --labels before the next question. The same command goes on where you
left off: it asks only about pairs that the file does not have.

The file of labels has the columns id1, id2 and label, 1 for the same. Use it
with alike choose --labels, dedup --at-most-wrong --labels, score --labels and
pairs --truth. As pairs.tsv beside docs.jsonl in a folder it is a data set, for
alike eval --data.

With -o the first 1000 pairs become a page instead, side by side. In a browser,
alike serve --data PAIRS --labels FOLDER asks about pairs with texts, and keeps
the answers in FOLDER/PAIRS.tsv.`,
		Example: `  alike pairs titles.csv -m shingle -t 0.7 --texts -o pairs.csv && alike review pairs.csv
  alike review pairs.tsv titles.csv --labels judged.tsv --min-score 0.6 --max-score 0.8
  alike review pairs.tsv titles.csv -o pairs.html`,
		Args: atLeast(1, "review: want a file of pairs"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if labels == "" {
				labels = strings.TrimSuffix(args[0], filepath.Ext(args[0])) + ".labels.tsv"
			}
			var pairs datasets.Source // flags of columns are about INPUT
			o := review.Options{Pairs: pairs.At(args[0]), Labels: labels, Min: low, Max: high, InOrder: page != ""}
			if !cmd.Flags().Changed("min-score") {
				o.Min = math.NaN()
			}
			if !cmd.Flags().Changed("max-score") {
				o.Max = math.NaN()
			}
			inputs, err := datasets.Expand(args[1:])
			if err != nil {
				return fmt.Errorf("review: %w", err)
			}
			for _, in := range append(inputs, args[0]) {
				if src.at(in, nil).Path == "-" {
					return errors.New("review: standard input is for answers, want files")
				}
			}
			if len(inputs) > 0 {
				show, done := terminal.Progress(cmd.ErrOrStderr())
				defer done()
				o.Found = done
				in := src.inputs(inputs, nil, 0, show)
				in.Skipped = nil // documents may be read several times
				o.Docs = func(ctx context.Context, failed *error) iter.Seq[datasets.Doc] { return in.Documents(ctx, failed) }
			}
			list, err := review.Open(cmd.Context(), o)
			if err != nil {
				return err
			}
			defer list.Close()
			if page != "" {
				return reviewPage(list, cmd.OutOrStdout(), page, report.Options{Language: language})
			}
			stderr := cmd.ErrOrStderr()
			err = list.Ask(review.NewAsker(cmd.InOrStdin(), stderr))
			then := "the same command goes on"
			if list.Done() {
				then = "no pair is left"
			}
			if err != nil && list.Asked == 0 {
				return err
			}
			fmt.Fprintf(stderr, "\nalike: %s in %s; %s\n", plural(list.Asked, "more answer"), labels, then)
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&labels, "labels", "", "`FILE` of the answers (default PAIRS with the ending .labels.tsv)")
	flags.Float64Var(&low, "min-score", 0, "only pairs of at least this `SCORE`")
	flags.Float64Var(&high, "max-score", 0, "only pairs of at most this `SCORE`")
	flags.StringVarP(&page, "out", "o", "", "write the pairs as a `PAGE` instead of asking; - is standard output")
	languageFlag(cmd, &language)
	src.docFlags(cmd)
	return cmd
}

// reviewPage writes the pairs of a list as a page.
func reviewPage(list *review.List, stdout io.Writer, out string, o report.Options) error {
	pairs := &report.Pairs{}
	for {
		p, err := list.Next()
		if err == io.EOF {
			return writePage(stdout, out, report.Input{Pairs: pairs}, o)
		}
		if err != nil {
			return err
		}
		pairs.Add(report.Pair{ID1: p.A.ID, ID2: p.B.ID, Text1: p.A.Text, Text2: p.B.Text, Score: p.Score})
		list.Skip()
	}
}
