package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/eval/report"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/index/ingest"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/settings"
	"github.com/alike-go/alike/internal/tables"
	"github.com/alike-go/alike/internal/terminal"
	"github.com/alike-go/alike/passages"
)

// passagesRun is one run of passages, as flags say.
type passagesRun struct {
	o                    passages.Options
	fold, fuzzy, memory  string
	against, againstText []string
	format               tables.Output
	out, occurrences     string
	pairs, page          string
	texts, unique        bool
	source               source

	ids     ingest.IDs
	repeats [2]datasets.Repeats // of new and of old documents
}

func newPassages() *cobra.Command {
	var run passagesRun
	cmd := &cobra.Command{
		Use:   "passages INPUT...",
		Short: "find text that stands in more than one document",
		Long: `Find text that stands in more than one document, although the documents as a
whole may not be alike: repeated paragraphs, quotations, licences, copied
sections.

A passage has at least --min-length characters, or --words whole words, and
stands in at least --docs documents. It is as long as possible: one character
more on either side would lose an occurrence. Case, white space and line
breaks do not count; --fold changes that. No passage is missed.

The output has one row per passage, in the order of the first occurrences, or
with --top of the number of documents:

  passage      a hash of the text
  length       in characters, or with --words in words
  documents    the number of documents
  occurrences  the number of occurrences
  id           the document of the first occurrence
  start, end   its bytes: the first, and the one behind the last
  line         its first line
  text         the start of the text, or with --texts all of it

--occurrences FILE gets one row per occurrence: the passage, the id of the
document, the span in bytes and in units of UTF-16, and the lines. Spans are of
the text of the document as it was read.

--pairs FILE gets one row per two documents that share passages: how many, the
share of either text that lies in them, without white space, and where. A
passage in N documents is in about N²/2 pairs: --max-docs leaves out what stands
in too many.

--matches writes pairs of places instead, as alike score --spans reads them: id1,
start1, end1, id2, start2, end2, and the length and the edits. A match that lies
in another one on both sides is left out. The two places are in different
documents, also with --docs 1. --docs and --top choose passages first.

--fuzzy RATE writes matches with edits: two texts of at least --min-length, of
which RATE of the characters are inserted, deleted or replaced at most. Each
match grows from an exact part, of 24 Latin letters or 8 Chinese characters
(fewer with --min-length below 24). It does not go on over more than 50 edits at
once. A ruler of dashes counts as about 25 characters here, so a match with one
may be too short. Passages that changed their order are several rows. As with
--pairs, the cost grows with the pairs of places: see --max-docs and --max-rows.
alike score tells how well matches agree with true ones.

--report PAGE.html gets a page to look at: the 500 passages in the most
documents, the places of each side by side, and documents with their passages
marked. The page is one file of some megabytes, and says what it leaves out.

A passage that always lies in longer ones is listed only if it stands in more
documents than they do. Passages do not cut words if they are long enough
without the rest. A word is letters, digits and marks: don't is two. A text
that repeats without a break, such as a ruler of dashes, counts as one short
run (see docs/passages.md).

With --against, a passage must stand in a document of INPUT and in one of OLD.

--memory is a budget. Temporary files take about three times the size of the
text, more with a short --min-length. They are in the folder that TMPDIR names.

A run that was killed goes on with --resume DIR, to the same bytes, if it had
that flag too. What it had read is not read again. DIR is removed at the end.
Other inputs, or another --min-length, --words, --fuzzy or --fold, are an error.`,
		Example: `  alike passages crawl/*.jsonl.zst
  alike passages corpus.jsonl --docs 100 --top 50 --texts
  alike passages essays/ --words 12 -o passages.csv --occurrences places.csv
  alike passages corpus.jsonl --report passages.html -o passages.tsv
  alike passages essays/ --fuzzy 10% --max-docs 20 -o matches.tsv
  alike passages new.jsonl --against old.jsonl --min-length 200 -f jsonl`,
		Args: atLeast(1, "passages: want one input or more"),
		RunE: func(cmd *cobra.Command, inputs []string) error { return run.do(cmd, inputs) },
	}
	flags := cmd.Flags()
	run.finderFlags(cmd)
	flags.IntVar(&run.o.Docs, "docs", passages.DefaultDocs, "only passages that stand in `N` documents or more; with 1, also repeats within a document")
	flags.IntVar(&run.o.MaxDocs, "max-docs", 0, "only passages that stand in `N` documents or fewer; others still hide shorter ones")
	flags.StringArrayVar(&run.against, "against", nil, "only passages that stand in a document of `OLD` too (repeatable)")
	flags.IntVar(&run.o.Top, "top", 0, "only the `K` passages in the most documents, these first")
	outputFlags(cmd, &run.format, "tsv")
	flags.StringVarP(&run.out, "out", "o", "", "write passages to `FILE`, whose ending says the format (.tsv, .jsonl, .csv, .parquet, and .gz or .zst; .md, .tex, .txt)")
	flags.StringVar(&run.occurrences, "occurrences", "", "write each occurrence to `FILE`, or with - to standard output instead of the passages")
	flags.StringVar(&run.pairs, "pairs", "", "write what each two documents share to `FILE`, or with - to standard output instead of the passages")
	flags.StringVar(&run.page, "report", "", "write a page to look at, with texts of the documents, to `PAGE.html`")
	flags.BoolVar(&run.o.Matches, "matches", false, "write the pairs of places that match, instead of the passages")
	flags.BoolVar(&run.texts, "texts", false, "write the whole text of a passage")
	sideFlag(cmd, &run.againstText, "against-text", "of a document of OLD")
	return cmd
}

// finderFlags adds the flags that say how passages are found, and how documents are read.
func (r *passagesRun) finderFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVarP(&r.o.MinLength, "min-length", "l", 0, fmt.Sprintf("minimum length of a passage, in `CHARACTERS` (default %d)", passages.DefaultLength))
	flags.IntVar(&r.o.MinWords, "words", 0, "minimum length in whole `WORDS` instead; in a script without spaces each character is one")
	flags.StringVar(&r.fuzzy, "fuzzy", "", "go on over edits of up to `RATE` of the characters, such as 10%; at most 30%")
	flags.StringVar(&r.fold, "fold", "", "folding `KEYS`, such as punct=drop,case=keep (see alike methods winnow)")
	flags.Int64Var(&r.o.MaxRows, "max-rows", passages.DefaultMaxRows, "stop with an error if there are more than `N` passages and occurrences, or ten times as many with hidden ones")
	flags.StringVar(&r.memory, "memory", "2GiB", "memory budget, as `SIZE`; 64MiB is the minimum")
	flags.IntVar(&r.o.Workers, "workers", 0, "goroutines; the output does not depend on it (default one for each CPU, at most one for each 32 MiB of --memory)")
	r.source.docFlags(cmd)
	flags.Lookup("max-document").Usage = "maximum `SIZE` of a document: a larger one is a malformed row (default a sixteenth of --memory, at most 256MiB)"
	uniqueFlag(flags, &r.unique)
	flags.StringVar(&r.o.Work, "resume", "", "keep what is read in `DIR` until the end; after a kill, the same command goes on there")
}

// check refuses what makes no sense, before anything is read.
func (r *passagesRun) check(cmd *cobra.Command) (err error) {
	given := cmd.Flags().Changed
	for _, name := range []string{"min-length", "words", "docs", "max-docs", "top", "max-rows"} {
		if !given(name) {
			continue
		}
		if v, _ := strconv.ParseInt(cmd.Flags().Lookup(name).Value.String(), 10, 64); v < 1 {
			return fmt.Errorf("--%s is %d, want 1 or more", name, v)
		}
	}
	switch {
	case given("max-docs") && r.o.MaxDocs < r.o.Docs:
		return fmt.Errorf("--max-docs is %d, want at least --docs, %d", r.o.MaxDocs, r.o.Docs)
	case r.o.Workers < 0:
		return fmt.Errorf("--workers is %d, want 0 or more", r.o.Workers)
	case given("min-length") && given("words"):
		return errors.New("want either --min-length or --words")
	case r.fuzzy != "" && given("words"):
		return errors.New("--fuzzy counts characters, want it without --words")
	case r.fuzzy != "" && slices.ContainsFunc([]string{"docs", "top", "pairs", "occurrences", "texts"}, given):
		return errors.New("--fuzzy finds matches, want it without --docs, --top, --pairs, --occurrences and --texts")
	case r.o.Matches && (r.texts || r.pairs == "-" || r.occurrences == "-"):
		return errors.New("--matches writes pairs of places, want it without --texts, --pairs - and --occurrences -")
	case r.out != "" && given("format"):
		return errors.New("want either --format, for standard output, or --out, whose ending says the format")
	case r.fuzzy != "" && r.page != "":
		return errors.New("--report shows passages without edits, want it without --fuzzy")
	case r.page == "-":
		return errors.New("--report is -, want a file")
	case (r.out != "" || r.pairs == "-") && r.occurrences == "-" || r.out != "" && r.pairs == "-":
		return errors.New("--occurrences - and --pairs - write to standard output instead of the passages, want one of them and no --out")
	}
	if r.page != "" { // it is written last
		if _, err := os.Stat(filepath.Dir(r.page)); err != nil {
			return fmt.Errorf("--report: %w", err)
		}
	}
	pairs, err := settings.Parse(r.fold)
	if err == nil {
		err = feature.FoldKeys.Apply(&r.o.Fold, pairs)
	}
	if err != nil {
		return fmt.Errorf("--fold: %w", err)
	}
	r.o.Pairs = r.pairs != ""
	if r.o.Fuzzy, err = rate(r.fuzzy); err != nil {
		return fmt.Errorf("--fuzzy: %w", err)
	}
	r.o.Matches = r.o.Matches || r.o.Fuzzy > 0
	if r.o.Memory, err = cli.ParseSize(r.memory); err != nil {
		return fmt.Errorf("--memory: %w", err)
	}
	if r.source.MaxDocument == 0 {
		r.source.MaxDocument = local.MaxDocument(r.o.Memory)
	}
	return nil
}

// limitMemory is limitMemory for half of the budget, since the mapped texts count as
// memory of the process too. Of a small budget the heap needs all.
func (r *passagesRun) limitMemory() (restore func()) {
	const small = 256 << 20
	return limitMemory(max(r.o.Memory/9*5, min(r.o.Memory, small)))
}

func (r *passagesRun) do(cmd *cobra.Command, inputs []string) (err error) {
	ctx, stdout, stderr := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	if err := r.check(cmd); err != nil {
		return fmt.Errorf("passages: %w", err)
	}
	inputs, old, err := r.expand(inputs)
	if err != nil {
		return fmt.Errorf("passages: %w", err)
	}
	w, err := r.writers(stdout)
	if err != nil {
		return fmt.Errorf("passages: %w", err)
	}
	defer w.abort()
	show, done := terminal.Progress(stderr)
	defer done()
	defer r.limitMemory()()
	start := time.Now()
	f, err := r.finder(ctx, cmd.InOrStdin(), inputs, old, show)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	read := time.Since(start)
	var st passages.Stats
	if r.o.Fuzzy == 0 {
		if st, err = f.Each(ctx, func(p passages.Passage) error { return w.write(&p) }); err != nil {
			return err
		}
	}
	if w.matches != nil {
		if st, err = f.EachMatch(ctx, w.writeMatch); err != nil {
			return err
		}
	}
	if r.pairs != "" {
		if err := f.EachPair(ctx, w.writePair); err != nil {
			return err
		}
	}
	if r.page != "" {
		o := passages.PageView
		o.ID = r.ids.At
		v, err := f.View(ctx, o)
		if err != nil {
			return err
		}
		if err := writePage(stdout, r.page, report.Input{Passages: v}, report.Options{}); err != nil {
			return err
		}
	}
	if err := w.close(); err != nil {
		return err
	}
	f.Forget()
	done()
	r.report(stderr, &st, read, time.Since(start))
	return nil
}

// rate reads a share of characters, such as 10% or 0.1. Nothing is 0.
func rate(s string) (float64, error) {
	if s == "" {
		return 0, nil
	}
	v, err := cli.ParseShare(s)
	if err != nil || !(v > 0 && v <= passages.MaxFuzzy) {
		return 0, fmt.Errorf("%q, want more than 0%% and at most %v%%", s, 100*passages.MaxFuzzy)
	}
	return v, nil
}

// expand returns the paths of inputs and of --against.
func (r *passagesRun) expand(inputs []string) (expanded, old []string, err error) {
	all, err := datasets.Expand(slices.Concat(inputs, r.against)) // together, since - may be named once
	if err != nil {
		return nil, nil, err
	}
	expanded, err = datasets.Expand(inputs)
	return expanded, all[len(expanded):], err
}

// finder returns a finder that holds the documents of inputs and, if --against is
// given, the documents of old.
func (r *passagesRun) finder(ctx context.Context, stdin io.Reader, inputs, old []string, show func(share float64, what string)) (*passages.Finder, error) {
	r.o.Progress = func(stage string, share float64) { show(share, stage) }
	if r.o.Work != "" {
		var err error
		if r.o.Inputs, err = r.inputsOf(inputs, old); err != nil {
			return nil, fmt.Errorf("passages: %w", err)
		}
	}
	f, err := passages.New(r.o)
	if err != nil {
		return nil, err
	}
	last, err := r.resumed(f)
	if err == nil && last.Side == 0 && !last.Whole {
		err = r.read(ctx, f, r.source.inputs(inputs, stdin, r.o.Workers, show), last.State, 0)
	}
	if err == nil && len(r.against) > 0 && !(last.Side == 1 && last.Whole) {
		if last.Side == 0 {
			f.BeginOld()
			last.State = ingest.State{}
		}
		err = r.read(ctx, f, r.source.side(r.againstText).inputs(old, stdin, r.o.Workers, show), last.State, 1)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// read adds the documents of inputs that a run did not come to before.
func (r *passagesRun) read(ctx context.Context, f *passages.Finder, in *ingest.Inputs, from ingest.State, side int) error {
	in.Workers, in.Memory, in.From = f.Workers(), r.o.Memory/16, from // a row takes about four times its bytes
	count, end := r.keeping(f, in, side)
	err := ingest.Each(ctx, in, func(d *datasets.Doc) (*passages.Prepared, error) { return f.Prepare(d.Text) },
		func(d datasets.Doc, p *passages.Prepared) error {
			if err := r.addID(d.ID, side); err != nil {
				return err
			}
			count(&d)
			return f.Add(p)
		})
	if err != nil {
		return err
	}
	return end()
}

// addID notes the id of the next document of a side.
func (r *passagesRun) addID(id string, side int) error {
	if r.repeats[side].Add(id) && r.unique {
		return fmt.Errorf("passages: two documents have the id %q", id)
	}
	r.ids.Add(id)
	return nil
}

// passageWriters write passages, occurrences and pairs. Each may be nil.
type passageWriters struct {
	run                              *passagesRun
	passages, matches, places, pairs *tables.Writer
}

func (r *passagesRun) writers(stdout io.Writer) (w passageWriters, err error) {
	w.run = r
	defer func() {
		if err != nil {
			w.abort()
		}
	}()
	aside := func(to **tables.Writer, path string, columns ...column) (main bool) {
		switch {
		case err != nil || path == "":
			return false
		case path == "-":
			*to, err = r.format.To(stdout, columns...)
			return true
		}
		*to, err = r.format.Aside().Create(path, columns...)
		return false
	}
	main := aside(&w.places, r.occurrences, "<passage", "<id", "start", "end", "start_utf16", "end_utf16", "line", "last_line")
	main = aside(&w.pairs, r.pairs, "<id1", "<id2", "passages", "share1", "share2", "<spans1", "<spans2") || main
	if err != nil || main {
		return w, err
	}
	to, columns := &w.passages, []column{"<passage", "length", "documents", "occurrences", "<id", "start", "end", "line", "<text"}
	format := r.format.Fold("passage", "start", "+end", "occurrences") // in favour of the text
	if r.o.Matches {
		to, columns, format = &w.matches, []column{"<id1", "start1", "end1", "<id2", "start2", "end2", "length", "edits"}, r.format
	}
	if r.out != "" {
		*to, err = format.Create(r.out, columns...)
	} else {
		*to, err = format.To(stdout, columns...)
	}
	return w, err
}

// all returns the writers that there are.
func (w *passageWriters) all() []*tables.Writer {
	return slices.DeleteFunc([]*tables.Writer{w.passages, w.matches, w.places, w.pairs}, func(t *tables.Writer) bool { return t == nil })
}

func (w *passageWriters) close() error {
	for _, t := range w.all() {
		if err := t.Close(); err != nil {
			return err
		}
	}
	return nil
}

func (w *passageWriters) abort() {
	for _, t := range w.all() {
		t.Abort()
	}
}

func (w *passageWriters) writePair(p passages.Pair) error {
	return w.pairs.Write([]datasets.Field{
		{Name: "id1", Value: w.run.ids.At(p.A)}, {Name: "id2", Value: w.run.ids.At(p.B)}, whole("passages", p.Passages),
		number("share1", p.ShareA), number("share2", p.ShareB), spanList("spans1", p.InA), spanList("spans2", p.InB),
	})
}

func (w *passageWriters) writeMatch(m passages.Match) error {
	return w.matches.Write([]datasets.Field{
		{Name: "id1", Value: w.run.ids.At(m.A)}, whole("start1", m.InA.Start), whole("end1", m.InA.End),
		{Name: "id2", Value: w.run.ids.At(m.B)}, whole("start2", m.InB.Start), whole("end2", m.InB.End),
		whole("length", m.Length), whole("edits", m.Edits),
	})
}

// spanList is a column of spans: 0-163 200-280, or in JSON pairs of numbers.
func spanList(name string, all []feature.Span) datasets.Field {
	var cell, object []string
	for _, s := range all {
		cell = append(cell, fmt.Sprintf("%d-%d", s.Start, s.End))
		object = append(object, fmt.Sprintf("[%d,%d]", s.Start, s.End))
	}
	return datasets.Field{Name: name, Value: strings.Join(cell, " "), JSON: "[" + strings.Join(object, ",") + "]"}
}

// whole is a column of a whole number.
func whole(name string, n int) datasets.Field {
	s := strconv.Itoa(n)
	return datasets.Field{Name: name, Value: s, JSON: s}
}

func (w *passageWriters) write(p *passages.Passage) error {
	if w.passages != nil {
		first := p.Occurrences[0]
		var text string
		if !w.run.texts {
			text = shortened(p.Text)
		} else {
			text = oneLine(p.Text)
			format := w.run.format.Format
			if w.run.out != "" {
				format = datasets.FileFormat(w.run.out)
			}
			switch format {
			case "jsonl", "csv", "parquet":
				text = p.Text
			}
		}
		err := w.passages.Write([]datasets.Field{
			{Name: "passage", Value: p.ID}, whole("length", p.Length), whole("documents", p.Docs), whole("occurrences", len(p.Occurrences)),
			{Name: "id", Value: w.run.ids.At(first.Doc)}, whole("start", first.Bytes.Start), whole("end", first.Bytes.End), whole("line", first.FirstLine),
			{Name: "text", Value: text},
		})
		if err != nil {
			return err
		}
	}
	if w.places == nil {
		return nil
	}
	for _, o := range p.Occurrences {
		err := w.places.Write([]datasets.Field{
			{Name: "passage", Value: p.ID}, {Name: "id", Value: w.run.ids.At(o.Doc)},
			whole("start", o.Bytes.Start), whole("end", o.Bytes.End), whole("start_utf16", o.UTF16.Start), whole("end_utf16", o.UTF16.End),
			whole("line", o.FirstLine), whole("last_line", o.LastLine),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// shortened returns the start of a text in one line.
func shortened(text string) string {
	const most = 80 // characters
	line, n := make([]byte, 0, 4*most), 0
	for word := range strings.FieldsSeq(text) {
		if n > 0 {
			word = " " + word
		}
		for _, r := range word {
			if n == most {
				return string(line) + "…"
			}
			line = utf8.AppendRune(line, r)
			n++
		}
	}
	return string(line)
}

// report says on standard error what was done.
func (r *passagesRun) report(stderr io.Writer, st *passages.Stats, read, all time.Duration) {
	r.reportRepeats(stderr)
	found := fmt.Sprintf("%s of at least %s, %s", plural(st.Passages, "passage"), r.length(), plural(st.Occurrences, "occurrence"))
	if r.o.Matches {
		found = fmt.Sprintf("matches of at least %s: %d", r.length(), st.Matches)
	}
	fmt.Fprintf(stderr, "alike: %s, in %s (%s bytes of text, %d too short)\n", found, plural(st.Docs, "document"), bytesOf(st.Bytes), st.Short)
	if st.Runs > 0 {
		fmt.Fprintf(stderr, "alike: repeats without a break that were made shorter: %d\n", st.Runs)
	}
	reportTime(stderr, st, read, all)
}

func (r *passagesRun) reportRepeats(stderr io.Writer) {
	for _, side := range r.repeats {
		if side.N > 0 {
			fmt.Fprintf(stderr, "alike: repeated ids: %d, the first is %q (--unique-ids makes that an error)\n", side.N, side.First)
		}
	}
}

// length is the minimum length of a passage.
func (r *passagesRun) length() string {
	if r.o.MinWords > 0 {
		return fmt.Sprintf("%d words", r.o.MinWords)
	}
	return fmt.Sprintf("%d characters", cmp.Or(r.o.MinLength, passages.DefaultLength))
}

func reportTime(stderr io.Writer, st *passages.Stats, read, all time.Duration) {
	fmt.Fprintf(stderr, "alike: read in %v, %v in all (%s MB/s)\n", read.Round(time.Millisecond), all.Round(time.Millisecond), short(float64(st.Bytes)/1e6/all.Seconds()))
}
