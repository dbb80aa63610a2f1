package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/dedup/sketches"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/terminal"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/sql"
)

// sketchRun is one run of sketch, as flags say.
type sketchRun struct {
	decision                     cli.Decision
	keep, mask, shard, documents string
	buckets                      bool
	source                       source
	o                            sketches.Options
	leak                         sketchLeakRun
}

func newSketch() *cobra.Command {
	var run sketchRun
	cmd := &cobra.Command{
		Use:   "sketch INPUT... -o OUT (--buckets | --for leak)",
		Short: "write sketches and bucket keys as Parquet, to find duplicates by SQL",
		Long: `Write sketches and bucket keys as Parquet, to find duplicates by SQL.

This is the first of the three steps of a deduplication on DuckDB, Spark or another engine that
speaks SQL and reads Parquet, for a corpus that is too large for alike dedup:

  alike sketch INPUT... -o sketches/ --buckets    (on as many machines as there are)
  python3 sql/run.py --engine spark sketches/ pairs/
  alike cluster pairs/ --sketches sketches/ -o OUT

The result is that of alike dedup with the same settings. The flags that say what a duplicate is
are those of alike dedup, but for --cohesion and --strip-boilerplate, which have to know more than a
worker or a pair does; all machines must be given the same, and the same inputs under the
same names. --shard 3/16 writes the fourth sixteenth of the documents: whole inputs where there
are at least as many as shards, which then are best of like size, and otherwise blocks
of ` + strconv.Itoa(sketches.BlockRows) + ` rows, for which all inputs are read. Nothing else is shared between workers, so OUT can be a
folder on storage that all have mounted, or one for each that is copied together.

A worker that was killed is run again with the same flags, and makes what is missing, files that were
lost since included; one whose shard is complete has nothing to do. The settings stand in ` + sketches.HeaderFile + `, and a worker with others
is refused. Spark has no unsigned integers of 64 bits: words, keys and hashes are signed ones of
the same bits (two's complement).

With simhash a bucket holds the documents that agree in some bits, and of many documents many agree:
of some ten million or more, say with --documents about how many there are, so that keys are longer and
buckets stay small. The result is the same. MinHash has one layout for all sizes. Methods whose sketches
are sets of words (shingle, manber, winnow, minhash:scheme=bottom) have no bucket keys: the engine pairs sets by
the words that few of all have, which a worker cannot know.

--verify text writes the sets of which the exact score is made too, in verify/, which the
queries read for candidates alone.

--for leak writes something else: the file OUT, with test documents as hashes of
their runs of three words. alike leak takes it in the place of the documents and
gives the same verdicts, so a benchmark can be checked for without being shown.
--tests lists several test sets, as for alike leak. The file holds ids, places
and hashes, and no text. Hashes are salted with --seed, which stands in the file.
They are no encryption: anyone who has a text can test whether
it is listed, and can guess a text word by word.`,
		Example: `  alike sketch corpus.jsonl -o sketches --buckets
  alike sketch 'crawl/*.parquet' -o /mnt/sketches --buckets --method simhash --verify sketch --shard 3/16
  alike sketch 'crawl/*.jsonl.zst' -o sketches --buckets --keep newest:date --slices 16
  alike sketch --for leak benchmark.jsonl -o benchmark.sketches`,
		RunE: func(cmd *cobra.Command, inputs []string) error { return run.do(cmd, inputs) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&run.o.Out, "out", "o", "", "`FOLDER` to write to, which may be there if other workers have begun it")
	flags.BoolVar(&run.buckets, "buckets", false, "write bucket keys; there is no other kind yet")
	flags.StringVar(&run.shard, "shard", "0/1", "`I/N`: write the documents of worker I, from 0, of N")
	flags.IntVar(&run.o.Slices, "slices", 1, "cut the buckets of each table in `N` by their highest bits, a power of two, for an engine to go through them slice by slice")
	flags.StringVar(&run.documents, "documents", "", "how many documents all shards have, as a `NUMBER` such as 8e9: simhash makes more and longer keys for more (default those of alike dedup)")
	cli.KeepFlag(flags, &run.keep)
	cli.MaskFlag(flags, &run.mask)
	flags.IntVar(&run.o.Workers, "workers", 0, "goroutines; the outputs do not depend on it (default one for each CPU)")
	run.leak.flags(flags)
	run.decision.Sets = true
	decisionFlags(cmd, &run.decision)
	run.source.docFlags(cmd)
	return cmd
}

func (r *sketchRun) do(cmd *cobra.Command, inputs []string) error {
	stderr := cmd.ErrOrStderr()
	if err := r.leak.check(cmd, inputs); err != nil {
		return fmt.Errorf("sketch: %w", err)
	}
	if r.leak.purpose != "" && r.o.Out != "" {
		return r.leak.do(cmd, r, inputs)
	}
	if err := r.settle(cmd, inputs); err != nil {
		return err
	}
	s, err := r.write(cmd.Context(), stderr)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "shard %d/%d of %s: %s, %s bytes of text, %s, in %s\n",
		r.o.Shard, r.o.Shards, r.o.Out, plural(s.Documents-s.Unreadable, "document"), bytesOf(s.Bytes), plural(s.Keys, "bucket key"), plural(s.Parts, "part"))
	return err
}

// settle turns flags into options.
func (r *sketchRun) settle(cmd *cobra.Command, inputs []string) (err error) {
	switch {
	case r.o.Out == "":
		return errors.New("sketch: want -o, what to write to")
	case !r.buckets:
		return errors.New("sketch: want --buckets")
	}
	if r.o.Shard, r.o.Shards, err = parseShard(r.shard); err != nil {
		return fmt.Errorf("sketch: --shard: %w", err)
	}
	if r.documents != "" {
		if r.o.Documents, err = cli.ParseCount(r.documents); err != nil {
			return fmt.Errorf("sketch: --documents: %w", err)
		}
	}
	d, err := r.decision.Rule(cmd)
	if err != nil {
		return err
	}
	r.o.Method, r.o.Verify, r.o.Unverified = d.Method, d.Verify, d.Unverified
	r.o.Candidates, r.o.Recall, r.o.Threshold = d.Candidates, d.Recall, d.Threshold
	if r.o.Columns, err = columnsOf(r.o.Method); err != nil {
		return err
	}
	if r.o.Verify != nil {
		if r.o.VerifyColumns, err = columnsOf(r.o.Verify); err != nil {
			return err
		}
	}
	if r.o.Keep, err = dedup.ParsePolicy(r.keep); err != nil {
		return err
	}
	if r.o.Clean.Mask, err = clean.ParseMask(r.mask); err != nil {
		return fmt.Errorf("sketch: --mask: %w", err)
	}
	if r.o.Sources, err = r.source.sourcesOf(inputs, len(inputs) > 1); err != nil {
		return fmt.Errorf("sketch: %w", err)
	}
	return nil
}

// columnsOf returns the columns of a method that has some.
func columnsOf(m similarity.Method) (sketches.Columns, error) {
	c, err := sql.New(m)
	if err != nil {
		return nil, fmt.Errorf("%w (alike dedup takes any method)", err)
	}
	return c, nil
}

func (r *sketchRun) write(ctx context.Context, stderr io.Writer) (*sketches.Shard, error) {
	show, done := terminal.Progress(stderr)
	defer done()
	r.o.Progress = func(share float64) { show(share, "sketch") }
	r.o.SkipBad = r.source.SkipBad
	r.o.OnBad = func(err error) { fmt.Fprintf(stderr, "alike: no document: %v\n", err) }
	return sketches.Write(ctx, r.o)
}

var errShard = errors.New("want I/N with I from 0 to N-1, such as 0/16")

// parseShard reads the number of a shard and that of all.
func parseShard(s string) (shard, shards int, err error) {
	i, n, _ := strings.Cut(s, "/")
	shard, err1 := strconv.Atoi(i)
	shards, err2 := strconv.Atoi(n)
	if err1 != nil || err2 != nil || shard < 0 || shard >= shards {
		return 0, 0, fmt.Errorf("%q: %w", s, errShard)
	}
	return shard, shards, nil
}
