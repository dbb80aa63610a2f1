package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/charts"
)

// unusable explains the word that stands for an interval.
var unusable = format(text{
	"Unusable: the positive pairs lie in fewer than %d effective units, so that intervals would often miss the truth.",
	"unusable（不可用）：正例对所在的有效单位少于 %d 个，区间往往不含真值。",
}, eval.LeastUnits)

// summary returns the table of a group, a row a method and a column a figure that some
// record has.
func (g *group) summary(margin float64) *table {
	best, states := g.standings(margin)
	bounded := func(of func(eval.Record) cell) func(int, eval.Record) cell {
		return func(_ int, r eval.Record) cell { return of(r) }
	}
	plain := func(of func(eval.Record) string) func(int, eval.Record) cell {
		return bounded(func(r eval.Record) cell { return number(of(r)) })
	}
	figure := func(of func(eval.Record) eval.Figure) func(int, eval.Record) cell {
		return plain(func(r eval.Record) string { return three(of(r)) })
	}
	estimate := func(of func(*eval.Estimate) eval.Figure) func(int, eval.Record) cell {
		return figure(func(r eval.Record) eval.Figure {
			if r.Estimate == nil {
				return eval.Figure(math.NaN())
			}
			return of(r.Estimate)
		})
	}
	columns := []struct {
		head text
		of   func(int, eval.Record) cell
	}{
		{text{"threshold", "阈值"}, figure(func(r eval.Record) eval.Figure { return r.Threshold })},
		{text{"precision", "精确率"}, bounded(func(r eval.Record) cell { return interval(r.Precision, r.PrecisionLow, r.PrecisionHigh, r.Unusable) })},
		{text{"recall", "召回率"}, bounded(func(r eval.Record) cell { return interval(r.Recall, r.RecallLow, r.RecallHigh, r.Unusable) })},
		{text{"F1", "F1"}, func(i int, r eval.Record) cell {
			c := interval(r.F1, r.F1Low, r.F1High, r.Unusable)
			if g.graded() {
				return c
			}
			return marked(c, i == best, states[i])
		}},
		{text{"average precision", "平均精确率"}, bounded(func(r eval.Record) cell { return interval(r.AP, r.APLow, r.APHigh, r.Unusable) })},
		{text{"AUC", "AUC"}, figure(func(r eval.Record) eval.Figure { return r.AUC })},
		{text{"recall at precision ≥ .95", "召回率（精确率 ≥ .95）"}, figure(func(r eval.Record) eval.Figure { return r.RecallP95 })},
		{text{"closure F1", "闭包 F1"}, figure(func(r eval.Record) eval.Figure { return r.ClosureF1 })},
		{text{"B-cubed F1", "B-cubed F1"}, figure(func(r eval.Record) eval.Figure { return r.BCubedF1 })},
		{text{"ARI", "ARI"}, figure(func(r eval.Record) eval.Figure { return r.ARI })},
		{text{"Spearman", "斯皮尔曼"}, func(i int, r eval.Record) cell {
			c := number(three(r.Spearman))
			if !g.graded() {
				return c
			}
			return marked(c, i == best, states[i])
		}},
		{text{"Pearson", "皮尔逊"}, figure(func(r eval.Record) eval.Figure { return r.Pearson })},
		{text{"bytes a document", "每篇字节数"}, plain(func(r eval.Record) string { return short(r.BytesPerDoc) })},
		{text{"sketching, MB/s", "摘要速度 MB/s"}, bounded(func(r eval.Record) cell {
			return spread(r.SketchMBs, r.Speed, func(s *eval.Speed) *eval.Spread { return s.SketchMB })
		})},
		{text{"pairs a second", "每秒比较对数"}, bounded(func(r eval.Record) cell {
			return spread(r.PairsS, r.Speed, func(s *eval.Speed) *eval.Spread { return s.PairsS })
		})},
		{text{"bias of the estimate", "估计偏差"}, estimate(func(e *eval.Estimate) eval.Figure { return e.Bias })},
		{text{"its RMSE", "均方根误差"}, estimate(func(e *eval.Estimate) eval.Figure { return e.RMSE })},
		{text{"join, s", "连接用时（秒）"}, plain(func(r eval.Record) string {
			if r.Join == nil {
				return "–"
			}
			return short(r.Join.Seconds)
		})},
		{text{"missed by the join", "连接漏掉"}, plain(func(r eval.Record) string {
			if r.Join == nil {
				return "–"
			}
			return fmt.Sprintf("%s / %s", charts.Grouped(r.Join.MissedThreshold), charts.Grouped(r.Join.ReachThreshold))
		})},
	}
	t := newTable(text{"method", "方法"})
	note := legend(margin)
	t.Caption = text{
		"Below the figures stand 95% intervals by bootstrap, below speeds the slowest and the fastest round. " + note[0] + " " + unusable[0],
		"数字下方为自助法 95% 区间，速度下方为最慢与最快一轮。" + note[1] + unusable[1],
	}
	for _, r := range g.records {
		t.row(cell{Text: g.label(r), Code: true})
	}
	for _, c := range columns {
		var cells []cell
		for i, r := range g.records {
			cells = append(cells, c.of(i, r))
		}
		if !slices.ContainsFunc(cells, func(c cell) bool { return c.Text[0] != "–" }) {
			continue
		}
		t.column(cell{Text: c.head, Class: "number"}, cells)
	}
	return t
}

// spread returns the median of a speed above its extremes, where it was measured more than once.
func spread(median eval.Figure, speed *eval.Speed, of func(*eval.Speed) *eval.Spread) cell {
	c := number(short(median))
	if speed == nil {
		return c
	}
	if s := of(speed); s != nil && s.Min < s.Max {
		c.Small = short(s.Min) + " – " + short(s.Max)
	}
	return c
}

// label names a method, and says where it does not fit the data.
func (g *group) label(r eval.Record) text {
	_, ceiling := r.CeilingSpec()
	switch {
	case ceiling:
		return text{r.Method + " (chosen with labels)", r.Method + "（用标签选定）"}
	case r.Baseline:
		return text{r.Method + " (baseline)", r.Method + "（基线）"}
	case r.Fit:
		return same(r.Method)
	}
	return text{r.Method + " (not fit)", r.Method + "（不适用）"}
}

// provenance says where every figure comes from.
func (p *page) provenance(groups []*group) {
	s := p.add("provenance", text{"Settings and provenance", "设置与来源"}, text{
		"What it takes to make the figures again. Speeds are of one core of the machine named.",
		"重现这些数字所需的全部信息。速度为所列机器单核速度。",
	})
	data := newTable(text{"data set", "数据集"})
	data.columns([]text{{"pairs", "配对"}, {"chosen on", "选定于"}, {"reported on", "报告于"}, {"seed", "种子"}, {"resamples", "重采样"}, {"bootstrap units", "自助单位"}, {"pairs of equal texts", "文本相同的对"}, {"checksum", "校验和"}}...)
	settings := newTable(text{"method", "方法"})
	settings.columns(text{"data set", "数据集"}, text{"fitted on", "拟合于"}, text{"without features", "无特征文档"}, text{"all settings", "全部设置"})
	machines := newTable(text{"commit", "提交"})
	machines.columns(same("Go"), text{"system", "系统"}, text{"processor", "处理器"}, text{"CPUs", "CPU 数"})
	seen := map[eval.Machine]bool{}
	for _, g := range groups {
		r := g.records[0]
		data.row(cell{Text: g.name}, name(r.Truth), name(r.TunedOn), name(r.Split), name(fmt.Sprint(r.Seed)), name(fmt.Sprint(r.Resamples)),
			name(charts.Grouped(int64(r.Units))), name(charts.Grouped(r.Equal)), cell{Text: same(r.Checksum), Class: "words", Code: true})
		for _, r := range g.records {
			settings.row(code(r.Method), cell{Text: g.name}, name(cmp.Or(r.FittedOn, "–")), name(charts.Grouped(int64(r.NoFeatureDocs))), cell{Text: same(r.Settings), Class: "words", Code: true})
			if m := r.Machine; !seen[m] {
				seen[m] = true
				machines.row(code(cmp.Or(m.Commit, "–")), name(m.Go), name(m.OS+"/"+m.Arch), name(m.CPU), name(fmt.Sprint(m.CPUs)))
			}
		}
	}
	s.table(text{"Data", "数据"}, text{}, data)
	s.table(text{"Machine", "机器"}, text{}, machines)
	s.table(text{"Settings", "设置"}, text{}, settings)
}
