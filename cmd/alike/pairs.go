package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/eval/report"
	"github.com/alike-go/alike/eval/score"
	"github.com/alike-go/alike/eval/surrogate"
	"github.com/alike-go/alike/index/ingest"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/tables"
	"github.com/alike-go/alike/internal/terminal"
	"github.com/alike-go/alike/similarity"
)

// pairsRun is one run of pairs, as flags say.
type pairsRun struct {
	oneMethod
	against, againstText []string
	top, workers         int
	grouped, unique      bool
	want                 string
	differs              differColumns
	more, outside        int64 // pairs that differ by more, or are outside of the limits
	limits               dedup.Limits
	format               tables.Output
	texts                bool
	out, truth           string
	judged               string
	judgedPairs          *judgedPairs // with --judged
	baseline             string
	newOnly              bool
	known                map[[2]string]bool // pairs of the baseline
	fresh                int64              // pairs that are not known
	source               source
}

func newPairs() *cobra.Command {
	var run pairsRun
	cmd := &cobra.Command{
		Use:   "pairs INPUT... --method SPEC --threshold T",
		Short: "find all pairs of documents that score at least a threshold",
		Long: `Find all pairs of documents that score at least a threshold.

INPUT is a file (JSONL, CSV, TSV, Parquet, text), a folder, a pattern, FORMAT:FILE,
the name of a data set, or - for standard input; there may be several. Pairs are
written as they are found, each once, in the order of the documents: id1, id2, score.
With --against they are those of a document of INPUT and one of OLD.

--differ 5% sets the threshold at the score to expect if 5 % of the words differ, here and
there in the text. Features are ` + catalog.DifferFeatures + ` unless --method or --features
say otherwise; others have no model. Two columns follow: differ, the estimated share, and
differ_se, its standard error. A pair that is above 5 % by more than two standard errors is left
out. The method words counts exactly. --show-differ adds the columns
to what --threshold finds, for methods on such features.

--want says what alike means, and needs no --method. copies means --differ 10%.
versions requires a --threshold. Both use shingles of three words. excerpts
finds pairs in which one document contains at least half of the other.

Texts are read once and not kept. What grows with the documents is their sketches
(alike eval shows the bytes of each), their ids, what the method's join needs beside
them, and with --top that many pairs for each. The order and the scores do not depend
on the number of workers.

A method that joins by probability finds a pair at the threshold itself with --recall,
and pairs above it more surely; the summary on standard error says what was done. Where a
threshold is a distance, as the bits of simhash, --distance takes that. --grouped
states documents of equal sketches as pairs with the first of them only.

--across, --within and --window leave out pairs by fields of the documents. A
document that lacks such a field is in no pair.

--judged takes answers of people, as alike review keeps them, by the rule of
alike dedup. Documents marked 1 are a group, also by way of others: all pairs of
a group are written, whatever they score and whatever the limits say. A pair
marked 0 is left out, and so is every other pair of the two groups. Answers that
contradict each other are an error.

--texts adds the columns text1 and text2; memory then holds the texts. --format
html, or a FILE that ends in .html, is a page of the first 1000 pairs side by
side, with the shared passages marked. alike review asks about pairs.

--baseline names what an earlier run wrote, as TSV, CSV, JSONL or Parquet. With
--new-only, only pairs that it does not have are written, and the exit status is
1 if there are any. Ids must stay the same from run to run.

--truth names a table of pairs with the columns id1, id2, label and perhaps kind, such as
the pairs-planted.tsv of alike datasets make. Standard output is then how many of
each kind were found, and how many of those that reach the threshold the join missed.`,
		Example: `  alike pairs corpus.jsonl --method simhash --distance 3
  alike pairs new/*.jsonl.gz --against old.jsonl --method minhash --threshold 0.8 --top 3
  alike pairs corpus.jsonl --method minhash --differ 5%
  alike pairs essays.jsonl --want excerpts
  alike pairs corpus.csv --text-field body --method shingle:width=3 --threshold 0.5 -o pairs.parquet
  alike pairs titles.csv --method shingle --threshold 0.7 --texts -o pairs.csv
  alike pairs docs/ --method shingle --threshold 0.9 --baseline known.tsv --new-only
  alike pairs big --method simhash --distance 3 --truth big/pairs-planted.tsv -o pairs.tsv.zst`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, inputs []string) error {
			if err := run.check(cmd); err != nil {
				return err
			}
			return run.do(cmd, inputs)
		},
	}
	flags := cmd.Flags()
	run.oneMethod.flags(cmd)
	flags.Float64VarP(&run.threshold, "threshold", "t", 0, "minimum `SCORE` of a pair, more than 0 and at most 1")
	cli.WantFlag(cmd, &run.want)
	run.differs.flag(cmd, "")
	flags.IntVarP(&run.distance, "distance", "k", 0, "maximum distance of a pair, for methods that have one, instead of --threshold")
	flags.StringArrayVar(&run.against, "against", nil, "pair the documents with those of `OLD` instead of each other (repeatable)")
	flags.IntVar(&run.top, "top", 0, "only pairs among the `K` best of one of their documents (with --against: of that of INPUT)")
	flags.Float64Var(&run.recall, "recall", similarity.DefaultRecall, "for joins that are not exact, the probability of finding a pair at the threshold")
	flags.BoolVar(&run.grouped, "grouped", false, "do not spell out the pairs among documents of equal sketches")
	outputFlags(cmd, &run.format, "tsv", "html")
	flags.StringVarP(&run.out, "out", "o", "", "write pairs to `FILE`, whose ending says the format (.tsv, .jsonl, .csv, .parquet, and .gz or .zst; .md, .tex, .txt, .html)")
	flags.BoolVar(&run.texts, "texts", false, "add the texts of both documents")
	flags.StringVar(&run.baseline, "baseline", "", "`FILE` of pairs that are known, from an earlier run")
	flags.BoolVar(&run.newOnly, "new-only", false, "write only pairs that --baseline does not have, and exit with status 1 if there are any")
	flags.StringVar(&run.truth, "truth", "", "`FILE` of labelled pairs to compare with what is found")
	flags.IntVar(&run.workers, "workers", 0, "goroutines; the pairs do not depend on it (default one for each CPU)")
	flags.StringVar(&run.judged, "judged", "", "`FILE` of judged pairs (id1, id2, label): 1 are written, 0 left out, whatever the score")
	cli.LimitFlags(flags, &run.limits)
	run.source.docFlags(cmd)
	uniqueFlag(flags, &run.unique)
	sideFlag(cmd, &run.againstText, "against-text", "of a document of OLD")
	return cmd
}

// wanted sets what --want says and no other flag does.
func (r *pairsRun) wanted(given func(string) bool) error {
	if r.want == "" {
		return nil
	}
	want, err := dedup.ParseWant(r.want)
	if err != nil {
		return err
	}
	differ, err := cli.Wanted(want, given)
	switch {
	case err != nil:
		return err
	case differ:
		r.differ, r.byDiffer = dedup.DefaultDiffer, true
	case want == dedup.Excerpts && given("method"):
		return fmt.Errorf("--want excerpts finds pairs by %s: want it without --method", cli.ExcerptMethod)
	case want == dedup.Excerpts:
		if r.spec = cli.ExcerptMethod; !given("threshold") {
			r.threshold = dedup.LeastContained
		}
	}
	if r.spec == "" {
		r.spec = "shingle"
	}
	if r.features == "" && !given("method") {
		r.features = catalog.DifferFeatures
	}
	return nil
}

// check refuses flags that make no sense together, before anything is read.
func (r *pairsRun) check(cmd *cobra.Command) error {
	given := func(name string) bool { return cmd.Flags().Changed(name) }
	if err := r.wanted(given); err != nil {
		return fmt.Errorf("pairs: %w", err)
	}
	if r.spec == "" {
		return errors.New(`required flag(s) "method" not set`)
	}
	if r.want == "" || given("threshold") || given("differ") || given("distance") {
		if err := r.oneMethod.check(cmd, "pairs: want"); err != nil {
			return err
		}
	}
	switch {
	case given("threshold") && !(r.threshold > 0 && r.threshold <= 1):
		return fmt.Errorf("pairs: --threshold is %v, want more than 0 and at most 1", r.threshold)
	case !(r.recall > 0 && r.recall < 1):
		return fmt.Errorf("pairs: --recall is %v, want more than 0 and less than 1", r.recall)
	case given("top") && r.top < 1:
		return fmt.Errorf("pairs: --top is %d, want 1 or more", r.top)
	case r.grouped && (len(r.against) > 0 || r.top > 0 || r.truth != "" || r.baseline != ""):
		return errors.New("pairs: --grouped leaves pairs out, want it without --against, --top, --truth and --baseline")
	case r.limits.Any() && (r.grouped || r.truth != ""):
		return errors.New("pairs: --across, --within and --window leave pairs out, want them without --grouped and --truth")
	case r.top > 0 && r.truth != "":
		return errors.New("pairs: --top leaves pairs out, want it without --truth")
	case r.newOnly && r.baseline == "":
		return errors.New("pairs: --new-only wants --baseline, the pairs that are known")
	case r.truth != "" && (r.baseline != "" || r.format.Format == "html"):
		return errors.New("pairs: --truth counts labelled pairs, want it without --baseline and --format html")
	case r.truth == "" && r.out != "" && given("format"):
		return errors.New("pairs: want either --format, for standard output, or --out, whose ending says the format")
	case r.workers < 0:
		return fmt.Errorf("pairs: --workers is %d, want 0 or more", r.workers)
	}
	switch {
	case r.truth != "" && !given("format"):
		r.format.Format = "table"
	case filepath.Ext(r.out) == ".html":
		r.format.Format = "html"
	}
	r.texts = r.texts || r.format.Format == "html"
	return r.checkJudged()
}

func (r *pairsRun) do(cmd *cobra.Command, inputs []string) error {
	ctx, stdin, stdout, stderr := cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	m, err := r.parse(cmd)
	if err != nil {
		return err
	}
	if err := r.differs.use(m, r.byDiffer); err != nil {
		return fmt.Errorf("pairs: %w", err)
	}
	all, err := datasets.Expand(append(slices.Clone(inputs), r.against...))
	if err != nil {
		return fmt.Errorf("pairs: %w", err)
	}
	if inputs, err = datasets.Expand(inputs); err != nil {
		return fmt.Errorf("pairs: %w", err)
	}
	old := all[len(inputs):]
	var truth *score.Labels
	if r.truth != "" {
		if truth, err = score.ReadLabels(r.source.at(r.truth, nil)); err != nil {
			return err
		}
	}
	judged, err := cli.ReadJudged(r.judged)
	if err != nil {
		return err
	}
	if r.baseline != "" {
		r.known = map[[2]string]bool{}
		var baseline datasets.Source // flags of columns are about INPUT
		err := (&score.Output{ID1: "id1", ID2: "id2"}).EachPair(baseline.At(r.baseline), func(p score.Listed) error {
			r.known[surrogate.Key(p.ID1, p.ID2)] = true
			return nil
		})
		if err != nil {
			return fmt.Errorf("pairs: --baseline: %w", err)
		}
	}
	w, err := r.writer(stdout, m)
	if err != nil {
		return fmt.Errorf("pairs: %w", err)
	}
	defer w.Abort()

	seen := func(side int) func(string) {
		if truth == nil {
			return nil
		}
		return func(id string) { truth.Seen(side, id) }
	}
	start := time.Now()
	docs, err := r.read(ctx, m, &r.source, inputs, stdin, stderr, seen(0))
	if err != nil {
		return err
	}
	var other *ingest.Corpus
	if len(old) > 0 {
		if other, err = r.read(ctx, m, r.source.side(r.againstText), old, stdin, stderr, seen(1)); err != nil {
			return err
		}
	}
	read := time.Since(start)
	if truth != nil {
		truth.Resolve(other != nil)
	}
	if judged != nil {
		if r.judgedPairs, err = newJudgedPairs(judged, docs, other); err != nil {
			return err
		}
	}
	st, err := r.join(ctx, docs, other, w, truth, stderr)
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	r.report(stderr, m, docs, other, read, time.Since(start)-read, st)
	if r.baseline != "" {
		fmt.Fprintf(stderr, "alike: %s not in %s\n", plural(r.fresh, "pair"), r.baseline)
	}
	switch {
	case truth != nil:
		return r.writeTruth(stdout, stderr, truth, docs, other)
	case r.newOnly && r.fresh > 0:
		return errBad
	}
	return nil
}

// pairWriter takes pairs.
type pairWriter interface {
	Write([]datasets.Field) error
	Close() error
	Abort()
}

// writer returns where pairs go; nowhere, if they are only compared with the truth.
func (r *pairsRun) writer(stdout io.Writer, m similarity.Method) (pairWriter, error) {
	columns := append([]column{"<id1", "<id2", "score"}, r.differs.columns()...)
	if r.texts {
		columns = append(columns, "<text1", "<text2")
	}
	switch {
	case r.format.Format == "html":
		found := fmt.Sprintf("%s ≥ %.6g", m, r.threshold)
		return &pairPage{Pairs: report.Pairs{Found: found}, stdout: stdout, out: cmp.Or(r.out, "-")}, nil
	case r.out != "":
		return r.format.Create(r.out, columns...)
	case r.truth != "":
		return r.format.To(io.Discard, columns...)
	}
	return r.format.To(stdout, columns...)
}

// pairPage writes pairs as a page.
type pairPage struct {
	report.Pairs
	stdout io.Writer
	out    string
}

// Write takes a pair, whose last fields are the texts.
func (p *pairPage) Write(f []datasets.Field) error {
	score, err := strconv.ParseFloat(f[2].Value, 64)
	p.Add(report.Pair{ID1: f[0].Value, ID2: f[1].Value, Score: score, Text1: f[len(f)-2].Value, Text2: f[len(f)-1].Value})
	return err
}

func (p *pairPage) Close() error {
	return writePage(p.stdout, p.out, report.Input{Pairs: &p.Pairs}, report.Options{})
}

func (p *pairPage) Abort() {}

// read reduces the inputs to sketches.
func (r *pairsRun) read(ctx context.Context, m similarity.Method, from *source, inputs []string, stdin io.Reader, stderr io.Writer, seen func(string)) (*ingest.Corpus, error) {
	show, done := terminal.Progress(stderr)
	defer done()
	in := from.inputs(inputs, stdin, r.workers, show)
	in.UniqueIDs, in.Limits, in.Keep = r.unique, r.limits, r.texts
	if r.differs.model != nil {
		in.Count = r.differs.count
	}
	c, err := in.Collect(ctx, m, seen)
	if err != nil {
		return nil, err
	}
	if c.Unpaired > 0 {
		fmt.Fprintf(stderr, "alike: documents in no pair, because they lack a field of the limits (%v): %d\n", r.limits, c.Unpaired)
	}
	return c, c.Lacking()
}

// join finds the pairs and writes them.
func (r *pairsRun) join(ctx context.Context, docs, other *ingest.Corpus, w pairWriter, truth *score.Labels, stderr io.Writer) (st similarity.JoinStats, err error) {
	show, done := terminal.Progress(stderr)
	defer done()
	o := similarity.JoinOptions{
		Threshold: r.threshold, Recall: r.recall, Workers: r.workers,
		Progress: func(share float64) { show(share, "join") },
	}
	second := docs
	if other != nil {
		second = other
	}
	var written int64
	write := func(p similarity.Pair, judged bool) error {
		var share, se float64
		if model := r.differs.model; model != nil {
			share, se = model.Share(p.Score, docs.Counts[p.A], second.Counts[p.B])
			// Whether the join misses pairs of --truth is for all that reach the threshold.
			if r.byDiffer && truth == nil && !judged && share-2*se > float64(r.differ)+1e-9 {
				r.more++
				return nil
			}
		}
		written++
		if truth != nil {
			truth.Found(p)
		}
		if truth != nil && r.out == "" {
			return nil
		}
		fields := []datasets.Field{{Name: "id1", Value: docs.IDs.At(p.A)}, {Name: "id2", Value: second.IDs.At(p.B)}, number("score", p.Score)}
		if r.known != nil && !r.known[surrogate.Key(fields[0].Value, fields[1].Value)] {
			r.fresh++
		} else if r.newOnly {
			return nil
		}
		fields = append(fields, r.differs.fields(share, se)...)
		if r.texts {
			fields = append(fields, r.text("text1", docs.Texts.At(p.A)), r.text("text2", second.Texts.At(p.B)))
		}
		return w.Write(fields)
	}
	emit := func(p similarity.Pair) error { return write(p, false) }
	var best *similarity.Best
	if r.top > 0 {
		best = similarity.NewBest(r.top, other == nil)
		emit = func(p similarity.Pair) error { best.Add(p); return nil }
	}
	if r.limits.Any() {
		all := emit
		emit = func(p similarity.Pair) error {
			if !docs.Counted(p.A, second, p.B) {
				r.outside++
				return nil
			}
			return all(p)
		}
	}
	if j := r.judgedPairs; j != nil {
		all, same := emit, func(p similarity.Pair) error { return write(p, true) }
		emit = func(p similarity.Pair) error { return j.through(&p, same, all) }
		defer func() {
			if err == nil {
				err = j.through(nil, same, all)
				st.Pairs += j.added - j.apart
			}
		}()
	}
	switch {
	case r.grouped:
		st, err = similarity.JoinGrouped(ctx, docs.Sketches, o, emit)
	case other != nil:
		st, err = docs.Sketches.Join(ctx, other.Sketches, o, emit)
	default:
		st, err = docs.Sketches.Join(ctx, nil, o, emit)
	}
	if err != nil || best == nil {
		st.Pairs -= r.more + r.outside
		return st, err
	}
	for _, p := range best.Pairs() {
		if err := write(p, false); err != nil {
			return st, err
		}
	}
	st.Pairs = written
	return st, nil
}

// text is a column of a text, on one line where the format has no place for more.
func (r *pairsRun) text(name, text string) datasets.Field {
	if r.format.Format == "tsv" && r.out == "" || datasets.FileFormat(r.out) == "tsv" {
		text = oneLine(text)
	}
	return datasets.Field{Name: name, Value: text}
}

// number is a column of a number between 0 and 1.
func number(name string, v float64) datasets.Field {
	return datasets.Field{Name: name, Value: strconv.FormatFloat(v, 'f', 6, 64), JSON: strconv.FormatFloat(v, 'g', -1, 64)}
}

// report says on standard error what was done.
func (r *pairsRun) report(stderr io.Writer, m similarity.Method, docs, other *ingest.Corpus, read, join time.Duration, st similarity.JoinStats) {
	count := func(c *ingest.Corpus) string {
		return fmt.Sprintf("%s (%s bytes of text, %d without features)", plural(c.Sketches.Len(), "document"), bytesOf(c.Bytes), c.Empty)
	}
	text, all := count(docs), docs.Bytes
	if other != nil {
		text, all = text+" against "+count(other), all+other.Bytes
	}
	round := func(d time.Duration) time.Duration {
		return d.Round(time.Duration(math.Pow10(max(0, len(strconv.Itoa(int(d)))-3))))
	}
	for _, c := range []*ingest.Corpus{docs, other} {
		if c != nil && c.Repeats.N > 0 {
			fmt.Fprintf(stderr, "alike: repeated ids: %d, the first is %q (--unique-ids makes that an error)\n", c.Repeats.N, c.Repeats.First)
		}
	}
	fmt.Fprintf(stderr, "alike: %s at %.6g: %s of %s\n", m, r.threshold, plural(st.Pairs, "pair"), text)
	if r.byDiffer {
		fmt.Fprintf(stderr, "alike: %.6g %% of the words may differ; left out: %s that reached the score, but differed by more\n", 100*float64(r.differ), plural(r.more, "pair"))
	}
	if r.limits.Any() {
		fmt.Fprintf(stderr, "alike: left out: %s outside of the limits (%v)\n", plural(r.outside, "pair"), r.limits)
	}
	if j := r.judgedPairs; j != nil {
		fmt.Fprintf(stderr, "alike: judged (%v): added %s, left out %s\n", j.Judged, plural(j.added, "pair"), plural(j.apart, "pair"))
	}
	fmt.Fprintf(stderr, "alike: join by %s: %s, %d verified, recall %.4g at the threshold\n", st.Design, plural(st.Candidates, "candidate"), st.Verified, st.Recall)
	fmt.Fprintf(stderr, "alike: read and sketched in %v (%s MB/s), joined in %v\n", round(read), short(float64(all)/1e6/read.Seconds()), round(join))
}

// writeTruth prints what was found of each kind of labelled pairs.
func (r *pairsRun) writeTruth(stdout, stderr io.Writer, truth *score.Labels, docs, other *ingest.Corpus) error {
	scoreOf := docs.Sketches.Score
	if other != nil {
		n := docs.Sketches.Len()
		docs.Sketches.Append(other.Sketches)
		scoreOf = func(a, b int) float64 { return docs.Sketches.Score(a, n+b) }
	}
	kinds, absent := truth.Kinds(scoreOf, r.threshold)
	if err := docs.Sketches.Err(); err != nil {
		return err
	}
	if absent > 0 {
		fmt.Fprintf(stderr, "alike: %s with a document that was not read\n", plural(absent, "labelled pair"))
	}
	fmt.Fprintf(stderr, "alike: %d of the pairs found have no label\n", truth.Unlabelled)
	columns := []column{"<kind", "<label", "pairs", "reach threshold", "found", "missed", "recall"}
	return tables.Write(stdout, r.format, kinds, columns, func(k score.Kind) []string {
		label := "alike"
		if !k.Alike {
			label = "not alike"
		}
		return []string{k.Kind, label, fmt.Sprint(k.Pairs), fmt.Sprint(k.Reach), fmt.Sprint(k.Found), fmt.Sprint(k.Missed), fixed(k.Recall, 4)}
	})
}
