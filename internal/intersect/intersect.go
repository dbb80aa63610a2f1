// Package intersect counts what two sorted lists share.
//
// On amd64 processors with AVX2 it compares four values with four at a time.
// With the build tag noasm, and on other platforms and processors, it goes
// value by value. It searches a list that is much longer than the other.
// Packages align, external, rabinkarp, shingle and internal/setjoin use it.
//
// Which lists to compare is not its concern: finding candidates belongs to
// internal/setjoin.
package intersect

import (
	"slices"
	"sort"
)

// gallopRatio is from how many times the length of the shorter list searching
// the longer one beats reading it.
const gallopRatio = 48

// Count returns how many values are in both of two strictly ascending lists.
func Count(a, b []uint64) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return 0
	}
	if len(b)/len(a) >= gallopRatio {
		return gallop(a, b)
	}
	return count(a, b)
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
		near := b[:min(step-step/2+1, len(b))]
		at := sort.Search(len(near), func(i int) bool { return near[i] >= x })
		if at == len(b) {
			return n
		}
		n += b2i(b[at] == x)
		b = b[at:]
	}
	return n
}

// lanes are pairs of stretches of two lists, of which the second pair is above the
// first: for each the places where its stretches of a and b start and end. Working on both at a
// time, a processor need not wait for the load that tells where to go next.
type lanes [2]struct{ a, b, aEnd, bEnd int }

// split cuts both lists at the same value.
func split(a, b []uint64) (l lanes) {
	half := len(a) / 2
	at, _ := slices.BinarySearch(b, a[half])
	l[0].aEnd, l[0].bEnd = half, at
	l[1].a, l[1].b, l[1].aEnd, l[1].bEnd = half, at, len(a), len(b)
	return l
}

// lanesFrom is the length of the shorter list from which two lanes pay in plain Go.
const lanesFrom = 48

// countGo counts by stepping through both pairs of stretches. No branch
// depends on which of two values is less, which of random hashes is a coin toss.
func countGo(a, b []uint64) int {
	if len(a) < lanesFrom {
		return merge(a, b)
	}
	l := split(a, b)
	a0, b0, a1, b1 := a[:l[0].aEnd], b[:l[0].bEnd], a[l[1].a:], b[l[1].b:]
	n, i0, j0, i1, j1 := 0, 0, 0, 0, 0
	for i0 < len(a0) && j0 < len(b0) && i1 < len(a1) && j1 < len(b1) {
		x0, y0, x1, y1 := a0[i0], b0[j0], a1[i1], b1[j1]
		n += b2i(x0 == y0)
		i0 += b2i(x0 <= y0)
		j0 += b2i(y0 <= x0)
		n += b2i(x1 == y1)
		i1 += b2i(x1 <= y1)
		j1 += b2i(y1 <= x1)
	}
	return n + merge(a0[i0:], b0[j0:]) + merge(a1[i1:], b1[j1:])
}

// merge counts by stepping through both lists.
func merge(a, b []uint64) int {
	n, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		x, y := a[i], b[j]
		n += b2i(x == y)
		i += b2i(x <= y)
		j += b2i(y <= x)
	}
	return n
}

// b2i returns 1 for true, without a branch.
func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
