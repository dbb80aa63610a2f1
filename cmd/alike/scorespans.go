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

// scoredSpans says how well the passages of one file agree with all true passages, or
// with the true passages of one kind. It is a line of JSON.
type scoredSpans struct {
	Output  string `json:"output"`
	Kind    string `json:"kind"` // spans
	Dataset string `json:"dataset"`
	score.Part
	*spans.Whole // of all
}

// spans judges files of passages, and writes a row for each file and kind.
func (r *scoreRun) spans(ctx context.Context, stdin io.Reader, stderr, stdout io.Writer) error {
	if r.trueSpans == "" {
		var err error
		if r.trueSpans, err = spansOf(r.truth); err != nil {
			return err
		}
	}
	src, docs, err := r.source.open(r.truth, stdin)
	if err == nil && docs == nil {
		docs, err = datasets.ReadDocs(src)
	}
	if err != nil {
		return err
	}
	texts, err := score.NewTexts(&datasets.Set{Name: filepath.Base(r.truth), Docs: docs})
	if err != nil {
		return err
	}
	// --columns, --rows and the names of columns describe the file of the tool, and not
	// the truth.
	ours := score.Output{ID1: "id1", ID2: "id2", FirstRow: -1}
	truth, err := ours.ReadPassages(ctx, texts, r.file(r.trueSpans, stdin))
	if err != nil {
		return err
	}
	var rows []scoredSpans
	for _, o := range r.outputs {
		found, err := r.how.ReadPassages(ctx, texts, r.file(o.file, stdin))
		if err != nil {
			return err
		}
		figures, whole, cases := spans.Judge(truth.List, found.List)
		row := scoredSpans{o.file, o.kind, filepath.Base(r.truth), score.Part{Kind: "all", Figures: figures}, &whole}
		rows = append(rows, row)
		for _, row.Part = range truth.ByKind(cases) {
			row.Whole = nil
			rows = append(rows, row)
		}
	}
	nan := math.NaN() // a detection has no kind
	columns := []column{"<output", "<data", "<case kind", "cases", "detected", "detections", "precision", "recall", "granularity", "plagdet", "IoU",
		"micro precision", "micro recall", "micro plagdet"}
	output := r.format.Fold("data", "micro plagdet", "micro precision", "micro recall", "detections", "detected", "IoU", "cases")
	return tables.Write(stdout, output, rows, columns, func(s scoredSpans) []string {
		w := cmp.Or(s.Whole, &spans.Whole{Precision: nan, Plagdet: nan, MicroPrecision: nan, MicroRecall: nan, MicroPlagdet: nan})
		row := []string{s.Output, s.Dataset, s.Part.Kind, fmt.Sprint(s.Cases), fmt.Sprint(s.Detected), "-"}
		if s.Whole != nil {
			row[5] = fmt.Sprint(s.Detections)
		}
		for _, f := range []float64{w.Precision, s.Recall, s.Granularity, w.Plagdet, s.IoU, w.MicroPrecision, w.MicroRecall, w.MicroPlagdet} {
			row = append(row, fixed(f, 3))
		}
		return row
	})
}

// spansOf returns the file of true passages of a folder.
func spansOf(folder string) (string, error) {
	for _, ending := range []string{"", ".gz", ".zst"} {
		name := filepath.Join(folder, "spans.tsv"+ending)
		if _, err := os.Stat(name); err == nil {
			return name, nil
		}
	}
	return "", fmt.Errorf("score: %s holds no spans.tsv, want --true-spans, the true passages", folder)
}
