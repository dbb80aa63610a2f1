package plant

import (
	"fmt"
	"math"
	"math/bits"
)

// alias draws numbers below n with given weights at one random number and one
// look-up each: the alias method (Walker, ACM TOMS 1977), built as in Vose (IEEE
// TSE 1991), in integers.
type alias struct {
	slots []slot
}

// slot is drawn evenly; it stands for itself if the rest of the random number is
// below keep, for other if not.
type slot struct{ keep, other uint32 }

// newAlias takes up to 2^22 weights of up to 2^40 each, not all of them 0.
func newAlias(weights []uint64) alias {
	n := uint64(len(weights))
	var total uint64
	for _, w := range weights {
		total += w
	}
	a := alias{make([]slot, n)}
	left := make([]uint64, n) // weight times n; total is the share of a slot
	var small, large []int
	for i, w := range weights {
		left[i] = w * n
		if left[i] < total {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		quotient, _ := bits.Div64(left[s]>>32, left[s]<<32, total) // below 2^32, as left < total
		a.slots[s] = slot{keep: uint32(quotient), other: uint32(l)}
		left[l] -= total - left[s]
		if left[l] < total {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	// In integers nothing is left over: what remains has exactly the share.
	for _, i := range append(small, large...) {
		a.slots[i] = slot{keep: math.MaxUint32, other: uint32(i)}
	}
	return a
}

// pick returns the number that 64 random bits stand for.
func (a *alias) pick(random uint64) int {
	i, rest := bits.Mul64(random, uint64(len(a.slots)))
	if s := a.slots[i]; uint32(rest>>32) >= s.keep {
		return int(s.other)
	}
	return int(i)
}

// newChooser is newAlias for weights a user has given; what names them in errors.
func newChooser(what string, weights []float64) (alias, error) {
	largest := 0.0
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			return alias{}, fmt.Errorf("plant: weight %d of %s is %v, want a number from 0 up", i+1, what, w)
		}
		largest = max(largest, w)
	}
	if largest == 0 || len(weights) > 1<<16 {
		return alias{}, fmt.Errorf("plant: %s has %d weights, want up to 65536, one of them above 0", what, len(weights))
	}
	scaled := make([]uint64, len(weights))
	for i, w := range weights {
		scaled[i] = uint64(float64(w / largest * (1 << 30)))
	}
	return newAlias(scaled), nil
}
