package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/tables"
	"github.com/alike-go/alike/similarity"
)

// exactly refuses another number of arguments than n, with what is wanted.
func exactly(n int, want string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return errors.New(want)
		}
		return nil
	}
}

// atLeast refuses fewer arguments than n, with what is wanted.
func atLeast(n int, want string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < n {
			return errors.New(want)
		}
		return nil
	}
}

// methodFlags adds --method and --features to a command that takes many methods.
func methodFlags(cmd *cobra.Command, specs *[]string, features *string) {
	cmd.Flags().StringArrayVarP(specs, "method", "m", nil, "method `SPEC`, name or name:key=value,... (repeatable; default all; see alike methods)")
	cmd.Flags().StringVar(features, "features", "", "feature `KEYS` for every method that works on features, such as tokens=rune,width=2")
}

// formatFlag adds --format, --columns-out and --wide to a command, which may write
// more than all commands do.
func formatFlag(cmd *cobra.Command, o *tables.Output, more ...string) {
	outputFlags(cmd, o, "table", more...)
}

// outputFlags is formatFlag with a default format.
func outputFlags(cmd *cobra.Command, o *tables.Output, format string, more ...string) {
	o.Format = format
	all := append(slices.Clone(tables.Formats), more...)
	cmd.Flags().VarP(&formatValue{&o.Format, all}, "format", "f", "output `FORMAT`: "+strings.Join(all, ", "))
	cmd.Flags().StringSliceVar(&o.Columns, "columns-out", nil, "`NAMES` of the columns to write, in this order (default all)")
	cmd.Flags().BoolVar(&o.Wide, "wide", false, "let a table be wider than 80 columns, with the columns that are rarely read")
}

// formatValue is the flag --format.
type formatValue struct {
	format *string
	all    []string
}

func (v *formatValue) String() string {
	if v.format == nil {
		return ""
	}
	return *v.format
}

func (v *formatValue) Type() string { return "format" }

func (v *formatValue) Set(s string) error {
	if s == "json" { // as earlier versions called it
		s = "jsonl"
	}
	if !slices.Contains(v.all, s) {
		return fmt.Errorf("want %s", strings.Join(v.all, ", "))
	}
	*v.format = s
	return nil
}

func fitFlag(cmd *cobra.Command, fit *string) {
	cmd.Flags().StringVar(fit, "fit", "", "`FILE` that alike fit wrote, for methods that learn from a corpus")
}

// strictFlag adds --strict-splits to a command.
func strictFlag(cmd *cobra.Command, strict *bool) {
	cmd.Flags().BoolVar(strict, "strict-splits", false, "choose without the documents whose text the reported split has too")
}

// marginFlag adds --margin to a command.
func marginFlag(cmd *cobra.Command, margin *float64) {
	cmd.Flags().Float64Var(margin, "margin", eval.DefaultMargin, "`DIFFERENCE` of F1 up to which a method counts as no worse")
}

func checkMargin(margin float64) error {
	if !(margin > 0 && margin < 1) {
		return fmt.Errorf("--margin is %v, want more than 0 and less than 1", margin)
	}
	return nil
}

// uniqueFlag adds --unique-ids to a command.
func uniqueFlag(flags *pflag.FlagSet, unique *bool) {
	flags.BoolVar(unique, "unique-ids", false, "stop if two documents have the same id")
}

func languageFlag(cmd *cobra.Command, language *string) {
	cmd.Flags().StringVar(language, "lang", "en", "language that a page opens in: `en|zh`")
}

// folderFlags adds the flags of a command that writes what it removes and keeps.
func folderFlags(cmd *cobra.Command, o *local.Options) {
	flags := cmd.Flags()
	flags.StringVarP(&o.Out, "out", "o", "", "`FOLDER` to make")
	flags.BoolVar(&o.DryRun, "dry-run", false, "report what would go, and write nothing")
	flags.BoolVar(&o.Annotate, "annotate", false, "write all documents, with columns that say what would become of them")
	flags.BoolVar(&o.DropText, "drop-text", false, "do not write the removed documents; restore needs them")
	flags.StringVarP(&o.Format, "format", "f", "", "`FORMAT` to write: jsonl, csv, tsv or parquet (default that of the input)")
}

// decisionFlags adds the flags that say what a duplicate is.
func decisionFlags(cmd *cobra.Command, d *cli.Decision) {
	d.Prefix, d.None = cmd.Name()+": ", true
	d.Flags(cmd)
	fitFlag(cmd, &d.Fit)
}

// oneMethod is a method and what it finds, as flags say.
type oneMethod struct {
	spec, features, fit string
	threshold, recall   float64
	differ              cli.Differ
	byDiffer            bool // by --differ, or what stands for it
	distance            int
}

// flags adds --method, --features, --fit and --differ to a command.
func (f *oneMethod) flags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.spec, "method", "m", "", "method `SPEC`, name or name:key=value,... (see alike methods)")
	cmd.Flags().StringVar(&f.features, "features", "", "feature `KEYS` for a method that works on features, such as tokens=rune,width=2")
	cli.DifferFlag(cmd.Flags(), &f.differ, ", by the model of the method (see docs/differ.md)")
	fitFlag(cmd, &f.fit)
}

// check refuses all but one of --threshold, --differ and --distance.
func (f *oneMethod) check(cmd *cobra.Command, want string) error {
	given := 0
	for _, name := range []string{"threshold", "differ", "distance"} {
		if cmd.Flags().Changed(name) {
			given++
		}
	}
	if given != 1 {
		return fmt.Errorf("%s one of --threshold, --differ and --distance", want)
	}
	return nil
}

// parse returns the method, under its fit, and sets the threshold that a distance or a
// share of words is. For --differ, features are those that have a model unless flags say
// otherwise.
func (f *oneMethod) parse(cmd *cobra.Command) (similarity.Method, error) {
	features := f.features
	if f.byDiffer = f.byDiffer || cmd.Flags().Changed("differ"); f.byDiffer && features == "" {
		features = catalog.DifferFeatures
	}
	methods, err := catalog.ParseAll([]string{f.spec}, features)
	if err != nil {
		return nil, err
	}
	if f.fit != "" {
		if methods, err = catalog.WithFit(methods, f.fit, true); err != nil {
			return nil, err
		}
	}
	m := methods[0]
	if m.FitState() == similarity.FitNone {
		fmt.Fprintf(cmd.ErrOrStderr(), "alike: %s has learnt nothing from a corpus; alike fit does, and --fit takes it\n", m)
	}
	if cmd.Flags().Changed("distance") {
		if f.threshold, err = catalog.ScoreAt(m, f.distance); err != nil {
			return nil, err
		}
	}
	if f.byDiffer {
		if f.threshold, err = differScore(m, f.differ); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// differScore returns the score that --differ stands for.
func differScore(m similarity.Method, share cli.Differ) (float64, error) {
	model, err := catalog.Differ(m)
	if err != nil {
		return 0, fmt.Errorf("--differ: %w", err)
	}
	return model.Score(float64(share)), nil
}
