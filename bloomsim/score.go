package bloomsim

import "math/bits"

// overlap is what the score of two filters is made of, at the smaller one's size.
type overlap struct {
	bits       int
	a, b, both int     // bits set in each and in both
	na, nb     float64 // features, as estimated from a and b
	most       float64 // the size of the smaller set over that of the larger: Jaccard is not above it
}

func (m *Method) overlap(a, b Filter) overlap {
	wa, wb := a.set.Words(), b.set.Words()
	o := overlap{bits: min(a.Bits(), b.Bits()), a: a.ones, b: b.ones, na: a.n, nb: b.n, most: 1}
	switch {
	case len(wa) == len(wb):
		o.both = andCount(wa, wb)
		return o
	case len(wa) < len(wb):
		o.b, o.both = foldCount(wb, wa)
		o.nb = count(o.b, o.bits, m.o.Hashes)
	default:
		o.a, o.both = foldCount(wa, wb)
		o.na = count(o.a, o.bits, m.o.Hashes)
	}
	if lo, hi := min(a.n, b.n), max(a.n, b.n); lo < hi {
		o.most = lo / hi
	}
	return o
}

// saturated reports whether the union has all bits set, so that its size is unknown.
func (o overlap) saturated() bool { return o.a+o.b-o.both == o.bits }

// shared estimates how many features the two sets share, not below 0.
func (o overlap) shared(k int) float64 {
	return max(0, o.na+o.nb-count(o.a+o.b-o.both, o.bits, k))
}

func (o overlap) raw() float64 { return float64(o.both) / float64(o.a+o.b-o.both) }

// Score returns the estimated Jaccard coefficient of the feature sets, or under
// Raw the ratio of bits. Where the filters together have all bits set, no estimate
// can be made, and the score is the raw ratio, which for such filters is high whatever the
// texts; Saturated and Explain tell.
func (m *Method) Score(a, b Filter) float64 {
	if a.ones == 0 || b.ones == 0 {
		return 0
	}
	return m.score(m.overlap(a, b))
}

func (m *Method) score(o overlap) float64 {
	if m.o.Score == Raw || o.saturated() {
		return min(o.raw(), o.most)
	}
	union := count(o.a+o.b-o.both, o.bits, m.o.Hashes)
	return min(max(0, o.na+o.nb-union)/union, o.most)
}

// Saturated reports whether the two filters together have all bits set, so that
// Score is only the raw ratio.
func (m *Method) Saturated(a, b Filter) bool {
	return a.ones > 0 && b.ones > 0 && m.overlap(a, b).saturated()
}

// Containment returns the estimated share of the features of a that b has too.
// Under Raw, and where the union is saturated, it is the share of the bits.
//
// Under Auto a small text in a large one is estimated at the smaller size, where
// the large one may be saturated: fix the size when containment is the question.
func (m *Method) Containment(a, b Filter) float64 {
	if a.ones == 0 || b.ones == 0 {
		return 0
	}
	o := m.overlap(a, b)
	if m.o.Score == Raw || o.saturated() {
		return float64(o.both) / float64(o.a)
	}
	return min(o.shared(m.o.Hashes)/o.na, 1)
}

// ScoreRow sets dst[i] to the score of a and bs[i].
func (m *Method) ScoreRow(a Filter, bs []Filter, dst []float32) {
	for i, b := range bs {
		dst[i] = float32(m.Score(a, b))
	}
}

// andCount returns the number of bits set in both of two filters of one size.
func andCount(a, b []uint64) int {
	n := 0
	for i, w := range a {
		n += bits.OnesCount64(w & b[i])
	}
	return n
}

// foldCount folds a large filter to the size of a small one, and returns the bits
// it then has set and those set in both. Both sizes are powers of two.
func foldCount(large, small []uint64) (ones, both int) {
	for i, s := range small {
		var w uint64
		for j := i; j < len(large); j += len(small) {
			w |= large[j]
		}
		ones += bits.OnesCount64(w)
		both += bits.OnesCount64(w & s)
	}
	return ones, both
}
