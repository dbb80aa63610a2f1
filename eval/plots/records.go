package plots

import (
	"fmt"
	"math"
	"slices"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/charts"
)

// FromRecords returns the figures of a run. For each data set (and split, and
// way of pairing) in the order of the records these are, where the records have
// what it takes:
//
//   - NAME-precision-recall and NAME-scores, from records with details;
//   - NAME-quality-bytes, NAME-quality-speed: F1 with its interval against bytes
//     per document in memory and against megabytes of text sketched per second.
//     Where no method has an F1 but grades were compared, Spearman's correlation
//     takes its place.
//
// Methods that do not fit a set are shown, and said not to fit. Baselines are left out.
func FromRecords(records []eval.Record) []Figure {
	type key struct{ dataset, split, truth string }
	var keys []key
	groups := map[key][]eval.Record{}
	for _, r := range eval.WithoutBaselines(records) {
		k := key{r.Dataset, r.Split, r.Truth}
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], r)
	}
	var figures []Figure
	for _, k := range keys {
		prefix := ""
		if slices.ContainsFunc(keys, func(o key) bool { return o != k && o.dataset == k.dataset }) {
			prefix = k.split + "-" + k.truth + "-"
		}
		for _, f := range figuresOf(groups[k]) {
			f.Data, f.Name = k.dataset, prefix+f.Name
			figures = append(figures, f)
		}
	}
	return figures
}

// A figure shows shares of each class unless one class is more than unbalanced
// times larger than the other. Shares would then hide the tail of the larger
// class, which costs precision.
const unbalanced = 20

// figuresOf returns the figures of records of the same pairs.
func figuresOf(records []eval.Record) []Figure {
	r := records[0]
	pairs := map[string]string{"all": "all ", "joined": "all ", "sampled": "sampled "}[r.Truth]
	about := fmt.Sprintf("%s split, %s%s pairs (%s alike) of %s documents; thresholds chosen on %s", r.Split,
		pairs, charts.Grouped(r.Pairs), charts.Grouped(r.Positives), charts.Grouped(int64(r.Docs)), r.TunedOn)
	curve := Figure{
		Name: "precision-recall", Title: "precision and recall", kind: curves, Subtitle: about + "; marks show what they give",
		XLabel: "recall: share of the alike pairs that are found", YLabel: "precision: share of the found pairs that are alike",
	}
	scores := Figure{Name: "scores", Title: "scores of pairs by class", kind: histograms, Subtitle: about, XLabel: "score", YLabel: "pairs of the class (%)"}
	detailed := false
	for _, r := range records {
		c := Series{Method: r.Method, suffix: suffix(r), Note: "AP " + three(r.AP) + ", F1 " + three(r.F1)}
		if x, y := float64(r.Recall), float64(r.Precision); share.shows(x) && share.shows(y) {
			c.Points = []Point{{X: x, Y: y, Low: y, High: y}}
			c.Note += " at " + three(r.Threshold)
		}
		if d := r.Details; d != nil {
			for _, q := range d.Curve {
				c.line = append(c.line, Point{X: q.Recall, Y: q.Precision})
				detailed = true
			}
			if len(d.Alike) > 0 {
				scores.Series = append(scores.Series, Series{Method: r.Method, suffix: suffix(r), alike: d.Alike, other: d.Other, threshold: float64(r.Threshold)})
			}
			if alike, other := total(d.Alike), total(d.Other); other > unbalanced*alike || alike > unbalanced*other {
				scores.counts, scores.YLabel = true, "pairs (log scale)"
			}
		}
		curve.Series = append(curve.Series, c)
	}
	var figures []Figure
	if detailed {
		figures = append(figures, curve)
	}
	if scores.Series != nil {
		figures = append(figures, scores)
	}
	for i, price := range []struct{ name, title, label, unit string }{
		{"bytes", "bytes per document", "memory of a sketch: bytes per document (log scale)", "B"},
		{"speed", "sketching speed", "sketching: MB of text per second on one core (log scale)", "MB/s"},
	} {
		f := Figure{
			Name: "quality-" + price.name, Title: "quality and " + price.title, kind: scatter, XLabel: price.label,
			Subtitle: about + "; methods at about the same price are drawn a little apart",
		}
		if f.addQuality(records, price.unit, func(r eval.Record) eval.Figure { return []eval.Figure{r.BytesPerDoc, r.SketchMBs}[i] }) {
			figures = append(figures, f)
		}
	}
	return figures
}

// addQuality adds the quality of methods by their price. It reports whether any
// record has both.
func (f *Figure) addQuality(records []eval.Record, unit string, price func(eval.Record) eval.Figure) (drawn bool) {
	f.YLabel = "F1 at the chosen threshold, with 95 % interval"
	graded := !slices.ContainsFunc(records, func(r eval.Record) bool { return !math.IsNaN(float64(r.F1)) })
	if graded {
		f.YLabel = "Spearman's correlation of score and grade"
	}
	for _, r := range records {
		q := Point{float64(price(r)), float64(r.F1), float64(r.F1Low), float64(r.F1High)}
		note := fmt.Sprintf("F1 %s (%s to %s)", three(r.F1), three(r.F1Low), three(r.F1High))
		if r.Unusable {
			note = fmt.Sprintf("F1 %s (interval unusable)", three(r.F1))
		}
		if graded {
			q.Y, q.Low, q.High = float64(r.Spearman), math.NaN(), math.NaN()
			note = "Spearman " + three(r.Spearman)
		}
		if logarithmic.shows(q.X) && linear.shows(q.Y) {
			note += ", " + short(q.X) + " " + unit
			drawn = true
		}
		f.Series = append(f.Series, Series{Method: r.Method, Note: note, Points: []Point{q}, suffix: suffix(r)})
	}
	return drawn
}

func suffix(r eval.Record) string { return map[bool]string{false: " (not fit)"}[r.Fit] }

// three returns a number with three decimals, or a dash if there is none.
func three(f eval.Figure) string {
	if !linear.shows(float64(f)) {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(f))
}
