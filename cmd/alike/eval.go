package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval"
)

func newEval() *cobra.Command {
	var data, specs []string
	var features, format string
	var cfg eval.Config
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "run methods over labelled documents and measure quality, space and speed",
		Long: `Run methods over labelled documents and measure quality, space and speed.

Thresholds and fits are chosen on the dev (or train) split and reported on the
test split. F1 is shown with its 95 % interval (bootstrap over clusters of
documents). B/doc is the mean size of a sketch; MB/s is text to sketch and
pairs/s is scoring, both on one core.`,
		Example: `  alike eval
  alike eval --data ../shared/data/mrpc --method shingle:width=1-2 --method simhash
  alike eval --data zh --features tokens=rune,width=2 --format csv`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			methods, err := catalog.ParseAll(specs, features)
			if err != nil {
				return err
			}
			if len(data) == 0 {
				data = datasets.Inside()
			}
			show, done := progress(cmd.ErrOrStderr())
			defer done()
			var records []eval.Record
			for i, name := range data {
				set, err := datasets.Load(name)
				if err != nil {
					return err
				}
				cfg.Progress = func(share float64, what string) {
					show((float64(i)+share)/float64(len(data)), what)
				}
				r, err := eval.Run(cmd.Context(), set, methods, cfg)
				if err != nil {
					return err
				}
				records = append(records, r...)
			}
			done()
			return writeRecords(cmd, format, records)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVarP(&data, "data", "d", nil, "data set `NAME|PATH` (repeatable; default the sets inside: en, zh)")
	methodFlag(cmd, &specs)
	flags.StringVar(&features, "features", "", "feature `KEYS` for every method that works on features, such as tokens=rune,width=2")
	formatFlag(cmd, &format)
	flags.StringVar(&cfg.Report, "split", "", "`SPLIT` to report on: test, dev or train (default test, or what the set has)")
	flags.Uint64Var(&cfg.Seed, "seed", 1, "seed of the bootstrap and of halving sets without splits")
	flags.IntVar(&cfg.Workers, "workers", 0, "goroutines for sketching; results do not depend on it (default one for each CPU)")
	flags.IntVar(&cfg.Resamples, "resamples", 1000, "bootstrap resamples")
	flags.IntVar(&cfg.Repeat, "repeat", 3, "rounds of each speed measurement; -1 measures none")
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("data", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return datasets.Inside(), cobra.ShellCompDirectiveDefault
	}))
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("split", cobra.FixedCompletions([]string{"test", "dev", "train"}, cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}

func writeRecords(cmd *cobra.Command, format string, records []eval.Record) error {
	out := cmd.OutOrStdout()
	if format == "json" {
		return writeJSON(out, records)
	}
	columns := []column{
		{"data", true}, {"method", true}, {"threshold", false}, {"precision", false}, {"recall", false},
		{"F1", false}, {"F1 95%", false}, {"AUC", false}, {"B/doc", false}, {"MB/s", false}, {"pairs/s", false}, {"no features", false},
	}
	var rows [][]string
	for _, r := range records {
		rows = append(rows, []string{
			r.Dataset, r.Method, fixed(float64(r.Threshold), 3), fixed(float64(r.Precision), 3), fixed(float64(r.Recall), 3),
			fixed(float64(r.F1), 3), fixed(float64(r.F1Low), 3) + "-" + fixed(float64(r.F1High), 3), fixed(float64(r.AUC), 3),
			fixed(float64(r.BytesPerDoc), 0), short(float64(r.SketchMBs)), short(float64(r.PairsS)), fmt.Sprint(r.NoFeatureDocs),
		})
	}
	return writeTable(out, format, columns, rows)
}
