package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/charts"
)

// growth adds how the time of joins and their quality change with the number of
// documents, for data sets that were run at several sizes.
func (p *page) growth(records []eval.Record, look map[string]int) {
	var s *section
	for i, name := range eval.Distinct(records, func(r eval.Record) string { return r.Dataset }) {
		for _, of := range []string{"time", "quality"} {
			f := growthOf(name, fmt.Sprintf("growth%d-%s", i+1, of), of, records, look)
			if f == nil {
				continue
			}
			if s == nil {
				s = p.add("growth", text{"Growth with the number of documents", "随文档数的增长"}, text{
					"The same data at several sizes. The exponent is the slope of a line through the logarithms, by least squares: 1 grows as the documents do, 2 as their pairs.",
					"同一数据在不同规模下的结果。指数为对数坐标下最小二乘直线的斜率：1 表示与文档数同步增长，2 表示与文档对数同步增长。",
				})
			}
			s.figure(f)
		}
	}
}

func growthOf(dataset, id, of string, records []eval.Record, look map[string]int) *figure {
	c := chart{Kind: "curves", X: axis{Label: text{"documents (log scale)", "文档数（对数刻度）"}, Log: true}}
	f := &figure{ID: id}
	value := func(r eval.Record) eval.Figure { return r.F1 }
	c.Y = axis{Label: same("F1"), Domain: share()}
	f.Title = format(text{"%s: quality and size", "%s：质量与规模"}, dataset)
	if of == "time" {
		value = func(r eval.Record) eval.Figure {
			if r.Join == nil || !(r.Join.Seconds > 0) {
				return eval.Figure(math.NaN())
			}
			return r.Join.Seconds
		}
		c.Y = axis{Label: text{"seconds to find all pairs (log scale)", "找出全部对所需秒数（对数刻度）"}, Log: true}
		f.Title = format(text{"%s: time and size", "%s：时间与规模"}, dataset)
	}
	f.Table = newTable(text{"method", "方法"}, text{"documents", "文档数"}, c.Y.Label, text{"exponent", "指数"})
	for _, m := range eval.Distinct(records, func(r eval.Record) string { return r.Method }) {
		var points [][2]float64
		for _, r := range records {
			if v := value(r); r.Dataset == dataset && r.Method == m && r.Docs > 0 && finite(v) {
				at := [2]float64{float64(r.Docs), float64(v)}
				points = slices.DeleteFunc(points, func(q [2]float64) bool { return q[0] == at[0] })
				points = append(points, at)
			}
		}
		if len(points) < 2 {
			continue
		}
		slices.SortFunc(points, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
		exponent := "–"
		if of == "time" {
			exponent = fmt.Sprintf("%.2f", slope(points))
		}
		for _, q := range points {
			f.Table.row(code(m), number(charts.Grouped(int64(q[0]))), number(fmt.Sprintf("%.3g", q[1])), number(exponent))
		}
		c.Series = append(c.Series, series{Label: m, Look: look[m], Points: points, Marks: true})
	}
	return f.drawn(c)
}

// slope returns the slope of a line through the logarithms of points.
func slope(points [][2]float64) float64 {
	var x, y []float64
	for _, q := range points {
		x, y = append(x, math.Log(q[0])), append(y, math.Log(q[1]))
	}
	_, b := stat.LinearRegression(x, y, nil, false)
	return b
}

// SCurve is how likely an index finds a pair, by the pair's score.
type SCurve struct {
	Method string
	Design string // the settings of the index, such as "16 bands of 8 values"
	Points []SPoint

	// Threshold is the score that the index was designed for; 0 or NaN for none.
	Threshold float64
}

// SPoint is a point of an S-curve.
type SPoint struct{ Score, Found float64 }

// sCurves adds what the settings of inexact indexes mean.
func (p *page) sCurves(curves []SCurve) {
	if len(curves) == 0 {
		return
	}
	s := p.add("scurves", text{"What an index finds", "索引能找到什么"}, text{
		"The probability that a pair becomes a candidate, by its score. Symbols stand at the threshold an index was designed for: what lies left of it and under the curve is work for nothing, what lies right of it and above is missed.",
		"文档对成为候选的概率，随其得分变化。符号位于设计阈值处：其左曲线下方为无用功，其右曲线上方为漏检。",
	})
	c := chart{
		Kind: "curves",
		X:    axis{Label: text{"score of the pair", "文档对得分"}, Domain: share()},
		Y:    axis{Label: text{"probability of being found", "被找到的概率"}, Domain: share()},
	}
	t := newTable(text{"score", "得分"})
	for i := range 21 {
		t.row(number(fmt.Sprintf("%.2f", float64(i)/20)))
	}
	label := func(k SCurve) string { return k.Method + ": " + k.Design }
	look := charts.Looks(eval.Distinct(curves, label))
	for _, k := range curves {
		d := series{Label: label(k), Look: look[label(k)]}
		for _, q := range k.Points {
			d.Points = append(d.Points, [2]float64{digits(q.Score), digits(q.Found)})
		}
		if k.Threshold > 0 {
			d.At = &[2]float64{digits(k.Threshold), digits(k.at(k.Threshold))}
		}
		c.Series = append(c.Series, d)
		var cells []cell
		for i := range t.Rows {
			cells = append(cells, number(fmt.Sprintf("%.4f", k.at(float64(i)/20))))
		}
		t.column(number(d.Label), cells)
	}
	s.figure(&figure{ID: "scurves-chart", Title: text{"S-curves of the indexes", "索引的 S 曲线"}, Table: t, chart: c})
}

// at interpolates between points, which are in ascending order.
func (k SCurve) at(score float64) float64 {
	for i, q := range k.Points {
		if q.Score < score {
			continue
		}
		if i == 0 || q.Score == score {
			return q.Found
		}
		before := k.Points[i-1]
		return before.Found + (q.Found-before.Found)*(score-before.Score)/(q.Score-before.Score)
	}
	return math.NaN()
}
