package report

import (
	"github.com/alike-go/alike/internal/charts"
	"github.com/alike-go/alike/passages"
)

// passages adds the passages of a collection. The script shows them; without it there
// is a table.
func (p *page) passages(v *passages.View) {
	if p.Title == (text{}) {
		p.Title = text{"Passages that stand in several documents", "出现于多篇文档的片段"}
		many := func(n int64, noun string) string {
			if n != 1 {
				noun += "s"
			}
			return charts.Grouped(n) + " " + noun
		}
		p.Subtitle = text{many(v.Passages, "passage") + " in " + many(int64(v.Docs), "document"), charts.Grouped(int64(v.Docs)) + " 篇文档中的 " + charts.Grouped(v.Passages) + " 个片段"}
	}
	s := p.add("passages", text{"Passages", "片段"}, text{
		"Choose a passage to see its places side by side. In a document, passages are marked: one that lies over another has a darker ground and a line of its own. Click there again for the next longer one.",
		"选择一个片段，即可并排查看它出现的各处。文档中的片段均已标出：重叠处底色更深，并各有一条线。再次点击可切换到更长的片段。",
	})
	length := text{"characters", "字符"}
	if v.Words {
		length = text{"words", "词"}
	}
	t := newTable(text{"documents", "文档"}, text{"occurrences", "次数"}, length)
	t.columns(text{"text", "文字"})
	for _, x := range v.List {
		t.row(number(charts.Grouped(int64(x.Docs))), number(charts.Grouped(int64(x.Occurrences))), number(charts.Grouped(int64(x.Length))), cell{Text: same(x.Text), Class: "words"})
	}
	s.Blocks = append(s.Blocks, block{Passages: t})
	p.view = v
}
