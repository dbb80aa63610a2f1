package bloomsim

import (
	"fmt"

	"github.com/alike-go/alike/similarity"
)

// Explain scores two texts and lists the features that they truly share, in the
// order of the first text. The note has the bit counts and what is estimated from
// them, so that the estimate can be held against the truth.
func (m *Method) Explain(a, b string) similarity.Explanation {
	fa, fb := m.Sketch(a), m.Sketch(b)
	e := similarity.Explanation{Score: m.Score(fa, fb), Evidence: m.evidence(a, b)}
	if fa.ones == 0 || fb.ones == 0 {
		e.Note = "a text without features is like no other"
		return e
	}
	o := fa.overlap(&fb)
	e.Note = fmt.Sprintf("%d and %d of %d bits set (%.1f%% and %.1f%%), %d in both, raw ratio %.4f",
		o.a, o.b, o.bits, 100*float64(o.a)/float64(o.bits), 100*float64(o.b)/float64(o.bits), o.both, o.raw())
	if o.saturated() {
		e.Note += fmt.Sprintf("; saturated: together they have all bits set, so the score is a guess (in truth %d features are shared)", len(e.Evidence))
		return e
	}
	inter, _ := o.shared()
	e.Note += fmt.Sprintf("; about %.1f and %.1f features, %.1f shared (in truth %d)",
		m.Count(fa), m.Count(fb), inter*float64(o.bits)/float64(m.o.Hashes), len(e.Evidence))
	return e
}

func (m *Method) evidence(a, b string) []similarity.Evidence {
	kept := func(string) map[uint64]bool { return nil }
	if !m.x.Complete() {
		kept = m.kept
	}
	inA, inB := kept(a), kept(b)
	return similarity.SharedFeatures(m.x, "shingle", a, b, func(hash uint64) float64 {
		if inA != nil && !(inA[hash] && inB[hash]) {
			return 0
		}
		return 1
	})
}

// kept returns the features of weight above 0.
func (m *Method) kept(text string) map[uint64]bool {
	kept := map[uint64]bool{}
	for _, f := range m.x.Append(nil, text) {
		if f.Weight > 0 {
			kept[f.Hash] = true
		}
	}
	return kept
}
