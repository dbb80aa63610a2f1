package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/internal/durable"
	"github.com/alike-go/alike/internal/tables"
	"github.com/alike-go/alike/internal/terminal"
)

// chooseRun is a run of choose, as flags say.
type chooseRun struct {
	goal      string
	methods   []string
	options   choose.Options
	format    tables.Output
	records   string
	noLabels  bool
	surrogate surrogateRun
	source    source
	stdin     io.Reader
}

func newChoose() *cobra.Command {
	var run chooseRun
	cmd := &cobra.Command{
		Use:   "choose DATA",
		Short: "which method, settings and threshold to take for these documents",
		Long: `Say which method, settings and threshold to take for these documents.

DATA is documents, and best a data set with labels: a folder of documents with pairs or
clusters, a table of labelled pairs, or a name. Some 240 configurations of all methods are
tried on one half of the clusters; where that is too much work, on a few clusters first, and
fewer on more of them. The last ones are reported on the other half. Each row states whether its method
is the best, one of the front (no other is better, smaller and faster at once) or cheaper
than the best and shown not worse by more than --margin. Where no method that compares words and characters is fit
for the documents, that is said instead, and why.

Without labels it depends on what you want: copies (at most --differ of the words
differ), versions (revisions, however much was changed) or excerpts (one contains half of
the other). Documents drawn at random are compared with all others, and the rule to take
is run on all documents, so that what the command removes is counted. Versions are
recommended only if methods agree on them: whichever is right, the rule loses at most .05 of
F1. Otherwise say --differ or judge pairs by --review. Some texts cannot tell what is alike,
such as very short ones. That is said then, and why.

--budget is turned into an amount of work by a table of costs, so the answer is the same on
every machine and for any --workers; only speeds differ. The goal precision>=P looks for the
greatest recall at that precision, and recall>=R the other way round.`,
		Example: `  alike choose en
  alike choose mydata --goal 'precision>=.95' --max-bytes-per-doc 128
  alike choose pairs.tsv --method simhash --method minhash:size=64 --records trials.jsonl
  alike choose corpus.jsonl --want copies --differ 5%
  alike choose corpus.jsonl --review 20`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			run.stdin = cmd.InOrStdin()
			return run.do(cmd.Context(), args[0], cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&run.goal, "goal", "f1", "`GOAL` of the threshold: f1, precision>=P or recall>=R")
	flags.Float64Var(&run.options.MaxBytesPerDoc, "max-bytes-per-doc", 0, "maximum mean size of a sketch, in `BYTES` (default any)")
	flags.DurationVar(&run.options.Budget, "budget", 0, "`TIME` to take at most, on two cores (default 5m)")
	flags.StringArrayVarP(&run.methods, "method", "m", nil, "try only these methods, each a `SPEC` (repeatable)")
	strictFlag(cmd, &run.options.StrictSplits)
	flags.IntVar(&run.options.MaxDocs, "max-docs", 0, "sample clusters, or without labels documents, beyond `N` documents (default 20000)")
	marginFlag(cmd, &run.options.Margin)
	flags.IntVar(&run.options.Resamples, "resamples", 0, "bootstrap resamples (default 1000)")
	flags.Uint64Var(&run.options.Seed, "seed", 1, "seed of samples and of the bootstrap")
	flags.IntVar(&run.options.Workers, "workers", 0, "goroutines; results do not depend on it (default one for each CPU)")
	flags.BoolVar(&run.options.NoSpeed, "no-speed", false, "do not measure speeds")
	flags.BoolVar(&run.noLabels, "no-labels", false, "choose as if DATA had no labels")
	formatFlag(cmd, &run.format)
	flags.StringVar(&run.records, "records", "", "write what is known of every candidate to `FILE`, one JSON object a line")
	run.surrogate.flags(flags)
	run.source.flags(cmd)
	cmd.ValidArgsFunction = dataNames
	return cmd
}

func (r *chooseRun) do(ctx context.Context, data string, stdout, stderr io.Writer) error {
	if err := checkMargin(r.options.Margin); err != nil {
		return err
	}
	var err error
	if r.options.Goal, err = choose.ParseGoal(r.goal); err != nil {
		return err
	}
	if err := writeTrials(io.Discard, r.format, &choose.Result{Goal: r.goal}); err != nil {
		return fmt.Errorf("choose: %w", err) // --columns-out is wrong, before the work is done
	}
	for _, spec := range r.methods {
		c, err := choose.NewCandidate(spec)
		if err != nil {
			return err
		}
		r.options.Candidates = append(r.options.Candidates, c)
	}
	show, done := terminal.Progress(stderr)
	defer done()
	r.options.Progress = show
	if r.noLabels || !r.labelled(data) {
		return r.withoutLabels(ctx, data, stdout, stderr)
	}
	set, err := r.source.load(data, r.stdin)
	if err != nil {
		return err
	}
	result, err := choose.Search(ctx, set, r.options)
	if err != nil {
		return err
	}
	done()
	warnShared(stderr, result.Dataset, result.Shared, result.StrictSplits)
	return r.write(&result, data, stdout)
}

// write prints the result, and its records where they are asked for.
func (r *chooseRun) write(result *choose.Result, data string, stdout io.Writer) error {
	if err := r.writeRecords(result); err != nil {
		return err
	}
	if r.format.Format == "jsonl" {
		return tables.Write(stdout, r.format, []*choose.Result{result}, nil, nil)
	}
	writeChoice(r.format.Prose(stdout), result, r.inputOf(data), r.source.given())
	return writeTrials(stdout, r.format, result)
}

// writeRecords writes a record of every candidate, where a file for them is named.
func (r *chooseRun) writeRecords(result *choose.Result) error {
	if r.records == "" {
		return nil
	}
	if err := durable.Write(r.records, result.WriteRecords); err != nil {
		return fmt.Errorf("choose: %w", err)
	}
	return nil
}

// labelled reports whether the data may have labels.
func (r *chooseRun) labelled(data string) bool {
	src := r.source.Source.At(data)
	return src.Path == "-" || src.Labelled()
}

// inputOf returns what a command that reads documents is to be given for the data.
func (r *chooseRun) inputOf(data string) string {
	src := r.source.Source.At(data)
	switch path, ok := src.DocsPath(); {
	case ok && src.Path != data:
		return data // with its format
	case ok:
		return path
	}
	return "INPUT"
}

// writeChoice says in words what to take, and the commands to run next.
func writeChoice(w io.Writer, result *choose.Result, input, flags string) {
	b := &result.Best
	if !result.Fit {
		writeUnfit(w, result)
	} else {
		fmt.Fprintf(w, "take %s from a score of %.3f on\n", b.Spec, float64(b.Threshold))
		q := b.Test
		fmt.Fprintf(w, "on documents it was not chosen on: precision %.3f, recall %.3f, F1 %.3f; 95 %% interval of %s %s\n",
			float64(q.Precision), float64(q.Recall), float64(q.F1), valueName(result.Goal), interval(q.Low, q.High, " to ", q.Unusable))
		if !q.Reached {
			fmt.Fprintf(w, "the goal %s was reached where the threshold was chosen, and not there\n", result.Goal)
		}
		fmt.Fprintln(w)
		for _, c := range result.Commands(input) {
			fmt.Fprintf(w, "  %s%s\n", c, flags)
		}
		fmt.Fprintln(w)
		if len(result.Cheaper) > 0 {
			c := result.Cheaper[0]
			fmt.Fprintf(w, "cheaper, and not worse by more than %.3g: %s, %.0f bytes a document instead of %.0f\n\n",
				result.Margin, c.Spec, float64(c.BytesPerDoc), float64(b.BytesPerDoc))
		}
	}
	writeNotes(w, result)
}

// writeUnfit says that nothing is to be taken, and why.
func writeUnfit(w io.Writer, result *choose.Result) {
	fmt.Fprintln(w, "no lexical method is fit for these documents:")
	for _, why := range result.Why {
		fmt.Fprintf(w, "  %s\n", why)
	}
	fmt.Fprintf(w, "the least bad is %s\n\n", result.Best.Spec)
}

// writeNotes says what speaks against the best candidate and those of other methods.
func writeNotes(w io.Writer, result *choose.Result) {
	for _, t := range result.Best.Warnings {
		fmt.Fprintf(w, "%s %s\n\n", result.Best.Spec, t)
	}
	for _, n := range result.Notes {
		fmt.Fprintf(w, "%s\n", n)
	}
	if len(result.Notes) > 0 {
		fmt.Fprintln(w)
	}
	if result.OverWork {
		fmt.Fprint(w, "even the least that can be done was more work than the budget is for\n\n")
	}
	if result.Braked {
		fmt.Fprint(w, "time ran out before all was done that was planned: another run may say something else\n\n")
	}
}

func valueName(goal string) string {
	switch {
	case strings.HasPrefix(goal, "precision"):
		return "recall"
	case strings.HasPrefix(goal, "recall"):
		return "precision"
	}
	return "F1"
}

// writeTrials prints the best, the front, the cheaper ones and the baselines, one row
// each.
func writeTrials(w io.Writer, format tables.Output, result *choose.Result) error {
	columns := []column{
		"<role", "<method", "threshold", "precision", "recall", "F1", column(valueName(result.Goal) + " 95%"),
		"AP", "<beside the best", "B/doc", "MB/s", "pairs/s",
	}
	var rows [][]string
	seen := map[string]bool{}
	for _, t := range slices.Concat([]choose.Trial{result.Best}, result.Front, result.Cheaper, result.Baselines) {
		if seen[t.Spec] || t.Test == nil {
			continue
		}
		seen[t.Spec] = true
		rows = append(rows, []string{
			result.Role(t.Spec), t.Spec, fixed(float64(t.Threshold), 3), fixed(float64(t.Test.Precision), 3), fixed(float64(t.Test.Recall), 3), fixed(float64(t.Test.F1), 3), interval(t.Test.Low, t.Test.High, "-", t.Test.Unusable),
			fixed(float64(t.Test.AP), 3), cmp.Or(string(t.State), "-"), fixed(float64(t.BytesPerDoc), 0), short(float64(t.SketchMBs)), short(float64(t.PairsS)),
		})
	}
	return tables.Table(w, format.Hide("MB/s").Hide("pairs/s").Fold("AP", "precision", "recall", "beside the best", "threshold"), columns, rows)
}
