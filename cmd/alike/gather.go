package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/index/ingest"
	"github.com/alike-go/alike/internal/tables"
	"github.com/alike-go/alike/internal/terminal"
	"github.com/alike-go/alike/passages"
)

// gatherRun is one run of gather, as flags say.
type gatherRun struct {
	passagesRun
	gather    passages.GatherOptions
	otherIDs  bool
	uncovered string

	ofIndex, sampled bool       // sources come from an index; from one of manber
	sourceIDs        ingest.IDs // of an index, that share something

	queries, covered int   // with a source
	sources          int64 // of all queries
	last             passages.Gathered
}

func newGather() *cobra.Command {
	var run gatherRun
	cmd := &cobra.Command{
		Use:   "gather QUERY... --against COLLECTION",
		Short: "find the few documents that a text was put together from",
		Long: `Find the few documents of COLLECTION that a text was put together from: an
essay, an article, a generated text. Each document of QUERY is a query.

Sources are chosen greedily. The first is the document that covers most of the
query, the next the one that covers most of the rest, until none adds
--min-share. A document covers what lies in passages that it shares with the
query: text of at least --min-length characters, or --words whole words (see
alike passages). Case, white space and line breaks do not count; --fold changes
that. No passage is missed. A run in the query, such as a ruler of dashes, is
covered as a whole by a shorter run.

Reworded text is found only where parts are unchanged. --min-length 40 (Chinese:
15) finds more of them, with hardly any chance matches. --fuzzy RATE also covers
the edits between these parts, up to RATE of the characters (see alike
passages).

The output has one row per source, in the order of choice:

  query    the id of the query
  rank     1 is the source that covers most
  source   the id of the document; of equal ones the first in COLLECTION
  adds     the share of the query that it covers and the sources before do not
  total    the share that it and the sources before cover
  share    the share that it covers, with what the sources before cover too
  spans    what it adds, as start-end in bytes of the query as it was read

Shares are of the bytes of the query that are not white space.

COLLECTION may be an alike index of winnow or manber, as a URL. An index has no
texts, so shares are of the different fingerprints of the query, and spans cover
fingerprints. A document is a source only if it has every fingerprint in some
part of the query of --min-length characters. With winnow, only such parts
count. Manber's fingerprints are a sample of the windows of a text.
share_low and share_high are an interval of 95 % for the share of the windows of
the query that the source has. Each run reads the whole index (see
docs/passages.md).

--uncovered FILE gets one row per query: the number of sources, the share that
they cover, and the spans that no source covers.

If a query is also in COLLECTION, its copy covers all of it. --other-ids ignores
a source that has the id of the query, as the columns show them. A copy with
another id still counts.

--memory is a budget. Temporary files take about three times the size of the
text, more with a short --min-length. They are in the folder that TMPDIR names.
A run that was killed goes on with --resume DIR, as in alike passages.`,
		Example: `  alike gather essay.txt --against library/
  alike gather essays/ --against library/ --words 12 --uncovered own.tsv
  alike gather generated.jsonl --against train.jsonl.zst -l 60 --min-share 0 -o sources.parquet
  alike gather corpus.jsonl --against corpus.jsonl --other-ids -f jsonl
  alike gather essay.txt --against disk:library`,
		Args: atLeast(1, "gather: want one query or more"),
		RunE: func(cmd *cobra.Command, queries []string) error { return run.do(cmd, queries) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&run.against, "against", nil, "documents of `COLLECTION`, or of an index, are the sources (required; repeatable)")
	flags.Float64Var(&run.gather.MinShare, "min-share", 0.01, "only sources that add `SHARE` of the query or more, 0 to 1")
	flags.BoolVar(&run.otherIDs, "other-ids", false, "only sources that have another id than the query")
	run.finderFlags(cmd)
	flags.Lookup("max-rows").Usage = "stop with an error if there are more than `N` passages and occurrences, or spans that queries share with sources"
	outputFlags(cmd, &run.format, "tsv")
	flags.StringVarP(&run.out, "out", "o", "", "write sources to `FILE`, whose ending says the format (.tsv, .jsonl, .csv, .parquet, and .gz or .zst; .md, .tex, .txt)")
	flags.StringVar(&run.uncovered, "uncovered", "", "write what is not covered of each query to `FILE`, or with - to standard output instead of the sources")
	sideFlag(cmd, &run.againstText, "against-text", "of a document of COLLECTION")
	return cmd
}

// check refuses what makes no sense, before anything is read.
func (r *gatherRun) check(cmd *cobra.Command) error {
	switch share := r.gather.MinShare; {
	case len(r.against) == 0:
		return errors.New("want --against COLLECTION")
	case len(r.against) > 1 && r.ofIndex:
		return errors.New("--against names an index and more, want one of them")
	case !(share >= 0 && share <= 1):
		return fmt.Errorf("--min-share is %v, want 0 to 1", share)
	case r.out != "" && r.uncovered == "-":
		return errors.New("--uncovered - writes to standard output instead of the sources, want no --out")
	}
	return r.passagesRun.check(cmd)
}

func (r *gatherRun) do(cmd *cobra.Command, queries []string) (err error) {
	ctx, stdout, stderr := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	url, _, err := oneIndex(r.against)
	r.ofIndex = url != "" || err != nil
	if err := r.check(cmd); err != nil {
		return fmt.Errorf("gather: %w", err)
	}
	if r.ofIndex {
		return r.fromIndex(cmd, url, queries)
	}
	queries, collection, err := r.expand(queries)
	if err != nil {
		return fmt.Errorf("gather: %w", err)
	}
	show, done := terminal.Progress(stderr)
	defer done()
	defer r.limitMemory()()
	start := time.Now()
	f, err := r.finder(ctx, cmd.InOrStdin(), queries, collection, show)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	read := time.Since(start)
	var st passages.Stats
	err = r.into(stdout, func(emit func(passages.Gathered) error) (err error) {
		if r.otherIDs {
			r.gather.Skip = func(query, old int) bool { return r.ids.At(query) == r.ids.At(old) }
		}
		st, err = f.Gather(ctx, r.gather, emit)
		return err
	})
	if err != nil {
		return err
	}
	f.Forget()
	done()
	r.report(stderr, &st)
	reportTime(stderr, &st, read, time.Since(start))
	return nil
}

// into writes what run emits. The files are there if run returns no error.
func (r *gatherRun) into(stdout io.Writer, run func(emit func(passages.Gathered) error) error) error {
	sources, uncovered, err := r.writers(stdout)
	if err != nil {
		return fmt.Errorf("gather: %w", err)
	}
	all := slices.DeleteFunc([]*tables.Writer{sources, uncovered}, func(w *tables.Writer) bool { return w == nil })
	for _, w := range all {
		defer w.Abort()
	}
	err = run(func(g passages.Gathered) error {
		r.count(&g)
		return r.write(sources, uncovered, &g)
	})
	if err != nil {
		return err
	}
	for _, w := range all {
		if err := w.Close(); err != nil {
			return err
		}
	}
	return nil
}

// writers returns the writers of sources and of what is uncovered. One may be nil.
func (r *gatherRun) writers(stdout io.Writer) (sources, uncovered *tables.Writer, err error) {
	const both = "<query"
	rest := []column{both, "sources", "covered", "<uncovered"}
	switch r.uncovered {
	case "":
	case "-":
		uncovered, err = r.format.To(stdout, rest...)
		return nil, uncovered, err
	default:
		if uncovered, err = r.format.Aside().Create(r.uncovered, rest...); err != nil {
			return nil, nil, err
		}
	}
	columns := []column{both, "rank", "<source", "adds", "total", "share"}
	if r.sampled {
		columns = append(columns, "share_low", "share_high")
	}
	columns = append(columns, "<spans")
	if r.out != "" {
		sources, err = r.format.Create(r.out, columns...)
	} else {
		sources, err = r.format.To(stdout, columns...)
	}
	if err != nil && uncovered != nil {
		uncovered.Abort()
	}
	return sources, uncovered, err
}

func (r *gatherRun) write(sources, uncovered *tables.Writer, g *passages.Gathered) error {
	query := datasets.Field{Name: "query", Value: r.ids.At(g.Doc)}
	if sources != nil {
		for i, s := range g.Sources {
			of := &r.ids
			if r.ofIndex {
				of = &r.sourceIDs
			}
			row := []datasets.Field{
				query, whole("rank", i+1), {Name: "source", Value: of.At(s.Doc)},
				number("adds", s.Adds), number("total", s.Total), number("share", s.Share),
			}
			if r.sampled {
				row = append(row, number("share_low", s.Low), number("share_high", s.High))
			}
			if err := sources.Write(append(row, spanList("spans", s.Spans))); err != nil {
				return err
			}
		}
	}
	if uncovered == nil {
		return nil
	}
	return uncovered.Write([]datasets.Field{query, whole("sources", len(g.Sources)), number("covered", g.Covered), spanList("uncovered", g.Uncovered)})
}

// count counts a query for the report.
func (r *gatherRun) count(g *passages.Gathered) {
	r.queries++
	r.sources += int64(len(g.Sources))
	if len(g.Sources) > 0 {
		r.covered++
	}
	r.last = *g
}

// report says on standard error what was found.
func (r *gatherRun) report(stderr io.Writer, st *passages.Stats) {
	r.reportRepeats(stderr)
	docs := plural(st.Docs-r.queries, "document")
	if r.queries != 1 {
		fmt.Fprintf(stderr, "alike: %d of %d queries have sources, %d in all (of %s; passages of at least %s)\n", r.covered, r.queries, r.sources, docs, r.length())
		return
	}
	fmt.Fprintf(stderr, "alike: %s: %s%% covered by %s (of %s; passages of at least %s)\n", r.ids.At(r.last.Doc), fixed(100*r.last.Covered, 1), plural(r.sources, "source"), docs, r.length())
	if rest := r.last.Uncovered; len(rest) > 0 {
		const most = 8
		more := ""
		if len(rest) > most {
			rest, more = rest[:most], fmt.Sprintf(" and %d more (--uncovered FILE lists all)", len(rest)-most)
		}
		fmt.Fprintf(stderr, "alike: not covered, in bytes: %s%s\n", spanList("", rest).Value, more)
	}
}
