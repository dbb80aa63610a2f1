package plots

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/alike-go/alike/eval"
)

// FromRecords returns the figures of a run. For each data set (and split, and
// way of pairing) in the order of the records these are, where the records have
// what it takes:
//
//   - NAME-precision-recall and NAME-scores, from records with details;
//   - NAME-quality-bytes, NAME-quality-speed: F1 with its interval against bytes
//     a document in memory and against megabytes of text sketched a second.
//     Where no method has an F1 but grades were compared, Spearman's correlation
//     takes its place.
//
// Methods that do not fit a set are shown, and said not to fit.
func FromRecords(records []eval.Record) []Figure {
	groups := groupRecords(records)
	var figures []Figure
	names := newNamer(groups)
	for _, g := range groups {
		name := names.of(g)
		if f := g.precisionRecall(name); f != nil {
			figures = append(figures, f)
		}
		if f := g.histograms(name); f != nil {
			figures = append(figures, f)
		}
		for _, price := range []struct {
			name, title, label, unit string
			of                       func(eval.Record) float64
		}{
			{"bytes", "bytes a document", "memory of a sketch: bytes a document (log scale)", "B", func(r eval.Record) float64 { return float64(r.BytesPerDoc) }},
			{"speed", "sketching speed", "sketching: MB of text a second on one core (log scale)", "MB/s", func(r eval.Record) float64 { return float64(r.SketchMBs) }},
		} {
			if f := g.scatter(price.of, price.unit); f != nil {
				f.Heading = g.heading(name+"-quality-"+price.name, "quality and "+price.title)
				f.Subtitle += "; methods at about the same price are drawn a little apart"
				f.XLabel = price.label
				figures = append(figures, f)
			}
		}
	}
	return figures
}

// group is the records that one picture compares.
type group struct {
	dataset, split, truth string
	records               []eval.Record
}

func groupRecords(records []eval.Record) []*group {
	var out []*group
	at := map[[3]string]*group{}
	for _, r := range records {
		k := [3]string{r.Dataset, r.Split, r.Truth}
		g := at[k]
		if g == nil {
			g = &group{dataset: r.Dataset, split: r.Split, truth: r.Truth}
			at[k] = g
			out = append(out, g)
		}
		g.records = append(g.records, r)
	}
	return out
}

func (g *group) heading(name, title string) Heading {
	r := g.records[0]
	pairs := map[string]string{"all": "all ", "joined": "all ", "sampled": "sampled "}[g.truth] + grouped(r.Pairs)
	what := fmt.Sprintf("%s split, %s pairs (%s alike)", g.split, pairs, grouped(r.Positives))
	what += fmt.Sprintf(" of %s documents; thresholds chosen on %s", grouped(int64(r.Docs)), r.TunedOn)
	return Heading{Name: name, Title: g.dataset + ": " + title, Subtitle: what}
}

func label(r eval.Record) string {
	if !r.Fit {
		return r.Method + " (not fit)"
	}
	return r.Method
}

func (g *group) precisionRecall(name string) *PrecisionRecall {
	f := &PrecisionRecall{Heading: g.heading(name+"-precision-recall", "precision and recall")}
	drawn := false
	// Methods without a curve are named all the same: a method has the same colour
	// in all figures of a set.
	for _, r := range g.records {
		c := Curve{Label: label(r), Note: "AP " + three(r.AP) + ", F1 " + three(r.F1)}
		if r.Details != nil {
			c.Points = r.Details.Curve
			drawn = drawn || len(c.Points) > 0
		}
		if chosen := (eval.CurvePoint{Threshold: float64(r.Threshold), Precision: float64(r.Precision), Recall: float64(r.Recall)}); validPoint(chosen) {
			c.Chosen = &chosen
			c.Note += " at " + three(r.Threshold)
		}
		f.Curves = append(f.Curves, c)
	}
	if !drawn {
		return nil
	}
	f.Subtitle += "; marks show what they give"
	return f
}

// unbalanced is how many times larger than the other a class is where shares of
// each would hide what costs precision.
const unbalanced = 20

func (g *group) histograms(name string) *Histograms {
	f := &Histograms{Heading: g.heading(name+"-scores", "scores of pairs by class")}
	for _, r := range g.records {
		if r.Details == nil || len(r.Details.Alike) == 0 {
			continue
		}
		h := Histogram{Label: label(r), Alike: r.Details.Alike, Other: r.Details.Other, Threshold: float64(r.Threshold)}
		_, alike, other := h.steps()
		f.Counts = f.Counts || other > unbalanced*alike || alike > unbalanced*other
		f.Panels = append(f.Panels, h)
	}
	if f.Panels == nil {
		return nil
	}
	return f
}

// scatter returns nil where no record has both quality and the price.
func (g *group) scatter(price func(eval.Record) float64, unit string) *Scatter {
	f := &Scatter{YLabel: "F1 at the chosen threshold, with 95 % interval"}
	quality := func(r eval.Record) Mark {
		return Mark{
			Y: float64(r.F1), Low: float64(r.F1Low), High: float64(r.F1High),
			Note: fmt.Sprintf("F1 %s (%s to %s)", three(r.F1), three(r.F1Low), three(r.F1High)),
		}
	}
	if !g.any(func(r eval.Record) float64 { return float64(r.F1) }) && g.any(func(r eval.Record) float64 { return float64(r.Spearman) }) {
		f.YLabel = "Spearman's correlation of score and grade"
		quality = func(r eval.Record) Mark {
			return Mark{Y: float64(r.Spearman), Low: math.NaN(), High: math.NaN(), Note: "Spearman " + three(r.Spearman)}
		}
	}
	drawn := false
	for _, r := range g.records {
		m := quality(r)
		m.Label, m.X = label(r), price(r)
		if m.valid() {
			m.Note += ", " + short(m.X) + " " + unit
			drawn = true
		}
		f.Marks = append(f.Marks, m)
	}
	if !drawn {
		return nil
	}
	return f
}

func (g *group) any(figure func(eval.Record) float64) bool {
	for _, r := range g.records {
		if !math.IsNaN(figure(r)) {
			return true
		}
	}
	return false
}

// namer makes names of files: the data set, with split and truth where it has
// several groups.
type namer struct {
	groups map[string]int
	taken  map[string]bool
}

func newNamer(groups []*group) namer {
	n := namer{map[string]int{}, map[string]bool{}}
	for _, g := range groups {
		n.groups[g.dataset]++
	}
	return n
}

func (n namer) of(g *group) string {
	name := g.dataset
	if n.groups[g.dataset] > 1 {
		name += "-" + g.split + "-" + g.truth
	}
	name = fileName(name)
	// Different data sets may be called the same but for what no file can be.
	for base, k := name, 2; n.taken[strings.ToLower(name)]; k++ {
		name = base + "-" + strconv.Itoa(k)
	}
	n.taken[strings.ToLower(name)] = true
	return name
}

// fileName returns text as the beginning of a file's name.
func fileName(s string) string {
	s = strings.Map(func(r rune) rune {
		if nameRune(r) {
			return r
		}
		return '_'
	}, s)
	s = strings.TrimLeft(s, ".")
	for len(s) > maxName-40 {
		s = s[:len(s)-1]
	}
	s = strings.ToValidUTF8(s, "")
	if s == "" {
		return "data"
	}
	return s
}

func three(f eval.Figure) string {
	if v := float64(f); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'f', 3, 64)
	}
	return "-"
}

// grouped returns a number with a comma at every thousand.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
