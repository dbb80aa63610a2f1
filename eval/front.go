package eval

import (
	"math"
	"slices"
)

// Front reports which points no other point beats: is at least as good on every
// axis, and better on one. Larger is better, and NaN is the worst. A nil point
// is no candidate: it is not on the front and beats none.
func Front(points [][]float64) []bool {
	out := make([]bool, len(points))
	for i, p := range points {
		out[i] = p != nil && !slices.ContainsFunc(points, func(o []float64) bool { return o != nil && beats(o, p) })
	}
	return out
}

func beats(a, b []float64) bool {
	better := false
	for k := range a {
		x, y := known(a[k]), known(b[k])
		if x < y {
			return false
		}
		better = better || x > y
	}
	return better
}

func known(v float64) float64 {
	if math.IsNaN(v) {
		return math.Inf(-1)
	}
	return v
}
