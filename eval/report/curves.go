package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/charts"
)

// chart is what the script draws: a kind, axes and series.
type chart struct {
	Kind   string   `json:"kind"`
	X      axis     `json:"x"`
	Y      axis     `json:"y"`
	Step   bool     `json:"step,omitempty"` // between points: the value of the later one
	Iso    bool     `json:"iso,omitempty"`  // draws lines of equal F1
	Up     bool     `json:"up,omitempty"`   // of scores: there is one class only
	Series []series `json:"series,omitempty"`
	Others []dot    `json:"others,omitempty"` // grey points of a scatter
	Apart  bool     `json:"apart,omitempty"`  // the front is not joined by a line
	Panels []panel  `json:"panels,omitempty"`
	Bars   []bar    `json:"bars,omitempty"`
}

// series is one method in a chart.
type series struct {
	Label string `json:"label"`
	Look  int    `json:"look"` // the number of its colour, dashes and symbol

	Points [][2]float64 `json:"points,omitempty"` // of a line
	Marks  bool         `json:"marks,omitempty"`  // draws its points too
	Bounds [][3]float64 `json:"bounds,omitempty"` // intervals: x, low, high
	At     *[2]float64  `json:"at,omitempty"`     // a point apart, such as the chosen threshold

	Dot      *[2]float64 `json:"dot,omitempty"` // of a scatter
	Interval *[2]float64 `json:"interval,omitempty"`
	Front    bool        `json:"front,omitempty"`
}

// dot is a point with a name.
type dot struct {
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Label string  `json:"label"`
}

// panel is the scores of one method, counted by class in equal steps of [0, 1].
type panel struct {
	Label     string   `json:"label"`
	Alike     []int64  `json:"alike"`
	Other     []int64  `json:"other"`
	Threshold *float64 `json:"threshold,omitempty"`
}

// bar is one of several counts.
type bar struct {
	Label text    `json:"label"`
	Value float64 `json:"value"`
}

// digits rounds to what a chart can show, so that pages stay small.
func digits(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// precisionRecall returns nil where no record has a curve.
func (g *group) precisionRecall() *figure {
	c := chart{
		Kind: "curves", Step: true, Iso: true,
		X: axis{Label: text{"recall: share of the alike pairs that are found", "召回率：找到的相似对比例"}, Domain: share()},
		Y: axis{Label: text{"precision", "精确率"}, Domain: share()},
	}
	t := newTable(text{"recall ≥", "召回率 ≥"})
	t.Caption = text{
		"For each level of recall the first point of the curve that reaches it: precision, and the threshold behind @.",
		"每个召回水平取曲线上首个达到该水平的点：精确率，@ 后为阈值。",
	}
	levels := []float64{0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.975, 0.99, 1}
	for _, l := range levels {
		t.row(number(fmt.Sprint(l)))
	}
	t.row(words(text{"chosen", "选定"}))
	for _, r := range g.records {
		if r.Details == nil || len(r.Details.Curve) == 0 {
			continue
		}
		s := series{Label: r.Method, Look: g.look[r.Method]}
		first := r.Details.Curve[0]
		s.Points = append(s.Points, [2]float64{0, digits(first.Precision)})
		for _, q := range r.Details.Curve {
			s.Points = append(s.Points, [2]float64{digits(q.Recall), digits(q.Precision)})
		}
		if finite(r.Precision) && finite(r.Recall) {
			s.At = &[2]float64{digits(float64(r.Recall)), digits(float64(r.Precision))}
		}
		c.Series = append(c.Series, s)
		var cells []cell
		for _, l := range levels {
			at := "–"
			if k := slices.IndexFunc(r.Details.Curve, func(q eval.CurvePoint) bool { return q.Recall >= l }); k >= 0 {
				q := r.Details.Curve[k]
				at = fmt.Sprintf("%.3f @ %.3f", q.Precision, q.Threshold)
			}
			cells = append(cells, number(at))
		}
		chosen := fmt.Sprintf("%s, %s @ %s", three(r.Precision), three(r.Recall), three(r.Threshold))
		t.column(cell{Text: same(r.Method), Class: "number", Code: true}, append(cells, number(chosen)))
	}
	f := &figure{
		ID: g.id + "-curves", Table: t,
		Title: text{"Precision and recall", "精确率与召回率"},
		Note: text{
			"Each threshold gives a point; the symbol is what the chosen one gives. It is chosen on the other split and need not be the best here. Dashed grey lines join points of equal F1.",
			"每个阈值对应一点；符号为选定阈值处，该阈值在另一划分上选定，在此未必最优。灰色虚线为等 F1 线。",
		},
	}
	return f.drawn(c)
}

// scores returns nil where no record has counts of scores.
func (g *group) scores() *figure {
	c := chart{Kind: "scores", X: axis{Label: text{"score", "得分"}}}
	t := newTable(text{"score from", "得分起"})
	t.Caption = text{"Pairs alike / others by score.", "各得分区间的相似对数 / 其他对数。"}
	var steps int
	for _, r := range g.records {
		if r.Details == nil || len(r.Details.Alike) == 0 || len(r.Details.Alike) != len(r.Details.Other) {
			continue
		}
		p := panel{Label: r.Method, Alike: r.Details.Alike, Other: r.Details.Other}
		if finite(r.Threshold) {
			at := digits(float64(r.Threshold))
			p.Threshold = &at
		}
		steps = max(steps, len(p.Alike))
		c.Panels = append(c.Panels, p)
		t.Head = append(t.Head, cell{Text: same(r.Method), Class: "number", Code: true})
	}
	for k := range steps {
		row := []cell{number(fmt.Sprintf("%.2f", float64(k)/float64(steps)))}
		empty := true
		for _, p := range c.Panels {
			if len(p.Alike) != steps || p.Alike[k] == 0 && p.Other[k] == 0 {
				row = append(row, number(""))
				continue
			}
			empty = false
			row = append(row, number(charts.Grouped(p.Alike[k])+" / "+charts.Grouped(p.Other[k])))
		}
		if !empty {
			t.row(row...)
		}
	}
	f := &figure{
		ID: g.id + "-scores", Table: t,
		Title: text{"Scores by class", "各类别的得分分布"},
		Note: text{
			"Pairs by score, upwards those that are alike and downwards the others, on a logarithmic scale: the tail of the many others is what costs precision.",
			"按得分统计的文档对，向上为相似，向下为其他，对数刻度：大量其他对的尾部决定精确率的损失。",
		},
		Keys: []key{
			{"alike", text{"alike", "相似"}},
			{"other", text{"others", "其他"}},
			{"threshold", text{"chosen threshold", "选定阈值"}},
		},
	}
	return f.drawn(c)
}

// span is an interval in a chart; nil where there is none.
func span(low, high eval.Figure) *[2]float64 {
	if !finite(low) || !finite(high) {
		return nil
	}
	return &[2]float64{digits(float64(low)), digits(float64(high))}
}

// dotted reports whether a point can be drawn with a logarithmic x.
func dotted(x, y eval.Figure) bool { return finite(x) && finite(y) && x > 0 }
