package report

import (
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
	p.choices(in.Choices)
	look := charts.Looks(slices.Concat(methods, eval.Distinct(in.Stress, func(r stress.Record) string { return r.Method })))
	if len(groups) > 1 {
		p.overview(groups, methods)
	}
	for i, g := range groups {
		g.id = fmt.Sprintf("set%d", i+1)
		g.look = look
		p.group(g)
	}
	p.growth(in.Records, look)
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

// best returns the record of the highest quality, -1 if none has any.
func (g *group) best() int {
	at := -1
	for i, r := range g.records {
		if q := g.quality(r); finite(q) && (at < 0 || q > g.quality(g.records[at])) {
			at = i
		}
	}
	return at
}

// noWorse says for each record whether its F1 may well be that of the best one: their
// intervals meet, and no difference is found between the two once all comparisons with the best are
// adjusted for.
func (g *group) noWorse() []bool {
	out := make([]bool, len(g.records))
	at := g.best()
	if at < 0 || g.graded() {
		return out
	}
	var family []eval.Comparison
	var of []int
	for i, r := range g.records {
		if i == at {
			continue
		}
		compared, err := eval.Compare(g.records[at], r)
		if err != nil {
			continue // joins of other floors are of other pairs
		}
		for _, c := range compared {
			if c.Name == "f1" {
				family, of = append(family, c), append(of, i)
			}
		}
	}
	eval.Adjust(family)
	for k, c := range family {
		// A few resamples cannot make any p-value small; intervals apart say enough.
		apart := g.records[of[k]].F1High < g.records[at].F1Low
		out[of[k]] = c.Noise() && finite(c.Adjusted) && !apart
	}
	out[at] = true
	return out
}

// overview compares all methods on all sets.
func (p *page) overview(groups []*group, methods []string) {
	s := p.add("overview", text{"At a glance", "总览"}, text{
		"F1 on the split reported on, at the threshold chosen on the other one; Spearman's correlation where there are grades only. Bold is the best of a set, ≈ what cannot be told from it (paired bootstrap where records hold it, p > .05 after Holm).",
		"报告划分上的 F1，阈值在另一划分上选定；只有分级标注时为斯皮尔曼相关。粗体为该数据集最佳，≈ 表示与最佳无显著差异（有重采样时用配对自助法，Holm 校正后 p > .05）。",
	})
	t := &table{}
	t.heads(text{"method", "方法"})
	cells := make([][]cell, len(methods))
	for i, m := range methods {
		cells[i] = []cell{{Text: same(m), Code: true}}
	}
	for _, g := range groups {
		t.Head = append(t.Head, cell{Text: g.name, Class: "number"})
		best, noWorse := g.best(), g.noWorse()
		for i, m := range methods {
			c := number("–")
			for k, r := range g.records {
				if r.Method != m {
					continue
				}
				c = number(three(g.quality(r)))
				switch {
				case k == best:
					c.Class = "number best"
				case noWorse[k]:
					c.Text = same(three(g.quality(r)) + " ≈")
				}
			}
			cells[i] = append(cells[i], c)
		}
	}
	t.Rows = cells
	s.table(text{}, text{}, t)
}

func (p *page) group(g *group) {
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
	s.table(text{}, text{}, g.summary())
	s.figure(g.precisionRecall())
	s.figure(g.scores())
	s.figure(g.price("bytes"))
	s.figure(g.price("speed"))
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
func interval(f, low, high eval.Figure) cell {
	c := number(three(f))
	if finite(low) && finite(high) {
		c.Small = three(low) + " – " + three(high)
	}
	return c
}

func finite(f eval.Figure) bool {
	return !math.IsNaN(float64(f)) && !math.IsInf(float64(f), 0)
}

// short prints three digits and a unit prefix: 1.23k, 45.6M.
func short(f eval.Figure) string {
	if !finite(f) {
		return "–"
	}
	v, prefix := float64(f), ""
	for _, p := range []string{"k", "M", "G"} {
		if math.Abs(v) < 999.5 {
			break
		}
		v, prefix = v/1000, p
	}
	switch {
	case v < 9.995:
		return fmt.Sprintf("%.2f%s", v, prefix)
	case v < 99.95:
		return fmt.Sprintf("%.1f%s", v, prefix)
	}
	return fmt.Sprintf("%.0f%s", v, prefix)
}
