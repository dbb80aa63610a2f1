package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/terminal"
)

// dedupRun is one run of dedup, as flags say.
type dedupRun struct {
	decision                    cli.Decision
	keep, memory, maxDrop, mask string
	judged                      string
	against, againstText        []string
	spool                       string
	lower                       string // the flag that would set o.Lower
	source                      source
	warranty                    warrantyRun
	level                       belowRun
	o                           local.Options
}

func newDedup() *cobra.Command {
	var run dedupRun
	cmd := &cobra.Command{
		Use:   "dedup INPUT... -o OUT",
		Short: "remove duplicates and near-duplicates from a corpus",
		Long: `Remove duplicates and near-duplicates from a corpus.

INPUT is a file (JSONL, CSV, TSV, Parquet, text; gzip or zstd), a folder, a
pattern, FORMAT:FILE, or - for standard input. Give one or more. Inputs are
never changed. OUT is a new folder, which appears when all is done:

  kept.*         the documents that stay, unchanged and in their order
  removed.*      the removed documents; alike restore rebuilds the input
  why.jsonl      for each removed document the one that stays, and their score
  clusters.tsv   which documents belong together
  report.json    counts, settings, times, and what chaining would have done

A document is removed only if it is itself alike to one that stays. By default
that means a copy: at most 10 % of the words differ (--differ). These are the
words to insert, delete or replace in the longer text to make one of the other.
In scripts without spaces each character is a word. A moved passage counts as
deleted and inserted. The texts decide: --method only finds what to compare.
Documents without any word are kept and counted. docs/dedup.md shows why 10 %.

--threshold goes by a score instead: the number of runs of three words that both
texts have, divided by the number that either has. In text without spaces, pairs
of characters count as words. With --verify sketch or a method, --differ
estimates the share of words from a score (see docs/differ.md).

--want says what alike means: copies is the default. versions wants a --threshold,
which alike choose --want versions finds for a collection. excerpts removes texts
if at least half of their runs of three words lie in one that stays, the longest.

The summary counts the kept documents that a lower minimum would remove, with
three examples. It only knows pairs that were candidates.

--cohesion below the threshold also removes documents that only a chain of
alike documents links to the one that stays, if they score at least that much
with it. At 0 any chain will do. The report counts the documents lost that way.

A pair of documents counts only within the limits: --across source never removes
a document for one of the same source, --within lang only for one of the same
language, --window date=72h only for one at most three days older or newer. A
document that lacks such a field is kept. --keep none also removes the document
that would stay of each cluster.

--judged takes answers of people, as --labels or alike choose keeps them.
Documents marked as the same go together, even if they score less. Documents
marked as different are never in one cluster. Contradictions are an error, which
names them.

With --against, new documents are also compared with old ones, which stay.
--update adds the survivors to OLD. Batch by batch that gives what one run over
all documents gives with --keep first. OLD may be the kept.sketches of an
earlier run with --sketches, if both runs have --verify sketch.

OLD may also be an index (see alike index), by its URL. A document is removed
if the index finds documents alike to it. why.jsonl names the one with the same
text, or else the first by id. The index sets method and threshold
unless they are given; the threshold may be higher. --update adds the survivors
under their ids. Each id must stand for one text.

With --at-most-wrong 0.5% nothing is written before it is shown that at most
that share of the removals is wrong. The run draws removals at random and asks
whether they are duplicates, at the terminal or in --labels. It says first how
many answers to expect. Every answer is kept. The bound holds although the run
stops when the answers suffice. If they do not, the exit status is 1, and
--resume goes on.

--level line, paragraph or passage removes lines, paragraphs or passages that
stand in more than one document. One copy stays: in the first document by
--keep, and there the first one. --keep none removes all copies. A passage is
any text of --min-length characters (see alike passages), a paragraph is what
stands between blank lines. Case and white space do not count (--fold). No word
is cut. Text is removed if it stands in two documents or more (--min-count).
why.jsonl lists every cut: the bytes that were removed, and where the same text
is kept. There is no clusters.tsv. removed.* has the documents as they were. A
document that was cut and has too little left is removed (--min-left), one that
would lose too much is left alone (--max-share). --max-drop is a share of the
text. docs/dedup.md has the rules.

A run that was killed goes on with --resume, to the same bytes.

--memory is a budget, not a limit of the process: plan for twice as much, plus
100 bytes per document. A document may have a sixteenth of the budget. A larger
one is an error, because the outputs must not depend on the budget. With
--max-document it is a malformed row, which --skip-bad removes.`,
		Example: `  alike dedup corpus.jsonl -o out
  alike dedup crawl/*.jsonl.zst -o out --method simhash --distance 3 --memory 1GiB
  alike dedup news.csv --text-field title,body -o out --keep newest:date --max-drop 30%
  alike dedup new.jsonl -o out --against corpus.jsonl --update
  alike dedup new.jsonl -o out --against disk:seen --verify sketch --update
  alike dedup corpus.jsonl -o out --at-most-wrong 0.5% --labels answers.tsv
  alike dedup crawl.jsonl -o out --level line --min-count 100
  alike dedup pages.parquet -o out --html --mask time,number --strip-boilerplate 100`,
		Args: atLeast(1, "dedup: want one input or more"),
		RunE: func(cmd *cobra.Command, inputs []string) error { return run.do(cmd, inputs) },
	}
	flags := cmd.Flags()
	folderFlags(cmd, &run.o)
	cli.KeepFlag(flags, &run.keep)
	cli.MaskFlag(flags, &run.mask)
	cli.LimitFlags(flags, &run.o.Limits)
	flags.StringVar(&run.judged, "judged", "", "`FILE` of judged pairs (id1, id2, label): 1 go together, 0 stay apart, whatever the score")
	flags.Float64Var(&run.o.Cohesion, "cohesion", 0, "minimum `SCORE` of a removed document and the one that stays (default the threshold; 0 for none)")
	flags.StringArrayVar(&run.against, "against", nil, "remove duplicates of `OLD` too, documents, the sketches of an earlier run or the URL of an index, which stays as it is (repeatable)")
	flags.BoolVar(&run.o.Update, "update", false, "add the documents kept to OLD, a file or an index")
	flags.IntVar(&run.o.Clean.Boilerplate, "strip-boilerplate", 0, "compare without passages that stand in `N` documents or more: menus, notices, licences")
	flags.StringVar(&run.memory, "memory", "2GiB", "memory budget, as `SIZE`: the peak is up to twice as much, and 64MiB is the minimum")
	flags.IntVar(&run.o.Workers, "workers", 0, "goroutines; the outputs do not depend on it (default one for each CPU)")
	flags.StringVar(&run.maxDrop, "max-drop", "50%", "stop before writing if more than `SHARE` of the documents would go, or with --level of the text (default 100% with --against)")
	flags.Int64Var(&run.o.MaxPairs, "max-pairs", 0, fmt.Sprintf("stop before comparing more than about `N` pairs of texts, estimated from a sample (default %d per text)", local.PairsEach))
	flags.BoolVar(&run.o.Sketches, "sketches", false, "write "+local.SketchFile+" too, which --against of a later run with --verify sketch takes")
	flags.BoolVar(&run.o.Explain, "explain", false, "add shared passages to why.jsonl")
	flags.BoolVar(&run.o.Counts, "counts", false, "add the column "+local.CountColumn+" to the kept documents: how many documents are in the cluster")
	flags.BoolVar(&run.o.Resume, "resume", false, "go on with a run to the same OUT that was killed, if there is one")
	flags.StringVar(&run.spool, "spool", "", "`FILE` to keep standard input in, which --resume reads then")
	run.warranty.flags(flags)
	run.level.flags(cmd)
	run.decision.Copies = true
	decisionFlags(cmd, &run.decision)
	flags.Lookup("threshold").Usage = "instead of --differ, the minimum `SCORE` of a duplicate (default 0.8 with --verify, --features, --candidates or --cohesion)"
	flags.Lookup("threshold").DefValue = "0"
	run.source.docFlags(cmd)
	uniqueFlag(flags, &run.o.UniqueIDs)
	sideFlag(cmd, &run.againstText, "against-text", "of an old document")
	flags.Lookup("max-document").Usage = "maximum `SIZE` of a document: a larger one is a malformed row (default and maximum a sixteenth of --memory, at most 256MiB)"
	return cmd
}

func (r *dedupRun) do(cmd *cobra.Command, inputs []string) (err error) {
	stderr := cmd.ErrOrStderr()
	if r.o.Out == "" && !r.o.DryRun {
		return errors.New("dedup: want -o, the folder to make, or --dry-run")
	}
	if r.o.Update && len(r.against) != 1 {
		return errors.New("dedup: --update wants one --against")
	}
	if r.o.Below, err = r.level.options(cmd); err != nil {
		return err
	}
	want, err := r.decision.Want()
	if err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	if want == dedup.Excerpts && !cmd.Flags().Changed("keep") {
		r.keep = "longest" // the text that has the other
	}
	if r.o.Keep, err = dedup.ParsePolicy(r.keep); err != nil {
		return err
	}
	if r.o.Judged, err = cli.ReadJudged(r.judged); err != nil {
		return err
	}
	if r.o.Memory, err = cli.ParseSize(r.memory); err != nil {
		return fmt.Errorf("dedup: --memory: %w", err)
	}
	if r.o.MaxDrop, err = cli.ParseShare(r.maxDrop); err != nil {
		return fmt.Errorf("dedup: --max-drop: %w", err)
	}
	if len(r.against) > 0 && !cmd.Flags().Changed("max-drop") {
		r.o.MaxDrop = 1 // that most of what comes is known already is nothing odd
	}
	if r.o.Clean.Mask, err = clean.ParseMask(r.mask); err != nil {
		return fmt.Errorf("dedup: --mask: %w", err)
	}
	if cmd.Flags().Changed("cohesion") {
		switch c := r.o.Cohesion; {
		case !(c >= 0):
			return fmt.Errorf("dedup: --cohesion is %v, want 0 to the threshold", c)
		case c == 0:
			r.o.Cohesion = -1 // no minimum; the zero value means the threshold
		}
	}
	if r.o.Warranty, err = r.warranty.warranty(cmd); err != nil {
		return err
	}
	url, files, err := oneIndex(r.against)
	if err != nil {
		return err
	}
	s := spooler{source: &r.source, others: r.source.side(r.againstText), stdin: cmd.InOrStdin(), file: r.spool, resume: r.o.Resume}
	defer func() { err = errors.Join(err, s.close()) }()
	if r.o.Sources, r.o.Against, err = s.sources(inputs, files); err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	r.o.SkipBad, r.o.MaxDocument = r.source.SkipBad, r.source.MaxDocument
	r.o.OnBad = func(err error) { fmt.Fprintf(stderr, "alike: removed: %v\n", err) }
	report, err := r.with(cmd, url)
	if _, much := errors.AsType[*local.DropError](err); much {
		more := "--dry-run shows more, "
		if r.o.DryRun {
			more = ""
		}
		return failedCheck{fmt.Errorf("%w (%s--max-drop 100%% allows it)", err, more)}
	}
	if much, ok := errors.AsType[*local.PairsError](err); ok {
		better := ""
		if r.decision.Verify == "sketch" {
			better = "let the texts decide with --verify text, "
		}
		return fmt.Errorf("%w (%sraise --candidates, or leave out what texts repeat with --strip-boilerplate or --mask; --max-pairs %d allows it)", err, better, much.Estimate)
	}
	if unproved, ok := errors.AsType[*local.WarrantyError](err); ok {
		return r.warranty.refuse(stderr, unproved)
	}
	if err != nil {
		return err
	}
	if r.o.Below != nil {
		return summariseBelow(cmd.OutOrStdout(), stderr, report, &r.o)
	}
	return summariseDedup(cmd.OutOrStdout(), stderr, report, &r.o, r.lower)
}

// with runs against the index at a URL, or where that is empty without one.
func (r *dedupRun) with(cmd *cobra.Command, url string) (report *local.Report, err error) {
	if url == "" {
		if r.o.Below == nil {
			err = r.decide(cmd)
		}
		if err != nil {
			return nil, err
		}
		return r.run(cmd.Context(), cmd.ErrOrStderr())
	}
	if r.decision.Verify != "sketch" && r.decision.Verify != "none" {
		return nil, fmt.Errorf("dedup: %s holds sketches and no texts, which --verify %s would need: want --verify sketch", withoutPassword(url), r.decision.Verify)
	}
	err = useIndex(cmd.Context(), cmd.ErrOrStderr(), url, r.decision.Fit, !r.o.Update, func(x *index.Index) error {
		r.o.Index, r.o.IndexName, r.o.IndexTime = x, withoutPassword(url), time.Now().Unix()
		r.decision.Known, r.decision.KnownScore = x.Method(), x.Header().Threshold
		if err := r.decide(cmd); err != nil {
			return err
		}
		report, err = r.run(cmd.Context(), cmd.ErrOrStderr())
		return err
	})
	return report, err
}

// decide sets the options that decide.
func (r *dedupRun) decide(cmd *cobra.Command) error {
	rule, err := r.decision.Rule(cmd)
	o := &r.o
	o.Method, o.Verify, o.Unverified = rule.Method, rule.Verify, rule.Unverified
	o.Threshold, o.Candidates, o.Recall = rule.Threshold, rule.Candidates, rule.Recall
	if !cmd.Flags().Changed("cohesion") {
		o.Lower, r.lower = rule.Lower, rule.LowerFlag
	}
	return err
}

// oneIndex returns the URL of an index among names of old documents, and the others.
func oneIndex(names []string) (url string, files []string, err error) {
	for _, n := range names {
		scheme, rest, ok := strings.Cut(n, ":")
		switch {
		case !ok || indexStores[scheme] == nil || rest == "":
			files = append(files, n)
		case url != "":
			return "", nil, fmt.Errorf("dedup: both %s and %s are indexes, want at most one", withoutPassword(url), withoutPassword(n))
		default:
			url = n
		}
	}
	return url, files, nil
}

// withoutPassword returns a URL as reports may name it.
func withoutPassword(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	host, path, _ := strings.Cut(rest, "/")
	if at := strings.LastIndex(host, "@"); ok && at >= 0 {
		return scheme + "://" + host[at+1:] + strings.TrimSuffix("/"+path, "/")
	}
	return url
}

func (r *dedupRun) run(ctx context.Context, stderr io.Writer) (*local.Report, error) {
	show, done := terminal.Progress(stderr)
	defer done()
	r.warranty.clear = done
	r.o.Progress = func(stage string, share float64) { show(share, stage) }
	r.o.OnPairs = func(n int64) {
		const many = 10_000_000 // a few seconds
		if n >= many {
			fmt.Fprintf(stderr, "alike: about %s pairs of texts to compare\n", short(float64(n)))
		}
	}
	defer limitMemory(r.o.Memory)()
	return local.Run(ctx, r.o)
}

// limitMemory has the garbage collector work harder as the heap comes near a budget.
// The function it returns undoes that.
func limitMemory(bytes int64) func() {
	old := debug.SetMemoryLimit(bytes / 10 * 9)
	return func() { debug.SetMemoryLimit(old) }
}

// summariseDedup prints a report for people: what was done on standard output, how long
// it took and what to beware of on standard error. flag sets the minimum of r.Lower.
func summariseDedup(stdout, stderr io.Writer, r *local.Report, o *local.Options, flag string) error {
	var b strings.Builder
	line := func(what, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s  %s\n", what, fmt.Sprintf(format, args...))
	}
	percent := func(part, of int) string {
		if of == 0 {
			return "0%"
		}
		return fmt.Sprintf("%.3g%%", 100*float64(part)/float64(of))
	}
	would, s := "", r.Settings
	if o.DryRun || o.Annotate {
		would = "would be "
	}
	line("documents", "%d, of %s bytes of text", r.Documents, bytesOf(r.Bytes))
	if r.Unreadable > 0 {
		line("", "%s more without a document", plural(r.Unreadable, "row"))
	}
	line("kept", "%d", r.Kept)
	to, first := "one kept", ""
	if r.Judged > 0 {
		first = fmt.Sprintf(", %d as judged", r.Judged)
	}
	if r.First > 0 {
		to, first = "another", first+fmt.Sprintf(", %d the first of a cluster", r.First)
	}
	line("removed", "%s%d (%s): %d equal to %s, %d alike%s", would, r.Removed(), percent(r.Removed(), r.Documents), r.Equal, to, r.Alike, first)
	if r.Lost > 0 {
		line("lost", "%s%d of the removed: they score below %.4g with the one kept", would, r.Lost, s.MinScore())
	}
	if l := r.Lower; l != nil {
		line("lower", "%s %s", flag, besides(l))
	}
	if a := r.Warranty; a != nil {
		line("wrong", "at most %.4g%% of the removed (confidence %.4g%%): %d judged, %d of them wrong; %d have equal bytes", 100*a.Bound, 100*a.Confidence, a.Judged, a.Wrong, a.Equal)
	}
	if r.Clusters > 0 {
		line("clusters", "%d, the largest of %s", r.Clusters, plural(r.Largest, "document"))
		more := ""
		if r.Chaining.Partial {
			more = " or more"
		}
		line("chaining", "plain closure would make clusters of up to %d%s, and lose %d%s documents that are not alike to the one kept", max(r.Chaining.Largest, r.Largest), more, r.Chaining.Apart, more)
	}
	if o.Index != nil {
		line("index", "others were compared with %s of %s, and removed for them", plural(r.Against[0].Rows, "document"), o.IndexName)
		if o.Update {
			line("", "%s added to it", plural(r.Added, "document"))
		}
	}
	if r.WithoutFeatures > 0 {
		line("no words", "%s without any, kept", plural(r.WithoutFeatures, "document"))
	}
	line("candidates", "by %s at %.4g: %s, recall %.4g", s.Method, s.Candidates, r.Design, r.Recall)
	line("decided by", "%s at %.4g", s.Verify, s.Threshold)
	if s.Limits != "" {
		line("pairs", "%s", s.Limits)
	}
	if s.Judged != "" {
		line("judged", "%s", s.Judged)
	}
	if s.Clean != "" {
		line("cleaned", "%s", s.Clean)
	}
	if !o.DryRun {
		line("written to", "%s", o.Out)
	}
	if _, err := io.WriteString(stdout, b.String()); err != nil {
		return err
	}
	reportRun(stderr, r)
	if r.Lost > 0 {
		fmt.Fprintf(stderr, "alike: %d removed documents are not alike to the one that stays, as --cohesion %.4g follows chains: why.jsonl has their scores\n", r.Lost, s.Cohesion)
	}
	if r.Unpaired > 0 {
		fmt.Fprintf(stderr, "alike: documents kept without a comparison, because they lack a field of the limits (%s): %d\n", s.Limits, r.Unpaired)
	}
	if r.Texts > 1000 && 2*r.Active > r.Texts {
		fmt.Fprintf(stderr, "alike: more than half of the texts are candidates: if few of them are duplicates, %s tells these texts badly apart; try wider features or a higher --candidates\n", s.Method)
	}
	return nil
}

// reportRun says how long a run took, and what to beware of in any of them.
func reportRun(stderr io.Writer, r *local.Report) {
	var stages []string
	for _, s := range r.Run.Stages {
		stages = append(stages, fmt.Sprintf("%s %.2fs", s.Name, s.Seconds))
	}
	fmt.Fprintf(stderr, "alike: %.2fs (%s), %s MB/s, peak memory %s\n", r.Run.Seconds, strings.Join(stages, ", "), short(float64(r.Bytes)/1e6/r.Run.Seconds), binary(float64(r.Run.Peak)))
	if r.Repeated > 0 {
		fmt.Fprintf(stderr, "alike: repeated ids: %d, the first is %q (--unique-ids makes that an error)\n", r.Repeated, r.RepeatedID)
	}
	if r.Missing > 0 {
		fmt.Fprintf(stderr, "alike: %s missing or unreadable that --keep %s goes by; such documents come last\n", plural(r.Missing, "value"), r.Settings.Keep)
	}
}

// besides says what a lower minimum would remove.
func besides(l *local.Lower) string {
	if l.More == 0 {
		return "would remove no other candidate"
	}
	var examples []string
	for _, e := range l.Examples {
		examples = append(examples, fmt.Sprintf("%s for %s (%.3f)", e.ID, e.Kept.ID, e.Score))
	}
	return fmt.Sprintf("would remove %d of the documents kept: %s", l.More, strings.Join(examples, ", "))
}
