package simhash

import (
	"math/bits"

	"github.com/alike-go/alike/feature"
)

// Votes of features of any weight.
//
// Weights are rounded to integers first, so that sums are exact and do not hang
// on the order of the features. The unit is a 2^20th (about a millionth), far
// below what a weight means; the least positive weight counts one unit, and
// weights above 2^42 count as 2^42. Where the weights of one text add up to more
// than 2^62 units, all of them are rounded to a coarser unit by as many powers of two.
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
// sum[k][d] is the weight of all features whose digit k is d. That is 16 additions a
// feature instead of 64; the sum of bit j is then read off as the eight
// digits that have that bit.
type weighted struct {
	total uint64
	sum   [16][16]uint64
}

// add counts a hash with a weight of q units.
func (v *weighted) add(h, q uint64) {
	v.total += q
	for k := range v.sum {
		v.sum[k][h>>(4*k)&15] += q
	}
}

// majority returns the positions where ones have more than half of the weight, and
// those where they have exactly half.
func (v *weighted) majority() (ones, ties uint64) {
	for k := range v.sum {
		for b := range 4 {
			var one uint64
			for d, s := range v.sum[k] {
				if d>>b&1 != 0 {
					one += s
				}
			}
			switch zero := v.total - one; {
			case one > zero:
				ones |= 1 << (4*k + b)
			case one == zero:
				ties |= 1 << (4*k + b)
			}
		}
	}
	return ones, ties
}

// shiftFor returns by how many powers of two the unit must be coarser for the
// weights to add up to at most 2^62 units. Weights that are not positive do not count.
func shiftFor(features []feature.Feature) int {
	var hi, lo uint64
	for _, f := range features {
		if f.Weight > 0 {
			var carry uint64
			lo, carry = bits.Add64(lo, units(f.Weight), 0)
			hi += carry
		}
	}
	n := bits.Len64(lo)
	if hi != 0 {
		n = 64 + bits.Len64(hi)
	}
	return max(0, n-62)
}
