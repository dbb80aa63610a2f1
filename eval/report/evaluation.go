package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/stress"
	"github.com/alike-go/alike/internal/charts"
)

// evaluation adds the sections that records give.
func (p *page) evaluation(in Input) {
	if len(in.Records) == 0 && len(in.SCurves) == 0 && len(in.Stress) == 0 && len(in.Choices) == 0 {
		return
	}
	groups := groupRecords(in.Records)
	p.Title = text{"Which documents are alike: methods compared", "文档是否相似：各方法比较"}
	methods := eval.Distinct(in.Records, func(r eval.Record) string { return r.Method })
	var pairs int64
	for _, g := range groups {
		pairs += g.records[0].Pairs
	}
	if len(groups) > 0 {
		p.Subtitle = format(text{"%d methods on %d data sets, %s judged pairs", "%d 种方法，%d 个数据集，%s 对已标注文档"},
			len(methods), len(groups), charts.Grouped(pairs))
	}
	if len(groups) == 0 && len(in.Choices) > 0 {
		p.Title = text{"Which method to take", "选用哪种方法"}
	}
	for i, c := range in.Choices {
		p.choice(fmt.Sprintf("choice%d", i+1), c)
	}
	look := charts.Looks(slices.Concat(methods, eval.Distinct(in.Stress, func(r stress.Record) string { return r.Method })))
	if len(groups) > 1 {
		p.overview(groups, methods, cmp.Or(in.Margin, eval.DefaultMargin))
	}
	for i, g := range groups {
		g.id = fmt.Sprintf("set%d", i+1)
		g.look = look
		p.group(g, cmp.Or(in.Margin, eval.DefaultMargin))
	}
	p.growth(eval.WithoutBaselines(in.Records), look)
	p.sCurves(in.SCurves)
	p.stressed(in.Stress, look)
	if len(groups) > 0 {
		p.provenance(groups)
	}
}

// group is the records of one data set, on the same pairs.
type group struct {
	id      string
	name    text
	records []eval.Record
	look    map[string]int // of a method, the same in all charts
}

// groupRecords groups records of the same pairs, in the order of their first; of records
// of a method that stand twice the last one counts.
func groupRecords(records []eval.Record) []*group {
	type key struct {
		dataset, split, truth, checksum string
		docs, positives                 int
	}
	var out []*group
	at := map[key]*group{}
	names := map[string]int{}
	for _, r := range records {
		k := key{r.Dataset, r.Split, r.Truth, r.Checksum, r.Docs, int(r.Positives)}
		g := at[k]
		if g == nil {
			g = &group{}
			at[k] = g
			out = append(out, g)
			names[r.Dataset]++
		}
		if i := slices.IndexFunc(g.records, func(o eval.Record) bool { return o.Method == r.Method }); i >= 0 {
			g.records[i] = r
			continue
		}
		g.records = append(g.records, r)
	}
	for _, g := range out {
		r := g.records[0]
		g.name = same(r.Dataset)
		if names[r.Dataset] > 1 {
			g.name = format(text{"%s (%s, %s documents)", "%s（%s，%s 篇文档）"}, r.Dataset, r.Split, charts.Grouped(int64(r.Docs)))
		}
	}
	return out
}

// graded reports whether the group has grades to correlate with and nothing to find.
func (g *group) graded() bool {
	return !g.any(func(r eval.Record) eval.Figure { return r.F1 }) && g.any(func(r eval.Record) eval.Figure { return r.Spearman })
}

func (g *group) any(of func(eval.Record) eval.Figure) bool {
	return slices.ContainsFunc(g.records, func(r eval.Record) bool { return finite(of(r)) })
}

// quality returns what methods are ranked by.
func (g *group) quality(r eval.Record) eval.Figure {
	if g.graded() {
		return r.Spearman
	}
	return r.F1
}

// standings returns the record that others are compared with, and the states of the
// others: see eval.Standings. Where there are grades only it is the record of the
// highest correlation, and nothing is claimed of the others.
func (g *group) standings(margin float64) (best int, states []eval.State) {
	best, states = eval.Standings(g.records, margin)
	if g.graded() {
		for i, r := range g.records {
			if q := r.Spearman; !r.Baseline && finite(q) && (best < 0 || q > g.records[best].Spearman) {
				best = i
			}
		}
	}
	return best, states
}

// marked is a cell with the mark of its place.
func marked(c cell, best bool, state eval.State) cell {
	if best {
		c.Class = "number best"
	} else if mark := state.Mark(); mark != "" {
		c.Text = same(c.Text[0] + " " + mark)
	}
	return c
}

// legend explains the marks.
func legend(margin float64) text {
	return text{
		"Bold is the method that is best on the split where thresholds were chosen. " + eval.Legend(margin) + ".",
		fmt.Sprintf("粗体为在选择阈值的划分上最佳的方法。▲ 已证明比它好，≈ 已证明至多差 %.3g，▼ 已证明更差，? 尚无定论（单侧检验，95%%，对各方法作 Holm 校正）；区间不可用时不作标记。", margin),
	}
}

// overview compares all methods on all sets.
func (p *page) overview(groups []*group, methods []string, margin float64) {
	note := legend(margin)
	s := p.add("overview", text{"At a glance", "总览"}, text{
		"F1 on the split reported on, at the threshold chosen on the other one; Spearman's correlation where there are grades only. " + note[0],
		"报告划分上的 F1，阈值在另一划分上选定；只有分级标注时为斯皮尔曼相关。" + note[1],
	})
	t := newTable(text{"method", "方法"})
	for _, m := range methods {
		t.row(code(m))
	}
	for _, g := range groups {
		best, states := g.standings(margin)
		var cells []cell
		for _, m := range methods {
			c := number("–")
			if k := slices.IndexFunc(g.records, func(r eval.Record) bool { return r.Method == m }); k >= 0 {
				c = marked(number(three(g.quality(g.records[k]))), k == best, states[k])
			}
			cells = append(cells, c)
		}
		t.column(cell{Text: g.name, Class: "number"}, cells)
	}
	s.table(text{}, text{}, t)
}

func (p *page) group(g *group, margin float64) {
	r := g.records[0]
	intro := format(text{
		"Reported on %s: %s pairs, %s of them alike, of %s documents. Thresholds and fits are chosen on %s.",
		"在 %s 上报告：%s 对文档，其中 %s 对相似，共 %s 篇文档。阈值与拟合在 %s 上选定。",
	}, r.Split, charts.Grouped(r.Pairs), charts.Grouped(r.Positives), charts.Grouped(int64(r.Docs)), r.TunedOn)
	if r.SampledFrom > 0 {
		more := format(text{" Sampled from %s documents.", "抽样自 %s 篇文档。"}, charts.Grouped(int64(r.SampledFrom)))
		intro = text{intro[0] + more[0], intro[1] + more[1]}
	}
	if r.Shared > 0 {
		more := text{" Both splits have %s texts in common.", "两个划分共有 %s 篇相同文本。"}
		if r.StrictSplits {
			more = text{" Both splits have %s texts in common, which were left out of the latter.", "两个划分共有 %s 篇相同文本，已从后者中剔除。"}
		}
		more = format(more, charts.Grouped(int64(r.Shared)))
		intro = text{intro[0] + more[0], intro[1] + more[1]}
	}
	s := p.add(g.id, g.name, intro)
	s.table(text{}, text{}, g.summary(margin))
	// Baselines stand in the table only.
	charted := *g
	charted.records = eval.WithoutBaselines(g.records)
	g = &charted
	s.figure(g.precisionRecall())
	s.figure(g.scores())
	s.figure(g.bytesPrice())
	s.figure(g.speedPrice())
	s.pairs(
		text{"What methods disagree on", "方法之间的分歧"},
		text{
			"Pairs that some methods judge right (✓) and others wrong (✗), each with its score. Marked is what the two texts have in common: runs of words or of characters.",
			"部分方法判断正确（✓）而其他方法判断错误（✗）的文档对，附各方法得分。高亮处为两文共有的连续词或字。",
		}, g.disagreements())
}

func three(f eval.Figure) string {
	if !finite(f) {
		return "–"
	}
	return fmt.Sprintf("%.3f", float64(f))
}

// interval returns a figure above its interval.
func interval(f, low, high eval.Figure, unusable bool) cell {
	c := number(three(f))
	c.Small = bounds(low, high, unusable)
	return c
}

// bounds prints an interval, "unusable" where it is, or nothing where there is none.
func bounds(low, high eval.Figure, unusable bool) string {
	switch {
	case unusable:
		return "unusable"
	case finite(low) && finite(high):
		return three(low) + " – " + three(high)
	}
	return ""
}

func finite(f eval.Figure) bool {
	return !math.IsNaN(float64(f)) && !math.IsInf(float64(f), 0)
}

// short prints three digits and a unit prefix: 1.23k, 45.6M.
func short(f eval.Figure) string { return cmp.Or(charts.Short(float64(f)), "–") }
