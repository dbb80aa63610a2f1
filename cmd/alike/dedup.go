package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/similarity"
)

// dedupRun is one run of dedup, as flags say.
type dedupRun struct {
	decision
	keep, memory, maxDrop string
	source                source
	o                     local.Options
}

// decision is when two documents are duplicates, as flags say. dedup and leak share it.
type decision struct {
	method, features, fit, verify string
	threshold, candidates, recall float64
	distance                      int
}

// defaultMethod finds candidates unless told otherwise; package dedup/local says why.
const defaultMethod = "minhash:bits=8"

func (d *decision) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&d.method, "method", "m", defaultMethod, "method `SPEC` that finds candidates, name or name:key=value,... (see alike methods)")
	flags.Float64VarP(&d.threshold, "threshold", "t", 0.8, "least `SCORE` of duplicates: of the texts, or with --verify sketch of the sketches")
	flags.Float64Var(&d.candidates, "candidates", 0, "least `SCORE` of the sketches of candidates (default the threshold; simhash: that of 3 bits)")
	flags.IntVarP(&d.distance, "distance", "k", 0, "greatest distance of candidates, for methods that have one, instead of --candidates")
	flags.Float64Var(&d.recall, "recall", similarity.DefaultRecall, "for methods that are not exact, the probability of finding a candidate at the threshold")
	flags.StringVar(&d.verify, "verify", "text", "what decides: text (the share of features in common), a method `SPEC`, sketch, or none (every candidate)")
	flags.StringVar(&d.fit, "fit", "", "`FILE` that alike fit wrote, for methods that learn from a corpus")
	flags.StringVar(&d.features, "features", "width=3", "feature `KEYS` for a method that works on features, such as tokens=rune,width=2")
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("method", func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return catalog.Complete(typed), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}))
}

// resolve sets the options that decide.
func (d *decision) resolve(cmd *cobra.Command, o *local.Options) error {
	given := func(name string) bool { return cmd.Flags().Changed(name) }
	if given("distance") && given("candidates") {
		return fmt.Errorf("%s: want either --candidates or --distance", cmd.Name())
	}
	parse := func(spec string) (similarity.Method, error) {
		methods, err := catalog.ParseAll([]string{spec}, d.features)
		if err == nil && d.fit != "" {
			methods, err = withFit(methods, d.fit, true)
		}
		if err != nil {
			return nil, err
		}
		return methods[0], nil
	}
	var err error
	if o.Method, err = parse(d.method); err != nil {
		return err
	}
	o.Threshold, o.Candidates, o.Recall = d.threshold, d.candidates, d.recall
	if !given("candidates") {
		distance := d.distance
		if !given("distance") {
			distance = 3
		}
		score, err := catalog.ScoreAt(o.Method, distance)
		switch {
		case err == nil:
			o.Candidates = score
		case given("distance"):
			return err
		default:
			o.Candidates = d.threshold
		}
	}
	switch d.verify {
	case "text":
		o.Verify, err = catalog.Parse(textSpec(o.Method))
	case "none":
		o.Unverified = true
	case "sketch":
		o.Candidates = max(o.Candidates, o.Threshold)
	default:
		o.Verify, err = parse(d.verify)
	}
	return err
}

// textSpec returns the exact method that goes with a method: shared features, of the
// same features.
func textSpec(m similarity.Method) string {
	if x := m.Features(); x != nil {
		return similarity.Spec("shingle", x.String())
	}
	return "shingle:width=3"
}

func newDedup() *cobra.Command {
	var run dedupRun
	cmd := &cobra.Command{
		Use:   "dedup INPUT... -o OUT",
		Short: "remove duplicates and near-duplicates from a corpus",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, inputs []string) error {
			return run.do(cmd, inputs)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&run.o.Out, "out", "o", "", "`FOLDER` to make")
	flags.StringVar(&run.keep, "keep", "first", "which of a cluster stays: "+dedup.Policies+", or several with commas between them")
	flags.Float64Var(&run.o.Cohesion, "cohesion", 0, "least `SCORE` of a removed document and the kept one (default the threshold)")
	flags.StringVar(&run.memory, "memory", "2GiB", "memory to make do with, as `SIZE`")
	flags.IntVar(&run.o.Workers, "workers", 0, "goroutines; the outputs do not depend on it (default one for each CPU)")
	flags.StringVar(&run.maxDrop, "max-drop", "100%", "stop before writing if more than `SHARE` of the documents would be removed")
	flags.BoolVar(&run.o.DryRun, "dry-run", false, "report what would be removed, and write nothing")
	flags.BoolVar(&run.o.DropText, "drop-text", false, "do not write the removed documents; restore needs them")
	flags.StringVarP(&run.o.Format, "format", "f", "", "`FORMAT` to write: jsonl, csv, tsv or parquet (default that of the input)")
	run.decision.flags(cmd)
	run.source.docFlags(flags)
	return cmd
}

func (r *dedupRun) do(cmd *cobra.Command, inputs []string) error {
	ctx, stdout, stderr := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	r.source.stderr = stderr
	if err := r.resolve(cmd, &r.o); err != nil {
		return err
	}
	var err error
	if r.o.Keep, err = dedup.ParsePolicy(r.keep); err != nil {
		return err
	}
	if r.o.Memory, err = parseSize(r.memory); err != nil {
		return fmt.Errorf("dedup: --memory: %w", err)
	}
	if r.o.MaxDrop, err = parseShare(r.maxDrop); err != nil {
		return fmt.Errorf("dedup: --max-drop: %w", err)
	}
	if cmd.Flags().Changed("cohesion") && r.o.Cohesion == 0 {
		r.o.Cohesion = -1
	}
	if inputs, err = expand(inputs); err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	for _, in := range inputs {
		src := r.source.at(in, cmd.InOrStdin())
		src.PathIDs = len(inputs) > 1
		r.o.Sources = append(r.o.Sources, src)
	}
	r.o.SkipBad = r.source.SkipBad
	r.o.OnBad = func(err error) { fmt.Fprintf(stderr, "alike: removed: %v\n", err) }
	report, err := r.run(ctx, stderr)
	if err != nil {
		return err
	}
	return summariseDedup(stdout, report, r.o.Out)
}

func (r *dedupRun) run(ctx context.Context, stderr io.Writer) (*local.Report, error) {
	show, done := progress(stderr)
	defer done()
	r.o.Progress = func(stage string, share float64) { show(share, stage) }
	return local.Run(ctx, r.o)
}

// summariseDedup prints a report for people.
func summariseDedup(w io.Writer, r *local.Report, out string) error {
	_, err := fmt.Fprintf(w, "%+v\n", *r)
	return err
}

// sizes are the units of a size.
var sizeUnits = []struct {
	name  string
	bytes float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"B", 1},
}

var errSize = errors.New("want a size such as 4GiB or 500MB")

// parseSize reads a number of bytes with its unit.
func parseSize(s string) (int64, error) {
	number, unit := s, 1.0
	for _, u := range sizeUnits {
		if rest, ok := strings.CutSuffix(s, u.name); ok {
			number, unit = rest, u.bytes
			break
		}
	}
	var v float64
	if _, err := fmt.Sscanf(strings.TrimSpace(number)+"\n", "%g\n", &v); err != nil || !(v > 0) || v*unit > 1<<60 {
		return 0, fmt.Errorf("%q: %w", s, errSize)
	}
	return int64(v * unit), nil
}

// parseShare reads a share: a percentage, or a number up to 1.
func parseShare(s string) (float64, error) {
	number, percent := strings.CutSuffix(s, "%")
	var v float64
	if _, err := fmt.Sscanf(number+"\n", "%g\n", &v); err != nil || !(v >= 0) {
		return 0, fmt.Errorf("%q, want a share such as 50%%", s)
	}
	if percent {
		v /= 100
	}
	if v > 1 {
		return 0, fmt.Errorf("%q, want at most 100%%", s)
	}
	return v, nil
}

var _ = slices.Contains[[]string]
