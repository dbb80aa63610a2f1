package cosine

import (
	"fmt"
	"slices"

	"github.com/alike-go/alike/similarity"
)

// Explain lists the shared terms. The weight of a term is what it adds to the
// score: the weights sum to the score, but for rounding.
func (m *Method) Explain(a, b string) similarity.Explanation {
	va, vb := m.Sketch(a), m.Sketch(b)
	e := similarity.Explanation{Score: m.Score(va, vb)}
	e.Evidence = similarity.SharedFeatures(m.features, "term", a, b, func(term uint64) float64 {
		i, ok := slices.BinarySearch(va.Terms, term)
		j, ok2 := slices.BinarySearch(vb.Terms, term)
		if !ok || !ok2 {
			return 0
		}
		return cosine(float64(va.Weights[i])*float64(vb.Weights[j]), &va, &vb)
	})
	e.Note = fmt.Sprintf("%d shared terms of %d and %d", len(e.Evidence), len(va.Terms), len(vb.Terms))
	return e
}
