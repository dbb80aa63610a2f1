package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/charts"
)

// Choice is what a search for the best method found.
type Choice struct {
	Dataset  string
	Checksum string
	Goal     string // such as "f1" or "precision>=.95"
	Seed     uint64

	// Fit is false where no candidate is fit for the documents; the best one is the least
	// bad then.
	Fit bool

	// AllAlike is the value of calling every pair alike, on the split reported on.
	AllAlike eval.Figure

	Margin float64 // how much less counts as no worse

	Trials []Trial
}

// Trial is a candidate of a search.
type Trial struct {
	Method string

	// Role is "best", or what of "front" and "cheaper" it is, with a comma between, or
	// "baseline"; empty for the rest.
	Role string

	Threshold eval.Figure
	Dev       eval.Figure // the goal's value where candidates were chosen

	// Figures on the split reported on; NaN for who did not come that far. Low and High bound
	// Value, unless they are Unusable, and State says what is shown of it beside the best.
	Value, Low, High      eval.Figure
	Precision, Recall, F1 eval.Figure
	Unusable              bool
	State                 eval.State

	BytesPerDoc eval.Figure
	Nominal     eval.Figure // microseconds of one core for a thousand bytes of text, by a table of costs
}

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

// choice adds what was chosen, and against what.
func (p *page) choice(id string, c Choice) {
	var named, others, baselines []Trial
	for _, t := range c.Trials {
		if t.Role == "baseline" {
			baselines = append(baselines, t)
		} else if t.Role != "" && finite(t.Value) {
			named = append(named, t)
		} else if finite(t.Dev) {
			others = append(others, t)
		}
	}
	rank := func(t Trial) int { return slices.Index([]string{"best", "front, cheaper", "front", "cheaper"}, t.Role) }
	slices.SortStableFunc(named, func(a, b Trial) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Value, a.Value))
	})
	if len(named) == 0 {
		return
	}
	best := named[0]
	intro := format(text{
		"Of %d candidates take %s from a score of %s on. Chosen for %s on one part of the data, reported on another.",
		"在 %d 个候选中，选用 %s，得分阈值 %s。按目标 %s 在一部分数据上选择，在另一部分上报告。",
	}, len(c.Trials)-len(baselines), best.Method, three(best.Threshold), c.Goal)
	if !c.Fit {
		intro = format(text{
			"None of %d candidates is fit for these documents: calling every pair alike has %s. The least bad is %s.",
			"%d 个候选均不适合这些文档：把所有对都判为相似即可得 %s。其中最不差的是 %s。",
		}, len(c.Trials)-len(baselines), three(c.AllAlike), best.Method)
	}
	s := p.add(id, format(text{"The choice for %s", "%s 的选择"}, c.Dataset), intro)
	value, note := valued(c.Goal), legend(c.Margin)
	t := newTable(text{"method", "方法"})
	t.columns(text{"role", "角色"})
	t.numbers([]text{{"threshold", "阈值"}, {"precision", "精确率"}, {"recall", "召回率"}, {"F1", "F1"}, {"bytes a document", "每篇字节数"}, {"µs a kB (nominal)", "每千字节微秒（标称）"}}...)
	roles := map[string]text{
		"best": {"best", "最佳"}, "front": {"front", "前沿"}, "cheaper": {"cheaper", "更省"}, "front, cheaper": {"front, cheaper", "前沿，更省"}, "baseline": {"baseline", "基线"},
	}
	for _, x := range slices.Concat(named, baselines) {
		// The interval stands below the figure that the goal asks for.
		cells := map[string]cell{"precision": number(three(x.Precision)), "recall": number(three(x.Recall)), "F1": number(three(x.F1))}
		c := marked(interval(x.Value, x.Low, x.High, x.Unusable), x.Role == "best", x.State)
		cells[value[0]] = c
		t.row(cell{Text: same(x.Method), Code: true}, words(roles[x.Role]), number(three(x.Threshold)), cells["precision"], cells["recall"], cells["F1"],
			number(short(x.BytesPerDoc)), number(short(x.Nominal)))
	}
	s.table(text{}, text{
		"Front: no other is better in quality, bytes and speed at once. Cheaper: in less space or time than the best, and ▲ or ≈. " + note[0],
		"前沿：没有其他候选在质量、字节和速度上同时更优。更省：比最佳更省空间或时间，且标为 ▲ 或 ≈。" + note[1],
	}, t)
	s.figure(choiceFigure(id+"-bytes", text{"Candidates by space", "候选与空间"}, text{"bytes a document (log scale)", "每篇文档字节数（对数刻度）"}, value, named, others, func(t Trial) eval.Figure { return t.BytesPerDoc }))
	s.figure(choiceFigure(id+"-time", text{"Candidates by time", "候选与时间"}, text{"µs of one core a kB of text, nominal (log scale)", "单核处理每千字节文本的微秒数，标称（对数刻度）"}, value, named, others, func(t Trial) eval.Figure { return t.Nominal }))
}

// choiceFigure returns nil where nobody has a price.
func choiceFigure(id string, title, what, value text, named, others []Trial, price func(Trial) eval.Figure) *figure {
	c := chart{Kind: "scatter", Apart: true, X: axis{Label: what, Log: true}, Y: axis{Label: value}}
	f := &figure{
		ID: id, Title: title,
		Note: text{
			"Ringed: the front, in quality, bytes and speed together, with 95% intervals. Grey: all other candidates, by their value where they were chosen.",
			"带圈：质量、字节和速度共同构成的前沿，附 95% 区间。灰色：其余候选，取其在选择数据上的值。",
		},
	}
	f.Table = newTable(text{"method", "方法"}, what, text{value[0] + ", reported", value[1] + "，报告"}, text{value[0] + ", chosen on", value[1] + "，选择"})
	look := charts.Looks(eval.Distinct(named, func(t Trial) string { return t.Method }))
	for _, t := range named {
		if x := price(t); dotted(x, t.Value) {
			d := series{Label: t.Method, Look: look[t.Method], Dot: &[2]float64{float64(x), digits(float64(t.Value))}, Front: strings.Contains(t.Role, "front")}
			if finite(t.Low) && finite(t.High) {
				d.Interval = &[2]float64{digits(float64(t.Low)), digits(float64(t.High))}
			}
			c.Series = append(c.Series, d)
			f.Table.row(cell{Text: same(t.Method), Code: true}, number(short(x)), number(three(t.Value)), number(three(t.Dev)))
		}
	}
	if c.Series == nil {
		return nil
	}
	for _, t := range others {
		if x := price(t); dotted(x, t.Dev) {
			c.Others = append(c.Others, dot{float64(x), digits(float64(t.Dev)), t.Method})
			f.Table.row(cell{Text: same(t.Method), Code: true}, number(short(x)), number("–"), number(three(t.Dev)))
		}
	}
	f.chart = c
	return f
}

// choices adds the sections of all searches.
func (p *page) choices(all []Choice) {
	for i, c := range all {
		p.choice(fmt.Sprintf("choice%d", i+1), c)
	}
}
