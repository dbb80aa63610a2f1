package stress

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/plots"
)

// Figures draws recall as a function of length, for an edit, and as a function of the
// rate of each kind of edit, for a length: of each collection NAME-length and
// NAME-KIND. There is a line for each method.
func Figures(records []Record, edit plant.Edit, length int) []plots.Figure {
	var out []plots.Figure
	for _, data := range eval.Distinct(records, func(r Record) string { return r.Data }) {
		of := slices.DeleteFunc(slices.Clone(records), func(r Record) bool { return r.Data != data })
		what := fmt.Sprintf("threshold from at least %d unrelated pairs", slices.MinFunc(of, func(a, b Record) int { return int(a.Pairs - b.Pairs) }).Pairs)
		add := func(name, title, x string, points []plots.Series) {
			out = append(out, plots.Figure{
				Data: data, Name: name, Title: title, Subtitle: what,
				XLabel: x, YLabel: "recall, with 95 % interval", Series: points,
			})
		}
		add("length", fmt.Sprintf("copies under %s that are found", edit), "characters of a text",
			lines(of, func(r Record) bool { return r.Edit() == edit }, func(r Record) float64 { return float64(r.Length) }))
		for _, k := range eval.Distinct(of, func(r Record) plant.Kind { return r.Kind }) {
			add(string(k), fmt.Sprintf("copies under %s that are found, texts of %d characters", k, length), "rate of the edit",
				lines(of, func(r Record) bool { return r.Kind == k && r.Length == length }, func(r Record) float64 { return r.Rate }))
		}
	}
	return out
}

func lines(records []Record, which func(Record) bool, x func(Record) float64) []plots.Series {
	var out []plots.Series
	for _, m := range eval.Distinct(records, func(r Record) string { return r.Method }) {
		s := plots.Series{Method: m}
		for _, r := range records {
			if r.Method == m && which(r) {
				s.Points = append(s.Points, plots.Point{X: x(r), Y: float64(r.Recall), Low: float64(r.RecallLow), High: float64(r.RecallHigh)})
			}
		}
		slices.SortFunc(s.Points, func(a, b plots.Point) int { return cmp.Compare(a.X, b.X) })
		out = append(out, s)
	}
	return out
}
