package datasets

import (
	"slices"

	"github.com/alike-go/alike/internal/splitmix"
)

// choose returns k different numbers below n in ascending order, all of them if
// k >= n. It uses Floyd's algorithm (Bentley and Floyd, CACM 1987), whose cost
// depends on k alone.
func choose(r *splitmix.Stream, n, k int) []int {
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
		x := r.Below(i + 1)
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
func shuffle(r *splitmix.Stream, x []int) {
	for i := len(x) - 1; i > 0; i-- {
		j := r.Below(i + 1)
		x[i], x[j] = x[j], x[i]
	}
}
