package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/ingest"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/tables"
)

func newIndexAdd() *cobra.Command {
	var (
		fit         string
		format      tables.Output
		ifNew, load bool
		workers     int
		seconds     int64
		limits      dedup.Limits
		src         source
	)
	cmd := &cobra.Command{
		Use:   "add URL INPUT...",
		Short: "add documents to an index",
		Long: `Add the documents of INPUT to an index under their ids. A document that is there
with the same text and fields stays as it is. Another text or other fields
replace it. So a run that was interrupted can be repeated. Documents without
features are not stored.

With --if-new only documents are added to which none is alike, neither in the
index nor among those before them in INPUT. Standard output names for each of
the others the document that is most alike. A document that is there with the
same text stays, with its old fields. If several runs add to one index at a
time, exactly one of documents of the same text is added, on every store. On
disk, which has one writer, that holds for near-duplicates too.

With --across, --within or --window, a document is kept out only by an alike
document with which it makes a pair that counts. The index must keep those
fields (alike index create --fields). A document that lacks one is in no pair,
so it is added. Of equal texts that are added at the same time, a store on
servers may then add both.

--load fills an empty index much faster, with all ids different; it is there when it is
complete, and not before.`,
		Example: `  alike index add disk:seen crawl/*.jsonl.gz
  alike index add disk:seen new.jsonl --if-new > known.tsv
  alike index add disk:seen corpus.parquet --load
  alike index add disk:news new.jsonl --if-new --across agency`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if ifNew && load {
				return errors.New("index: --load takes every document, want it without --if-new")
			}
			if limits.Any() && !ifNew {
				return errors.New("index: every document is added, want --across, --within and --window with --if-new")
			}
			ctx := cmd.Context()
			if !cmd.Flags().Changed("time") {
				seconds = time.Now().Unix()
			}
			var w matchWriter
			var err error
			var known func(id string, m *index.Match) error
			if ifNew {
				if w, err = newMatchWriter(cmd.OutOrStdout(), format); err != nil {
					return err
				}
				known = func(id string, m *index.Match) error { return w.write(id, m) }
			}
			var counts ingest.Counts
			var lacking error
			err = useIndex(ctx, cmd.ErrOrStderr(), args[0], fit, false, func(x *index.Index) (err error) {
				warnIndex(ctx, cmd.ErrOrStderr(), x)
				if err := x.Header().CheckLimits(limits); err != nil {
					return err // before the input is read
				}
				fields := fieldCount{header: x.Header(), limits: limits}
				docs := fields.of(src.sketched(ctx, x, workers, false, args[1:], cmd.InOrStdin()))
				if load {
					counts, err = ingest.Load(ctx, x, docs, seconds)
				} else {
					counts, err = ingest.Add(ctx, x, docs, seconds, limits, known)
				}
				if err != nil {
					return err
				}
				lacking = fields.report(cmd.ErrOrStderr())
				return nil
			})
			if err == nil && ifNew {
				err = w.Close()
			}
			if err != nil {
				return err
			}
			reportAdded(cmd.ErrOrStderr(), counts)
			if lacking != nil {
				return fmt.Errorf("%w: none was in a pair, so all were added", lacking)
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&ifNew, "if-new", false, "add only documents to which none is alike, and name the others")
	flags.BoolVar(&load, "load", false, "fill an empty index")
	flags.Int64Var(&seconds, "time", 0, "when the documents came, in `SECONDS` since 1970 (default now)")
	cli.LimitFlags(flags, &limits)
	outputFlags(cmd, &format, "tsv")
	flags.IntVar(&workers, "workers", 0, "goroutines that sketch (default one for each CPU)")
	fitFlag(cmd, &fit)
	src.docFlags(cmd)
	return cmd
}

// reportAdded says how many documents came to each state.
func reportAdded(w io.Writer, counts ingest.Counts) {
	for _, s := range []struct {
		state index.State
		what  string
	}{
		{index.Added, "added"},
		{index.Replaced, "replaced by what was added under the same id"},
		{index.Same, "there already, under the same id"},
		{index.Known, "not added, since one alike is there"},
		{index.Empty, "not added, without features"},
	} {
		if n := counts[s.state]; n > 0 || s.state == index.Added {
			fmt.Fprintf(w, "alike: %s %s\n", plural(n, "document"), s.what)
		}
	}
}
