package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/tables"
)

// interval prints an interval, "unusable" where it is, or "-" where there is none.
func interval(low, high eval.Figure, between string, unusable bool) string {
	switch {
	case unusable:
		return "unusable"
	case math.IsNaN(float64(low)):
		return "-"
	}
	return fixed(float64(low), 3) + between + fixed(float64(high), 3)
}

// writeRecords prints records as a table, with the columns that the truth of some
// record defines, or as JSON lines. Each swept key has a column, as a method's name
// leaves out what is at its default. A legend explains the marks of a table.
func writeRecords(w io.Writer, format tables.Output, records []eval.Record, margin float64, swept []string) error {
	beside := make(map[string]string, len(records)) // by key
	for _, same := range eval.ByData(records) {
		best, states := eval.Standings(same, margin)
		for i, r := range same {
			switch {
			case i == best:
				beside[r.Key] = "best on " + r.TunedOn
			case r.Baseline:
				beside[r.Key] = "baseline"
				if _, ok := r.CeilingSpec(); ok {
					beside[r.Key] = "ceiling"
				}
			case states[i] != "":
				beside[r.Key] = states[i].Mark() + " " + string(states[i])
			}
		}
	}
	type cell struct {
		column
		of func(r eval.Record) string
	}
	figure := func(head string, decimals int, of func(r eval.Record) eval.Figure) cell {
		return cell{column(head), func(r eval.Record) string { return fixed(float64(of(r)), decimals) }}
	}
	joined := func(head string, of func(j *eval.Join) string) cell {
		return cell{column(head), func(r eval.Record) string {
			if r.Join == nil {
				return "-"
			}
			return of(r.Join)
		}}
	}
	cells := []cell{
		{"<data", func(r eval.Record) string { return r.Dataset }},
		{"<method", func(r eval.Record) string { return r.Method }},
		figure("threshold", 3, func(r eval.Record) eval.Figure { return r.Threshold }),
		figure("precision", 3, func(r eval.Record) eval.Figure { return r.Precision }),
		figure("recall", 3, func(r eval.Record) eval.Figure { return r.Recall }),
		figure("F1", 3, func(r eval.Record) eval.Figure { return r.F1 }),
		{"F1 95%", func(r eval.Record) string {
			return interval(r.F1Low, r.F1High, "-", r.Unusable)
		}},
		{"<beside the best", func(r eval.Record) string { return cmp.Or(beside[r.Key], "-") }},
		figure("AP", 3, func(r eval.Record) eval.Figure { return r.AP }),
		figure("AUC", 3, func(r eval.Record) eval.Figure { return r.AUC }),
		figure("closure F1", 3, func(r eval.Record) eval.Figure { return r.ClosureF1 }),
		figure("ARI", 3, func(r eval.Record) eval.Figure { return r.ARI }),
		figure("B-cubed", 3, func(r eval.Record) eval.Figure { return r.BCubedF1 }),
		figure("Spearman", 3, func(r eval.Record) eval.Figure { return r.Spearman }),
		figure("B/doc", 0, func(r eval.Record) eval.Figure { return r.BytesPerDoc }),
		{"MB/s", func(r eval.Record) string { return short(float64(r.SketchMBs)) }},
		{"pairs/s", func(r eval.Record) string { return short(float64(r.PairsS)) }},
		{"no features", func(r eval.Record) string {
			if !r.Fit {
				return fmt.Sprintf("%d, not fit", r.NoFeatureDocs)
			}
			return fmt.Sprint(r.NoFeatureDocs)
		}},
		figure("floor", 3, func(r eval.Record) eval.Figure {
			if r.Join == nil {
				return eval.Figure(math.NaN())
			}
			return r.Floor
		}),
		joined("candidates", func(j *eval.Join) string { return short(float64(j.Candidates)) }),
		joined("verified", func(j *eval.Join) string { return short(float64(j.Verified)) }),
		joined("found", func(j *eval.Join) string { return short(float64(j.Found)) }),
		joined("missed", func(j *eval.Join) string { return fmt.Sprintf("%d of %d", j.MissedThreshold, j.ReachThreshold) }),
		joined("missed of all", func(j *eval.Join) string {
			if j.Exact == nil {
				return "-"
			}
			return fmt.Sprintf("%d of %d", *j.Exact-j.Found, *j.Exact)
		}),
		joined("join", func(j *eval.Join) string {
			if math.IsNaN(float64(j.Seconds)) {
				return "-"
			}
			return time.Duration(float64(j.Seconds) * 1e9).Round(time.Millisecond).String()
		}),
	}
	for i, key := range swept {
		cells = slices.Insert(cells, 2+i, cell{column(key), func(r eval.Record) string {
			value, _ := catalog.Value(r.Method, key)
			return cmp.Or(value, "-")
		}})
	}
	var columns []column
	for _, c := range cells {
		columns = append(columns, c.column)
	}
	rare := format.Hide("MB/s").Hide("pairs/s").Hide("join").Fold("ARI", "B-cubed", "closure F1", "AUC", "floor", "candidates", "verified", "found", "no features", "Spearman", "AP", "missed of all",
		"missed", "threshold", "precision", "+recall", "B/doc", "F1 95%")
	err := tables.Write(w, rare, records, columns, func(r eval.Record) (row []string) {
		for _, c := range cells {
			row = append(row, c.of(r))
		}
		return row
	})
	if err != nil {
		return err
	}
	return format.Say(w, "\n%s.\n", eval.Legend(margin))
}
