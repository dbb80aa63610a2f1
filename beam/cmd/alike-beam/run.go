package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
	"github.com/spf13/cobra"

	"github.com/alike-go/alike/beam/pipeline"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/terminal"
)

// beamFlags are the flags of Beam that help shows. The other ones work too.
var beamFlags = []string{
	"endpoint", "environment_type", "environment_config", "parallelism", "job_name", "worker_binary",
	"project", "region", "staging_location", "temp_location",
}

// runners are the runners in this program. Beam ends the process if it is asked for
// another one.
var runners = []string{"prism", "universal"}

// job is one run, as the flags describe it.
type job struct {
	decision                              cli.Decision
	keep, mask, maxDrop, piece, documents string
	judged                                string
	against                               []string
	source                                datasets.Source
	verbose, shuffles                     bool
	o                                     pipeline.Options
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	stdout, stderr, end := terminal.Streams(stdout, stderr)
	defer end()
	cmd := command()
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	if err := cmd.ExecuteContext(ctx); err != nil {
		fmt.Fprintf(stderr, "alike-beam: %v\n", err)
		if _, much := errors.AsType[*local.DropError](err); much {
			return 1
		}
		if ctx.Err() != nil {
			return 130
		}
		return 2
	}
	return 0
}

func command() *cobra.Command {
	var j job
	cmd := &cobra.Command{
		Use:   "alike-beam INPUT... -o OUT",
		Short: "remove duplicates and near-duplicates as an Apache Beam pipeline",
		Long: `Remove duplicates and near-duplicates from a corpus as an Apache Beam pipeline.

INPUT and the flags work as in alike dedup. INPUT may also be gs://BUCKET/NAME
or another path that Beam knows. OUT is a new folder with the outputs of alike
dedup, cut in pieces. Concatenated pieces are the same as the outputs of alike
dedup, except that every piece of CSV and Parquet has its own header:

  kept-*.jsonl  removed-*.jsonl  why-*.jsonl  clusters-*.tsv  layout.json  report.json

With --annotate, annotated-* replaces kept, removed and layout. alike restore OUT
makes the input again; it needs layout.json.

With --against, new documents are compared with old ones too. The old ones stay
and are not written. OLD is read as INPUT is. Indexes and the sketches of earlier
runs are not supported.

--judged takes answers of people about documents by id, as alike dedup does.
Every document needs an id of its own. Every worker holds all answers, and one
worker decides about the documents that were judged.

Every worker reads INPUT and writes OUT, so all workers must see both. Not
supported: --update, --cohesion, --strip-boilerplate, --resume. The default is
--threshold 0.8, and not --want copies.`,
		Example: `  alike-beam corpus.jsonl -o out
  alike-beam new.jsonl -o out --against corpus.jsonl
  alike-beam crawl/*.jsonl -o out --method simhash --verify sketch --runner universal --endpoint localhost:8099 --environment_type LOOPBACK`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("want one input or more")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, inputs []string) error { return j.do(cmd, inputs) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&j.o.Out, "out", "o", "", "`FOLDER` to make")
	j.decision.Flags(cmd)
	flags.Lookup("method").Usage = "method `SPEC` that finds candidates (see alike methods)"
	cli.KeepFlag(flags, &j.keep)
	cli.MaskFlag(flags, &j.mask)
	cli.LimitFlags(flags, &j.o.Limits)
	flags.StringVar(&j.judged, "judged", "", "`FILE` of judged pairs (id1, id2, label): 1 go together, 0 stay apart, whatever the score")
	flags.StringArrayVar(&j.against, "against", nil, "remove duplicates of the documents of `OLD` too, which stays as it is (repeatable)")
	flags.StringVar(&j.maxDrop, "max-drop", "50%", "stop before writing if more than `SHARE` of the documents would go (default 100% with --against)")
	flags.BoolVar(&j.o.Annotate, "annotate", false, "write all documents, with columns that say what a run would do to them")
	flags.BoolVar(&j.o.Explain, "explain", false, "add shared passages to why-*; workers then send each other the texts of clusters")
	flags.BoolVar(&j.o.DropText, "drop-text", false, "do not write the removed documents")
	flags.IntVar(&j.o.SkipBad, "skip-bad", 0, "skip up to `N` malformed rows, and report them")
	cli.SourceFlags(flags, &j.source)
	flags.StringVar(&j.o.Runner, "runner", "prism", "what runs the pipeline: prism (in this process), universal (at --endpoint) or dataflow")
	flags.StringVar(&j.piece, "piece", "64MB", "how much of a file a worker reads at a time, as `SIZE`")
	flags.StringVar(&j.documents, "documents", "", "`NUMBER` of documents, such as 8e9: for more documents simhash makes more and longer keys, with the same result (default by the size of the input)")
	flags.IntVar(&j.o.Groups, "groups", 0, "join `N` groups of documents, two at a time, for methods that join better than they fill buckets (default by the size of the input)")
	flags.IntVar(&j.o.Waves, "waves", 0, "decide in `N` waves before one worker decides the rest (default 4)")
	flags.BoolVar(&j.shuffles, "shuffles", false, "print what workers sent each other")
	flags.BoolVarP(&j.verbose, "verbose", "v", false, "print what Beam says")
	known := flag.NewFlagSet("beam", flag.ContinueOnError)
	flag.VisitAll(func(f *flag.Flag) {
		if flags.Lookup(f.Name) == nil {
			known.Var(f.Value, f.Name, f.Usage)
		}
	})
	flags.AddGoFlagSet(known)
	known.VisitAll(func(f *flag.Flag) {
		if !slices.Contains(beamFlags, f.Name) {
			flags.Lookup(f.Name).Hidden = true
		}
	})
	return cmd
}

func (j *job) do(cmd *cobra.Command, inputs []string) error {
	stderr := cmd.ErrOrStderr()
	if j.o.Out == "" {
		return errors.New("want -o, the folder to make")
	}
	rule, err := j.decision.Rule(cmd)
	if err != nil {
		return err
	}
	j.o.Method, j.o.Verify = rule.Method, rule.Verify
	j.o.Threshold, j.o.Candidates, j.o.Recall = rule.Threshold, rule.Candidates, rule.Recall
	if j.o.Keep, err = dedup.ParsePolicy(j.keep); err != nil {
		return err
	}
	if j.o.Judged, err = cli.ReadJudged(j.judged); err != nil {
		return err
	}
	if j.o.Mask, err = clean.ParseMask(j.mask); err != nil {
		return fmt.Errorf("--mask: %w", err)
	}
	if !slices.Contains(runners, j.o.Runner) {
		return fmt.Errorf("--runner: %q, want %s (dataflow is in builds with -tags google)", j.o.Runner, strings.Join(runners, " or "))
	}
	if j.o.MaxDrop, err = cli.ParseShare(j.maxDrop); err != nil || j.o.MaxDrop == 0 {
		return fmt.Errorf("--max-drop: %q: want a share such as 50%% or 0.5", j.maxDrop)
	}
	if len(j.against) > 0 && !cmd.Flags().Changed("max-drop") {
		j.o.MaxDrop = 1 // that most of what comes is known already is nothing odd
	}
	if j.o.PieceBytes, err = cli.ParseSize(j.piece); err != nil {
		return fmt.Errorf("--piece: %q: want a size such as 64MB", j.piece)
	}
	if j.documents != "" {
		if j.o.Documents, err = cli.ParseCount(j.documents); err != nil {
			return fmt.Errorf("--documents: %w", err)
		}
	}
	if err := j.name(inputs); err != nil {
		return err
	}
	j.o.OnBad = func(err error) { fmt.Fprintf(stderr, "alike-beam: removed: %v\n", err) }
	level := slog.LevelError + 4
	if j.verbose {
		level = slog.LevelInfo
	}
	log.SetLogger(&log.Structural{})
	slog.SetDefault(slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: level})))
	if !beam.Initialized() {
		return errors.New("beam.Init has not been called")
	}
	done := terminal.Working(stderr, "on "+j.o.Runner)
	r, err := pipeline.Run(cmd.Context(), j.o)
	done()
	if err != nil {
		return err
	}
	return summarise(cmd.OutOrStdout(), stderr, r, j)
}

// indexes are the schemes of URLs that alike index knows.
var indexes = []string{"disk", "hbase", "redis", "rediss", "redis+cluster", "rediss+cluster"}

// name sets the new and the old sources.
func (j *job) name(inputs []string) (err error) {
	for _, old := range j.against {
		if scheme, rest, ok := strings.Cut(old, ":"); ok && rest != "" && slices.Contains(indexes, scheme) {
			return fmt.Errorf("--against is an index, of the scheme %s: want files of documents; alike dedup asks indexes, from one machine", scheme)
		}
	}
	if j.o.Sources, err = j.sources(inputs); err != nil {
		return err
	}
	if j.o.Against, err = j.sources(j.against); err != nil {
		return fmt.Errorf("--against: %w", err)
	}
	many := len(j.o.Sources)+len(j.o.Against) > 1
	for _, list := range [][]datasets.Source{j.o.Sources, j.o.Against} {
		for i := range list {
			list[i].PathIDs = many
		}
	}
	return nil
}

// sources returns the sources of inputs. Files that match replace a pattern.
func (j *job) sources(inputs []string) (out []datasets.Source, err error) {
	for _, in := range inputs {
		paths := []string{in}
		if !strings.Contains(in, "://") {
			if paths, err = datasets.Expand(paths); err != nil {
				return nil, err
			}
		}
		for _, p := range paths {
			out = append(out, j.source.At(p))
		}
	}
	return out, nil
}

// summarise prints what was done, and to standard error how long it took.
func summarise(stdout, stderr io.Writer, r *pipeline.Result, j *job) error {
	rep := &r.Report
	line := func(what, format string, args ...any) error {
		_, err := fmt.Fprintf(stdout, "%-10s  %s\n", what, fmt.Sprintf(format, args...))
		return err
	}
	would, first := "", ""
	if rep.First > 0 {
		first = fmt.Sprintf(", %d the first of a cluster", rep.First)
	}
	if rep.Judged > 0 {
		first += fmt.Sprintf(", %d as judged", rep.Judged)
	}
	if j.o.Annotate {
		would = "would be "
	}
	err := errors.Join(
		line("documents", "%d, of %d bytes of text", rep.Documents, rep.Bytes),
		line("kept", "%d", rep.Kept),
		line("removed", "%s%d: %d equal to one kept, %d alike%s", would, rep.Removed(), rep.Equal, rep.Alike, first),
		line("clusters", "%d, the largest of %d documents", rep.Clusters, rep.Largest),
		line("candidates", "by %s at %.4g: %s, recall %.4g", rep.Settings.Method, rep.Settings.Candidates, rep.Design, rep.Recall),
		line("decided by", "%s at %.4g", rep.Settings.Verify, rep.Settings.Threshold),
	)
	if rep.Settings.Limits != "" {
		err = errors.Join(err, line("pairs", "%s", rep.Settings.Limits))
	}
	if rep.Settings.Judged != "" {
		err = errors.Join(err, line("judged", "%s", rep.Settings.Judged))
	}
	if rep.Settings.Clean != "" {
		err = errors.Join(err, line("cleaned", "%s", rep.Settings.Clean))
	}
	err = errors.Join(err, line("written to", "%s", j.o.Out))
	if rep.Repeated > 0 {
		fmt.Fprintf(stderr, "alike-beam: repeated ids: %d, the first is %q\n", rep.Repeated, rep.RepeatedID)
	}
	fmt.Fprintf(stderr, "alike-beam: %.2fs\n", rep.Run.Seconds)
	if j.shuffles && rep.Documents > 0 {
		for _, s := range r.Shuffles {
			fmt.Fprintf(stderr, "alike-beam: shuffle %-22s %12d elements %14d bytes %9.1f B/doc\n", s.Name, s.Elements, s.Bytes, float64(s.Bytes)/float64(rep.Documents))
		}
		fmt.Fprintf(stderr, "alike-beam: shuffles in all %.1f B/doc\n", float64(r.ShuffleBytes())/float64(rep.Documents))
	}
	return err
}
