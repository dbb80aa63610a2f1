package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/dedup/pairs"
	"github.com/alike-go/alike/dedup/sketches"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/durable"
	"github.com/alike-go/alike/internal/terminal"
	"github.com/alike-go/alike/similarity"
)

// clusterRun is one run of cluster, as flags say.
type clusterRun struct {
	sketches, memory, maxDrop, tmp, fit string
	documents                           int64
	threshold                           float64
	o                                   local.Options
}

func newCluster() *cobra.Command {
	var run clusterRun
	cmd := &cobra.Command{
		Use:   "cluster PAIRS (--sketches SKETCHES | --documents N) -o OUT",
		Short: "decide which documents stay, by pairs that a SQL engine has found",
		Long: `Decide which documents stay, by pairs that a SQL engine has found.

PAIRS is a Parquet file, or a folder of such, with the columns a, b and score, as sql/run.py writes
it of what alike sketch has written. With --sketches the inputs are read again from where alike
sketch has read them, and OUT is the same as alike dedup makes with the same settings: kept.*,
removed.*, why.jsonl, clusters.tsv, report.json.

With --documents N the documents are the numbers 0 to N-1, of which the lesser is kept rather
than the greater; OUT gets removed.tsv, with the number of each document that goes, that of the one that
stays and their score, and report.json.

A document goes only where it is itself alike to one that stays: --cohesion of alike dedup is the threshold here,
for what only a chain links is no pair, and has no score. Pairs are sorted in files,
in --memory; to it come some 90 bytes a document for --sketches, and 25 to 45 for --documents.`,
		Example: `  alike cluster pairs/ --sketches sketches/ -o OUT
  alike cluster pairs.parquet --documents 10000000 --threshold 0.8 -o OUT`,
		Args: exactly(1, "cluster: want one file or folder of pairs"),
		RunE: func(cmd *cobra.Command, args []string) error { return run.do(cmd, args[0]) },
	}
	flags := cmd.Flags()
	folderFlags(cmd, &run.o)
	flags.StringVar(&run.sketches, "sketches", "", "`FOLDER` that alike sketch has written, all shards of it")
	flags.Int64Var(&run.documents, "documents", 0, "`N`: documents are the numbers from 0 to N-1")
	flags.Float64VarP(&run.threshold, "threshold", "t", 0, "with --documents, the minimum `SCORE` of a pair")
	flags.StringVar(&run.memory, "memory", "256MiB", "memory to sort pairs in, as `SIZE`")
	flags.StringVar(&run.tmp, "tmp", "", "`FOLDER` for temporary files (default that of the system)")
	flags.StringVar(&run.fit, "fit", "", "`FILE` of the fit that alike sketch was given")
	flags.StringVar(&run.maxDrop, "max-drop", "50%", "stop before writing if more than `SHARE` of the documents would go")
	return cmd
}

func (r *clusterRun) do(cmd *cobra.Command, path string) error {
	switch {
	case (r.sketches == "") == (r.documents == 0):
		return errors.New("cluster: want either --sketches or --documents")
	case r.documents < 0:
		return fmt.Errorf("cluster: --documents is %d, want 1 or more", r.documents)
	case r.o.Out == "" && !r.o.DryRun:
		return errors.New("cluster: want -o, the folder to make, or --dry-run")
	case r.sketches != "" && cmd.Flags().Changed("threshold"):
		return errors.New("cluster: the threshold is that of the sketches, want no --threshold")
	}
	memory, err := cli.ParseSize(r.memory)
	if err != nil {
		return fmt.Errorf("cluster: --memory: %w", err)
	}
	if r.o.MaxDrop, err = cli.ParseShare(r.maxDrop); err != nil {
		return fmt.Errorf("cluster: --max-drop: %w", err)
	}
	if r.tmp != "" {
		if err := os.MkdirAll(r.tmp, 0o777); err != nil {
			return fmt.Errorf("cluster: %w", err)
		}
	}
	source, err := pairs.Open(path)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(r.o.Out); err == nil && !r.o.DryRun {
		return fmt.Errorf("cluster: %s exists already", r.o.Out)
	}
	show, done := terminal.Progress(cmd.ErrOrStderr())
	o := pairs.Options{Threshold: r.threshold, Dir: r.tmp, Memory: memory, Progress: func(stage string, share float64) { show(share, stage) }}
	if r.documents > 0 {
		report, err := r.numbers(cmd.Context(), source, o)
		done()
		if err != nil {
			return err
		}
		return report.summarise(cmd.OutOrStdout())
	}
	r.o.Progress = o.Progress
	report, err := r.corpus(cmd.Context(), source, o)
	done()
	if err != nil {
		return err
	}
	return summariseDedup(cmd.OutOrStdout(), cmd.ErrOrStderr(), report, &r.o)
}

// corpus decides on the documents of a folder of sketches, and writes them.
func (r *clusterRun) corpus(ctx context.Context, source *pairs.Source, o pairs.Options) (*local.Report, error) {
	f, err := sketches.Open(r.sketches)
	if err != nil {
		return nil, err
	}
	if err := r.settle(f); err != nil {
		return nil, err
	}
	d, err := pairs.OfSketches(ctx, source, f, o)
	if err != nil {
		return nil, err
	}
	report, err := local.Write(ctx, r.o, d)
	if _, much := errors.AsType[*local.DropError](err); much {
		return nil, fmt.Errorf("%w (--dry-run shows more, --max-drop 100%% allows it)", err)
	}
	return report, err
}

// settle makes the options those of the sketches.
func (r *clusterRun) settle(f *sketches.Folder) (err error) {
	o := &r.o
	if o.Method, err = r.method(f.Method, f.Settings); err != nil {
		return err
	}
	switch f.Verify {
	case "sketch":
	case "none":
		o.Unverified = true
	default:
		if o.Verify, err = r.method(f.Verify, f.Decides); err != nil {
			return err
		}
	}
	o.Candidates, o.Recall, o.Threshold = f.Candidates, f.Recall, f.Threshold
	if o.Keep, err = dedup.ParsePolicy(f.Keep); err != nil {
		return err
	}
	if o.Clean.Mask, err = clean.ParseMask(f.Mask); err != nil {
		return err
	}
	for _, s := range f.Sources {
		info, err := os.Stat(s.Path)
		if err != nil {
			return fmt.Errorf("cluster: %w", err)
		}
		if !info.IsDir() && info.Size() != s.Size {
			return fmt.Errorf("cluster: %s has %d bytes, and had %d when it was sketched: it has changed", s.Path, info.Size(), s.Size)
		}
		o.Sources = append(o.Sources, datasets.Source{
			Path: s.Path, Name: s.Name, Format: s.Format, ID: s.ID, PathIDs: s.PathIDs, Text: s.Text,
			Columns: s.Columns, Quotes: s.Quotes, HTML: s.HTML, Lossy: s.Lossy,
		})
	}
	return nil
}

// method returns the method of a spec under the settings that it had when it sketched.
func (r *clusterRun) method(spec, settings string) (similarity.Method, error) {
	d := cli.Decision{Fit: r.fit}
	if r.fit != "" {
		spec = similarity.WithoutFit(spec)
	}
	m, err := d.Parse(spec)
	if err != nil {
		return nil, err
	}
	if m.Settings() != settings {
		return nil, fmt.Errorf("cluster: %s is %s here, and was %s when it sketched: want the same version of alike, and the same --fit", m, m.Settings(), settings)
	}
	return m, nil
}

// numberBytes is what a numbered document takes in memory, if it is in pairs.
const numberBytes = 45

// numbersReport is the report on numbered documents.
type numbersReport struct {
	Documents int64          `json:"documents"`
	Kept      int64          `json:"kept"`
	Removed   int64          `json:"removed"`
	Active    int            `json:"active"`
	Pairs     int64          `json:"pairs"`
	Threshold float64        `json:"threshold"`
	Chaining  dedup.Chaining `json:"chaining"`
}

// summarise prints the report for people.
func (r *numbersReport) summarise(w io.Writer) error {
	_, err := fmt.Fprintf(w, "documents   %d\npairs       %d\nkept        %d\nremoved     %d\nchaining    plain closure would make clusters of up to %d, and lose %d documents that are not alike to the one kept\n",
		r.Documents, r.Pairs, r.Kept, r.Removed, r.Chaining.Largest, r.Chaining.Apart)
	return err
}

// numbers decides on numbered documents.
func (r *clusterRun) numbers(ctx context.Context, source *pairs.Source, o pairs.Options) (rep *numbersReport, err error) {
	defer limitMemory(2*o.Memory + numberBytes*r.documents)()
	if r.o.DryRun {
		return r.decide(ctx, source, o, io.Discard)
	}
	made, err := durable.CreateFolder(r.o.Out)
	if err != nil {
		return nil, fmt.Errorf("cluster: %s: %w", r.o.Out, err)
	}
	defer made.Abort()
	f, err := os.Create(filepath.Join(made.Dir, "removed.tsv"))
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	out := bufio.NewWriterSize(f, 1<<18)
	rep, err = r.decide(ctx, source, o, out)
	if err = errors.Join(err, out.Flush(), f.Close()); err != nil {
		return nil, err
	}
	b, err := json.MarshalIndent(rep, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(made.Dir, "report.json"), append(b, '\n'), 0o666)
	}
	if err == nil {
		err = made.Commit("")
	}
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	return rep, nil
}

// decide writes a line for each document that is removed.
func (r *clusterRun) decide(ctx context.Context, source *pairs.Source, o pairs.Options, removed io.Writer) (*numbersReport, error) {
	if _, err := io.WriteString(removed, "number\tkept\tscore\n"); err != nil {
		return nil, err
	}
	g := pairs.Graph{Nodes: int(r.documents), Node: func(n int64) (uint32, bool) { return uint32(n), n >= 0 && n < r.documents }}
	var line []byte
	res, err := pairs.Decide(ctx, source, g, o, func(node, leader uint32, score float64) error {
		line = strconv.AppendUint(line[:0], uint64(node), 10)
		line = strconv.AppendUint(append(line, '\t'), uint64(leader), 10)
		line = strconv.AppendFloat(append(line, '\t'), score, 'g', -1, 64)
		_, err := removed.Write(append(line, '\n'))
		return err
	})
	if err != nil {
		return nil, err
	}
	gone := int64(res.Removed)
	return &numbersReport{
		Documents: r.documents, Kept: r.documents - gone, Removed: gone, Active: res.Active, Pairs: res.Pairs,
		Threshold: r.threshold, Chaining: res.Chaining,
	}, nil
}
