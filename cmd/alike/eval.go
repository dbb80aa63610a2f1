package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/plots"
	"github.com/alike-go/alike/eval/report"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/tables"
	"github.com/alike-go/alike/internal/terminal"
	"github.com/alike-go/alike/similarity"
)

// evalRun is a whole run of eval, as flags or a file say.
type evalRun struct {
	Data     []string
	Methods  []string
	Features string
	Sweep    []string // key=value,value
	Split    string
	Strict   bool
	Pairs    string
	MaxDocs  int
	Join     string
	Floor    float64
	Recall   float64
	Exact    bool
	Limit    int
	Seed     uint64
	Resample int
	Repeat   int
	Workers  int
	Details  bool
	Out      string
	Resume   bool
	Plots    string
	Margin   float64
	NoBase   bool
	Ceiling  bool

	Spans     bool
	TrueSpans string

	source  source
	stdin   io.Reader
	command []string // see eval.Origin
}

func newEval() *cobra.Command { return newEvalOf(new(evalRun)) }

// newEvalOf returns the command with flags that fill in run.
func newEvalOf(run *evalRun) *cobra.Command {
	var file string
	var format tables.Output
	var page report.Options
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "run methods over labelled documents and measure quality, space and speed",
		Long: `Run methods over labelled documents and measure quality, space and speed.

Thresholds and fits are chosen on the dev (or train) split and reported on the
test split. F1 is shown with its 95 % interval (bootstrap over clusters of
documents). B/doc is the mean size of a sketch; MB/s is text to sketch and
pairs/s is scoring, both on one core.

Where the truth is clusters, all pairs of documents are scored. Of sets with more
than --max-docs documents each method's own join finds the pairs from a floor on,
which is chosen on the dev split (--floor); --join never samples clusters instead. Pairs that a
join misses are misses, and the table counts them.

Methods are compared with the one that is best on the split tuned on: whether the
paired bootstrap shows them better, not worse by more than --margin, or worse.
Records that --resume reads need --details for that; without, intervals are compared,
which show less. Where the positive pairs lie in fewer than ten
effective units, intervals are unusable and nothing is claimed. Baselines stand
last and are compared with nothing. --ceiling adds the best configuration that alike
choose finds with the labels of the split tuned on, in about a minute for each data set.

--spans judges passages instead: it reads the true ones from spans.tsv of the
data, as alike datasets make --passages writes it, or from --true-spans. The
documents to compare are given, as in the task of text alignment of the PAN
workshops: all pairs that have a true passage, and as many others, drawn by
--seed. A method must show passages as evidence, as manber, winnow and lcs do.
The method passages takes the keys min-length, words and folding, such as
punct=drop. The columns are the same as with alike score --spans.

With --out every record is appended to a file as it is made, and --resume leaves
out what stands there already. A record holds the command that made it, and alike
rerun repeats it.

The keys of a --config are the names of these flags, and a list gives a flag several
times:

  data: [en, zh]
  method: [minhash, simhash]
  sweep: size=32,64,128
  max-docs: 5000`,
		Example: `  alike eval
  alike eval --spans -d essays -m winnow -m passages:min-length=40
  alike eval --data ../shared/data/mrpc --method shingle:width=1-2 --method simhash
  alike eval --data zh --features tokens=rune,width=2 --format csv
  alike eval --data en --method minhash --sweep size=32,64,128,256 --sweep bits=1,32
  alike eval --data million --method simhash:width=2 --floor 0.8
  alike eval --data en --format html > page.html
  alike eval --config run.yaml --out run.jsonl --resume`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := page.Check(); err != nil {
				return err
			}
			if file != "" {
				if err := cli.ReadConfig(file, cmd.Flags()); err != nil {
					return fmt.Errorf("eval: %w", err)
				}
			}
			run.command = commandOf(cmd)
			if err := checkMargin(run.Margin); err != nil {
				return err
			}
			if err := run.checkSpans(cmd, format); err != nil {
				return err
			}
			if run.Spans {
				run.stdin = cmd.InOrStdin()
				return run.spans(cmd.Context(), cmd.ErrOrStderr(), cmd.OutOrStdout(), format)
			}
			if err := writeRecords(io.Discard, format, []eval.Record{{}}, run.Margin, run.swept()); err != nil {
				return fmt.Errorf("eval: %w", err) // --columns-out is wrong, before the work is done
			}
			run.stdin = cmd.InOrStdin()
			run.Details = run.Details || run.Plots != "" || format.Format == "html"
			records, err := run.do(cmd.Context(), cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			for i, r := range records {
				if i == 0 || r.Dataset != records[i-1].Dataset {
					warnShared(cmd.ErrOrStderr(), r.Dataset, r.Shared, r.StrictSplits)
				}
			}
			if run.Plots != "" {
				if err := writePlots(cmd.ErrOrStderr(), run.Plots, plots.FromRecords(records)...); err != nil {
					return err
				}
			}
			if format.Format == "html" {
				return report.Write(cmd.OutOrStdout(), report.Input{Records: records, Margin: run.Margin, SCurves: report.SCurves(records)}, page)
			}
			return writeRecords(cmd.OutOrStdout(), format, records, run.Margin, run.swept())
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVarP(&run.Data, "data", "d", nil, "data set `NAME|PATH|FORMAT:PATH` (repeatable; default the sets inside: en, zh)")
	methodFlags(cmd, &run.Methods, &run.Features)
	flags.StringArrayVar(&run.Sweep, "sweep", nil, "`KEY=V1,V2` runs every method that takes the key once for each value (repeatable: all combinations)")
	formatFlag(cmd, &format, "html")
	languageFlag(cmd, &page.Language)
	flags.StringVar(&run.Split, "split", "", "`SPLIT` to report on: test, dev or train (default test, or what the set has)")
	strictFlag(cmd, &run.Strict)
	flags.StringVar(&run.Pairs, "pairs", "", "of sets with clusters, score `all|sampled` pairs (default all)")
	flags.IntVar(&run.MaxDocs, "max-docs", 0, "of sets with clusters, score all pairs of up to `N` documents (default 20000)")
	flags.StringVar(&run.Join, "join", "", "find pairs by joins: `auto|always|never`; auto for sets beyond --max-docs, never samples those (default auto)")
	flags.Float64Var(&run.Floor, "floor", 0, "`SCORE` from which joins find pairs (default chosen on the dev split)")
	flags.Float64Var(&run.Recall, "recall", 0, "probability of finding a pair at the floor by a join that is not exact (default 0.95)")
	flags.BoolVar(&run.Exact, "exact", false, "count what joins miss by scoring every pair too")
	flags.IntVar(&run.Limit, "limit", 0, "use only the first `N` labelled pairs of each split, or clusters of N documents in all")
	flags.Uint64Var(&run.Seed, "seed", 1, "seed of the bootstrap, of halving sets without splits and of samples")
	flags.IntVar(&run.Workers, "workers", 0, "goroutines for sketching and scoring; results do not depend on it (default one for each CPU)")
	flags.IntVar(&run.Resample, "resamples", 1000, "bootstrap resamples; -1 makes none")
	flags.IntVar(&run.Repeat, "repeat", 3, "rounds of each speed measurement; -1 measures none")
	flags.BoolVar(&run.Details, "details", false, "keep in records what alike diff needs for paired tests, and curves")
	flags.StringVarP(&run.Out, "out", "o", "", "append records to `FILE`, one JSON object a line")
	flags.BoolVar(&run.Resume, "resume", false, "with --out, leave out what the file has")
	flags.StringVar(&run.Plots, "plots", "", "draw precision-recall curves, score histograms and quality against price into `DIR`, as PNG and SVG")
	marginFlag(cmd, &run.Margin)
	flags.BoolVar(&run.Ceiling, "ceiling", false, "add the best configuration that the labels of the split tuned on choose")
	flags.BoolVar(&run.NoBase, "no-baselines", false, "leave out the baselines: all pairs alike, random, length, equal text")
	flags.BoolVar(&run.Spans, "spans", false, "judge the passages that methods find, against spans.tsv of the data")
	flags.StringVar(&run.TrueSpans, "true-spans", "", "with --spans, `FILE` of the true passages, or a folder in the format of PAN")
	run.source.flags(cmd)
	flags.StringVar(&file, "config", "", "read flags from a YAML `FILE`, such as seed: 1; flags given beside it win")
	return cmd
}

// do makes the run's records, in the order of data sets and, in each, of methods.
func (r *evalRun) do(ctx context.Context, stderr io.Writer) ([]eval.Record, error) {
	specs := r.Methods
	var err error
	if len(r.Sweep) > 0 {
		if specs, err = catalog.Sweep(specs, r.Sweep); err != nil {
			return nil, err
		}
	}
	methods, err := catalog.ParseAll(specs, r.Features)
	if err != nil {
		return nil, err
	}
	if r.Resume && r.Out == "" {
		return nil, fmt.Errorf("eval: --resume without --out, want the file to go on with")
	}
	data := r.Data
	if len(data) == 0 {
		data = datasets.Inside()
	}
	report, err := datasets.ParseSplit(r.Split)
	if err != nil {
		return nil, err
	}
	out, err := eval.OpenRecords(r.Out, r.Resume)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	cfg := eval.Config{
		Report: report, StrictSplits: r.Strict, Pairs: r.Pairs, MaxDocs: r.MaxDocs, Seed: r.Seed, Resamples: r.Resample,
		Join: r.Join, Floor: r.Floor, Recall: r.Recall, Exact: r.Exact, Workers: r.Workers, Repeat: r.Repeat, Details: r.Details, Reference: catalog.Reference,
	}
	show, done := terminal.Progress(stderr)
	defer done()
	var records []eval.Record
	for i, name := range data {
		set, err := r.source.load(name, r.stdin)
		if err != nil {
			return nil, err
		}
		if r.Limit > 0 {
			limit(set, &cfg, r.Limit)
		}
		cfg.Origin = eval.Origin{Path: name, Command: r.command}
		cfg.Progress = func(share float64, what string) {
			show((float64(i)+share)/float64(len(data)), what)
		}
		all := methods
		if !r.NoBase {
			all = slices.Concat(methods, eval.Baselines(set, cfg))
		}
		if r.Ceiling {
			best, err := r.ceiling(ctx, set, out)
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case err != nil:
				fmt.Fprintf(stderr, "alike: %s has no ceiling: %v\n", name, err)
			default:
				all = append(slices.Clip(all), best)
			}
		}
		made, err := out.Run(ctx, set, all, cfg)
		if err != nil {
			return nil, err
		}
		records = append(records, made...)
	}
	return records, nil
}

// ceiling returns the best labelled configuration of a set, or that of the records to
// go on with.
func (r *evalRun) ceiling(ctx context.Context, set *datasets.Set, out *eval.RecordFile) (similarity.Method, error) {
	spec, ok := out.Ceiling(set)
	if !ok {
		o := choose.Options{Budget: time.Minute, MaxDocs: r.MaxDocs, StrictSplits: r.Strict, Seed: r.Seed, Workers: r.Workers, NoSpeed: true}
		if r.Limit > 0 {
			o.MaxDocs = max(r.Limit, 8)
		}
		found, err := choose.Search(ctx, set, o)
		if err != nil {
			return nil, err
		}
		spec = found.Best.Spec
	}
	m, err := catalog.Parse(spec)
	if err != nil {
		return nil, err
	}
	return eval.Ceiling(m), nil
}

// warnShared reports how many texts of a set are both in the split that choices
// are made on and in the reported split.
func warnShared(stderr io.Writer, set string, n int, strict bool) {
	switch {
	case n == 0:
	case strict:
		fmt.Fprintf(stderr, "alike: %s: %d texts are in both splits; they are left out of the one that choices are made on\n", set, n)
	default:
		fmt.Fprintf(stderr, "alike: %s: %d texts are in both splits; --strict-splits leaves them out of the one that choices are made on\n", set, n)
	}
}

// limit keeps the first n pairs of each split, and lets clusters have n documents.
func limit(set *datasets.Set, cfg *eval.Config, n int) {
	if cfg.MaxDocs = n; cfg.Join != "always" {
		cfg.Join = "never"
	}
	count := map[datasets.Split]int{}
	set.Pairs = slices.DeleteFunc(set.Pairs, func(p datasets.Pair) bool {
		count[p.Split]++
		return count[p.Split] > n
	})
}

// swept returns the keys of the sweeps.
func (r *evalRun) swept() (keys []string) {
	for _, s := range r.Sweep {
		key, _, _ := strings.Cut(s, "=")
		keys = append(keys, key)
	}
	return keys
}
