package eval

import (
	"math"
	"math/rand/v2"
	"sort"

	"gonum.org/v1/gonum/stat"

	"github.com/alike-go/alike/datasets"
)

// Interval is a 95 % confidence interval.
type Interval struct{ Low, High float64 }

// F1Interval returns the 95 % percentile interval of F1 at a fixed threshold by
// bootstrap over units (clusters of documents), not over pairs: pairs that share
// a document are not independent. A pair inside a unit weighs as often as the unit was
// drawn; a pair between two units weighs the product of both (the pigeonhole
// bootstrap of Owen, Annals of Applied Statistics 2007, which errs on the wide side).
//
// The same pairs, units and seed give the same interval. NaN where there are no units.
func F1Interval(pairs []Scored, units int, threshold float64, resamples int, seed uint64) Interval {
	if units == 0 || resamples == 0 {
		return Interval{math.NaN(), math.NaN()}
	}
	rng := rand.New(rand.NewPCG(seed, 0x616c696b65))
	drawn := make([]float64, units)
	values := make([]float64, 0, resamples)
	for range resamples {
		clear(drawn)
		for range units {
			drawn[rng.IntN(units)]++
		}
		var c Confusion
		for _, p := range pairs {
			w := drawn[p.Unit[0]]
			if p.Unit[1] != p.Unit[0] {
				w *= drawn[p.Unit[1]]
			}
			c.add(p.Alike, p.Score >= threshold, w)
		}
		if f := c.F1(); !math.IsNaN(f) {
			values = append(values, f)
		}
	}
	if len(values) == 0 {
		return Interval{math.NaN(), math.NaN()}
	}
	sort.Float64s(values)
	return Interval{
		stat.Quantile(0.025, stat.LinInterp, values, nil),
		stat.Quantile(0.975, stat.LinInterp, values, nil),
	}
}

// bootstrapUnits gives each document the number of its bootstrap unit, and the
// number of units among the documents that occur in pairs. Where pairs were drawn
// independently (two sentences each), a unit is a connected component of all pairs,
// labelled alike or not, so that no pair crosses two. Where negatives tie
// everything together (pairs sampled across clusters) that component would hold
// most pairs; then a unit is a component of alike pairs.
func bootstrapUnits(docs int, pairs []datasets.Pair) (unit []int, n int) {
	unit = datasets.Components(docs, pairs, func(datasets.Pair) bool { return true })
	size := make([]int, docs)
	most := 0
	for _, p := range pairs {
		size[unit[p.A]]++
		most = max(most, size[unit[p.A]])
	}
	if most*20 > len(pairs) {
		unit = datasets.Components(docs, pairs, datasets.Pair.Alike)
	}
	// Number anew, without the components of documents that occur in no pair.
	number := map[int]int{}
	for _, p := range pairs {
		for _, d := range [2]int{p.A, p.B} {
			if _, ok := number[unit[d]]; !ok {
				number[unit[d]] = len(number)
			}
		}
	}
	for d, u := range unit {
		unit[d] = number[u]
	}
	return unit, len(number)
}
