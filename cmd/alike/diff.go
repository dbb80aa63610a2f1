package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/tables"
)

func newDiff() *cobra.Command {
	var figure string
	var format tables.Output
	var fail bool
	var margin float64
	cmd := &cobra.Command{
		Use:   "diff A.jsonl [B.jsonl]",
		Short: "compare the records of two runs, or every two methods of one",
		Long: `Compare the records of two runs, method by method on the same data; where no
method is in both, each of A with each of B. With one file, compare every two
methods of it on each data set.

The table says what is shown of B beside A: better (▲), not worse by more than
--margin (≈), worse (▼), or undecided (?). Tests are one-sided at 95 %, adjusted by
Holm for all that is compared together. Records made with eval --details are
compared in pairs (paired bootstrap), which shows more than intervals alone. Nothing
is claimed where an interval is unusable; baselines are left out. Runs without a
data set in common are an error.`,
		Example: `  alike eval --details --out all.jsonl
  alike diff all.jsonl                     # every two methods, on each data set
  alike eval --details -m shingle:width=2 --out words2.jsonl
  alike eval --details -m minhash:width=2,size=512 --out minhash.jsonl
  alike diff words2.jsonl minhash.jsonl    # is the estimate as good as the truth?`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := checkMargin(margin); err != nil {
				return err
			}
			var runs [][]eval.Record
			for _, name := range files {
				f, err := os.Open(name)
				if err != nil {
					return fmt.Errorf("diff: %w", err)
				}
				records, _, err := eval.ReadRecords(f, name)
				f.Close()
				if err != nil {
					return err
				}
				runs = append(runs, records)
			}
			var differences []eval.Comparison
			var err error
			if len(runs) == 1 {
				differences, err = eval.Grid(runs[0], margin)
			} else {
				differences, err = eval.Diff(runs[0], runs[1], margin)
			}
			if err != nil {
				return err
			}
			differences = slices.DeleteFunc(differences, func(d eval.Comparison) bool { return figure != "all" && d.Name != figure })
			if err := writeDifferences(cmd, format, differences); err != nil {
				return err
			}
			if fail && slices.ContainsFunc(differences, func(d eval.Comparison) bool { return d.State == eval.Better || d.State == eval.Worse }) {
				return errBad
			}
			return nil
		},
	}
	formatFlag(cmd, &format)
	cmd.Flags().StringVar(&figure, "figure", "f1", "`FIGURE` to compare: precision, recall, f1, ap or all")
	marginFlag(cmd, &margin)
	cmd.Flags().BoolVar(&fail, "fail", false, "exit with status 1 if a method is shown better or worse")
	return cmd
}

func writeDifferences(cmd *cobra.Command, format tables.Output, differences []eval.Comparison) error {
	columns := []column{
		"<data", "<figure", "<A", "<B", "of A", "of B",
		"B-A", "95%", "<B is", "<test",
	}
	return tables.Write(cmd.OutOrStdout(), format.Fold("test", "of A", "of B", "figure"), differences, columns, func(d eval.Comparison) []string {
		interval := "-"
		if signed(d.Low) != "-" {
			interval = signed(d.Low) + " to " + signed(d.High)
		}
		return []string{
			d.Dataset, d.Name, d.A, d.B, fixed(float64(d.ValueA), 3), fixed(float64(d.ValueB), 3),
			signed(d.Difference), interval, cmp.Or(strings.TrimSpace(d.State.Mark()+" "+string(d.State)), "-"), d.Test,
		}
	})
}

// signed prints a difference with its sign, or a dash where it is undefined.
func signed(d eval.Figure) string {
	if math.IsNaN(float64(d)) {
		return "-"
	}
	return fmt.Sprintf("%+.3f", float64(d))
}
