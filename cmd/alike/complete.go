package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/feature"
)

// choices returns the values of the flags that have few, by flag, or by command
// and flag.
func choices() map[string][]string {
	var kinds, edits, features, folds []string
	for _, k := range plant.Kinds() {
		kinds, edits = append(kinds, string(k)), append(edits, string(k)+":")
	}
	for _, k := range catalog.FeatureKeys() {
		features = append(features, k.Name+"=")
	}
	for _, k := range feature.FoldKeys.Keys() {
		folds = append(folds, k.Name+"=")
	}
	return map[string][]string{
		"compress":     {"gz", "zst"},
		"costs":        {"measured", "default"},
		"edit":         edits,
		"edits":        edits,
		"eval pairs":   {"all", "sampled"},
		"features":     features,
		"figure":       {"precision", "recall", "f1", "ap", "all"},
		"fold":         folds,
		"format":       {"jsonl", "csv", "tsv", "parquet"}, // of files of documents
		"input-format": datasets.Formats(),
		"goal":         {"f1", "precision>=", "recall>="},
		"join":         {"auto", "always", "never"},
		"keep":         {"first", "longest", "newest:", "highest:", "source"},
		"kinds":        kinds,
		"lang":         {"en", "zh"},
		"log":          {"debug", "info", "warn", "error"},
		"mask":         {"time", "number", "url"},
		"mix":          edits,
		"score split":  {"all", "test", "dev", "train"},
		"split":        {"test", "dev", "train"},
		"verify":       {"text", "sketch", "none"},
		"want":         {"copies", "versions", "excerpts"},
	}
}

// completeAll completes the values of all flags that have few, of specs and of
// names of data sets.
func completeAll(root *cobra.Command) {
	all := choices()
	noSpace := cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			complete := cobra.CompletionFunc(dataNames)
			values, ok := all[cmd.Name()+" "+f.Name]
			if !ok {
				values, ok = all[f.Name]
			}
			if v, rows := f.Value.(*formatValue); rows {
				values = v.all
			}
			switch _, done := cmd.GetFlagCompletionFunc(f.Name); {
			case done:
				return
			case f.Name == "method" || cmd.Name() == "serve" && f.Name == "create":
				complete = func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
					return catalog.Complete(typed), noSpace
				}
			case ok:
				how := cobra.ShellCompDirectiveNoFileComp
				if strings.HasSuffix(values[0], ":") || strings.HasSuffix(values[0], "=") { // there is more to type
					how = noSpace
				}
				complete = cobra.FixedCompletions(values, how)
			case f.Name != "data" && f.Name != "truth" && f.Name != "from":
				return
			}
			cobra.CheckErr(cmd.RegisterFlagCompletionFunc(f.Name, complete))
		})
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(root)
}

// dataNames completes names of data sets.
func dataNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return slices.Concat(datasets.Inside(), datasets.Shared()), cobra.ShellCompDirectiveDefault
}
