package choose

import (
	"cmp"
	"math"
	"slices"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/internal/resample"
)

// ranking is the scored pairs of a sample in descending order of score, ties in one
// group, each pair with its weight. All figures of a candidate on a sample follow
// from it. Scores are compared as float32, as package eval compares them.
type ranking struct {
	items []item
	ends  []int // of each group of ties
	units int

	alike, other float64 // total weights
}

type item struct {
	score  float32
	weight float32
	a, b   int32 // bootstrap units
	alike  bool
}

// newRanking ranks the pairs of a sample by their scores.
func newRanking(s *Sample, scores []float32) *ranking {
	r := &ranking{items: make([]item, len(s.Pairs)), units: s.Units}
	for i, p := range s.Pairs {
		r.items[i] = item{scores[i], p.Weight, s.Unit[p.A], s.Unit[p.B], p.Alike}
	}
	// Stable, so that sums over ties are taken in the order of the sample on every machine.
	slices.SortStableFunc(r.items, func(x, y item) int { return cmp.Compare(y.score, x.score) })
	for i, it := range r.items {
		if it.alike {
			r.alike += float64(it.weight)
		} else {
			r.other += float64(it.weight)
		}
		if i+1 == len(r.items) || r.items[i+1].score != it.score {
			r.ends = append(r.ends, i+1)
		}
	}
	return r
}

// cut returns a threshold between group n and the next.
func (r *ranking) cut(n int) float64 {
	next := 0.0
	if n+1 < len(r.ends) {
		next = float64(r.items[r.ends[n]].score)
	}
	return (float64(r.items[r.ends[n]-1].score) + next) / 2
}

// sweep calls f with the confusion at the cut behind each group, from the
// highest scores down.
func (r *ranking) sweep(f func(group int, c eval.Confusion)) {
	c := eval.Confusion{FN: r.alike, TN: r.other}
	i := 0
	for n, end := range r.ends {
		for ; i < end; i++ {
			w := float64(r.items[i].weight)
			if r.items[i].alike {
				c.TP += w
				c.FN -= w
			} else {
				c.FP += w
				c.TN -= w
			}
		}
		c.FN, c.TN = max(0, c.FN), max(0, c.TN)
		f(n, c)
	}
}

// Best returns the threshold that serves a goal best, halfway between two scores, and
// the confusion there; the highest among equals. The threshold is +Inf where no
// threshold reaches the goal's bound or no pair is alike. Pairs of score 0 are never
// called alike.
func (r *ranking) Best(g Goal) (threshold float64, at eval.Confusion) {
	threshold, at = math.Inf(1), eval.Confusion{FN: r.alike, TN: r.other}
	best := 0.0
	r.sweep(func(n int, c eval.Confusion) {
		if r.items[r.ends[n]-1].score == 0 {
			return
		}
		if v := g.Value(c); v > best && g.Reached(c) {
			best, threshold, at = v, r.cut(n), c
		}
	})
	return threshold, at
}

// At returns the weighted confusion at a threshold: pairs that score at least that
// are predicted alike.
func (r *ranking) At(threshold float64) eval.Confusion {
	at := eval.Confusion{FN: r.alike, TN: r.other}
	r.sweep(func(n int, c eval.Confusion) {
		if float64(r.items[r.ends[n]-1].score) >= threshold {
			at = c
		}
	})
	return at
}

// AP returns average precision over the distinct scores; NaN where no pair is alike.
func (r *ranking) AP() float64 {
	if r.alike == 0 {
		return math.NaN()
	}
	sum, before := 0.0, 0.0
	r.sweep(func(_ int, c eval.Confusion) {
		if c.TP > before {
			sum += float64((c.TP - before) * c.Precision())
			before = c.TP
		}
	})
	return sum / r.alike
}

// positives returns the weight of the alike pairs of each unit.
func (r *ranking) positives() []float64 {
	out := make([]float64, r.units)
	for _, it := range r.items {
		if it.alike && it.a == it.b {
			out[it.a] += float64(it.weight)
		}
	}
	return out
}

// All returns the confusion of an answer that calls every pair alike.
func (r *ranking) All() eval.Confusion { return eval.Confusion{TP: r.alike, FP: r.other} }

// Replicates returns the confusion at the threshold in each of so many resamples of
// the sample's units, without TN. A pair weighs its weight times how often its unit
// was drawn, or times the product of both where it lies between two (see package eval).
// Resample n draws the same units for every candidate that is ranked on the same
// sample under the same seed, so replicates of two candidates are paired.
func (r *ranking) Replicates(threshold float64, resamples int, seed uint64) []eval.Confusion {
	out := make([]eval.Confusion, resamples)
	drawn := make([]int32, r.units)
	for n := range out {
		resample.Draw(drawn, seed, n)
		c := &out[n]
		for i := range r.items {
			it := &r.items[i]
			above := float64(it.score) >= threshold
			if !above && !it.alike {
				continue
			}
			k := drawn[it.a]
			if it.b != it.a {
				k *= drawn[it.b]
			}
			switch w := float64(float64(it.weight) * float64(k)); {
			case !it.alike:
				c.FP += w
			case above:
				c.TP += w
			default:
				c.FN += w
			}
		}
	}
	return out
}
