package main

import (
	"math"
	"math/rand/v2"

	"github.com/alike-go/alike/eval"
)

// kind is a way to make collections. The pairs of a unit share their difficulty, so
// that they err together.
type kind struct {
	name string

	// docs returns the number of documents of unit i of n.
	docs func(rng *rand.Rand, i, n int) int

	recall float64 // mean probability that an alike pair scores at least a half
	spread float64 // of that probability over units: 0 none, 1 all or nothing
	wrong  float64 // share of pairs of documents of two units that score at least a half
}

func equal(*rand.Rand, int, int) int { return 3 }

// paretian sizes have a tail of exponent 2, cut at 40 documents.
func paretian(rng *rand.Rand, _, _ int) int {
	return min(40, int(2/math.Sqrt(1-rng.Float64())))
}

// giant makes the first of n units hold a share of the positive pairs, beside units of 3.
func giant(share float64) func(*rand.Rand, int, int) int {
	return func(_ *rand.Rand, i, n int) int {
		if i > 0 {
			return 3
		}
		pairs := 3 * float64(n-1) * share / (1 - share)
		return int(math.Round((1 + math.Sqrt(1+8*pairs)) / 2))
	}
}

var made = []kind{
	{"equal units, few errors", equal, 0.97, 0.3, 1e-5},
	{"equal units, many errors", equal, 0.7, 0.5, 1e-3},
	{"sizes with a long tail, few errors", paretian, 0.97, 0.3, 1e-5},
	{"sizes with a long tail, many errors", paretian, 0.7, 0.5, 1e-3},
	{"one unit with 20 % of the pairs", giant(0.2), 0.8, 0.5, 1e-4},
	{"one unit with 40 % of the pairs", giant(0.4), 0.8, 0.5, 1e-4},
	{"one unit with 80 % of the pairs", giant(0.8), 0.8, 0.5, 1e-4},
}

func (k kind) draw(rng *rand.Rand, n int) (dev, test []eval.Scored) {
	return k.collection(rng, n), k.collection(rng, n)
}

// collection makes the pairs of n units: all within units, and those between units that
// score at least a half. Scores are 1 or 0.25 so that any threshold decides the same.
func (k kind) collection(rng *rand.Rand, n int) []eval.Scored {
	var out []eval.Scored
	var unit []int
	for i := range n {
		docs := k.docs(rng, i, n)
		// The recall of the unit is the mean, or with probability spread all or nothing.
		recall := k.recall
		if rng.Float64() < k.spread {
			recall = 0
			if rng.Float64() < k.recall {
				recall = 1
			}
		}
		for a := range docs {
			unit = append(unit, i)
			for range a {
				score := 0.25
				if rng.Float64() < recall {
					score = 1
				}
				out = append(out, eval.Scored{Score: score, Alike: true, Unit: [2]int{i, i}})
			}
		}
	}
	// Wrong pairs: the gaps between them are geometric.
	all := len(unit) * (len(unit) - 1) / 2
	for at := -1; ; {
		at += 1 + int(math.Log(1-rng.Float64())/math.Log1p(-k.wrong))
		if at >= all {
			return out
		}
		b := int((1 + math.Sqrt(1+8*float64(at))) / 2)
		if a := at - b*(b-1)/2; unit[a] != unit[b] {
			out = append(out, eval.Scored{Score: 1, Unit: [2]int{unit[a], unit[b]}})
		}
	}
}

// truth returns the expected confusion of n units, from the sizes of many. Every
// threshold is 5/8, halfway between the two scores, or takes all pairs.
func (k kind) truth(threshold float64, n int) eval.Confusion {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	const rounds = 2000
	var c eval.Confusion
	recall := k.recall
	if threshold <= 0.25 {
		recall = 1
	}
	for range rounds {
		docs, pairs := 0.0, 0.0
		for i := range n {
			d := float64(k.docs(rng, i, n))
			docs += d
			pairs += d * (d - 1) / 2
		}
		c.TP += pairs * recall / rounds
		c.FN += pairs * (1 - recall) / rounds
		c.FP += (docs*(docs-1)/2 - pairs) * k.wrong / rounds
	}
	return c
}
