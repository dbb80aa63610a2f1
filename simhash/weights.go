package simhash

import (
	"math/bits"

	"github.com/alike-go/alike/feature"
)

// Votes of features of any weight.
//
// Weights are rounded to integers first, so that sums are exact and do not hang
// on the order of the features. The unit is 2^-20 (about a millionth), far below
// what weights mean; the least positive weight counts one unit, and weights
// above 2^42 count as 2^42. Where the weights of one text add up to 2^62 units or
// more, all of them are cut to a unit coarser by the fewest powers of two that bring
// the sum below.
const (
	unitsPerOne = 1 << 20
	maxUnits    = 1 << 62
)

// units returns a positive weight as a whole number of units.
func units(w float64) uint64 {
	q := float64(w*unitsPerOne) + 0.5 // the product with a power of two is exact
	if q >= maxUnits {
		return maxUnits
	}
	return uint64(max(1, int64(q)))
}

// weighted adds up weights by the value of each hexadecimal digit of the hash:
// sum[k][d] is the weight of all features whose digit k is d. That is 16 additions
// a feature instead of the textbook's 64, without a branch on the hash's bits; the
// weight of the ones at bit j is then read off as the sum of the eight digits that have it.
//
// Digits of six or eight bits need fewer additions but more tables to clear and
// read off: a text of 400 features gains a tenth, one of 20 pays double or more.
type weighted struct {
	hi, lo uint64 // the sum of all weights
	sum    [16][16]uint64
}

// add counts a hash with a weight of q units.
func (v *weighted) add(h, q uint64) {
	var carry uint64
	v.lo, carry = bits.Add64(v.lo, q, 0)
	v.hi += carry
	s := &v.sum
	s[0][h&15] += q
	s[1][h>>4&15] += q
	s[2][h>>8&15] += q
	s[3][h>>12&15] += q
	s[4][h>>16&15] += q
	s[5][h>>20&15] += q
	s[6][h>>24&15] += q
	s[7][h>>28&15] += q
	s[8][h>>32&15] += q
	s[9][h>>36&15] += q
	s[10][h>>40&15] += q
	s[11][h>>44&15] += q
	s[12][h>>48&15] += q
	s[13][h>>52&15] += q
	s[14][h>>56&15] += q
	s[15][h>>60] += q
}

// excess returns by how many powers of two the weights added are too heavy to be
// summed in 64 bits with one to spare for the comparison; 0 where they are not.
func (v *weighted) excess() int {
	if v.hi != 0 {
		return 64 + bits.Len64(v.hi) - 62
	}
	return max(0, bits.Len64(v.lo)-62)
}

// majority returns the positions where ones have more than half of the weight,
// and those where they have exactly half.
func (v *weighted) majority() (ones, ties uint64) {
	for k := range v.sum {
		d := &v.sum[k]
		// Sums of the digits 11xx, 10xx, 01xx and so on serve two bits each.
		b3 := d[8] + d[9] + d[10] + d[11]
		b2 := d[4] + d[5] + d[6] + d[7]
		b32 := d[12] + d[13] + d[14] + d[15]
		b1 := d[2] + d[6] + d[10] + d[14]
		b0 := d[1] + d[5] + d[9] + d[13]
		b10 := d[3] + d[7] + d[11] + d[15]
		for b, one := range [4]uint64{b0 + b10, b1 + b10, b2 + b32, b3 + b32} {
			j := 4*k + b
			zero := v.lo - one
			ones |= less(zero, one) << j
			ties |= (1 ^ less(zero, one) ^ less(one, zero)) << j
		}
	}
	return ones, ties
}

// less is 1 where a < b and 0 elsewhere, without a branch: votes are close and
// cannot be predicted.
func less(a, b uint64) uint64 {
	_, borrow := bits.Sub64(a, b, 0)
	return borrow
}

// addFeatures counts the features of positive weight in lo, and in hi after the second
// finaliser where hi is not nil. It reports whether there were any.
func addFeatures(lo, hi *weighted, features []feature.Feature) (some bool) {
	for shift := 0; ; {
		for _, f := range features {
			if !(f.Weight > 0) {
				continue
			}
			some = true
			q := units(f.Weight) >> shift
			lo.add(f.Hash, q)
			if hi != nil {
				hi.add(second(f.Hash), q)
			}
		}
		more := lo.excess()
		if more == 0 {
			return some
		}
		shift += more
		*lo = weighted{}
		if hi != nil {
			*hi = weighted{}
		}
	}
}
