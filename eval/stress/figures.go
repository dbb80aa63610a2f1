package stress

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/eval/plots"
)

// Figures draws recall as a function of length, for an edit, and as a function of the
// rate of each kind of edit, for a length: of each collection NAME-length and
// NAME-KIND. There is a line for each method.
func Figures(records []Record, edit plant.Edit, length int) []plots.Figure {
	var out []plots.Figure
	for _, data := range distinct(records, func(r Record) string { return r.Data }) {
		of := slices.DeleteFunc(slices.Clone(records), func(r Record) bool { return r.Data != data })
		what := fmt.Sprintf("threshold from at least %d unrelated pairs", slices.MinFunc(of, func(a, b Record) int { return int(a.Pairs - b.Pairs) }).Pairs)
		name := fileName(data)
		f := lines(of, func(r Record) bool { return r.Edit() == edit }, func(r Record) float64 { return float64(r.Length) })
		f.Name, f.Title, f.Subtitle, f.XLabel = name+"-length", fmt.Sprintf("%s: copies under %s that are found", data, edit), what, "characters of a text"
		out = append(out, f)
		for _, k := range distinct(of, func(r Record) plant.Kind { return r.Kind }) {
			f := lines(of, func(r Record) bool { return r.Kind == k && r.Length == length }, func(r Record) float64 { return r.Rate })
			f.Name, f.Title, f.Subtitle, f.XLabel = name+"-"+string(k), fmt.Sprintf("%s: copies under %s that are found, texts of %d characters", data, k, length), what, "rate of the edit"
			out = append(out, f)
		}
	}
	return out
}

func lines(records []Record, which func(Record) bool, x func(Record) float64) *plots.Lines {
	f := &plots.Lines{YLabel: "recall, with 95 % interval"}
	for _, m := range distinct(records, func(r Record) string { return r.Method }) {
		l := plots.Line{Label: m}
		for _, r := range records {
			if r.Method == m && which(r) {
				l.Points = append(l.Points, plots.Mark{X: x(r), Y: float64(r.Recall), Low: float64(r.RecallLow), High: float64(r.RecallHigh)})
			}
		}
		slices.SortFunc(l.Points, func(a, b plots.Mark) int { return cmp.Compare(a.X, b.X) })
		f.Lines = append(f.Lines, l)
	}
	return f
}

// distinct returns the values of records in the order of their first use.
func distinct[T comparable](records []Record, of func(Record) T) []T {
	var out []T
	for _, r := range records {
		if v := of(r); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// fileName returns the name of a collection as the beginning of a file's name.
func fileName(data string) string {
	name := strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("-_.", c) {
			return c
		}
		return '_'
	}, strings.TrimLeft(filepath.Base(data), "."))
	if len(name) > 100 {
		name = strings.ToValidUTF8(name[:100], "")
	}
	if name == "" {
		return "data"
	}
	return name
}
