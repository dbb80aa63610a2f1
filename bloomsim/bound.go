package bloomsim

import "math"

// bound says what two filters must have in common to score a threshold. It errs by less
// than a bit and to one side, so that no pair is lost; Score decides.
//
// The Jaccard estimate is at least t if the load of the union is at most 1/(1+t) of the
// two loads together. As a load is ln(bits/zeros), the zeros of the union must then be at
// least bits (za/bits zb/bits)^(1/(1+t)), a product of one factor for each filter, and
// the zeros of the union are bits - a - b + both.
type bound struct {
	score     Score
	threshold float64
}

// slack is above all rounding.
const slack = 1e-9

// terms are a filter's part in what a pair needs: sum of both sums and product of both factors.
type terms struct{ sum, factor float64 }

func (b *bound) terms(ones, bits int) terms {
	if b.score == Raw {
		return terms{sum: b.threshold / (1 + b.threshold) * (1 - slack) * float64(ones)}
	}
	// Half a zero stands for none, in the union too, hence the half that is taken off.
	zeros := math.Max(float64(bits-ones), 0.5)
	return terms{
		sum:    float64(ones) - float64(bits)/2 - 0.25 - slack,
		factor: math.Sqrt(float64(bits)) * math.Pow(zeros/float64(bits), 1/(1+b.threshold)) * (1 - slack),
	}
}

// need returns how many bits two filters must have in common, rounded up, and at least 1.
func (t terms) need(u terms) int32 {
	return int32(max(1, math.Ceil(t.sum+u.sum+t.factor*u.factor)))
}

// weight returns what may differ by a factor of the threshold at most between two
// filters that score it: the estimated numbers of features, or under Raw the bits set.
func (b *bound) weight(ones, bits int) float64 {
	if b.score == Raw {
		return float64(ones)
	}
	return load(ones, bits)
}

// apart reports whether no filter of the one size can score the threshold with one of
// the other. Filters of two sizes are folded to the smaller, but never score more than the
// ratio of their estimated numbers of features.
func (b *bound) apart(x, y size) bool {
	t := b.threshold * (1 - slack)
	return b.score == Jaccard && x.bits != y.bits && (x.most < t*y.least || y.most < t*x.least)
}
