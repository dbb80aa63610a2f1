package shingle

import "sort"

const (
	// gallopRatio is from how many times the length of the shorter list searching
	// the longer one beats reading it.
	gallopRatio = 24
	// lanesFrom is the length from which two lists are worth cutting in lanes.
	lanesFrom = 48
)

// common counts the values in both of two strictly ascending lists.
func common(a, b []uint64) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	switch {
	case len(a) == 0:
		return 0
	case len(b)/len(a) >= gallopRatio:
		return gallop(a, b)
	case len(a) < lanesFrom:
		return merge(a, b)
	}
	return mergeLanes(a, b)
}

// merge counts by stepping through both lists. No branch depends on which of two
// values is less, which of random hashes is a coin toss.
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

// mergeLanes cuts both lists at the same values in two parts each and steps
// through both pairs at a time: one merge alone waits most of its time
// for the load that tells it where to step next.
func mergeLanes(a, b []uint64) int {
	ca := len(a) / 2
	cb := lowerBound(b, a[ca])
	a0, b0, a1, b1 := a[:ca], b[:cb], a[ca:], b[cb:]
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
