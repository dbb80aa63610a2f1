package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/internal/cli"
	"github.com/alike-go/alike/internal/tables"
	"github.com/alike-go/alike/internal/terminal"
)

// leakRun is one run of leak, as flags say.
type leakRun struct {
	features, mask      string
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
		Use:   "leak TRAIN... TEST",
		Short: "find test documents that occur in training data",
		Long: `Find test documents that occur in training data, for a check before training or
publishing: the exit status is 1 if there are any, and 2 if nothing could be compared
because there are no training or test documents, or none with words.

A test document has leaked if a training document, however long, has at least the share
--threshold of its runs of three words (in text without spaces, of pairs of characters for
words). Of each the training document that has most of it is named, with the longest
passages in common. Training data streams through and is compared exactly; memory holds the
test data.

A test document of fewer runs than --least, such as a date or a name, can stand anywhere by
chance. It has leaked where the training document is not much more than that.

--differ and --show-differ add two columns: differ is the estimated share of the test
document's words that the training document does not have, and differ_se its standard
error. The words around a passage in the training document do not count.`,
		Example: `  alike leak train/*.jsonl.zst test.jsonl
  alike leak crawl/ benchmark.csv --test-text question,answer --threshold 0.6 --format jsonl`,
		Args: atLeast(2, "leak: want training data and, as the last, test data"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return run.do(cmd, args[:len(args)-1], args[len(args)-1:])
		},
	}
	flags := cmd.Flags()
	flags.Float64VarP(&run.o.Threshold, "threshold", "t", 0.8, "minimum `SHARE` of a test document that a training document has")
	cli.DifferFlag(flags, &run.differ, ": changes that stand apart (see docs/differ.md)")
	run.differs.flag(cmd, "")
	flags.IntVar(&run.o.Least, "least", 8, "runs from which a test document has leaked within a longer one")
	flags.StringVar(&run.features, "features", cli.DefaultFeatures, "feature `KEYS`, such as tokens=rune,width=5")
	cli.MaskFlag(flags, &run.mask)
	outputFlags(cmd, &run.format, "tsv")
	flags.IntVar(&run.o.Workers, "workers", 0, "goroutines; the output does not depend on it (default one for each CPU)")
	run.source.docFlags(cmd)
	sideFlag(cmd, &run.trainText, "train-text", "of a training document")
	sideFlag(cmd, &run.testText, "test-text", "of a test document")
	flags.Lookup("skip-bad").Usage = "skip up to `N` malformed rows of either side, and report them"
	return cmd
}

func (r *leakRun) do(cmd *cobra.Command, train, test []string) (err error) {
	stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
	byDiffer := cmd.Flags().Changed("differ")
	if byDiffer && cmd.Flags().Changed("threshold") {
		return errors.New("leak: want either --threshold or --differ")
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
			return fmt.Errorf("leak: %w", err)
		}
	}
	if err := r.differs.use(m[0], byDiffer); err != nil {
		return fmt.Errorf("leak: %w", err)
	}
	r.o.Features = m[0].Features()
	if r.o.Mask, err = clean.ParseMask(r.mask); err != nil {
		return fmt.Errorf("leak: --mask: %w", err)
	}
	r.o.SkipBad = r.source.SkipBad
	r.o.OnBad = r.source.passedOver
	s := spooler{source: r.source.side(r.testText), others: r.source.side(r.trainText), stdin: cmd.InOrStdin()}
	defer func() { err = errors.Join(err, s.close()) }()
	if r.o.Test, r.o.Train, err = s.sources(test, train); err != nil {
		return fmt.Errorf("leak: %w", err)
	}
	show, done := terminal.Progress(stderr)
	r.o.Progress = func(stage string, share float64) { show(share, stage) }
	var leaks bytes.Buffer // written once it is known that something was compared
	columns := append([]column{"<test", "<train", "contained", "resemblance"}, r.differs.columns()...)
	w, err := r.format.To(&leaks, append(columns, "<at", "<shared")...)
	if err != nil {
		return fmt.Errorf("leak: %w", err)
	}
	rep, err := local.FindLeaks(cmd.Context(), r.o, func(l local.Leak) error {
		row := []string{l.ID, l.Train.ID, fixed(l.Contained, 4), fixed(l.Resemblance, 4)}
		rest := []string{l.Train.At, oneLine(strings.Join(l.Shared, " … "))}
		if r.differs.model == nil {
			return w.Add(&l, append(row, rest...))
		}
		share, se := r.differs.model.ShareByOne(l.Contained, r.differs.count(l.Text))
		for _, f := range r.differs.fields(share, se) {
			row = append(row, f.Value)
		}
		return w.Add(&struct {
			local.Leak
			Differ   float64 `json:"differ"`
			DifferSE float64 `json:"differ_se"`
		}{l, share, se}, append(row, rest...))
	})
	done()
	if err = errors.Join(err, w.Close()); err != nil {
		return err
	}
	if _, err := stdout.Write(leaks.Bytes()); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "alike: %d of %d test documents occur in %s\n", rep.Leaks, rep.Test, plural(rep.Train, "training document"))
	if rep.Unreadable > 0 {
		fmt.Fprintf(stderr, "alike: malformed rows that were skipped: %d\n", rep.Unreadable)
	}
	if rep.WithoutFeatures > 0 {
		fmt.Fprintf(stderr, "alike: nothing can be said of %s without words\n", plural(rep.WithoutFeatures, "test document"))
	}
	if rep.Short > 0 {
		fmt.Fprintf(stderr, "alike: %d test documents have fewer runs than --least %d, and are looked for as a whole\n", rep.Short, r.o.Least)
	}
	if rep.Leaks > 0 {
		return errBad
	}
	return nil
}
