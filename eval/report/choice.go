package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/internal/charts"
)

// valued names what a goal makes as great as can be.
func valued(goal string) text {
	switch {
	case strings.HasPrefix(goal, "precision"):
		return text{"recall", "召回率"}
	case strings.HasPrefix(goal, "recall"):
		return text{"precision", "精确率"}
	}
	return same("F1")
}

// choice adds what a search chose, and against what, from the records of its candidates.
func (p *page) choice(id string, all []choose.Record) {
	var named, others, baselines []choose.Record
	for _, t := range all {
		if t.Role == "baseline" {
			baselines = append(baselines, t)
		} else if t.Role != "" && finite(reported(t).Value) {
			named = append(named, t)
		} else if finite(t.Dev.Value) {
			others = append(others, t)
		}
	}
	rank := func(t choose.Record) int {
		return slices.Index([]string{"best", "best guess", "front, cheaper", "front", "cheaper"}, t.Role)
	}
	slices.SortStableFunc(named, func(a, b choose.Record) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(reported(b).Value, reported(a).Value))
	})
	if len(named) == 0 {
		return
	}
	best := named[0]
	intro := format(text{
		"Of %d candidates take %s from a score of %s on. Chosen for %s on one part of the data, reported on another.",
		"在 %d 个候选中，选用 %s，得分阈值 %s。按目标 %s 在一部分数据上选择，在另一部分上报告。",
	}, len(all)-len(baselines), best.Spec, three(best.Threshold), best.Goal)
	if !best.Fit {
		intro = format(text{
			"None of %d candidates is fit for these documents: calling every pair alike has %s. The least bad is %s.",
			"%d 个候选均不适合这些文档：把所有对都判为相似即可得 %s。其中最不差的是 %s。",
		}, len(all)-len(baselines), three(best.All), best.Spec)
	}
	if best.Assumed {
		intro = format(text{
			"The documents have no labels. Of %d candidates, %s agrees best with what was assumed to be alike. The rule to take is the one that alike choose printed.",
			"这些文档没有标注。%d 个候选中，%s 与假定的结果最一致。应采用 alike choose 输出的规则。",
		}, len(all)-len(baselines), best.Spec)
	}
	s := p.add(id, format(text{"The choice for %s", "%s 的选择"}, best.Dataset), intro)
	value, note := valued(best.Goal), legend(cmp.Or(best.Margin, eval.DefaultMargin))
	t := newTable(text{"method", "方法"})
	t.columns(text{"role", "角色"})
	t.numbers([]text{{"threshold", "阈值"}, {"precision", "精确率"}, {"recall", "召回率"}, {"F1", "F1"}, {"bytes a document", "每篇字节数"}, {"µs a kB (nominal)", "每千字节微秒（标称）"}}...)
	roles := map[string]text{
		"best": {"best", "最佳"}, "best guess": {"best guess", "推测最佳"}, "front": {"front", "前沿"}, "cheaper": {"cheaper", "更省"}, "front, cheaper": {"front, cheaper", "前沿，更省"}, "baseline": {"baseline", "基线"},
	}
	for _, x := range slices.Concat(named, baselines) {
		q := reported(x)
		cells := map[string]cell{"precision": number(three(q.Precision)), "recall": number(three(q.Recall)), "F1": number(three(q.F1))}
		// The interval stands below the figure that the goal asks for.
		cells[value[0]] = marked(interval(q.Value, q.Low, q.High, q.Unusable), x.Role == "best", x.State)
		t.row(code(x.Spec), words(roles[x.Role]), number(three(x.Threshold)), cells["precision"], cells["recall"], cells["F1"],
			number(short(x.BytesPerDoc)), number(short(eval.Figure(x.Nominal))))
	}
	s.table(text{}, text{
		"Front: no other is better in quality, bytes and speed at once. Cheaper: in less space or time than the best, and ▲ or ≈. " + note[0],
		"前沿：没有其他候选在质量、字节和速度上同时更优。更省：比最佳更省空间或时间，且标为 ▲ 或 ≈。" + note[1],
	}, t)
	s.figure(choiceFigure(id+"-bytes", text{"Candidates by space", "候选与空间"}, text{"bytes a document (log scale)", "每篇文档字节数（对数刻度）"}, value, named, others, func(t choose.Record) eval.Figure { return t.BytesPerDoc }))
	s.figure(choiceFigure(id+"-time", text{"Candidates by time", "候选与时间"}, text{"µs of one core a kB of text, nominal (log scale)", "单核处理每千字节文本的微秒数，标称（对数刻度）"}, value, named, others, func(t choose.Record) eval.Figure { return eval.Figure(t.Nominal) }))
}

// reported returns the figures on the split reported on: NaN for candidates that did not
// come that far.
func reported(t choose.Record) choose.Quality {
	if t.Test != nil {
		return *t.Test
	}
	none := eval.Figure(math.NaN())
	return choose.Quality{Value: none, Low: none, High: none, Precision: none, Recall: none, F1: none}
}

// choiceFigure returns nil if no candidate has a price.
func choiceFigure(id string, title, what, value text, named, others []choose.Record, price func(choose.Record) eval.Figure) *figure {
	c := chart{Kind: "scatter", Apart: true, X: axis{Label: what, Log: true}, Y: axis{Label: value}}
	f := &figure{
		ID: id, Title: title,
		Note: text{
			"Ringed: the front, in quality, bytes and speed together, with 95% intervals. Grey: all other candidates, by their value where they were chosen.",
			"带圈：质量、字节和速度共同构成的前沿，附 95% 区间。灰色：其余候选，取其在选择数据上的值。",
		},
	}
	f.Table = newTable(text{"method", "方法"}, what, text{value[0] + ", reported", value[1] + "，报告"}, text{value[0] + ", chosen on", value[1] + "，选择"})
	look := charts.Looks(eval.Distinct(named, func(t choose.Record) string { return t.Spec }))
	for _, t := range named {
		q := reported(t)
		if x := price(t); dotted(x, q.Value) {
			c.Series = append(c.Series, series{
				Label: t.Spec, Look: look[t.Spec], Dot: &[2]float64{float64(x), digits(float64(q.Value))},
				Interval: span(q.Low, q.High), Front: strings.Contains(t.Role, "front"),
			})
			f.Table.row(code(t.Spec), number(short(x)), number(three(q.Value)), number(three(t.Dev.Value)))
		}
	}
	if c.Series == nil {
		return nil
	}
	for _, t := range others {
		if x := price(t); dotted(x, t.Dev.Value) {
			c.Others = append(c.Others, dot{float64(x), digits(float64(t.Dev.Value)), t.Spec})
			f.Table.row(code(t.Spec), number(short(x)), number("–"), number(three(t.Dev.Value)))
		}
	}
	return f.drawn(c)
}
