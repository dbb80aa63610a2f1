package eval

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/internal/resample"
	"github.com/alike-go/alike/internal/parallel"
)

// Interval is a 95 % confidence interval.
type Interval struct{ Low, High float64 }

// undefined is the interval of a figure that has none.
var undefined = Interval{math.NaN(), math.NaN()}

// Replicates are the figures of every bootstrap resample, in the order of the
// resamples. Resample n draws the same units for every method that runs on the same
// pairs under the same seed, so the replicates of two methods are paired.
type Replicates struct {
	Precision Floats `json:"precision"`
	Recall    Floats `json:"recall"`
	F1        Floats `json:"f1"`
	AP        Floats `json:"ap"`
}

// bootstrap returns the figures at the threshold for resamples of units, drawn
// with replacement: clusters of documents, not pairs, because pairs that share a
// document are not independent. A pair inside a unit weighs as often as the
// unit was drawn; a pair between two units weighs the product of both (the
// pigeonhole bootstrap of Owen, Annals of Applied Statistics 2007, which errs on the
// wide side). Pairs that are only counted weigh 1, their expectation.
//
// The result is the same for any number of workers.
func (r *ranking) bootstrap(units int, threshold float64, resamples int, seed uint64, workers int) Replicates {
	at := r.above(threshold)
	return replicate(units, resamples, seed, workers, func(drawn []int32) (Confusion, float64) { return r.weighted(drawn, at) })
}

// replicate returns the figures of resamples of units. of returns the confusion and
// the average precision of a resample, given how often each unit was drawn. It is
// called on several goroutines.
func replicate(units, resamples int, seed uint64, workers int, of func(drawn []int32) (c Confusion, ap float64)) Replicates {
	if units == 0 || resamples <= 0 {
		return Replicates{}
	}
	var out Replicates
	for _, f := range []*Floats{&out.Precision, &out.Recall, &out.F1, &out.AP} {
		*f = make([]float32, resamples)
	}
	drawn := make([][]int32, max(1, workers))
	parallel.For(context.Background(), workers, resamples, func(w, n int) {
		if drawn[w] == nil {
			drawn[w] = make([]int32, units)
		}
		resample.Draw(drawn[w], seed, n)
		c, ap := of(drawn[w])
		out.Precision[n], out.Recall[n] = float32(c.Precision()), float32(c.Recall())
		out.F1[n], out.AP[n] = float32(c.F1()), float32(ap)
	})
	return out
}

// weighted returns the confusion after the first at groups, without TN, and the
// average precision, where a pair weighs as its units were drawn.
func (r *ranking) weighted(drawn []int32, at int) (c Confusion, ap float64) {
	var tp, all int64
	i := 0
	for n, g := range r.groups {
		if n == at {
			c.TP, c.FP = float64(tp), float64(all-tp)
		}
		var alike, weight int64
		for ; i < g.end; i++ {
			p := &r.items[i]
			w := int64(drawn[p.a])
			if p.b != p.a {
				w *= int64(drawn[p.b])
			}
			weight += w
			if p.alike {
				alike += w
			}
		}
		tp += alike
		all += weight + g.other - g.held
		if alike > 0 {
			ap += float64(float64(alike) * (float64(tp) / float64(all)))
		}
	}
	if at == len(r.groups) {
		c.TP, c.FP = float64(tp), float64(all-tp)
	}
	c.FN = float64(tp) - c.TP
	return c, ap / float64(tp)
}

// Interval95 returns the 95 % interval of a share from its replicates, which rest on
// so many effective units. It is NaN if no replicate is defined.
//
// It is the percentile interval, and it allows for errors that the units did not
// show: a sample without an error gives the same figure in every resample, but the
// next unit may be wrong. So one more unit takes part, drawn a Poisson-distributed
// number of times. For the low end that unit is all wrong, for the high end all
// right. Without an error among n units the low end is n/(n+3), close to the rule
// of three.
func Interval95(replicates []float32, effectiveUnits float64) Interval {
	low, high := make([]float32, len(replicates)), make([]float32, len(replicates))
	for i, x := range replicates {
		k := resample.Poisson(i) / effectiveUnits
		low[i] = float32(float64(x) / (1 + k))
		high[i] = float32((float64(x) + k) / (1 + k))
	}
	return Interval{quantile(low, 0.025), quantile(high, 0.975)}
}

// quantile returns a quantile of the defined values; NaN if there are none.
func quantile(values []float32, p float64) float64 {
	var v []float64
	for _, x := range values {
		if x == x {
			v = append(v, float64(x))
		}
	}
	if len(v) == 0 {
		return math.NaN()
	}
	slices.Sort(v)
	return stat.Quantile(p, stat.LinInterp, v, nil)
}

// Bootstrap returns the replicates of precision, recall and F1 at a fixed
// threshold, and of average precision, for resamples of units drawn with
// replacement. The same pairs, units and seed give the same replicates.
func Bootstrap(pairs []Scored, units int, threshold float64, resamples int, seed uint64) Replicates {
	return rankScored(pairs).bootstrap(units, threshold, resamples, seed, 1)
}

// bootstrapUnits returns the bootstrap unit of each document, and the number of
// units. Every document must occur in a pair. A unit is a connected component of all
// pairs, labelled alike or not, so no pair crosses two units. If pairs were sampled
// across clusters, negatives connect almost everything; then a unit is a component
// of alike pairs.
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
	return unit, slices.Max(unit) + 1
}
