package setjoin

import "math"

// rule says how much two sets must share to be a pair. Sizes, and what sets share,
// are sums of weights: numbers of shingles where all weigh 1.
//
// Every bound errs on the safe side by a share of 1e-9 or more, so that it never
// excludes what a score includes, whichever way the products are rounded: .28·25
// comes out above 7 in floating point, and a bound that demanded 8 common shingles
// would lose pairs. What the bounds let pass the score decides.
type rule struct {
	kind   Kind
	margin float64
	t      float64 // threshold, less the margin
	c      float64 // t/(1+t)
}

// Kind says of what two sets must share the threshold t to be a pair.
type Kind int

const (
	OfUnion   Kind = iota // common ≥ t·|A∪B|
	OfSmaller             // common ≥ t·min(|A|, |B|)
	OfGreater             // common ≥ t·max(|A|, |B|)
	OfFirst               // common ≥ t·|A|; a pair (A, B) is not a pair (B, A)
)

// newRule returns the rule for a threshold and sets of at most longest shingles. Sums of
// weights that are no whole numbers are off by 2⁻⁵³ of the greatest of them for each
// addition at most, which matters the more the less is asked for.
func newRule(kind Kind, threshold float64, longest int, weighted bool) rule {
	margin := 1e-9
	if weighted {
		margin = min(1, margin+float64(longest)*0x1p-49/threshold)
	}
	return rule{kind: kind, margin: margin}.at(threshold)
}

// at returns the rule at another, higher threshold.
func (r rule) at(threshold float64) rule {
	r.t = threshold * (1 - r.margin)
	r.c = r.t / (1 + r.t)
	return r
}

// need returns what sets of sizes x, which is looked up, and y must share.
func (r rule) need(x, y float64) float64 {
	switch r.kind {
	case OfUnion:
		return r.c * (x + y)
	case OfSmaller:
		return r.t * min(x, y)
	case OfGreater:
		return r.t * max(x, y)
	}
	return r.t * x
}

// asSmaller returns the least that a set of size x shares with one of its size or
// greater; for OfFirst, with any, where x is looked up.
func (r rule) asSmaller(x float64) float64 { return r.need(x, x) }

// asGreater returns the least that a set of size x shares with one of its size or
// smaller; for OfFirst, with any, where x is not the one looked up.
func (r rule) asGreater(x float64) float64 {
	if r.kind == OfUnion || r.kind == OfGreater {
		return r.t * x
	}
	return 0
}

// least returns the size of the smallest partner of a set of size x.
func (r rule) least(x float64) float64 {
	if r.kind == OfSmaller {
		return 0
	}
	return r.t * x
}

// most returns the size of the greatest partner of a set of size x that shares at most
// common with it.
func (r rule) most(x, common float64) float64 {
	switch r.kind {
	case OfUnion:
		return common/r.c - x
	case OfGreater:
		return common / r.t
	case OfSmaller:
		if common < r.t*x {
			return common / r.t // and less than x
		}
	case OfFirst:
		if common < r.t*x {
			return 0
		}
	}
	return math.Inf(1)
}
