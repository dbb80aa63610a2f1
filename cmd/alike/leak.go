package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/proportion"
	"github.com/alike-go/alike/internal/tables"
	"github.com/alike-go/alike/internal/terminal"
)

// leakRun is one run of leak, as flags say.
type leakRun struct {
	features, mask      string
	passage             string
	manifest, summary   string
	summaryTo           *tables.Writer // begun before anything is read
	sets                bool           // rows name their set
	format              tables.Output
	differ              cli.Differ
	differs             differColumns
	o                   local.LeakOptions
	source              source
	trainText, testText []string
}

func newLeak() *cobra.Command {
	var run leakRun
	cmd := &cobra.Command{
		Use:   "leak TRAIN... [TEST]",
		Short: "find test documents that occur in training data",
		Long: `Find test documents that occur in training data, for a check before training
or publishing. The exit status is 1 if there are any, and 2 if nothing could be
compared: there are no training or test documents, or none with words.

Two rules say what has leaked:

  document  a training document, however long, has at least the share
            --threshold of the test document's runs of three words, wherever
            they stand in it
  passage   a passage of --passage words, or that share of the test document,
            stands in a training document word for word

The first rule always applies, the second one if --passage is given. Case,
punctuation between words, white space and line breaks do not count. In text
without spaces, pairs of characters count as words.

Of each test document the output names the training document that has most of
it, with its evidence:

  rule         document, passage or both (with --passage)
  contained    the share of the test document's runs that the other has
  resemblance  the share of the runs of either document that both have
  words        the words of the longest passage that both have word for word
  test_bytes   where that stands in the test document (start-end)
  train_bytes  and where in the training document
  at           file and line of the training document
  shared       the longest parts in common, as the training document has them

TEST may also be a file of alike sketch --for leak, which has hashes instead of
texts. The verdicts are the same; only test_bytes is left out.

Training data streams through and is compared exactly; memory holds the test
data. With --mask, bytes count in the masked texts.

A test document of fewer runs than --least, such as a date or a name, can stand
anywhere by chance. By the first rule it has leaked only if the resemblance of
the two also reaches --threshold. By the second rule, a share of its words is a
leak only if it has at least --least runs; N words count as they are.

--tests names a list of test sets instead of TEST, in JSON. All are looked for
in one pass, and each row names its set:

  {"tests": [
    {"name": "quiz", "revision": "v2", "path": "quiz.csv",
     "sha256": "5f2a…", "sample": true,
     "fields": {"id": "no", "question": "q", "answer": ["a", "why"]}},
    {"name": "news", "path": "news.jsonl", "fields": {"text": "body"}}]}

A path is relative to the list. Only name and path are required. Flags such as
--html and --delimiter hold for the sets too, unless the list says otherwise. A
file with another SHA-256 is an error. Question and answer are compared
separately, and the column field says which has leaked, perhaps in different
training documents: question, answer or both. An answer of fewer runs than
--least has leaked only beside its question. The summary has a row for each set;
of a "sample", low and high are a 95 % interval of the share of the whole set.

--clean OUT also writes the training data, as alike dedup writes a corpus:

  kept.*       the documents in which no test document occurs, unchanged
  removed.*    the others; alike restore OUT rebuilds the training data
  why.jsonl    for each of these the test document that it has most of

OUT is a new folder, which appears when all is done. The exit status is still 1
if something has leaked.

With --cut, these documents stay, without the passages that they share with the
test documents that have leaked in them. Passages of fewer runs than --least
stay too, unless something would still leak. A document is removed if no words
would be left, or if something would still leak without all these passages.
kept.* has the shortened texts, and removed.* the whole ones; why.jsonl names
the bytes of each cut. No character or word is divided. Up to three changed
words in a row within a passage go with it.

--differ and --show-differ add two columns: differ is the estimated share of the
test document's words that the training document does not have, and differ_se
its standard error. The words around a passage in the training document do not
count.`,
		Example: `  alike leak train/*.jsonl.zst test.jsonl
  alike leak crawl/ benchmark.csv --test-text question,answer --threshold 0.6 --format jsonl
  alike leak crawl/ --tests benchmarks.json --passage 13 --summary leaks.csv
  alike leak train.jsonl test.jsonl --clean out
  alike leak train.jsonl test.jsonl --clean out --cut`,
		RunE: func(cmd *cobra.Command, args []string) error { return run.do(cmd, args) },
	}
	flags := cmd.Flags()
	run.ruleFlags(cmd)
	run.differs.flag(cmd, "")
	flags.StringVar(&run.manifest, "tests", "", "`FILE` that lists test sets; then all arguments are training data")
	flags.StringVar(&run.summary, "summary", "", "write a row for each test set to `FILE`, whose ending says the format")
	flags.StringVar(&run.o.Clean, "clean", "", "make the folder `OUT` with the training documents in which no test document occurs, and the others apart")
	flags.BoolVar(&run.o.Cut, "cut", false, "with --clean: cut what has leaked out of the training documents, and keep the rest of them")
	outputFlags(cmd, &run.format, "tsv")
	run.source.docFlags(cmd)
	sideFlag(cmd, &run.trainText, "train-text", "of a training document")
	sideFlag(cmd, &run.testText, "test-text", "of a test document")
	flags.Lookup("skip-bad").Usage = "skip up to `N` malformed rows of either side, and report them"
	return cmd
}

// ruleFlags adds the flags that say what has leaked.
func (r *leakRun) ruleFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Float64VarP(&r.o.Threshold, "threshold", "t", 0.8, "minimum `SHARE` of a test document that a training document has")
	flags.StringVar(&r.passage, "passage", "", "a test document has leaked too if a passage of `N|SHARE%` of its words stands in one training document, such as 13 or 50%")
	cli.DifferFlag(flags, &r.differ, ": changes that stand apart (see docs/differ.md)")
	flags.IntVar(&r.o.Least, "least", 8, "runs from which a test document has leaked within a longer one")
	flags.StringVar(&r.features, "features", cli.DefaultFeatures, "feature `KEYS`, such as tokens=rune,width=5")
	cli.MaskFlag(flags, &r.mask)
	flags.IntVar(&r.o.Workers, "workers", 0, "goroutines; the output does not depend on it (default one for each CPU)")
}

// rules sets what the flags of rules say.
func (r *leakRun) rules(cmd *cobra.Command) error {
	switch {
	case r.o.Least < 0:
		return fmt.Errorf("--least is %d, want 0 or more", r.o.Least)
	case r.o.Workers < 0:
		return fmt.Errorf("--workers is %d, want 0 or more", r.o.Workers)
	}
	byDiffer := cmd.Flags().Changed("differ")
	if byDiffer && cmd.Flags().Changed("threshold") {
		return errors.New("want either --threshold or --differ")
	}
	if byDiffer && !cmd.Flags().Changed("features") {
		r.features = catalog.DifferFeatures
	}
	m, err := catalog.ParseAll([]string{"shingle:measure=overlap"}, r.features)
	if err != nil {
		return err
	}
	if byDiffer {
		if r.o.Threshold, err = differScore(m[0], r.differ); err != nil {
			return err
		}
	}
	if err := r.differs.use(m[0], byDiffer); err != nil {
		return err
	}
	r.o.Features = m[0].Features()
	if r.o.Passage, err = parsePassage(r.passage); err != nil {
		return err
	}
	if r.o.Mask, err = clean.ParseMask(r.mask); err != nil {
		return fmt.Errorf("--mask: %w", err)
	}
	return nil
}

func (r *leakRun) do(cmd *cobra.Command, args []string) (err error) {
	train, tests := args, []string(nil)
	switch n := len(args); {
	case r.manifest == "" && n < 2:
		return errors.New("leak: want training data and, as the last, test data")
	case r.manifest == "":
		train, tests = args[:n-1], args[n-1:]
	case n == 0:
		return errors.New("leak: want training data")
	case r.testText != nil:
		return errors.New("leak: --test-text does not go with --tests: the list names the fields")
	}
	switch {
	case r.o.Cut && r.o.Clean == "":
		return errors.New("leak: --cut goes with --clean OUT")
	case r.o.Cut && r.mask != "":
		return errors.New("leak: --cut goes without --mask, because places in a masked text are not places in the text as read")
	}
	stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
	if len(tests) > 0 && local.IsTestSketches(tests[0]) {
		if err := r.useSketches(cmd, tests[0]); err != nil {
			return err
		}
		tests = nil
	}
	if err := r.rules(cmd); err != nil {
		return fmt.Errorf("leak: %w", err)
	}
	r.o.SkipBad = r.source.SkipBad
	r.o.OnBad = r.source.passedOver
	s := spooler{source: r.source.side(r.testText), others: r.source.side(r.trainText), stdin: cmd.InOrStdin()}
	defer func() { err = errors.Join(err, s.close()) }()
	var test []datasets.Source
	if test, r.o.Train, err = s.sources(tests, train); err != nil {
		return fmt.Errorf("leak: %w", err)
	}
	r.o.Tests = []local.TestSet{{Sources: test}}
	if r.manifest != "" {
		r.sets = true
		if r.o.Tests, err = local.ReadTests(r.manifest, r.source.Source); err != nil {
			return err
		}
		if err := checkWrites(cmd, nil, sourcesOfTests(r.o.Tests)...); err != nil {
			return err
		}
	}
	show, done := terminal.Progress(stderr)
	r.o.Progress = func(stage string, share float64) { show(share, stage) }
	var w *tables.Writer
	rows := func(to io.Writer) (*tables.Writer, error) { return r.format.To(to, r.columns()...) }
	if _, err := rows(io.Discard); err != nil { // before the data is read
		return fmt.Errorf("leak: %w", err)
	}
	if r.summary != "" {
		if r.o.Clean != "" && filepath.Clean(r.summary) == filepath.Clean(r.o.Clean) {
			return fmt.Errorf("leak: --summary and --clean are both %s, want two names", r.summary)
		}
		if r.summaryTo, err = r.format.Aside().Create(r.summary, summaryColumns...); err != nil {
			return fmt.Errorf("leak: --summary: %w", err)
		}
		defer r.summaryTo.Abort()
	}
	rep, err := local.FindLeaks(cmd.Context(), r.o, func(l local.Leak) (err error) {
		if w == nil {
			if w, err = rows(stdout); err != nil {
				return err
			}
		}
		return r.write(w, &l)
	})
	done()
	if err == nil && w == nil { // nothing has leaked
		w, err = rows(stdout)
	}
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := r.report(stderr, rep); err != nil {
		return err
	}
	if rep.Leaks > 0 {
		return errBad
	}
	return nil
}

// sourcesOfTests returns the sources of all test sets.
func sourcesOfTests(sets []local.TestSet) (all []datasets.Source) {
	for _, s := range sets {
		all = append(all, s.Sources...)
	}
	return all
}

// useSketches takes the settings of a file of test sketches.
func (r *leakRun) useSketches(cmd *cobra.Command, path string) error {
	for _, name := range []string{"features", "mask", "test-text", "differ", "show-differ"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("leak: --%s does not go with %s, which has hashes, its own features and its own mask", name, path)
		}
	}
	h, err := local.ReadTestSketches(path)
	if err != nil {
		return err
	}
	r.features, r.mask, r.o.Sketches = h.Features, h.Mask, path
	r.sets = h.Sets[0].Name != ""
	return nil
}

// columns returns the columns of a row.
func (r *leakRun) columns() []column {
	out := []column{"<test", "<train"}
	if r.sets {
		out = []column{"<set", "<test", "<train", "<field"}
	}
	if r.passage != "" {
		out = append(out, "<rule")
	}
	out = append(append(out, "contained", "resemblance"), r.differs.columns()...)
	return append(out, "words", "<test_bytes", "<train_bytes", "<at", "<shared")
}

// write writes a row.
func (r *leakRun) write(w *tables.Writer, l *local.Leak) error {
	row := []string{l.ID, l.Train.ID}
	if r.sets {
		row = []string{l.Set, l.ID, l.Train.ID, l.Field}
	}
	if r.passage != "" {
		row = append(row, l.Rule)
	}
	row = append(row, fixed(l.Contained, 4), fixed(l.Resemblance, 4))
	value := any(l)
	if r.differs.model != nil {
		share, se := r.differs.model.ShareByOne(l.Contained, r.differs.count(l.Text))
		for _, f := range r.differs.fields(share, se) {
			row = append(row, f.Value)
		}
		value = &struct {
			local.Leak
			Differ   float64 `json:"differ"`
			DifferSE float64 `json:"differ_se"`
		}{*l, share, se}
	}
	bytes := func(span [2]int) string {
		if span == [2]int{} {
			return ""
		}
		return fmt.Sprintf("%d-%d", span[0], span[1])
	}
	return w.Add(value, append(row, strconv.Itoa(l.Longest.Words), bytes(l.Longest.Test), bytes(l.Longest.Train), l.Train.At, oneLine(strings.Join(l.Shared, " … "))))
}

// report says on standard error what was found.
func (r *leakRun) report(stderr io.Writer, rep *local.LeakReport) error {
	fmt.Fprintf(stderr, "alike: %d of %d test documents occur in %s\n", rep.Leaks, rep.Test, plural(rep.Train, "training document"))
	if r.o.Clean != "" {
		cut := ""
		if r.o.Cut {
			cut = fmt.Sprintf(", %d of them without what was cut out", rep.Cut)
		}
		fmt.Fprintf(stderr, "alike: %s: %s without leaks kept%s, %d removed\n", r.o.Clean, plural(rep.Train-rep.Leaking+rep.Cut, "training document"), cut, rep.Leaking-rep.Cut)
	}
	if err := r.summarise(stderr, rep); err != nil {
		return err
	}
	if rep.Unreadable > 0 {
		fmt.Fprintf(stderr, "alike: malformed rows that were skipped: %d\n", rep.Unreadable)
	}
	if rep.WithoutFeatures > 0 {
		fmt.Fprintf(stderr, "alike: nothing can be said of %s without words\n", plural(rep.WithoutFeatures, "test document"))
	}
	if rep.Short > 0 {
		fmt.Fprintf(stderr, "alike: %s of fewer runs than --least %d: by the document rule, the resemblance must reach --threshold too\n", plural(rep.Short, "test document"), r.o.Least)
	}
	return nil
}

var summaryColumns = []column{"<set", "<revision", "items", "leaked", "share", "low", "high", "question", "answer", "both"}

// summarise writes a row for each test set. Of a sample it states the 95 % interval of
// the share that has leaked of the whole set.
func (r *leakRun) summarise(stderr io.Writer, rep *local.LeakReport) (err error) {
	var outs []*tables.Writer
	if r.sets {
		w, err := tables.Output{Format: "table"}.To(stderr, summaryColumns...)
		if err != nil {
			return err
		}
		outs = append(outs, w)
	}
	if r.summaryTo != nil {
		outs = append(outs, r.summaryTo)
	}
	for _, w := range outs {
		for _, s := range rep.Sets {
			share := func(name string, v float64) datasets.Field {
				f := number(name, v)
				f.Value = fixed(v, 4)
				return f
			}
			none := func(name string) datasets.Field { return datasets.Field{Name: name, JSON: "null"} }
			fields := []datasets.Field{
				{Name: "set", Value: s.Name}, {Name: "revision", Value: s.Revision}, whole("items", s.Test), whole("leaked", s.Leaks),
				share("share", float64(s.Leaks)/float64(s.Test)), none("low"), none("high"), none("question"), none("answer"), none("both"),
			}
			if s.Sample {
				low, high := proportion.ClopperPearson(s.Leaks, s.Test, 0.95)
				copy(fields[5:], []datasets.Field{share("low", low), share("high", high)})
			}
			if s.Fields {
				copy(fields[7:], []datasets.Field{whole("question", s.Question), whole("answer", s.Answer), whole("both", s.Leaks-s.Question-s.Answer)})
			}
			if err := w.Write(fields); err != nil {
				return err
			}
		}
		if err := w.Close(); err != nil {
			return err
		}
	}
	return nil
}

// parsePassage reads the flag --passage: words, or a percentage.
func parsePassage(s string) (p local.Passage, err error) {
	if s == "" {
		return p, nil
	}
	if strings.HasSuffix(s, "%") {
		p.Share, err = cli.ParseShare(s)
	} else {
		p.Words, err = strconv.Atoi(s)
	}
	if err != nil || p.Words <= 0 && p.Share <= 0 {
		return p, fmt.Errorf("--passage is %q, want a number of words such as 13, or a share such as 50%%", s)
	}
	return p, nil
}
