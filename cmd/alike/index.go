package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/redis"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/tables"
	"github.com/alike-go/alike/similarity"
)

func newIndex() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "index",
		Short: "keep documents in buckets, and ask which are alike to a new one",
		Long: `Keep the sketches of documents in buckets, and ask which are alike to a new one: has this
document, or one like it, been seen before?

URL says where the index is:

  disk:PATH   a directory of this machine; one process writes, any number read
  redis://HOST:PORT/0?name=seen&documents=1e6
              a server of Redis, sized for so many documents; any number write and read
  redis+cluster://HOST:PORT,HOST:PORT?name=seen&documents=1e8&ttl=720h
              a cluster of Redis, some of whose nodes are named; what is 30 days old goes
  hbase://HOST:PORT,HOST:PORT?name=seen&regions=16&ttl=720h
              two tables of the HBase whose ZooKeeper is there, of 16 regions each to begin with

rediss:// and rediss+cluster:// are Redis over TLS; ca=FILE names the certificates to trust.

An index is made for one method and threshold. A document stands in it under its
id. Adding it again changes nothing. Another text or other fields under its id
replace it. Texts are not stored. The fields that you name with alike index
create --fields are.`,
		Example: `  alike index create disk:seen --method simhash --distance 3
  alike index add disk:seen crawl/*.jsonl
  alike index query disk:seen new.jsonl
  alike index add disk:seen new.jsonl --if-new`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				names := []string{}
				for _, c := range cmd.Commands() {
					names = append(names, c.Name())
				}
				return fmt.Errorf("unknown command %q for %q%s", args[0], cmd.CommandPath(), hint("", args[0], names))
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(newIndexCreate(), newIndexAdd(), newIndexQuery(), newIndexDelete(), newIndexStats(), newIndexVerify(), newIndexRepair(), newIndexMerge(), newIndexExport(), newIndexImport())
	return cmd
}

// useIndex opens the index at a URL, calls do with it, and closes it. fit is a
// file of what the method has learnt, or empty.
func useIndex(ctx context.Context, stderr io.Writer, url, fit string, readOnly bool, do func(*index.Index) error) (err error) {
	s, err := openStore(ctx, stderr, url, readOnly)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	h, err := index.ReadHeader(ctx, s)
	if errors.Is(err, index.ErrNone) {
		return fmt.Errorf("%w (alike index create makes one)", err)
	}
	if err != nil {
		return err
	}
	m, err := catalog.Parse(similarity.WithoutFit(h.Method))
	if err != nil {
		return err
	}
	if fit != "" {
		methods, err := catalog.WithFit([]similarity.Method{m}, fit, true)
		if err != nil {
			return fmt.Errorf("index: --fit: %v", err) // %v: a damaged fit is no damage of the index
		}
		m = methods[0]
	} else if m.String() != h.Method {
		return fmt.Errorf("index: made by %s, want --fit with the file it had", h.Method)
	}
	x, err := index.Open(ctx, s, m)
	if err != nil {
		return err
	}
	return do(x)
}

// onIndex lets a command do its work on the index that its first argument names,
// with the arguments after it, and adds --fit.
func onIndex(cmd *cobra.Command, readOnly bool, do func(cmd *cobra.Command, x *index.Index, args []string) error) *cobra.Command {
	var fit string
	fitFlag(cmd, &fit)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return useIndex(cmd.Context(), cmd.ErrOrStderr(), args[0], fit, readOnly, func(x *index.Index) error { return do(cmd, x, args[1:]) })
	}
	return cmd
}

// warnIndex prints which settings of the servers of an index lose documents.
func warnIndex(ctx context.Context, stderr io.Writer, x *index.Index) {
	if w, ok := x.Store().(index.Warner); ok {
		for _, line := range w.Warnings(ctx) {
			fmt.Fprintf(stderr, "alike: %s\n", oneLine(line))
		}
	}
}

func newIndexCreate() *cobra.Command {
	var find oneMethod
	documents := ""
	var fields []string
	cmd := &cobra.Command{
		Use:   "create URL --method SPEC --threshold T",
		Short: "make an empty index",
		Long: `Make an empty index of a method and a threshold, both of which stay. What it has to find are
documents that score at least the threshold; where a threshold is a distance, as the bits
of simhash, --distance takes that. To make an index that is there already, with the
same settings, does nothing; other settings are refused.

--documents says how many documents there will be, so that buckets stay small: simhash
has more and longer keys the more there are (alike plan --backends tells what that costs). An
index that is to hold more than some ten million wants it. A server of Redis is sized for as
many, unless URL says otherwise.

--fields names fields that the index keeps of each document, for --across,
--within and --window of alike index query and alike index add --if-new. They
cannot be named later: create another index, and add the documents again.

The method needs buckets: simhash, minhash, shingle, bottom, manber, winnow have them.`,
		Example: `  alike index create disk:seen --method simhash --distance 3
  alike index create disk:seen -m minhash:width=3 --threshold 0.8 --recall 0.99
  alike index create disk:web -m simhash --distance 3 --documents 8e9
  alike index create disk:news -m simhash --distance 3 --fields agency,date`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := find.check(cmd, "index: want"); err != nil {
				return err
			}
			for i := range fields {
				fields[i] = strings.TrimSpace(fields[i])
			}
			o := index.Options{Recall: find.recall, Fields: fields}
			if documents != "" {
				if o.Documents, err = cli.ParseCount(documents); err != nil {
					return fmt.Errorf("index: --documents: %w", err)
				}
			}
			ctx := cmd.Context()
			m, err := find.parse(cmd)
			if err != nil {
				return err
			}
			o.Threshold = find.threshold
			at, err := redis.SizedURL(args[0], m, o)
			if err != nil {
				return err
			}
			s, err := openStore(ctx, cmd.ErrOrStderr(), at, false)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.Close()) }()
			x, err := index.Create(ctx, s, m, o)
			if err != nil {
				return err
			}
			warnIndex(ctx, cmd.ErrOrStderr(), x)
			return describeIndex(cmd.OutOrStdout(), x.Header())
		},
	}
	flags := cmd.Flags()
	find.flags(cmd)
	cobra.CheckErr(cmd.MarkFlagRequired("method"))
	flags.Float64VarP(&find.threshold, "threshold", "t", 0, "least `SCORE` of what is to be found, more than 0 and at most 1")
	flags.IntVarP(&find.distance, "distance", "k", 0, "greatest distance, for methods that have one, instead of --threshold")
	flags.Float64Var(&find.recall, "recall", similarity.DefaultRecall, "for buckets that are not exact, the probability of finding a document at the threshold")
	flags.StringVar(&documents, "documents", "", "how many documents the index is to hold, as a `NUMBER` such as 8e9 (default few)")
	flags.StringSliceVar(&fields, "fields", nil, "`NAMES` of the fields that the index keeps of each document")
	return cmd
}

// describeIndex writes what an index was made with.
func describeIndex(w io.Writer, h index.Header) error {
	fields := ""
	if len(h.Fields) > 0 {
		fields = "fields: " + strings.Join(h.Fields, ", ") + "\n"
	}
	_, err := fmt.Fprintf(w, "method: %s\nthreshold: %s\nbuckets: %s\ntables: %d\nword: %s\n%s",
		h.Method, strconv.FormatFloat(h.Threshold, 'g', 6, 64), h.Buckets, h.Tables, h.Word, fields)
	return err
}

func newIndexQuery() *cobra.Command {
	var (
		fit     string
		format  tables.Output
		text    bool
		differ  cli.Differ
		differs differColumns
		o       index.QueryOptions
		workers int
		src     source
	)
	cmd := &cobra.Command{
		Use:   "query URL INPUT...",
		Short: "find the documents of an index that are alike to others",
		Long: `Find the documents of an index that are alike to those of INPUT, or with --text to the texts
that stand in its place. A line is a document of INPUT and one of the index, the most
alike first, with score and distance, where the method has one; a document to which
none is alike has no line.

--across, --within and --window leave out pairs by fields of the two documents.
The index must keep those fields (alike index create --fields). A document that
lacks one is in no pair.

--differ and --show-differ add two columns: differ is the estimated share of words that
differ, and differ_se its standard error. An index does not store how long its documents
are. So the standard error covers every length that the stored document may have at this
score, and is larger than that of alike pairs. SimHash has no model of that share (see docs/differ.md).`,
		Example: `  alike index query disk:seen new.jsonl
  alike index query disk:seen --text 'the cat sat on the mat' --limit 3
  alike index query disk:news new.jsonl --across agency --window date=72h`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			var w matchWriter
			asked, matched := 0, 0
			byDiffer := cmd.Flags().Changed("differ")
			if byDiffer && cmd.Flags().Changed("threshold") {
				return errors.New("index: want either --threshold or --differ")
			}
			if text && o.Limits.Any() {
				return errors.New("index: texts have no fields, want --across, --within and --window without --text")
			}
			err := useIndex(cmd.Context(), cmd.ErrOrStderr(), args[0], fit, true, func(x *index.Index) (err error) {
				if byDiffer {
					if o.Threshold, err = differScore(x.Method(), differ); err != nil {
						return fmt.Errorf("index: %w", err)
					}
				}
				if err := x.Header().CheckLimits(o.Limits); err != nil {
					return err // before the input is read
				}
				if err := differs.use(x.Method(), byDiffer); err != nil {
					return fmt.Errorf("index: %w", err)
				}
				if w, err = newMatchWriter(cmd.OutOrStdout(), format, differs.columns()...); err != nil {
					return err
				}
				docs := textDocs(args[1:])
				fields := fieldCount{header: x.Header(), limits: o.Limits}
				if !text {
					docs = src.sketched(cmd.Context(), x, workers, differs.model != nil, args[1:], cmd.InOrStdin())
				}
				if o.Limits.Any() {
					docs = fields.of(docs)
				}
				for docs, err := range docs {
					if err != nil {
						return err
					}
					all, err := x.QueryBatch(cmd.Context(), docs, o)
					if err != nil {
						return err
					}
					asked += len(docs)
					for i, matches := range all {
						if len(matches) > 0 {
							matched++
						}
						words := -1 // of the document asked, counted if there is a match
						for _, m := range matches {
							var more []datasets.Field
							if differs.model != nil {
								if words < 0 {
									words = differs.count(docs[i].Text)
								}
								more = differs.fields(differs.model.ShareByOne(m.Score, words))
							}
							if err := w.write(docs[i].ID, &m, more...); err != nil {
								return err
							}
						}
					}
				}
				return fields.report(cmd.ErrOrStderr())
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "alike: one alike in the index for %d of %s\n", matched, plural(asked, "document"))
			return w.Close()
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&text, "text", false, "the arguments are texts, not files; their ids are 1, 2, ...")
	flags.IntVar(&o.Limit, "limit", 0, "only the `N` most alike to each")
	flags.Float64VarP(&o.Threshold, "threshold", "t", 0, "least `SCORE`, where it is to be more than that of the index")
	cli.DifferFlag(flags, &differ, ", where it is to be less than the index allows")
	cli.LimitFlags(flags, &o.Limits)
	differs.flag(cmd, "")
	outputFlags(cmd, &format, "tsv")
	flags.IntVar(&workers, "workers", 0, "goroutines that sketch (default one for each CPU)")
	fitFlag(cmd, &fit)
	src.docFlags(cmd)
	return cmd
}

// textDocs returns texts as documents with the ids 1, 2, ..., each in a batch of its own.
func textDocs(texts []string) iter.Seq2[[]index.Doc, error] {
	return func(yield func([]index.Doc, error) bool) {
		for i, t := range texts {
			if !yield([]index.Doc{{ID: strconv.Itoa(i + 1), Text: t}}, nil) {
				return
			}
		}
	}
}

// matchWriter writes documents with what is alike to them.
type matchWriter struct{ *tables.Writer }

func newMatchWriter(w io.Writer, format tables.Output, more ...column) (matchWriter, error) {
	out, err := format.To(w, append([]column{"<id", "<match", "score", "distance"}, more...)...)
	return matchWriter{out}, err
}

// write writes a row, with the fields of the columns that newMatchWriter got more. The
// columns behind id are empty where there is no match.
func (w matchWriter) write(id string, m *index.Match, more ...datasets.Field) error {
	f := []datasets.Field{{Name: "id", Value: id}, {Name: "match"}, {Name: "score", JSON: "null"}, {Name: "distance", JSON: "null"}}
	if m != nil {
		f[1].Value, f[2] = m.ID, number("score", m.Score)
		if m.Distance >= 0 {
			f[3].Value = strconv.Itoa(m.Distance)
			f[3].JSON = f[3].Value
		}
	}
	return w.Write(append(f, more...))
}
