package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/stress"
	"github.com/alike-go/alike/internal/charts"
)

// stressed adds how scores and recall fall under edits: recall by length of
// text, and by rate for each kind of edit.
func (p *page) stressed(records []stress.Record, look map[string]int) {
	for i, data := range eval.Distinct(records, func(r stress.Record) string { return r.Data }) {
		of := slices.DeleteFunc(slices.Clone(records), func(r stress.Record) bool { return r.Data != data })
		lengths := eval.Distinct(of, func(r stress.Record) int { return r.Length })
		slices.Sort(lengths)
		length := lengths[len(lengths)/2]
		edit := middle(of)
		id := fmt.Sprintf("stress%d", i+1)
		pairs := slices.MinFunc(of, func(a, b stress.Record) int { return int(a.Pairs - b.Pairs) }).Pairs
		s := p.add(id, format(text{"Under stress: %s", "压力测试：%s"}, data), format(text{
			"Copies with planted edits that are found, at a threshold which only a stated share of unrelated pairs reaches (of %s pairs at least). Bars are 95%% intervals.",
			"植入编辑的副本被找到的比例，阈值使无关文档对仅有指定比例达到（至少 %s 对）。竖线为 95%% 区间。",
		}, charts.Grouped(pairs)))
		s.figure(stressFigure(id+"-length", format(text{"By length of text, %s", "随文本长度变化，%s"}, edit.String()),
			text{"characters of a text (log scale)", "文本字符数（对数刻度）"}, true, of, look,
			func(r stress.Record) bool { return r.Edit() == edit }, func(r stress.Record) float64 { return float64(r.Length) }))
		for _, k := range eval.Distinct(of, func(r stress.Record) plant.Kind { return r.Kind }) {
			s.figure(stressFigure(id+"-"+string(k), format(text{"By rate of %[1]s, texts of %[2]d characters", "随 %[1]s 比例变化，文本 %[2]d 字符"}, k, length),
				text{"share of the text edited", "编辑比例"}, false, of, look,
				func(r stress.Record) bool { return r.Kind == k && r.Length == length }, func(r stress.Record) float64 { return r.Rate }))
		}
	}
}

// middle returns the edit that is shown by length: mixed, or else the first kind, at the
// middle of its rates.
func middle(records []stress.Record) plant.Edit {
	kinds := eval.Distinct(records, func(r stress.Record) plant.Kind { return r.Kind })
	kind := kinds[0]
	if slices.Contains(kinds, plant.Mixed) {
		kind = plant.Mixed
	}
	var rates []float64
	for _, r := range records {
		if r.Kind == kind && !slices.Contains(rates, r.Rate) {
			rates = append(rates, r.Rate)
		}
	}
	slices.Sort(rates)
	return plant.Edit{Kind: kind, Rate: rates[len(rates)/2]}
}

// stressFigure draws recall of the records that which chooses; nil where none has any.
func stressFigure(id string, title, what text, log bool, records []stress.Record, look map[string]int, which func(stress.Record) bool, x func(stress.Record) float64) *figure {
	c := chart{Kind: "curves", X: axis{Label: what, Log: log}, Y: axis{Label: text{"recall", "召回率"}, Domain: share()}}
	t := newTable(text{"method", "方法"}, what, text{"recall", "召回率"}, text{"threshold", "阈值"}, text{"mean score", "平均得分"}, text{"unrelated pairs that reach it", "达到阈值的无关对比例"})
	for _, m := range eval.Distinct(records, func(r stress.Record) string { return r.Method }) {
		d := series{Label: m, Look: look[m], Marks: true}
		for _, r := range records {
			if r.Method != m || !which(r) || !finite(r.Recall) {
				continue
			}
			d.Points = append(d.Points, [2]float64{x(r), digits(float64(r.Recall))})
			if b := span(r.RecallLow, r.RecallHigh); b != nil {
				d.Bounds = append(d.Bounds, [3]float64{x(r), b[0], b[1]})
			}
			t.row(code(m), number(fmt.Sprintf("%.4g", x(r))), interval(r.Recall, r.RecallLow, r.RecallHigh, false),
				number(three(r.Threshold)), number(three(r.Score)), number(small(r.FalsePositives)))
		}
		if d.Points == nil {
			continue
		}
		slices.SortStableFunc(d.Points, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
		c.Series = append(c.Series, d)
	}
	if !log && c.Series != nil {
		most := 0.0
		for _, s := range c.Series {
			most = max(most, s.Points[len(s.Points)-1][0])
		}
		c.X.Domain = &[2]float64{0, most}
	}
	f := &figure{ID: id, Title: title, Table: t}
	return f.drawn(c)
}

// small prints a share that may be far below a thousandth.
func small(f eval.Figure) string {
	if !finite(f) {
		return "–"
	}
	return fmt.Sprintf("%.2g", float64(f))
}
