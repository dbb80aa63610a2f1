package datasets

import (
	"math/bits"
	"slices"
)

// splitMix is the generator SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). It is
// written out here because a sample must stay the same under every version of
// the standard library.
type splitMix uint64

func (r *splitMix) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number in [0, n), n > 0; the bias is below n/2^64.
func (r *splitMix) below(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// choose returns k different numbers below n in ascending order, all of them if
// k >= n. It uses Floyd's algorithm (Bentley and Floyd, CACM 1987), whose cost
// depends on k alone.
func (r *splitMix) choose(n, k int) []int {
	if k >= n {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		return all
	}
	in := make(map[int]bool, k)
	out := make([]int, 0, k)
	for i := n - k; i < n; i++ {
		x := r.below(i + 1)
		if in[x] {
			x = i
		}
		in[x] = true
		out = append(out, x)
	}
	slices.Sort(out)
	return out
}

// shuffle puts the numbers in random order (Fisher and Yates, from the end).
func (r *splitMix) shuffle(x []int) {
	for i := len(x) - 1; i > 0; i-- {
		j := r.below(i + 1)
		x[i], x[j] = x[j], x[i]
	}
}
