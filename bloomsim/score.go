package bloomsim

import "github.com/alike-go/alike/bloomsim/internal/popcount"

// overlap is what the score of two filters is made of, at the smaller one's size.
type overlap struct {
	bits         int
	a, b, both   int     // bits set in each and in both
	loadA, loadB float64 // see load
	most         float64 // bound on Jaccard: the smaller set's size over the larger's
}

func (f *Filter) overlap(g *Filter) overlap {
	wa, wb := f.set.Words(), g.set.Words()
	o := overlap{f.Bits(), f.ones, g.ones, 0, f.load, g.load, 1}
	switch {
	case len(wa) == len(wb):
		o.both = popcount.And(wa, wb)
		return o
	case len(wa) < len(wb):
		o.b, o.both = foldCount(wb, wa)
		o.loadB = load(o.b, o.bits)
	default:
		o.bits = g.Bits()
		o.a, o.both = foldCount(wa, wb)
		o.loadA = load(o.a, o.bits)
	}
	na, nb := f.load*float64(f.Bits()), g.load*float64(g.Bits())
	o.most = min(na, nb) / max(na, nb)
	return o
}

func (o *overlap) either() int     { return o.a + o.b - o.both }
func (o *overlap) saturated() bool { return o.either() == o.bits }
func (o *overlap) raw() float64    { return float64(o.both) / float64(o.either()) }

// shared returns the loads of the intersection and of the union of two filters,
// given the bits set in each and in both. The first is 0, not below, where the
// filters share no more bits than two unrelated ones of their fill would; that is
// decided in integers, which spares half of all unrelated pairs the rest.
func shared(bits, a, b, both int, loadA, loadB float64) (inter, union float64) {
	zeros := bits - (a + b - both)
	if zeros > 0 && uint64(bits-a)*uint64(bits-b) >= uint64(zeros)*uint64(bits) {
		return 0, 1
	}
	union = ln(bits) - ln(zeros)
	return max(loadA+loadB-union, 0), union
}

func (o *overlap) shared() (inter, union float64) {
	return shared(o.bits, o.a, o.b, o.both, o.loadA, o.loadB)
}

// Score returns the estimated Jaccard coefficient of the feature sets, or under
// Raw the ratio of bits. Where the filters together have all bits set, the union
// counts as if half a bit were unset: a guess, but one that keeps unrelated texts
// apart, as the raw ratio would not. Two filters that are each saturated are the
// same filter, and score 1 whatever their texts. Saturated and Explain tell.
func (m *Method) Score(a, b Filter) float64 { return m.score(&a, &b) }

func (m *Method) score(a, b *Filter) float64 {
	if a.ones == 0 || b.ones == 0 {
		return 0
	}
	if a.Bits() == b.Bits() {
		return m.scoreSame(a, b, popcount.And(a.set.Words(), b.set.Words()))
	}
	o := a.overlap(b)
	if m.o.Score == Raw {
		return o.raw()
	}
	inter, union := o.shared()
	return min(inter/union, o.most)
}

// scoreSame scores two filters of one size, neither of them empty, that have
// both bits in common.
func (m *Method) scoreSame(a, b *Filter, both int) float64 {
	if m.o.Score == Raw {
		return float64(both) / float64(a.ones+b.ones-both)
	}
	inter, union := shared(a.Bits(), a.ones, b.ones, both, a.load, b.load)
	return min(inter/union, 1)
}

// Saturated reports whether the two filters together have all bits set, so that
// the size of the union, and with it the score, is a guess.
func (m *Method) Saturated(a, b Filter) bool {
	o := a.overlap(&b)
	return o.saturated() && o.bits > 0
}

// Containment returns the estimated share of the features of a that b has too, or
// under Raw the share of the bits. A saturated b contains everything.
//
// Under Auto a small text in a large one is estimated at the smaller size, where
// the large one may be saturated: fix the size when containment is the question.
func (m *Method) Containment(a, b Filter) float64 {
	if a.ones == 0 || b.ones == 0 {
		return 0
	}
	o := a.overlap(&b)
	if m.o.Score == Raw || o.b == o.bits {
		return float64(o.both) / float64(o.a)
	}
	inter, _ := o.shared()
	return min(inter/o.loadA, 1)
}

// ScoreRow sets dst[i] to the score of a and bs[i].
func (m *Method) ScoreRow(a Filter, bs []Filter, dst []float32) {
	for i := range bs {
		dst[i] = float32(m.score(&a, &bs[i]))
	}
}
