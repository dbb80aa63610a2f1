package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/score"
	"github.com/alike-go/alike/eval/surrogate"
	"github.com/alike-go/alike/internal/tables"
	"github.com/alike-go/alike/internal/terminal"
)

// scoreRun is one run of score, as flags say.
type scoreRun struct {
	truth, labels, split string
	trueSpans            string
	format               tables.Output
	outputs              []output
	how                  score.Output
	resamples            int
	seed                 uint64
	source               source // of the truth
}

// output is a file that another program wrote.
type output struct{ kind, file string }

// outputFlag adds files to a list in the order of the command line.
type outputFlag struct {
	kind string
	to   *[]output
}

func (f outputFlag) String() string { return "" }
func (f outputFlag) Type() string   { return "stringArray" }
func (f outputFlag) Set(file string) error {
	*f.to = append(*f.to, output{f.kind, file})
	return nil
}

func newScore() *cobra.Command {
	var run scoreRun
	cmd := &cobra.Command{
		Use:   "score --truth DATA|--labels LABELS --pairs FILE | --clusters FILE | --removed FILE | --kept FILE | --spans FILE",
		Short: "hold what another tool found against the truth of a data set",
		Long: `Hold what another tool found against the truth of a data set.

The tool has run on the documents of DATA; FILE (TSV, CSV, JSONL, Parquet, or FORMAT:FILE) is what it wrote:
pairs of documents (id1, id2 and perhaps score), documents with their clusters (id,
cluster; a document that is not listed is alone), or the documents that it removed or kept
(id). --columns names the columns of a file without a header, and --id1, --cluster and so on
those with other names. Ids are those of DATA, or with --rows 0 or 1 the numbers of its rows,
counted from there. A document that DATA does not have is an error.

DATA is a data set by name, a folder, or a file of labelled pairs of texts. Its documents
then are the distinct texts, with the ids 1, 2, ... unless the file has id1 and id2. The
flags that say how inputs are read, such as --text1, --label and --encoding, are about
DATA alone; --truth-columns is its --columns.

--labels takes the answers of alike review as the truth about --pairs. The
documents are those that have an answer.

Where the truth is clusters, all pairs of documents count; where it is labelled pairs those
do, and pairs found that have no label are only counted. Pairs that the set says to ignore,
and equal texts of different clusters, count neither way. The threshold was the tool's, so all
documents are judged, unless --split names the half that alike eval reports on. Intervals
are of 95 %, by bootstrap over clusters of documents, and unusable below ten
effective clusters. AP is the average precision where
pairs have scores. ARI, B-cubed and closure F1 are those of clusters; pairs make clusters by who is
alike to one is alike to all. The last columns judge what was removed, or what keeping the first
document of each cluster would remove: rightly, if another of its true cluster is kept.

--spans FILE lists passages that stand in two documents: id1, start1, end1, id2,
start2 and end2. Starts and ends are in bytes of the texts. An end is behind the
last byte. The order of the two documents does not matter. The truth is
spans.tsv of DATA, as alike datasets make --passages writes it, or --true-spans.
Folders and .xml files are read as PAN writes them, with offsets in characters.

All figures of passages count characters (Potthast et al., COLING 2010). A case
is a true passage, a detection one that was found. A detection detects a case if
they overlap in both documents. Precision is the mean over detections, recall and
IoU (of the best detection) over cases. Granularity is the number of detections
of a detected case. Plagdet combines precision, recall and granularity. The micro
figures count each character once. Each kind of case has a row.`,
		Example: `  alike score --truth en --pairs their-pairs.tsv
  alike score --truth licences --clusters clusters.parquet --id __INDEX__ --cluster __CLUSTER__ --rows 0
  alike score --truth quotes-en --pairs tsv:hamming.txt --columns id1,id2,score --distance --threshold 3
  alike score --labels judged.tsv --pairs their-pairs.tsv
  alike score --truth bible-chapters --clusters a.tsv --clusters b.tsv --removed c.jsonl --split test
  alike score --truth essays --spans found.tsv
  alike score --truth pan/texts --true-spans pan/truth --spans pan/detections`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			run.how.Limited = cmd.Flags().Changed("threshold")
			if err := run.check(); err != nil {
				return err
			}
			if run.judgesSpans() {
				return run.spans(cmd.Context(), cmd.InOrStdin(), cmd.ErrOrStderr(), cmd.OutOrStdout())
			}
			rows, err := run.do(cmd.Context(), cmd.InOrStdin(), cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			return run.write(cmd.OutOrStdout(), rows)
		},
	}
	flags := cmd.Flags()
	// How DATA is read. --columns, as elsewhere the columns of an input, has always been
	// about FILE here.
	var own cobra.Command
	run.source.flags(&own)
	run.source.cmd = cmd
	own.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "columns" {
			f.Name, f.Usage = "truth-columns", "`NAMES` of the columns of DATA, a CSV or TSV file without a header"
		}
		flags.AddFlag(f)
	})
	flags.StringVar(&run.truth, "truth", "", "data set, folder or file that has the documents and what is true of them")
	flags.StringVar(&run.labels, "labels", "", "`LABELS` that alike review wrote, instead of --truth")
	for _, o := range []struct{ kind, usage string }{
		{"pairs", "`FILE` of pairs that the tool found (repeatable, as are --clusters, --removed, --kept and --spans)"},
		{"clusters", "`FILE` of documents with the cluster that the tool put them in"},
		{"removed", "`FILE` of the documents that the tool removed"},
		{"kept", "`FILE` of the documents that the tool kept"},
		{"spans", "`FILE` of passages that the tool found, or a folder in the format of PAN"},
	} {
		flags.Var(outputFlag{o.kind, &run.outputs}, o.kind, o.usage)
	}
	flags.StringVar(&run.trueSpans, "true-spans", "", "`FILE` of the true passages, or a folder in the format of PAN (default spans.tsv of --truth)")
	flags.StringVar(&run.how.ID1, "id1", "id1", "`COLUMN` of a pair's first document")
	flags.StringVar(&run.how.ID2, "id2", "id2", "`COLUMN` of a pair's second document")
	flags.StringVar(&run.how.Score, "score", "", "`COLUMN` of a pair's score (default score, if there is one)")
	flags.StringVar(&run.how.ID, "id", "id", "`COLUMN` of a document, where each has a line of its own")
	flags.StringVar(&run.how.Cluster, "cluster", "cluster", "`COLUMN` of a document's cluster")
	flags.StringSliceVar(&run.how.Columns, "columns", nil, "`NAMES` of the columns of FILE, a CSV or TSV file without a header")
	flags.IntVar(&run.how.FirstRow, "rows", -1, "ids are row numbers of the truth's documents, the first being `N`: 0 or 1")
	flags.Float64VarP(&run.how.Limit, "threshold", "t", 0, "take only pairs of at least this `SCORE` (with --distance at most)")
	flags.BoolVar(&run.how.Distance, "distance", false, "scores are distances: smaller is more alike")
	flags.StringVar(&run.split, "split", "all", "`SPLIT` that is judged: all, test, dev or train")
	flags.Uint64Var(&run.seed, "seed", 1, "seed of the bootstrap and of halving sets without splits, as in eval")
	flags.IntVar(&run.resamples, "resamples", 1000, "bootstrap resamples; -1 makes none")
	formatFlag(cmd, &run.format)
	return cmd
}

// check refuses flags that make no sense, before anything is read.
func (r *scoreRun) check() error {
	other := slices.ContainsFunc(r.outputs, func(o output) bool { return o.kind != "pairs" })
	onlySpans := !slices.ContainsFunc(r.outputs, func(o output) bool { return o.kind != "spans" })
	switch {
	case r.judgesSpans() && (r.labels != "" || !onlySpans || r.split != "all" || r.how.Limited):
		return errors.New("score: --spans judges passages, want it without --labels, --pairs, --clusters, --removed, --kept, --split and --threshold")
	case r.trueSpans != "" && !r.judgesSpans():
		return errors.New("score: --true-spans is the truth about --spans, want both")
	case (r.truth == "") == (r.labels == ""):
		return errors.New("score: want either --truth or --labels")
	case r.labels != "" && (other || r.how.FirstRow >= 0 || r.split != "all"):
		return errors.New("score: --labels judges --pairs by ids, want it without --clusters, --removed, --kept, --rows and --split")
	case len(r.outputs) == 0:
		return errors.New("score: nothing to judge, want --pairs, --clusters, --removed, --kept or --spans")
	case r.how.FirstRow < -1 || r.how.FirstRow > 1:
		return fmt.Errorf("score: --rows is %d, want 0 or 1, the number of the first row", r.how.FirstRow)
	case math.IsNaN(r.how.Limit):
		return errors.New("score: --threshold is NaN, want a number")
	}
	switch r.split {
	case "all", "test", "dev", "train":
	default:
		return fmt.Errorf("score: --split is %q, want all, test, dev or train", r.split)
	}
	return nil
}

// scored is the judgement of one file: a line of JSON.
type scored struct {
	Output string `json:"output"`
	Kind   string `json:"kind"` // pairs, clusters, removed or kept
	eval.Judgement
}

func (r *scoreRun) do(ctx context.Context, stdin io.Reader, stderr io.Writer) ([]scored, error) {
	var set *datasets.Set
	var err error
	if r.labels != "" {
		r.how.Partial = true
		set, err = labelledSet(r.labels)
	} else {
		set, err = r.source.load(r.truth, stdin)
	}
	if err != nil {
		return nil, err
	}
	cfg := eval.Config{Seed: r.seed, Resamples: r.resamples}
	if r.split != "all" {
		if cfg.Report, err = datasets.ParseSplit(r.split); err != nil {
			return nil, err
		}
	}
	show, done := terminal.Progress(stderr)
	defer done()
	var rows []scored
	for i, o := range r.outputs {
		show(float64(i)/float64(len(r.outputs)), o.file)
		found, err := r.how.Read(ctx, set, o.kind, r.file(o.file, stdin))
		if err != nil {
			return nil, err
		}
		j, err := until(ctx, func() (eval.Judgement, error) { return eval.Judge(set, found, cfg) })
		if err != nil {
			return nil, fmt.Errorf("score: %s: %w", o.file, err)
		}
		if j.Unlabelled += r.how.Outside; j.Unlabelled > 0 {
			fmt.Fprintf(stderr, "alike: %s: %d of the pairs found have no label and are not judged\n", o.file, j.Unlabelled)
		}
		if j.Outside > 0 {
			fmt.Fprintf(stderr, "alike: %s: %d of the pairs found have a document outside of what is judged\n", o.file, j.Outside)
		}
		rows = append(rows, scored{o.file, o.kind, j})
	}
	return rows, ctx.Err()
}

// file returns the source of what a tool wrote, or of true passages. The flags that say
// how inputs are read are about the documents of the truth.
func (r *scoreRun) file(name string, stdin io.Reader) datasets.Source {
	files := source{cmd: r.source.cmd}
	return files.at(name, stdin)
}

// labelledSet returns the documents and pairs of a file of labels.
func labelledSet(name string) (*datasets.Set, error) {
	if _, err := os.Stat(name); err != nil {
		return nil, fmt.Errorf("score: %w", err)
	}
	labels, err := surrogate.ReadLabels(name)
	if err != nil {
		return nil, err
	}
	set := &datasets.Set{Name: filepath.Base(name)}
	number := map[string]int{}
	document := func(id string) int {
		if _, ok := number[id]; !ok {
			number[id] = len(set.Docs)
			set.Docs = append(set.Docs, datasets.Doc{ID: id, Text: id})
		}
		return number[id]
	}
	for _, l := range labels {
		p := datasets.Pair{A: document(l.A), B: document(l.B)}
		if l.Alike {
			p.Label, p.Grade = 1, 1
		}
		set.Pairs = append(set.Pairs, p)
	}
	return set, nil
}

func (r *scoreRun) write(w io.Writer, rows []scored) error {
	columns := []column{"<output", "<data", "<split", "pairs found", "precision", "recall",
		"F1", "F1 95%", "AP", "closure F1", "ARI", "B-cubed F1",
		"removed", "rem. precision", "rem. recall", "rem. F1", "rem. F1 95%"}
	figure := func(f eval.Figure) string { return fixed(float64(f), 3) }
	return tables.Write(w, r.format.Fold("ARI", "AP", "closure F1", "B-cubed F1", "split", "data", "rem. F1 95%", "removed", "pairs found",
		"F1 95%", "rem. precision", "rem. recall", "rem. F1", "precision", "recall", "F1"), rows, columns, func(s scored) []string {
		found := fmt.Sprint(s.Found)
		if s.Kind == "removed" || s.Kind == "kept" {
			found = "-"
		}
		row := []string{s.Output, s.Dataset, s.Split, found, figure(s.Precision), figure(s.Recall), figure(s.F1), interval(s.F1Low, s.F1High, "-", s.Unusable),
			figure(s.AP), figure(s.ClosureF1), figure(s.ARI), figure(s.BCubedF1)}
		if m := s.Removal; m != nil {
			row = append(row, fmt.Sprint(m.Removed), figure(m.Precision), figure(m.Recall), figure(m.F1), interval(m.F1Low, m.F1High, "-", m.Unusable))
		} else {
			row = append(row, "-", "-", "-", "-", "-")
		}
		return row
	})
}
