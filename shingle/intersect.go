package shingle

import (
	"sort"

	"github.com/alike-go/alike/shingle/internal/intersect"
)

// gallopRatio is from how many times the length of the shorter list searching
// the longer one beats reading it.
const gallopRatio = 48

// common counts the values in both of two strictly ascending lists.
func common(a, b []uint64) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) > 0 && len(b)/len(a) >= gallopRatio {
		return gallop(a, b)
	}
	return intersect.Count(a, b)
}

// gallop looks up each value of a short list in a long one, from where the last
// was, by doubling steps and then halving them (Bentley and Yao, 1976).
func gallop(a, b []uint64) int {
	n := 0
	for _, x := range a {
		step := 1
		for step < len(b) && b[step] < x {
			step *= 2
		}
		b = b[step/2:]
		at := lowerBound(b[:min(step-step/2+1, len(b))], x)
		if at == len(b) {
			return n
		}
		n += b2i(b[at] == x)
		b = b[at:]
	}
	return n
}

// lowerBound returns the place of the first value of at least x, len(list) for none.
func lowerBound(list []uint64, x uint64) int {
	return sort.Search(len(list), func(i int) bool { return list[i] >= x })
}

// b2i returns 1 for true, without a branch.
func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
