package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/score"
	"github.com/alike-go/alike/eval/spans"
	"github.com/alike-go/alike/internal/tables"
)

// judgesSpans reports whether the run judges passages.
func (r *scoreRun) judgesSpans() bool {
	return slices.ContainsFunc(r.outputs, func(o output) bool { return o.kind == "spans" })
}

// spanRow says how well passages agree with all true passages, or with the true
// passages of one kind.
type spanRow struct {
	Dataset string `json:"dataset"`
	score.Part
	*spans.Whole // of all
}

// scoredSpans is the row of one file. It is a line of JSON.
type scoredSpans struct {
	Output string `json:"output"`
	Kind   string `json:"kind"` // spans
	spanRow
}

// spanTruth is what passages are judged by.
type spanTruth struct {
	name  string // of the data
	texts *score.Texts
	score.Passages
}

// readSpanTruth reads the documents of data, and the true passages in a file.
func readSpanTruth(ctx context.Context, src *source, data, file string, stdin io.Reader) (t spanTruth, err error) {
	in, docs, err := src.open(data, stdin)
	if err == nil && docs == nil {
		docs, err = datasets.ReadDocs(in)
	}
	if err != nil {
		return t, err
	}
	t.name = filepath.Base(data)
	if t.texts, err = score.NewTexts(&datasets.Set{Name: t.name, Docs: docs}); err != nil {
		return t, err
	}
	// --columns, --rows and the names of columns describe the file of the tool, and not
	// the truth.
	ours := score.Output{ID1: "id1", ID2: "id2", FirstRow: -1}
	t.Passages, err = ours.ReadPassages(ctx, t.texts, (&source{cmd: src.cmd}).at(file, stdin))
	if err == nil && len(t.List) == 0 {
		err = fmt.Errorf("score: %s has no passages, want the true ones", file)
	}
	return t, err
}

// judge returns a row for all true passages, and one for each kind.
func (t *spanTruth) judge(found score.Passages) []spanRow {
	figures, whole, cases := spans.Judge(t.List, found.List)
	rows := []spanRow{{t.name, score.Part{Kind: "all", Figures: figures}, &whole}}
	for _, part := range t.ByKind(cases) {
		rows = append(rows, spanRow{t.name, part, nil})
	}
	return rows
}

// spans judges files of passages, and writes a row for each file and kind.
func (r *scoreRun) spans(ctx context.Context, stdin io.Reader, stderr, stdout io.Writer) error {
	of := func(s scoredSpans) (string, spanRow) { return s.Output, s.spanRow }
	if err := writeSpans(io.Discard, r.format, "<output", []scoredSpans{{spanRow: anySpans}}, of); err != nil {
		return fmt.Errorf("score: %w", err) // --columns-out is wrong, before the work is done
	}
	file, err := spansOf(r.truth, r.trueSpans)
	if err != nil {
		return fmt.Errorf("score: %w", err)
	}
	truth, err := readSpanTruth(ctx, &r.source, r.truth, file, stdin)
	if err != nil {
		return err
	}
	var rows []scoredSpans
	for _, o := range r.outputs {
		found, err := r.how.ReadPassages(ctx, truth.texts, r.file(o.file, stdin))
		if err != nil {
			return err
		}
		for _, row := range truth.judge(found) {
			rows = append(rows, scoredSpans{o.file, o.kind, row})
		}
	}
	return writeSpans(stdout, r.format, "<output", rows, of)
}

// anySpans is a row that has all columns.
var anySpans = spanRow{Whole: &spans.Whole{}}

// writeSpans writes rows with their names in the first column.
func writeSpans[T any](stdout io.Writer, format tables.Output, first column, rows []T, of func(T) (string, spanRow)) error {
	nan := math.NaN() // a detection has no kind
	dataset := func(t T) string {
		_, s := of(t)
		return s.Dataset
	}
	columns := []column{first, "<data", "<case kind", "cases", "detected", "detections", "precision", "recall", "granularity", "plagdet", "IoU",
		"micro precision", "micro recall", "micro plagdet"}
	fold := []string{"data", "micro plagdet", "micro precision", "micro recall", "detections", "detected", "IoU", "cases"}
	if slices.ContainsFunc(rows, func(t T) bool { return dataset(t) != dataset(rows[0]) }) {
		fold = fold[1:]
	}
	output := format.Fold(fold...)
	return tables.Write(stdout, output, rows, columns, func(t T) []string {
		name, s := of(t)
		w := cmp.Or(s.Whole, &spans.Whole{Precision: nan, Plagdet: nan, MicroPrecision: nan, MicroRecall: nan, MicroPlagdet: nan})
		row := []string{name, s.Dataset, s.Part.Kind, fmt.Sprint(s.Cases), fmt.Sprint(s.Detected), "-"}
		if s.Whole != nil {
			row[5] = fmt.Sprint(s.Detections)
		}
		for _, f := range []float64{w.Precision, s.Recall, s.Granularity, w.Plagdet, s.IoU, w.MicroPrecision, w.MicroRecall, w.MicroPlagdet} {
			row = append(row, fixed(f, 3))
		}
		return row
	})
}

// spansOf returns the file of true passages: the one given, or that of a folder.
func spansOf(folder, given string) (string, error) {
	if given != "" {
		return given, nil
	}
	if _, err := os.Stat(folder); err != nil {
		return "", err
	}
	for _, ending := range []string{"", ".gz", ".zst"} {
		name := filepath.Join(folder, "spans.tsv"+ending)
		if _, err := os.Stat(name); err == nil {
			return name, nil
		}
	}
	return "", fmt.Errorf("%s holds no spans.tsv, want --true-spans, the true passages", folder)
}
