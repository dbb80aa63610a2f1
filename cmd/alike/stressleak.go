package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/eval/stress"
	"github.com/alike-go/alike/internal/tables"
	"github.com/alike-go/alike/internal/terminal"
)

// stressLeakRun is the flags of alike stress leak.
type stressLeakRun struct {
	leak          leakRun
	train         string
	n, characters int
	lang          string
	seed          uint64
	format        tables.Output
}

func newStressLeak() *cobra.Command {
	var r stressLeakRun
	cmd := &cobra.Command{
		Use:   "leak [TEST --train TRAIN]",
		Short: "plant test items into training text, and measure how many alike leak finds",
		Long: `Plant test items into training text, and measure how many alike leak finds.

Items are planted in different ways: as they are, re-wrapped to lines of eight
words (in Chinese, characters), embedded in a longer text, cut, edited by 1 to
30 % of their words, and with changed punctuation. For each way there is a row
with the share of items that are found, and its exact 95 % interval. The first
row is of the training text without planted items: these are false alarms, or
items that have really leaked. The other rows leave these items out.

Without TEST, items and training text are generated, in English and Chinese.
TEST is a file of items, and TRAIN a file of training text. The rules are those
of alike leak with the same flags. The same flags and data give the same results.`,
		Example: `  alike stress leak
  alike stress leak --passage 13
  alike stress leak benchmark.jsonl --train sample.jsonl.zst --threshold 0.6`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&r.train, "train", "", "`FILE` or folder of training text")
	flags.IntVarP(&r.n, "docs", "n", 500, "items, at most")
	flags.IntVar(&r.characters, "length", 200, "`CHARACTERS` of a generated item")
	flags.StringVar(&r.lang, "lang", "", "`en|zh`: language of the items, which decides the units of edits (default by script; without TEST both)")
	flags.Uint64Var(&r.seed, "seed", 1, "seed of items and edits")
	r.leak.ruleFlags(cmd)
	formatFlag(cmd, &r.format)
	r.leak.source.docFlags(cmd)
	return cmd
}

func (r *stressLeakRun) run(cmd *cobra.Command, args []string) error {
	switch {
	case (r.train == "") != (len(args) == 0):
		return fmt.Errorf("stress leak: want both TEST and --train, or neither")
	case !slices.Contains([]string{"", "en", "zh"}, r.lang):
		return fmt.Errorf("stress leak: --lang is %q, want en or zh", r.lang)
	case r.n < 1 || r.characters < 1:
		return fmt.Errorf("stress leak: %d items of %d characters, want at least 1", r.n, r.characters)
	}
	if err := r.leak.rules(cmd); err != nil {
		return fmt.Errorf("stress leak: %w", err)
	}
	show, done := terminal.Progress(cmd.ErrOrStderr())
	defer done()
	var records []stress.LeakRecord
	measure := func(name string, items, train []string, lang plant.Lang, from, to float64) error {
		more, err := stress.Leaks(cmd.Context(), name, items, train, lang, r.seed, r.find, func(share float64, what string) { show(from+share*(to-from), what) })
		records = append(records, more...)
		return err
	}
	if len(args) > 0 {
		items, err := r.texts(cmd, args[0], r.n)
		if err != nil {
			return err
		}
		train, err := r.texts(cmd, r.train, 0)
		if err != nil {
			return err
		}
		if err := measure(args[0], items, train, plant.Lang(r.lang), 0, 1); err != nil {
			return err
		}
	} else {
		langs := []plant.Lang{plant.English, plant.Chinese}
		if r.lang != "" {
			langs = []plant.Lang{plant.Lang(r.lang)}
		}
		n := float64(len(langs))
		for i, lang := range langs {
			items, train, err := stress.Items(lang, r.n, r.characters, r.seed)
			if err != nil {
				return err
			}
			if err := measure("generated "+string(lang), items, train, lang, float64(i)/n, float64(i+1)/n); err != nil {
				return err
			}
		}
	}
	done()
	columns := []column{"<data", "<planted", "items", "found", "share", "low", "high"}
	return tables.Write(cmd.OutOrStdout(), r.format, records, columns, func(l stress.LeakRecord) []string {
		row := []string{l.Data, l.Planted, strconv.Itoa(l.Items), strconv.Itoa(l.Found)}
		for _, v := range []float64{float64(l.Share), float64(l.Low), float64(l.High)} {
			row = append(row, fixed(v, 4))
		}
		return row
	})
}

// texts returns the first texts of an input, or all if most is 0.
func (r *stressLeakRun) texts(cmd *cobra.Command, name string, most int) (out []string, err error) {
	reader, err := datasets.Open(r.leak.source.at(name, cmd.InOrStdin()))
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	for row, err := range reader.Rows() {
		if err != nil {
			return nil, err
		}
		if out = append(out, row.Doc.Text); len(out) == most {
			break
		}
	}
	return out, nil
}

// find reports which items have leaked.
func (r *stressLeakRun) find(ctx context.Context, train, items []string) ([]bool, error) {
	o := r.leak.o
	var sources [2][]datasets.Source
	for i, texts := range [][]string{train, items} {
		in, err := jsonlOf(texts)
		if err != nil {
			return nil, err
		}
		sources[i] = []datasets.Source{{Path: "-", Format: "jsonl", Input: in}}
	}
	o.Train, o.Tests = sources[0], []local.TestSet{{Sources: sources[1]}}
	found := make([]bool, len(items))
	_, err := local.FindLeaks(ctx, o, func(l local.Leak) error {
		found[l.Row] = true
		return nil
	})
	return found, err
}

// jsonlOf returns documents as JSONL.
func jsonlOf(texts []string) (io.Reader, error) {
	var b bytes.Buffer
	w, err := datasets.NewWriter(&b, "jsonl")
	if err != nil {
		return nil, err
	}
	for i, text := range texts {
		if err := w.WriteDoc(datasets.Doc{ID: strconv.Itoa(i), Text: text}); err != nil {
			return nil, err
		}
	}
	return &b, w.Close()
}
