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
	kind Kind
	t    float64 // threshold, less a margin
	c    float64 // t/(1+t)
}

// Kind says of what two sets must share the threshold t to be a pair.
type Kind int

const (
	OfUnion   Kind = iota // common ≥ t·|A∪B|
	OfSmaller             // common ≥ t·min(|A|, |B|)
	OfGreater             // common ≥ t·max(|A|, |B|)
)

// newRule returns the rule for a threshold and sets of at most longest shingles. Sums of
// weights that are no whole numbers are off by 2⁻⁵³ of the greatest of them for each
// addition at most, which matters the more the less is asked for.
func newRule(kind Kind, threshold float64, longest int, weighted bool) rule {
	margin := 1e-9
	if weighted {
		margin = min(1, margin+float64(longest)*0x1p-49/threshold)
	}
	t := threshold * (1 - margin)
	return rule{kind, t, t / (1 + t)}
}

// need returns what sets of sizes x and y must share.
func (r rule) need(x, y float64) float64 {
	switch r.kind {
	case OfUnion:
		return r.c * (x + y)
	case OfSmaller:
		return r.t * min(x, y)
	}
	return r.t * max(x, y)
}

// asSmaller returns the least that a set of size x shares with one of its size
// or greater.
func (r rule) asSmaller(x float64) float64 { return r.need(x, x) }

// asGreater returns the least that a set of size x shares with one of its size
// or smaller.
func (r rule) asGreater(x float64) float64 {
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
	}
	return math.Inf(1)
}
