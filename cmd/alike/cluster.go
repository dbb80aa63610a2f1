package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/dedup/pairs"
	"github.com/alike-go/alike/dedup/sketches"
	"github.com/alike-go/alike/internal/cli"
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
		return r.numbers(cmd, source, o, done)
	}
	r.o.Progress = o.Progress
	report, err := r.corpus(cmd.Context(), source, o)
	done()
	if err != nil {
		return err
	}
	return summariseDedup(cmd.OutOrStdout(), cmd.ErrOrStderr(), report, &r.o, "")
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
	o.Sources, err = f.Inputs()
	return err
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

// numbers decides on numbered documents, and prints the report for people.
func (r *clusterRun) numbers(cmd *cobra.Command, source *pairs.Source, o pairs.Options, done func()) error {
	defer limitMemory(2*o.Memory + pairs.NumberBytes*r.documents)()
	out := r.o.Out
	if r.o.DryRun {
		out = ""
	}
	n, err := pairs.DecideNumbers(cmd.Context(), source, r.documents, o, out)
	done()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "documents   %d\npairs       %d\nkept        %d\nremoved     %d\nchaining    plain closure would make clusters of up to %d, and lose %d documents that are not alike to the one kept\n",
		n.Documents, n.Pairs, n.Kept, n.Removed, n.Chaining.Largest, n.Chaining.Apart)
	return err
}
