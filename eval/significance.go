package eval

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Wilson returns the 95 % score interval of a proportion of hits among n
// independent trials (Wilson, JASA 1927), NaN where n is 0.
func Wilson(hits, n int) Interval {
	if n == 0 {
		return undefined
	}
	z := distuv.UnitNormal.Quantile(0.975)
	p, m := float64(hits)/float64(n), float64(n)
	centre := p + z*z/(2*m)
	spread := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	scale := 1 + z*z/m
	return Interval{(centre - spread) / scale, (centre + spread) / scale}
}

// holm returns the p-values adjusted for being a family (Holm, Scandinavian Journal
// of Statistics 1979), in the order given. Rejecting those of at most α keeps the
// chance of any false rejection at α. NaN is not a test: it stays NaN and does not
// count.
func holm(p []float64) []float64 {
	out := slices.Clone(p)
	var order []int
	for i, v := range p {
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, float64(len(order)-rank)*p[i]))
		out[i] = least
	}
	return out
}
