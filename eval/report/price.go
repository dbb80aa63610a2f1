package report

import (
	"github.com/alike-go/alike/eval"
)

// price returns the chart of quality against bytes a document or sketching speed, nil
// where no record has both.
func (g *group) price(of string) *figure {
	f := &figure{
		ID:    g.id + "-" + of,
		Title: text{"Quality and space", "质量与空间"},
	}
	price := func(r eval.Record) eval.Figure { return r.BytesPerDoc }
	x := text{"bytes a document (log scale)", "每篇文档字节数（对数刻度）"}
	note := text{"fewer bytes", "更少字节"}
	more := false // is better
	if of == "speed" {
		f.Title = text{"Quality and speed", "质量与速度"}
		price = func(r eval.Record) eval.Figure { return r.SketchMBs }
		x = text{"text to sketch on one core, MB/s (log scale)", "单核文本到摘要速度 MB/s（对数刻度）"}
		note = text{"more speed", "更快速度"}
		more = true
	}
	y := text{"F1 at the chosen threshold", "选定阈值处的 F1"}
	if g.graded() {
		y = text{"Spearman's correlation", "斯皮尔曼相关"}
	}
	f.Note = format(text{
		"Ringed methods are the Pareto front: no other has both higher quality and %s. Bars are 95%% intervals.",
		"带圈的方法构成帕累托前沿：没有其他方法同时具有更高质量和%s。竖线为 95%% 区间。",
	}, note[0])
	f.Note[1] = format(text{"", "带圈的方法构成帕累托前沿：没有其他方法同时具有更高质量和%s。竖线为 95%% 区间。"}, note[1])[1]
	c := chart{Kind: "scatter", X: axis{Label: x, Log: true}, Y: axis{Label: y}}
	f.Table = newTable(text{"method", "方法"}, x, y, text{"95% interval", "95% 区间"}, text{"on the front", "在前沿上"})
	var shown []eval.Record
	for _, r := range g.records {
		if dotted(price(r), g.quality(r)) {
			shown = append(shown, r)
		}
	}
	if shown == nil {
		return nil
	}
	front := pareto(shown, g.quality, price, more)
	for i, r := range shown {
		s := series{Label: r.Method, Look: g.look[r.Method], Dot: &[2]float64{float64(price(r)), digits(float64(g.quality(r)))}, Front: front[i]}
		bounds, yes := "–", words(text{"", ""})
		if !g.graded() && finite(r.F1Low) && finite(r.F1High) {
			s.Interval = &[2]float64{digits(float64(r.F1Low)), digits(float64(r.F1High))}
			bounds = three(r.F1Low) + " – " + three(r.F1High)
		}
		if !g.graded() && r.Unusable {
			bounds = "unusable"
		}
		if front[i] {
			yes = words(text{"yes", "是"})
		}
		c.Series = append(c.Series, s)
		f.Table.row(cell{Text: same(r.Method), Code: true}, number(short(price(r))), number(three(g.quality(r))), number(bounds), yes)
	}
	f.chart = c
	return f
}

// pareto says which records no other one beats: as good in both and better in one.
func pareto(records []eval.Record, quality, price func(eval.Record) eval.Figure, more bool) []bool {
	gain := func(r eval.Record) eval.Figure {
		if more {
			return price(r)
		}
		return -price(r)
	}
	out := make([]bool, len(records))
	for i, r := range records {
		out[i] = true
		for _, o := range records {
			if quality(o) >= quality(r) && gain(o) >= gain(r) && (quality(o) > quality(r) || gain(o) > gain(r)) {
				out[i] = false
			}
		}
	}
	return out
}
