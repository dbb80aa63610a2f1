package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/charts"
)

// dedup adds the sections of a deduplication.
func (p *page) dedup(d *Dedup) {
	r := &d.Report
	gone := r.Removed()
	if p.Title == (text{}) {
		p.Title = text{"What deduplication removed, and why", "去重移除了什么，为什么"}
		p.Subtitle = format(text{"%s of %s documents removed: %s equal to one kept, %s alike", "共移除 %s / %s 篇文档：%s 篇与保留文档相同，%s 篇相似"},
			charts.Grouped(int64(gone)), charts.Grouped(int64(r.Documents)), charts.Grouped(int64(r.Equal)), charts.Grouped(int64(r.Alike)))
	}
	s := p.add("outcome", text{"Outcome", "结果"}, format(text{
		"A document goes only where it is itself alike to one that stays: equal, or of a score of at least %.4g by %s.",
		"文档仅在与某篇保留文档相同、或得分不低于 %.4g（%s）时才被移除。",
	}, r.Settings.Threshold, d.judge()))
	s.figure(d.outcomes())
	if a := r.Warranty; a != nil {
		t := newTable(text{"", ""}, text{"removals", "移除的文档"})
		t.row(words(text{"all", "全部"}), number(charts.Grouped(int64(a.Removals))))
		t.row(words(text{"of equal bytes, which need no answer", "字节完全相同，无需判断"}), number(charts.Grouped(int64(a.Equal))))
		t.row(words(text{"judged", "已判断"}), number(charts.Grouped(int64(a.Judged))))
		t.row(words(text{"judged wrong", "判断为误删"}), number(charts.Grouped(int64(a.Wrong))))
		s.table(text{"Wrong removals", "误删"}, format(text{
			"At most %.4g %% of the removals are wrong, with a confidence of %.4g %%, by answers about a random sample.",
			"依据对随机样本的判断，误删比例至多 %.4g%%（置信度 %.4g%%）。",
		}, 100*a.Bound, 100*a.Confidence), t)
	}
	p.clusters(d)
	p.reasons(d)
	p.lines(d)
	p.run(d)
}

// judge names the method whose score decided.
func (d *Dedup) judge() string {
	if s := d.Report.Settings; s.Verify == "sketch" || s.Verify == "none" {
		return s.Method
	}
	return d.Report.Settings.Verify
}

// count is one bar of a chart of counts, and a row of its table.
type count struct {
	label text
	n     int64
}

// counts returns a chart of counts; of as many thousands as ones where log is set.
func counts(id string, title, note, what text, log bool, rows []count) *figure {
	c := chart{Kind: "bars", X: axis{Label: what, Log: log}}
	t := newTable(title, what)
	for _, r := range rows {
		c.Bars = append(c.Bars, bar{r.label, float64(r.n)})
		t.row(words(r.label), number(charts.Grouped(r.n)))
	}
	return &figure{ID: id, Title: title, Note: note, Table: t, chart: c}
}

func (d *Dedup) outcomes() *figure {
	r := &d.Report
	rows := []count{
		{text{"kept", "保留"}, int64(r.Kept)},
		{text{"removed, equal to one kept", "移除：与保留文档相同"}, int64(r.Equal)},
		{text{"removed, alike to one kept", "移除：与保留文档相似"}, int64(r.Alike)},
	}
	if n := r.First + r.Judged; n > 0 {
		rows = append(rows, count{text{"removed, as judged or as the first of a cluster", "移除：按人工判断，或因簇中不保留任何文档"}, int64(n)})
	}
	if r.Unreadable > 0 {
		rows = append(rows, count{text{"no document: rows that cannot be read", "非文档：无法读取的行"}, int64(r.Unreadable)})
	}
	note := text{}
	if r.WithoutFeatures > 0 {
		note = format(text{"%s of the documents kept have no words to compare; they are like nothing.", "保留文档中有 %s 篇没有可比较的词，与任何文档都不相似。"}, charts.Grouped(int64(r.WithoutFeatures)))
	}
	return counts("outcome-chart", text{"What became of the documents", "文档的去向"}, note, text{"documents", "文档数"}, false, rows)
}

// clusters adds how large clusters are, and what chaining would have done.
func (p *page) clusters(d *Dedup) {
	if len(d.Sizes) == 0 {
		return
	}
	r := &d.Report
	s := p.add("clusters", text{"Clusters", "簇"}, format(text{
		"%s clusters of more than one document, the largest of %s.",
		"%s 个多于一篇文档的簇，最大的有 %s 篇。",
	}, charts.Grouped(int64(r.Clusters)), charts.Grouped(int64(r.Largest))))
	var rows []count
	for from := 2; ; {
		to, label := from, same(fmt.Sprint(from))
		if from > 4 {
			to = 2*from - 2
			label = same(fmt.Sprintf("%s – %s", charts.Grouped(int64(from)), charts.Grouped(int64(to))))
		}
		n, more := 0, false
		for _, size := range d.Sizes {
			if size >= from && size <= to {
				n++
			}
			more = more || size > to
		}
		rows = append(rows, count{label, int64(n)})
		if !more {
			break
		}
		from = to + 1
	}
	s.figure(counts("sizes-chart", text{"Clusters by number of documents", "各规模的簇数"}, text{}, text{"clusters (log scale)", "簇数（对数刻度）"}, true, rows))
	c := r.Chaining
	least := ""
	if c.Partial {
		least = "≥ "
	}
	t := newTable(text{"", ""}, text{"this run", "本次运行"}, text{"plain closure", "直接传递闭包"})
	t.row(words(text{"documents of the largest cluster", "最大簇的文档数"}), number(charts.Grouped(int64(r.Largest))), number(least+charts.Grouped(int64(c.Largest))))
	t.row(words(text{"documents lost that are not alike to the one kept", "与保留文档不相似却丢失的文档"}), number(charts.Grouped(int64(r.Lost))), number(least+charts.Grouped(int64(c.Apart))))
	s.table(text{"Chaining", "链式合并"}, text{
		"Closure takes for alike whatever a chain of alike documents links, though its ends may have nothing in common.",
		"传递闭包会把由相似链连接的文档都视为相似，即使两端毫无共同之处。",
	}, t)
}

// reasons adds the scores of removed documents, and some of them beside what is kept.
func (p *page) reasons(d *Dedup) {
	r := &d.Report
	if r.Alike == 0 && len(d.Removed) == 0 {
		return
	}
	s := p.add("reasons", text{"Why documents were removed", "移除原因"}, text{})
	at := r.Settings.Threshold
	c := chart{Kind: "scores", Up: true, X: axis{Label: text{"score of a removed document and the one kept", "移除文档与保留文档的得分"}},
		Panels: []panel{{Label: d.judge(), Alike: d.Scores, Other: make([]int64, len(d.Scores)), Threshold: &at}}}
	t := newTable(text{"score from", "得分起"}, text{"documents", "文档数"})
	for i, n := range d.Scores {
		if n > 0 {
			t.row(number(fmt.Sprintf("%.2f", float64(i)/float64(len(d.Scores)))), number(charts.Grouped(n)))
		}
	}
	if len(t.Rows) > 0 {
		s.figure(&figure{
			ID: "why-chart", chart: c, Table: t,
			Title: text{"Documents removed, by score", "按得分统计的移除文档"},
			Note: text{
				"Those alike, but not equal, to the one that stays. Many just above the threshold say that it cuts where documents are many: look at the first pairs below.",
				"与保留文档相似但不相同者。若大量文档刚好高于阈值，说明阈值切在密集处：请查看下方前几对。",
			},
			Keys: []key{{"alike", text{"removed documents (log scale)", "移除文档（对数刻度）"}}, {"threshold", text{"threshold", "阈值"}}},
		})
	}
	var pairs []pair
	for _, x := range d.Removed {
		q := pair{Head: format(text{"Score %.4f, cluster %d.", "得分 %.4f，簇 %d。"}, x.Score, x.Cluster)}
		removed, kept := x.At, ""
		if x.ID != "" {
			removed = x.ID + " · " + x.At
		}
		if x.Kept != nil {
			kept = strings.TrimPrefix(x.Kept.ID+" · "+x.Kept.At, " · ")
		}
		q.A, q.B = condensed(removed, x.Text, kept, x.KeptText, true)
		q.A.What, q.B.What = text{"removed", "移除"}, text{"kept", "保留"}
		pairs = append(pairs, q)
	}
	s.pairs(text{"Removed beside kept", "移除与保留对照"}, text{
		"The least alike first, then others at even steps of score. Marked is what differs.",
		"先列最不相似者，其余按得分均匀选取。高亮处为差异。",
	}, pairs)
}

// lines adds what stands in many documents.
func (p *page) lines(d *Dedup) {
	if len(d.Lines) == 0 {
		return
	}
	intro := format(text{
		"Lines of %d bytes or more that stand in the most of %s documents. They make strangers look alike; --strip-boilerplate compares without them.",
		"在 %[2]s 篇文档中出现最多、不少于 %[1]d 字节的行。它们会使无关文档显得相似；--strip-boilerplate 在比较时去除。",
	}, lineBytes, charts.Grouped(int64(d.Read)))
	s := p.add("lines", text{"Boilerplate", "样板文字"}, intro)
	t := newTable(text{"documents", "文档数"})
	t.columns(text{"line", "行"})
	for _, l := range d.Lines {
		t.row(number(charts.Grouped(int64(l.Documents))), cell{Text: same(l.Text), Class: "words"})
	}
	s.table(text{}, text{}, t)
}

// run adds settings, sources and times.
func (p *page) run(d *Dedup) {
	r := &d.Report
	s := p.add("provenance", text{"Settings and provenance", "设置与来源"}, text{})
	set := r.Settings
	settings := newTable(text{"setting", "设置"})
	settings.columns(text{"value", "值"})
	for _, row := range []struct {
		name  text
		value string
	}{
		{text{"candidates by", "候选方法"}, fmt.Sprintf("%s at %.4g: %s, recall %.4g", set.Method, set.Candidates, r.Design, r.Recall)},
		{text{"decided by", "判定方法"}, fmt.Sprintf("%s at %.4g", set.Verify, set.Threshold)},
		{text{"cohesion", "凝聚度"}, fmt.Sprintf("%.4g", set.Cohesion)},
		{text{"keep", "保留策略"}, set.Keep},
		{text{"cleaned", "清理"}, set.Clean},
		{text{"bytes of text", "文本字节数"}, charts.Grouped(r.Bytes)},
		{text{"different texts", "不同文本数"}, charts.Grouped(int64(r.Texts))},
		{text{"pairs verified", "验证对数"}, charts.Grouped(r.Scored)},
		{text{"seconds", "秒数"}, fmt.Sprintf("%.2f (%d workers)", r.Run.Seconds, r.Run.Workers)},
		{text{"peak memory", "内存峰值"}, short(eval.Figure(r.Run.Peak)) + "B"},
	} {
		if row.value != "" {
			settings.row(words(row.name), cell{Text: same(row.value), Class: "words", Code: true})
		}
	}
	s.table(text{}, text{}, settings)
	sources := newTable(text{"source", "来源"}, text{"rows", "行数"})
	sources.columns(same("xxh3"))
	for _, o := range slices.Concat(r.Sources, r.Against) {
		sources.row(name(o.Path), number(charts.Grouped(int64(o.Rows))), code(o.Sum))
	}
	s.table(text{"Sources", "来源文件"}, text{}, sources)
}
