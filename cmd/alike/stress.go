package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/stress"
	"github.com/alike-go/alike/internal/durable"
	"github.com/alike-go/alike/internal/tables"
	"github.com/alike-go/alike/internal/terminal"
)

// stressRun is the flags of alike stress.
type stressRun struct {
	methods  []string
	features string
	options  stress.Options
	kinds    []string
	lang     string
	edit     string
	length   int
	apart    float64
	format   tables.Output
	out      string
	plots    string
	source   source
}

// unrelatedBy is the method that finds related documents among the user's own.
const unrelatedBy = "shingle:width=3"

func newStress() *cobra.Command {
	var r stressRun
	cmd := &cobra.Command{
		Use:   "stress [TEXTS...]",
		Short: "measure how scores and recall fall under edits",
		Long: `Measure how scores and recall fall under edits: by kind of edit, by its rate
and by length of the text.

Pieces of each length are cut from the documents, and copies of them are
edited. The threshold is the score that at most --false-positives of the pairs
of unrelated pieces reach. Recall is the share of copies that reach it with
their original. Intervals have at least 95 % confidence, with the error of the
threshold included.

TEXTS are data sets, files or folders of documents, with labels or without.
Without them, documents in English and Chinese are generated. Documents should
be unrelated. If a labelled set says that some are alike, or if they share
--apart of their word trigrams, only one of them is used.

Two tables are printed: recall by length under the edit --edit, and recall by
kind and rate of edit at --length. The formats jsonl, csv, tsv and parquet
have every figure.`,
		Example: `  alike stress
  alike stress en --method simhash --method shingle --lengths 50,500
  alike stress jsonl:mine.jsonl --kinds mixed,ocr --rates 0.05,0.1 --plots pictures`,
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd, args) },
	}
	flags := cmd.Flags()
	methodFlags(cmd, &r.methods, &r.features)
	flags.IntSliceVar(&r.options.Lengths, "lengths", []int{50, 100, 200, 500, 1000, 2000}, "lengths of pieces, in `CHARACTERS`")
	flags.StringSliceVar(&r.kinds, "kinds", nil, "`KINDS` of edits (default all)")
	flags.Float64SliceVar(&r.options.Rates, "rates", nil, "`RATES` of edits (default 0.02, 0.05, 0.1, 0.2 and 0.4)")
	flags.IntVarP(&r.options.Docs, "docs", "n", 500, "pieces of each length, at most; time grows with the square")
	flags.Float64Var(&r.options.FalsePositives, "false-positives", 1e-4, "share of unrelated pairs that may count as alike")
	flags.Float64VarP(&r.options.Threshold, "threshold", "t", 0, "`SCORE` from which pairs count as alike, instead of one by --false-positives")
	flags.StringVar(&r.lang, "lang", "", "`en|zh`: what edits take for a unit (default by script)")
	flags.StringVar(&r.edit, "edit", "mixed:0.1", "edit of the table by length, as `KIND:RATE`")
	flags.IntVar(&r.length, "length", 500, "length of the table by edit, in characters")
	flags.Float64Var(&r.apart, "apart", 0.3, "`SHARE` of common word trigrams from which on documents are related; 0 keeps all")
	flags.Uint64Var(&r.options.Seed, "seed", 1, "seed of pieces and edits")
	flags.IntVar(&r.options.Workers, "workers", 0, "goroutines; results do not depend on it (default one for each CPU)")
	formatFlag(cmd, &r.format)
	flags.StringVarP(&r.out, "out", "o", "", "write the records to `FILE`, one JSON object a line")
	flags.StringVar(&r.plots, "plots", "", "draw recall by length and by rate into `DIR`, as PNG and SVG")
	r.source.flags(cmd)
	cmd.AddCommand(newStressLeak())
	return cmd
}

func (r *stressRun) run(cmd *cobra.Command, args []string) error {
	edit, err := plant.ParseEdit(r.edit)
	if err != nil {
		return fmt.Errorf("stress: --edit: %w", err)
	}
	for _, k := range r.kinds {
		if !slices.Contains(plant.Kinds(), plant.Kind(k)) {
			return fmt.Errorf("stress: no kind of edit is called %q, want some of %v", k, plant.Kinds())
		}
		r.options.Kinds = append(r.options.Kinds, plant.Kind(k))
	}
	r.options.Lang = plant.Lang(r.lang)
	records, err := r.measure(cmd, args)
	if err != nil {
		return err
	}
	if r.out != "" {
		if err := durable.Write(r.out, func(w io.Writer) error { return stress.WriteRecords(w, records...) }); err != nil {
			return fmt.Errorf("stress: %w", err)
		}
	}
	edit, length := shown(records, edit, stress.Record.Edit), shown(records, r.length, lengthOf)
	if r.plots != "" {
		if err := writePlots(cmd.ErrOrStderr(), r.plots, stress.Figures(records, edit, length)...); err != nil {
			return err
		}
	}
	w := cmd.OutOrStdout()
	if r.format.Data() {
		return writeStressAll(w, r.format, records)
	}
	if r.format.Format == "table" && !r.format.Wide {
		r.format.Say(w, "(--wide shows 95 %% intervals)\n")
	}
	r.format.Say(w, "Recall of copies under %s, by characters of a text:\n\n", edit)
	lengths := eval.Distinct(records, lengthOf)
	slices.Sort(lengths)
	// All records together decide the rows and columns. Cells may be empty.
	if err := writeStressTable(w, r.format, records, "method", methodOf, lengths, lengthOf, func(r stress.Record) bool { return r.Edit() == edit }); err != nil {
		return err
	}
	r.format.Say(w, "\nRecall of copies by edit, texts of %d characters:\n\n", length)
	return writeStressTable(w, r.format.Aside(), records, "edit", stress.Record.Edit, eval.Distinct(records, methodOf), methodOf, func(r stress.Record) bool { return r.Length == length })
}

// measure makes the records of all inputs, or of generated documents.
func (r *stressRun) measure(cmd *cobra.Command, inputs []string) ([]stress.Record, error) {
	methods, err := catalog.ParseAll(r.methods, r.features)
	if err != nil {
		return nil, err
	}
	show, done := terminal.Progress(cmd.ErrOrStderr())
	defer done()
	names := inputs
	if len(inputs) == 0 {
		names = []string{"generated en", "generated zh"}
	}
	var records []stress.Record
	for i, name := range names {
		var docs []string
		if len(inputs) > 0 {
			docs, err = r.documents(cmd, name)
		} else {
			lang := []plant.Lang{plant.English, plant.Chinese}[i]
			docs, err = stress.Generated(lang, r.options.Docs, slices.Max(append(r.options.Lengths, 0)), r.options.Seed)
		}
		if err != nil {
			return nil, err
		}
		o := r.options
		o.Progress = func(share float64, what string) { show((float64(i)+share)/float64(len(names)), what) }
		more, err := stress.Run(cmd.Context(), name, docs, methods, o)
		if err != nil {
			return nil, err
		}
		for _, n := range o.Lengths {
			k := slices.IndexFunc(more, func(rec stress.Record) bool { return rec.Length == n })
			switch {
			case k < 0:
				fmt.Fprintf(cmd.ErrOrStderr(), "alike: %s has too few documents of %d characters; the length is left out\n", name, n)
			case o.Threshold == 0 && float64(more[k].Pairs)*o.FalsePositives < 1:
				fmt.Fprintf(cmd.ErrOrStderr(), "alike: %s has %d pairs of %d characters, too few for a share of %v: no unrelated pair counts as alike there\n", name, more[k].Pairs, n, o.FalsePositives)
			}
		}
		records = append(records, more...)
	}
	return records, nil
}

// documents returns the unrelated documents of an input.
func (r *stressRun) documents(cmd *cobra.Command, name string) ([]string, error) {
	set, err := r.source.loadDocs(name, cmd.InOrStdin())
	if err != nil {
		return nil, err
	}
	group := set.Clusters
	if group == nil {
		group = set.Components()
	}
	seen := map[int]bool{}
	var docs []string
	for k, d := range set.Docs {
		if !seen[group[k]] {
			seen[group[k]] = true
			docs = append(docs, d.Text)
		}
	}
	if r.apart > 0 {
		m, err := catalog.Parse(unrelatedBy)
		if err != nil {
			return nil, err
		}
		if docs, err = stress.Unrelated(cmd.Context(), docs, m, r.apart); err != nil {
			return nil, err
		}
	}
	if left := len(set.Docs) - len(docs); left > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "alike: %s: %d of %d documents are left out as related to others\n", name, left, len(set.Docs))
	}
	return docs, nil
}

// shown returns the value if records have it, and that of the first record otherwise.
func shown[T comparable](records []stress.Record, value T, of func(stress.Record) T) T {
	if slices.ContainsFunc(records, func(r stress.Record) bool { return of(r) == value }) {
		return value
	}
	return of(records[0])
}

func lengthOf(r stress.Record) int    { return r.Length }
func methodOf(r stress.Record) string { return r.Method }

// writeStressTable writes recall, with a row for each value of row in each data set and
// a column for each of the columns, of the records that which accepts.
func writeStressTable[R, C comparable](w io.Writer, format tables.Output, records []stress.Record, head string, row func(stress.Record) R, columns []C, at func(stress.Record) C, which func(stress.Record) bool) error {
	heads := []column{"<data", column("<" + head)}
	for _, c := range columns {
		heads = append(heads, column(fmt.Sprint(c)))
	}
	var rows [][]string
	for _, data := range eval.Distinct(records, func(r stress.Record) string { return r.Data }) {
		for _, v := range eval.Distinct(records, row) {
			line := []string{data, fmt.Sprint(v)}
			for _, c := range columns {
				i := slices.IndexFunc(records, func(r stress.Record) bool { return r.Data == data && row(r) == v && at(r) == c && which(r) })
				if i < 0 || records[i].Copies == 0 {
					line = append(line, "-")
					continue
				}
				r := records[i]
				if format.Format == "table" && !format.Wide {
					line = append(line, fixed(float64(r.Recall), 2))
					continue
				}
				line = append(line, fmt.Sprintf("%s (%s-%s)", fixed(float64(r.Recall), 2), fixed(float64(r.RecallLow), 2), fixed(float64(r.RecallHigh), 2)))
			}
			rows = append(rows, line)
		}
	}
	return tables.Table(w, format, heads, rows)
}

// writeStressAll writes every record as a row.
func writeStressAll(w io.Writer, format tables.Output, records []stress.Record) error {
	columns := []column{}
	for _, head := range []string{"data", "method", "length", "kind", "rate", "touched", "texts", "copies", "empty", "score", "score p10", "score p50", "score p90",
		"unrelated pairs", "unrelated score", "false positives", "threshold", "threshold low", "threshold high", "recall", "recall low", "recall high", "B/doc"} {
		columns = append(columns, column(head))
	}
	return tables.Write(w, format, records, columns, func(r stress.Record) []string {
		row := []string{r.Data, r.Method, strconv.Itoa(r.Length), string(r.Kind), strconv.FormatFloat(r.Rate, 'g', -1, 64), fixed(float64(r.Touched), 4),
			strconv.Itoa(r.Texts), strconv.Itoa(r.Copies), strconv.Itoa(r.Empty), fixed(float64(r.Score), 4), fixed(float64(r.ScoreP10), 4), fixed(float64(r.ScoreP50), 4), fixed(float64(r.ScoreP90), 4),
			strconv.FormatInt(r.Pairs, 10), fixed(float64(r.Unrelated), 4), fixed(float64(r.FalsePositives), 6)}
		for _, v := range []float64{float64(r.Threshold), float64(r.ThresholdLow), float64(r.ThresholdHigh), float64(r.Recall), float64(r.RecallLow), float64(r.RecallHigh)} {
			row = append(row, fixed(v, 4))
		}
		return append(row, fixed(float64(r.Bytes), 1))
	})
}
