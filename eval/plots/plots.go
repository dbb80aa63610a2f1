// Package plots draws what a run of methods measured: precision-recall curves,
// scores by class, and quality against space and speed.
//
// A [Figure] is a picture in data: its labels and numbers, without style.
// [FromRecords] makes the figures of a run, [NewCurve] and [NewHistogram] make
// parts of them from scored pairs, and [Write] draws them as PNG (1200 pixels
// wide) and SVG. The same figures give the same bytes, wherever the same fonts
// are found.
//
// No number makes drawing fail: what cannot be drawn, such as a speed that was
// not measured, is said to have no value where it would have been named.
package plots

import (
	"cmp"
	"math"
	"slices"

	"github.com/alike-go/alike/eval"
)

// Figure is one of [PrecisionRecall], [Histograms], [Scatter] and [Lines].
type Figure interface {
	heading() *Heading
	labels() []string // what is drawn of the figure's own text, for the choice of fonts
	layout(*style) page
	warnings() []string
}

// Heading is what every figure has.
type Heading struct {
	Name     string // of the files, without ending: letters, digits, '-', '_' and '.'
	Title    string
	Subtitle string // smaller, below the title; may be empty
}

func (h *Heading) heading() *Heading { return h }

// PrecisionRecall shows the precision-recall curves of several methods. Curves
// are drawn in steps, so that the area under one is its average precision; grey
// lines join points of equal F1.
type PrecisionRecall struct {
	Heading
	Curves []Curve
}

// Curve is the precision-recall curve of one method. Points are in ascending
// order of recall.
type Curve struct {
	Label  string
	Note   string // smaller, below the label; may be empty
	Points []eval.CurvePoint

	// Chosen is what the chosen threshold gives, which is marked; nil for none.
	// It need not lie on the curve.
	Chosen *eval.CurvePoint
}

// Histograms shows the scores of pairs by class, a panel a method.
type Histograms struct {
	Heading
	Panels []Histogram

	// Counts draws numbers of pairs on a logarithmic axis: where one class is far
	// larger than the other, its tail is what costs precision. Otherwise each class
	// is drawn as shares of itself.
	Counts bool
}

// Histogram counts the pairs of each class in intervals of score.
type Histogram struct {
	Label        string
	Edges        []float64 // ascending, one more than counts; nil means equal steps of [0, 1]
	Alike, Other []int64
	Threshold    float64 // marked by a line; 0 or NaN for none
}

// Scatter shows a figure of merit against a price, on a logarithmic axis. Methods
// at about the same price are drawn a little apart.
type Scatter struct {
	Heading
	XLabel, YLabel string
	Marks          []Mark
}

// Mark is one method. X must be above 0. Low and High bound an interval of Y;
// NaN for none.
type Mark struct {
	Label     string
	Note      string // smaller, below the label; may be empty
	X, Y      float64
	Low, High float64
}

// curveSteps is how many steps of recall a curve of NewCurve has at most, and
// histogramSteps the number of steps of score of NewHistogram.
const (
	curveSteps     = 400
	histogramSteps = 50
)

// NewCurve returns the curve of scored pairs, with what the threshold gives on
// them marked. A pair of score 0 is never predicted alike. Without pairs that are
// alike there are no points.
func NewCurve(label string, pairs []eval.Scored, threshold float64) Curve {
	sorted := slices.Clone(pairs)
	slices.SortStableFunc(sorted, func(a, b eval.Scored) int { return cmp.Compare(float32(b.Score), float32(a.Score)) })
	alike := 0
	for _, p := range pairs {
		if p.Alike {
			alike++
		}
	}
	curve := Curve{Label: label}
	if alike == 0 {
		return curve
	}
	tp, drawn := 0, -1
	for i := 0; i < len(sorted); {
		score := float32(sorted[i].Score)
		if !(score > 0) {
			break
		}
		for ; i < len(sorted) && float32(sorted[i].Score) == score; i++ {
			if sorted[i].Alike {
				tp++
			}
		}
		// Between two steps of recall a curve only falls, so the first point of a
		// step stands for the best that it reaches.
		if step := tp * curveSteps / alike; step > drawn {
			drawn = step
			curve.Points = append(curve.Points, eval.CurvePoint{
				Threshold: float64(score),
				Precision: float64(tp) / float64(i),
				Recall:    float64(tp) / float64(alike),
			})
		}
	}
	if c := eval.Count(pairs, threshold); c.TP+c.FP > 0 && threshold > 0 {
		curve.Chosen = &eval.CurvePoint{Threshold: threshold, Precision: c.Precision(), Recall: c.Recall()}
	}
	return curve
}

// NewHistogram counts scored pairs by class in 50 equal steps of [0, 1]. Scores
// outside count in the nearest step, NaN not at all.
func NewHistogram(label string, pairs []eval.Scored, threshold float64) Histogram {
	h := Histogram{Label: label, Threshold: threshold, Alike: make([]int64, histogramSteps), Other: make([]int64, histogramSteps)}
	for _, p := range pairs {
		if math.IsNaN(p.Score) {
			continue
		}
		step := int(min(max(0, p.Score)*histogramSteps, histogramSteps-1))
		if p.Alike {
			h.Alike[step]++
		} else {
			h.Other[step]++
		}
	}
	return h
}
