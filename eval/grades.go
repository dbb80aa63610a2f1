package eval

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// pearson returns the correlation coefficient of two series, NaN if either has fewer
// than two values or does not vary.
func pearson(x, y []float64) float64 {
	if len(x) < 2 || constant(x) || constant(y) {
		return math.NaN()
	}
	return stat.Correlation(x, y, nil)
}

// spearman returns the rank correlation of two series: the Pearson correlation of
// their ranks. NaN if either has fewer than two values or does not vary.
func spearman(x, y []float64) float64 { return pearson(ranks(x), ranks(y)) }

func constant(x []float64) bool { return slices.Min(x) == slices.Max(x) }

// ranks returns the ranks of the values, counted from 1. Ties share their mean rank.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	out := make([]float64, len(x))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && x[order[j]] == x[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			out[k] = float64(i+1+j) / 2
		}
		i = j
	}
	return out
}
