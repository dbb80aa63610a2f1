package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/eval"
)

func newDiff() *cobra.Command {
	var format, figure string
	var fail bool
	cmd := &cobra.Command{
		Use:   "diff A.jsonl [B.jsonl]",
		Short: "compare the records of two runs, or every two methods of one",
		Long: `Compare the records of two runs, method by method on the same data; where no
method is in both, each of A with each of B. With one file, compare every two
methods of it on each data set.

A difference inside the noise is shown as ~: its p-value, adjusted by Holm for
all that is compared together, exceeds .05. Records made with eval --details are
compared in pairs (paired bootstrap; McNemar's test for accuracy), which finds
smaller differences than intervals alone.`,
		Example: `  alike eval --details --out all.jsonl
  alike diff all.jsonl                     # every two methods, on each data set
  alike eval --details -m shingle:width=2 --out words2.jsonl
  alike eval --details -m minhash:width=2,size=512 --out minhash.jsonl
  alike diff words2.jsonl minhash.jsonl    # is the estimate as good as the truth?`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := checkFormat(format); err != nil {
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
				differences, err = eval.Grid(runs[0])
			} else {
				differences, err = eval.Diff(runs[0], runs[1])
			}
			if err != nil {
				return err
			}
			var shown []eval.Comparison
			real := 0
			for _, d := range differences {
				if figure != "all" && d.Name != figure {
					continue
				}
				shown = append(shown, d)
				if !d.Noise() {
					real++
				}
			}
			if len(differences) == 0 {
				fmt.Fprintln(cmd.ErrOrStderr(), "alike: the runs have no data and split in common")
			}
			if err := writeDifferences(cmd, format, shown); err != nil {
				return err
			}
			if fail && real > 0 {
				return errBad
			}
			return nil
		},
	}
	formatFlag(cmd, &format)
	cmd.Flags().StringVar(&figure, "figure", "f1", "`FIGURE` to compare: precision, recall, f1, ap, accuracy or all")
	cmd.Flags().BoolVar(&fail, "fail", false, "exit with status 1 if a difference is outside the noise")
	complete(cmd, "figure", "precision", "recall", "f1", "ap", "accuracy", "all")
	return cmd
}

func writeDifferences(cmd *cobra.Command, format string, differences []eval.Comparison) error {
	columns := []column{
		{"data", true}, {"figure", true}, {"A", true}, {"B", true}, {"A", false}, {"B", false},
		{"B-A", false}, {"95%", false}, {"p", false}, {"test", true},
	}
	return writeRows(cmd.OutOrStdout(), format, differences, columns, func(d eval.Comparison) []string {
		difference := fmt.Sprintf("%+.3f", float64(d.Difference))
		if d.Noise() {
			difference = "~"
		}
		interval := "-"
		if v := fixed(float64(d.Low), 3); v != "-" {
			interval = fmt.Sprintf("%+.3f to %+.3f", float64(d.Low), float64(d.High))
		}
		return []string{
			d.Dataset, d.Name, d.A, d.B, fixed(float64(d.ValueA), 3), fixed(float64(d.ValueB), 3),
			difference, interval, fixed(float64(d.Adjusted), 4), d.Test,
		}
	})
}
