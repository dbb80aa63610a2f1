package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
	"github.com/spf13/cobra"

	"github.com/alike-go/alike/beam/pipeline"
	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/internal/terminal"
	"github.com/alike-go/alike/similarity"
)

// beamFlags are those of Beam's own flags that are shown; the others work too.
var beamFlags = []string{
	"endpoint", "environment_type", "environment_config", "parallelism", "job_name", "worker_binary",
	"project", "region", "staging_location", "temp_location",
}

// runners are those that are linked in. Beam ends the process where it is asked for another.
var runners = []string{"prism", "universal"}

// job is one run, as flags say.
type job struct {
	method, features, verify, keep, mask, maxDrop, piece, documents string
	distance                                                        int
	against                                                         []string
	source                                                          datasets.Source
	verbose, shuffles                                               bool
	o                                                               pipeline.Options
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

INPUT and the flags are those of alike dedup; INPUT may also be gs://BUCKET/NAME or s3-like paths that
Beam knows. OUT is a new folder, with the outputs of alike dedup cut in pieces that put one behind the other
are the same (rows of CSV and Parquet but for their headers):

  kept-*.jsonl  removed-*.jsonl  why-*.jsonl  clusters-*.tsv  layout.json  report.json

With --annotate there are annotated-* instead of kept, removed and layout. By layout.json alike restore OUT makes
the input again.

With --against new documents are compared with old ones too, which stay, and are not written. OLD is read as INPUT is;
indexes and the sketches of earlier runs are for alike dedup.

Every worker reads INPUT and writes OUT, so both must be where all workers see them. There are no --update,
--cohesion, --strip-boilerplate and --resume: that is for one machine.`,
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
	flags.StringVarP(&j.method, "method", "m", "minhash:bits=8", "method `SPEC` that finds candidates (see alike methods)")
	flags.Float64VarP(&j.o.Threshold, "threshold", "t", 0.8, "minimum `SCORE` of a duplicate")
	flags.Float64Var(&j.o.Candidates, "candidates", 0, "minimum `SCORE` of the sketches of candidates (default the threshold)")
	flags.IntVarP(&j.distance, "distance", "k", 0, "maximum distance of candidates, for methods that have one: for simhash instead of --candidates (default 3)")
	flags.Float64Var(&j.o.Recall, "recall", similarity.DefaultRecall, "for methods that are not exact, the probability of finding candidates at the threshold")
	flags.StringVar(&j.verify, "verify", "text", "what decides: text (the share of features in common), a method `SPEC`, or sketch")
	flags.StringVar(&j.features, "features", "width=3", "feature `KEYS` for methods that do not say otherwise, such as tokens=rune,width=5")
	flags.StringVar(&j.keep, "keep", "first", "which of a cluster stays: "+dedup.Policies+", or several with commas, of which a later one decides ties")
	flags.StringArrayVar(&j.against, "against", nil, "remove duplicates of `OLD` too, documents, which stay as they are (repeatable)")
	flags.StringVar(&j.mask, "mask", "", "`KINDS` to compare as if all were the same: time, number, url, with commas between them")
	flags.StringVar(&j.maxDrop, "max-drop", "50%", "stop before writing if more than `SHARE` of the documents would go (default 100% with --against)")
	flags.BoolVar(&j.o.Annotate, "annotate", false, "write all documents, with columns that say what would become of them")
	flags.BoolVar(&j.o.Explain, "explain", false, "add shared passages to why-*, for which the texts of clusters are sent")
	flags.BoolVar(&j.o.DropText, "drop-text", false, "do not write the removed documents")
	flags.IntVar(&j.o.SkipBad, "skip-bad", 0, "skip up to `N` malformed rows, and report them")
	flags.BoolVar(&j.source.HTML, "html", false, "texts are HTML: keep what a reader would see")
	flags.BoolVar(&j.source.Lossy, "lossy", false, "read bytes that are no UTF-8 as U+FFFD instead of refusing the row")
	flags.StringVar(&j.source.ID, "id-field", "", "`COLUMN` of a document's id (default id)")
	flags.StringSliceVar(&j.source.Text, "text-field", nil, "`COLUMN` of a document's text (default text; several are joined)")
	flags.StringSliceVar(&j.source.Columns, "columns", nil, "`NAMES` of the columns of a CSV or TSV file without a header")
	flags.StringVar(&j.o.Runner, "runner", "prism", "what runs the pipeline: prism (in this process), universal (at --endpoint) or dataflow")
	flags.StringVar(&j.piece, "piece", "64MB", "how much of a file a worker reads at a time, in MB or bytes, as `SIZE`")
	flags.StringVar(&j.documents, "documents", "", "how many documents there are, as a `NUMBER` such as 8e9: simhash makes more and longer keys for more, and finds the same (default by the size of the input)")
	flags.IntVar(&j.o.Groups, "groups", 0, "join `N` groups of documents two by two, for methods that join better than by buckets (default by the size of the input)")
	flags.IntVar(&j.o.Waves, "waves", 0, "`N` waves before the rest is decided on one worker (default 4)")
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

func (j *job) do(cmd *cobra.Command, inputs []string) (err error) {
	stderr := cmd.ErrOrStderr()
	if j.o.Out == "" {
		return errors.New("want -o, the folder to make")
	}
	if err := j.resolve(cmd); err != nil {
		return err
	}
	if j.o.Keep, err = dedup.ParsePolicy(j.keep); err != nil {
		return err
	}
	if j.o.Mask, err = clean.ParseMask(j.mask); err != nil {
		return fmt.Errorf("--mask: %w", err)
	}
	if !slices.Contains(runners, j.o.Runner) {
		return fmt.Errorf("--runner: %q, want %s (dataflow is in builds with -tags google)", j.o.Runner, strings.Join(runners, " or "))
	}
	share, percent := strings.CutSuffix(j.maxDrop, "%")
	if j.o.MaxDrop, err = strconv.ParseFloat(share, 64); percent {
		j.o.MaxDrop /= 100
	}
	if err != nil || !(j.o.MaxDrop > 0 && j.o.MaxDrop <= 1) {
		return fmt.Errorf("--max-drop: %q: want a share such as 50%% or 0.5", j.maxDrop)
	}
	if len(j.against) > 0 && !cmd.Flags().Changed("max-drop") {
		j.o.MaxDrop = 1 // that most of what comes is known already is nothing odd
	}
	number, mega := strings.CutSuffix(j.piece, "MB")
	if j.o.PieceBytes, err = strconv.ParseInt(number, 10, 64); mega {
		j.o.PieceBytes *= 1e6
	}
	if err != nil || j.o.PieceBytes <= 0 {
		return fmt.Errorf("--piece: %q: want a size such as 64MB", j.piece)
	}
	if j.documents != "" {
		n, err := strconv.ParseFloat(j.documents, 64)
		if err != nil || n != math.Trunc(n) || n < 1 || n > 1e15 {
			return fmt.Errorf("--documents: %q, want a whole number from 1 to 1e15", j.documents)
		}
		j.o.Documents = int64(n)
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

// resolve sets the options that decide, as alike dedup does.
func (j *job) resolve(cmd *cobra.Command) error {
	given := func(name string) bool { return cmd.Flags().Changed(name) }
	o := &j.o
	switch {
	case given("distance") && given("candidates"):
		return errors.New("want either --candidates or --distance")
	case !(o.Threshold > 0 && o.Threshold <= 1):
		return fmt.Errorf("--threshold is %v, want more than 0 and at most 1", o.Threshold)
	case given("candidates") && !(o.Candidates > 0 && o.Candidates <= 1):
		return fmt.Errorf("--candidates is %v, want more than 0 and at most 1", o.Candidates)
	case !(o.Recall > 0 && o.Recall < 1):
		return fmt.Errorf("--recall is %v, want more than 0 and less than 1", o.Recall)
	}
	var err error
	if o.Method, err = j.parse(j.method); err != nil {
		return err
	}
	if !given("candidates") {
		distance := 3
		if given("distance") {
			distance = j.distance
		}
		if o.Candidates, err = catalog.ScoreAt(o.Method, distance); err != nil {
			if given("distance") {
				return err
			}
			o.Candidates, err = o.Threshold, nil
		}
	}
	switch j.verify {
	case "text":
		spec := "shingle"
		if x := o.Method.Features(); x != nil {
			spec = similarity.Spec("shingle", x.String())
		}
		o.Verify, err = j.parse(spec)
	case "sketch":
		if !given("threshold") {
			o.Threshold = o.Candidates
		}
		o.Candidates = max(o.Candidates, o.Threshold)
	default:
		o.Verify, err = j.parse(j.verify)
	}
	return err
}

func (j *job) parse(spec string) (similarity.Method, error) {
	methods, err := catalog.ParseAll([]string{spec}, j.features)
	if err != nil {
		return nil, err
	}
	if _, ok := methods[0].(io.Closer); ok {
		return nil, fmt.Errorf("%s answers from outside of alike and can fail half way, want a method of alike", methods[0])
	}
	return methods[0], nil
}

// indexes are the schemes of the URLs that alike index knows.
var indexes = []string{"disk", "hbase", "redis", "rediss", "redis+cluster", "rediss+cluster"}

// name sets the sources, new and old.
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

// sources returns those of inputs, with patterns replaced by what matches them in lexical order.
func (j *job) sources(inputs []string) ([]datasets.Source, error) {
	var out []datasets.Source
	for _, in := range inputs {
		src := j.source
		src.Path = in
		if format, rest, ok := strings.Cut(in, ":"); ok && slices.Contains(datasets.Formats(), format) {
			src.Format, src.Path = format, rest
		}
		paths := []string{src.Path}
		if _, err := os.Stat(src.Path); err != nil && strings.ContainsAny(src.Path, "*?[") && !strings.Contains(src.Path, "://") {
			if paths, err = filepath.Glob(src.Path); err != nil {
				return nil, fmt.Errorf("the pattern %q: %w", src.Path, err)
			}
			if len(paths) == 0 {
				return nil, fmt.Errorf("no file matches %q", src.Path)
			}
		}
		for _, p := range paths {
			src.Path = p
			out = append(out, src)
		}
	}
	return out, nil
}

// summarise prints what was done, and how long it took on standard error.
func summarise(stdout, stderr io.Writer, r *pipeline.Result, j *job) error {
	rep := &r.Report
	line := func(what, format string, args ...any) error {
		_, err := fmt.Fprintf(stdout, "%-10s  %s\n", what, fmt.Sprintf(format, args...))
		return err
	}
	would := ""
	if j.o.Annotate {
		would = "would be "
	}
	err := errors.Join(
		line("documents", "%d, of %d bytes of text", rep.Documents, rep.Bytes),
		line("kept", "%d", rep.Kept),
		line("removed", "%s%d: %d equal to one kept, %d alike", would, rep.Equal+rep.Alike, rep.Equal, rep.Alike),
		line("clusters", "%d, the largest of %d documents", rep.Clusters, rep.Largest),
		line("candidates", "by %s at %.4g: %s, recall %.4g", rep.Settings.Method, rep.Settings.Candidates, rep.Design, rep.Recall),
		line("decided by", "%s at %.4g", rep.Settings.Verify, rep.Settings.Threshold),
	)
	if rep.Settings.Clean != "" {
		err = errors.Join(err, line("cleaned", "%s", rep.Settings.Clean))
	}
	err = errors.Join(err, line("written to", "%s", j.o.Out))
	fmt.Fprintf(stderr, "alike-beam: %.2fs\n", rep.Run.Seconds)
	if j.shuffles && rep.Documents > 0 {
		for _, s := range r.Shuffles {
			fmt.Fprintf(stderr, "alike-beam: shuffle %-22s %12d elements %14d bytes %9.1f B/doc\n", s.Name, s.Elements, s.Bytes, float64(s.Bytes)/float64(rep.Documents))
		}
		fmt.Fprintf(stderr, "alike-beam: shuffles in all %.1f B/doc\n", float64(r.ShuffleBytes())/float64(rep.Documents))
	}
	return err
}
