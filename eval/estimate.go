package eval

import (
	"math"
	"math/rand/v2"

	"github.com/alike-go/alike/similarity"
)

// Estimate is how far the scores of a sketch lie from the exact values that they
// estimate: quality of the sketch, whatever the task.
type Estimate struct {
	Reference string        `json:"reference"` // spec of the exact method
	Pairs     int           `json:"pairs"`
	Bias      Figure        `json:"bias"` // mean of score - exact
	RMSE      Figure        `json:"rmse"` // root of the mean square of the same
	Bins      []EstimateBin `json:"bins"`
}

// EstimateBin is the part of an Estimate whose exact values lie in [From, To), or
// are 1 in the last one. Pairs are few where exact values are high, and only the
// bins show errors there.
type EstimateBin struct {
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Pairs int     `json:"pairs"`
	Bias  Figure  `json:"bias"`
	RMSE  Figure  `json:"rmse"`
}

// estimateBins is the number of bins, estimatePairs how many pairs within
// clusters, and how many of all, stand for the pairs of a part at most.
const (
	estimateBins  = 10
	estimatePairs = 100_000
)

// newEstimate compares scores with the exact values of the same pairs.
func newEstimate(reference string, scores, exact []float64) *Estimate {
	var bins [estimateBins]errorSum
	var all errorSum
	for i, x := range exact {
		d := scores[i] - x
		all.add(d)
		bins[max(0, min(estimateBins-1, int(x*estimateBins)))].add(d)
	}
	e := &Estimate{Reference: reference, Pairs: len(exact), Bias: all.bias(), RMSE: all.rmse()}
	for i, b := range bins {
		e.Bins = append(e.Bins, EstimateBin{
			From: float64(i) / estimateBins, To: float64(i+1) / estimateBins,
			Pairs: b.n, Bias: b.bias(), RMSE: b.rmse(),
		})
	}
	return e
}

type errorSum struct {
	n           int
	sum, square float64
}

func (s *errorSum) add(d float64) {
	s.n++
	s.sum += d
	s.square += float64(d * d)
}

func (s *errorSum) bias() Figure { return Figure(s.sum / float64(s.n)) }
func (s *errorSum) rmse() Figure { return Figure(math.Sqrt(s.square / float64(s.n))) }

// estimatedPairs returns the pairs that estimates are measured on: the labelled
// ones, or of clusters those within, evenly thinned, and others drawn at random with
// replacement.
func (p *Part) estimatedPairs(seed uint64) [][2]int {
	var out [][2]int
	if p.clusters == nil {
		for _, q := range p.Pairs {
			out = append(out, [2]int{q.A, q.B})
		}
		return out
	}
	step := max(1, (p.clusters.positives()+estimatePairs-1)/estimatePairs)
	n := 0
	for i := range p.Docs {
		for j := i + 1; j < int(p.clusters.end[i]); j++ {
			if n%step == 0 {
				out = append(out, [2]int{i, j})
			}
			n++
		}
	}
	rng := rand.New(rand.NewPCG(seed, 3))
	docs := len(p.Docs)
	for range min(estimatePairs, docs*(docs-1)/2) {
		i, j := rng.IntN(docs), rng.IntN(docs)
		if i != j {
			out = append(out, [2]int{i, j})
		}
	}
	return out
}

func estimate(reference string, c, exact similarity.Collection, pairs [][2]int) *Estimate {
	x, y := make([]float64, len(pairs)), make([]float64, len(pairs))
	for i, q := range pairs {
		x[i], y[i] = c.Score(q[0], q[1]), exact.Score(q[0], q[1])
	}
	return newEstimate(reference, x, y)
}
