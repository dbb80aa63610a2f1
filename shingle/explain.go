package shingle

import (
	"fmt"
	"slices"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// Explain scores two texts and lists the shingles that they share, heaviest
// first, with all their places. The weight of a shingle is 1, in a bag the lesser
// of its two weights.
func (m *Method) Explain(a, b string) similarity.Explanation {
	s, t := m.Sketch(a), m.Sketch(b)
	return similarity.Explanation{
		Score:    m.Score(s, t),
		Note:     m.note(s, t),
		Evidence: shared(m.x, a, b, s, t),
	}
}

// note says in words what the score is made of.
func (m *Method) note(s, t Set) string {
	n := s.Common(t)
	smaller := min(len(s.Hashes), len(t.Hashes))
	switch {
	case !m.bag && m.measure == Overlap:
		return fmt.Sprintf("%d of the smaller text's %d shingles shared", n, smaller)
	case !m.bag:
		return fmt.Sprintf("%d of %d shingles shared", n, len(s.Hashes)+len(t.Hashes)-n)
	}
	b := shareBags(s, t)
	whole := b.max
	if m.measure == Overlap {
		whole = min(b.a, b.b)
	}
	return fmt.Sprintf("%d shingles shared, weighing %.6g of %.6g", n, b.min, whole)
}

// shared returns the shingles in both sets with their places in both texts.
func shared(x *feature.Extractor, a, b string, s, t Set) []similarity.Evidence {
	return similarity.SharedFeatures(x, "shingle", a, b, func(hash uint64) float64 {
		i, ok := slices.BinarySearch(s.Hashes, hash)
		j, ok2 := slices.BinarySearch(t.Hashes, hash)
		if !ok || !ok2 {
			return 0
		}
		return min(s.weight(i), t.weight(j))
	})
}
