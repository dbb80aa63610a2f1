package align

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// Explain scores the texts and lists the runs of characters that one best alignment leaves as
// they are: for Substring the longest common run, for the others all of them. It takes twice the time
// of a score, and memory in proportion to the lengths.
func (m *Method) Explain(a, b string) similarity.Explanation {
	da, db := m.open(a), m.open(b)
	s := scratches.Get().(*scratch)
	defer s.release()
	ta, tb := Text{wide: da.characters}, Text{wide: db.characters}
	e := similarity.Explanation{Score: m.Score(ta, tb)}
	var runs []run
	switch {
	case ta.Len() == 0 || tb.Len() == 0:
		e.Note = "an empty text is like no other"
	case m.o.Measure == Substring:
		longest := longestCommon(&s.automaton, ta.wide, tb.wide)
		e.Note = fmt.Sprintf("a run of %d characters, of %d and %d", longest.length, ta.Len(), tb.Len())
		if longest.length > 0 {
			runs = append(runs, longest)
		}
	default:
		format := "%d edits between %d and %d characters"
		if m.o.Measure == Subsequence {
			format = "%d characters in the same order, of %d and %d"
		}
		e.Note = fmt.Sprintf(format, s.count(m.o.Measure, ta, tb), ta.Len(), tb.Len())
		runs = s.runs(m.o.Measure, ta.wide, tb.wide)
	}
	slices.SortStableFunc(runs, func(x, y run) int { return cmp.Compare(y.length, x.length) })
	for _, r := range runs {
		at := da.span(r.endA-r.length, r.endA)
		e.Evidence = append(e.Evidence, similarity.Evidence{
			Kind: "passage", Text: a[at.Start:at.End], Weight: float64(r.length),
			A: []feature.Span{at}, B: []feature.Span{db.span(r.endB-r.length, r.endB)},
		})
	}
	return e
}

// document is the characters of a text with their places in the original.
type document struct {
	characters []int32
	starts     []int // in the folded text, with its end
	offsets    []int // in the original, of each byte of the folded text, with the end
}

func (m *Method) open(text string) document {
	folded, offsets := m.o.Fold.NormalizeMap(text)
	d := document{offsets: offsets}
	at := 0
	for at < len(folded) && len(d.characters) < m.o.Most {
		r, size := utf8.DecodeRune(folded[at:])
		d.characters = append(d.characters, r)
		d.starts = append(d.starts, at)
		at += size
	}
	d.starts = append(d.starts, at)
	return d
}

// span returns the range of the original that characters came from. One that ends within
// a character of the original takes all of it.
func (d *document) span(from, to int) feature.Span {
	start, end := d.starts[from], d.starts[to]
	for end > start && end < len(d.offsets)-1 && d.offsets[end] == d.offsets[end-1] {
		end++
	}
	return feature.Span{Start: d.offsets[start], End: d.offsets[end]}
}
