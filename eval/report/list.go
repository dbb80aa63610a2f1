package report

import (
	"fmt"
	"math"

	"github.com/alike-go/alike/internal/charts"
)

// Pairs is a list of pairs of documents.
type Pairs struct {
	// Found says in a few words how the pairs were found.
	Found string

	// All counts the pairs, and List has the first of them.
	All  int
	List []Pair
}

// Pair is two documents with their texts.
type Pair struct {
	ID1, ID2     string
	Text1, Text2 string
	Score        float64 // NaN for none
}

// mostPairs keeps a page small enough for a browser.
const mostPairs = 1000

// Add adds a pair.
func (p *Pairs) Add(x Pair) {
	if p.All++; p.All <= mostPairs {
		p.List = append(p.List, x)
	}
}

// pairs adds the section of a list of pairs.
func (p *page) pairs(list *Pairs) {
	all := charts.Grouped(int64(list.All))
	if p.Title == (text{}) {
		p.Title = text{"Pairs of documents", "文档对"}
		p.Subtitle = format(text{"Pairs: %s. %s", "共 %s 对。%s"}, all, list.Found)
	}
	intro := text{}
	if list.All > len(list.List) {
		intro = format(text{"The first %s of %s pairs.", "显示前 %s 对（共 %s 对）。"}, charts.Grouped(int64(len(list.List))), all)
	}
	var pairs []pair
	for _, x := range list.List {
		q := pair{}
		if !math.IsNaN(x.Score) {
			q.Head = format(text{"Score %s.", "得分 %s。"}, fmt.Sprintf("%.4f", x.Score))
		}
		q.A, q.B = condensed(x.ID1, x.Text1, x.ID2, x.Text2, false)
		pairs = append(pairs, q)
	}
	s := p.add("pairs", text{"Side by side", "并排对照"}, intro)
	s.pairs(text{}, text{"Marked is what the two texts have in common.", "高亮处为两篇文本的共同部分。"}, pairs)
}
