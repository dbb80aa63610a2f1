package report

import (
	"cmp"

	"github.com/alike-go/alike/eval"
)

// bytesPrice returns the chart of quality against bytes per document.
func (g *group) bytesPrice() *figure {
	f := &figure{ID: g.id + "-bytes", Title: text{"Quality and space", "质量与空间"}}
	return g.price(f, text{"bytes a document (log scale)", "每篇文档字节数（对数刻度）"}, text{"fewer bytes", "更少字节"}, -1,
		func(r eval.Record) eval.Figure { return r.BytesPerDoc })
}

// speedPrice returns the chart of quality against sketching speed.
func (g *group) speedPrice() *figure {
	f := &figure{ID: g.id + "-speed", Title: text{"Quality and speed", "质量与速度"}}
	return g.price(f, text{"text to sketch on one core, MB/s (log scale)", "单核文本到摘要速度 MB/s（对数刻度）"}, text{"more speed", "更快速度"}, 1,
		func(r eval.Record) eval.Figure { return r.SketchMBs })
}

// price completes a chart of quality against a price. It returns nil if no record has
// both. sign is 1 if a larger price is better, and -1 if a smaller one is.
func (g *group) price(f *figure, x, better text, sign float64, price func(eval.Record) eval.Figure) *figure {
	y := text{"F1 at the chosen threshold", "选定阈值处的 F1"}
	if g.graded() {
		y = text{"Spearman's correlation", "斯皮尔曼相关"}
	}
	f.Note = text{
		"Ringed methods are the Pareto front: no other has both higher quality and " + better[0] + ". Bars are 95% intervals.",
		"带圈的方法构成帕累托前沿：没有其他方法同时具有更高质量和" + better[1] + "。竖线为 95% 区间。",
	}
	f.Table = newTable(text{"method", "方法"}, x, y, text{"95% interval", "95% 区间"}, text{"on the front", "在前沿上"})
	var shown []eval.Record
	var points [][]float64
	for _, r := range g.records {
		if dotted(price(r), g.quality(r)) {
			shown = append(shown, r)
			points = append(points, []float64{float64(g.quality(r)), sign * float64(price(r))})
		}
	}
	front := eval.Front(points)
	c := chart{Kind: "scatter", X: axis{Label: x, Log: true}, Y: axis{Label: y}}
	for i, r := range shown {
		s := series{Label: r.Method, Look: g.look[r.Method], Dot: &[2]float64{float64(price(r)), digits(float64(g.quality(r)))}, Front: front[i]}
		between, yes := "", words(text{"", ""})
		if !g.graded() {
			s.Interval, between = span(r.F1Low, r.F1High), bounds(r.F1Low, r.F1High, r.Unusable)
		}
		if front[i] {
			yes = words(text{"yes", "是"})
		}
		c.Series = append(c.Series, s)
		f.Table.row(code(r.Method), number(short(price(r))), number(three(g.quality(r))), number(cmp.Or(between, "–")), yes)
	}
	return f.drawn(c)
}
