package cosine

import (
	"fmt"
	"slices"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// Explain lists the shared terms. The weight of a term is what it adds to the
// score: the weights sum to the score, but for rounding.
func (m *Method) Explain(a, b string) similarity.Explanation {
	va, vb := m.Sketch(a), m.Sketch(b)
	e := similarity.Explanation{Score: m.Score(va, vb)}
	inA, inB := places(m.features, a), places(m.features, b)
	for i, t := range va.Terms {
		j, ok := slices.BinarySearch(vb.Terms, t)
		if !ok {
			continue
		}
		ev := similarity.Evidence{
			Kind:   "term",
			Hash:   t,
			Weight: cosine(float64(va.Weights[i])*float64(vb.Weights[j]), &va, &vb),
			A:      inA[t],
			B:      inB[t],
		}
		if len(ev.A) > 0 {
			ev.Text = a[ev.A[0].Start:ev.A[0].End]
		}
		e.Evidence = append(e.Evidence, ev)
	}
	slices.SortStableFunc(e.Evidence, func(x, y similarity.Evidence) int {
		switch {
		case x.Weight != y.Weight && x.Weight > y.Weight:
			return -1
		case x.Weight != y.Weight:
			return 1
		}
		return first(x.A) - first(y.A)
	})
	e.Note = fmt.Sprintf("%d shared terms of %d and %d", len(e.Evidence), len(va.Terms), len(vb.Terms))
	return e
}

func first(s []feature.Span) int {
	if len(s) == 0 {
		return 0
	}
	return s[0].Start
}

// places returns where each feature stands, in ascending order.
func places(x *feature.Extractor, text string) map[uint64][]feature.Span {
	at := make(map[uint64][]feature.Span)
	for _, l := range x.Locate(text) {
		at[l.Hash] = append(at[l.Hash], l.Span)
	}
	return at
}
