package eval

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// How a floor is chosen: by the scores of up to so many pairs, drawn at random, that are
// not alike; so that no more than this share of the positive pairs lies below it.
const (
	floorPairs = 1_000_000
	floorLoss  = 0.001
)

// chooseFloor returns the score from which on a join shall find pairs, chosen on
// the part tuned on. Below it either lies no more than one positive pair in a thousand, or
// so many pairs are not alike that precision falls under a tenth: what is left to
// find there weighs little in any figure. It is a multiple of 1/1024.
func chooseFloor(ctx context.Context, c similarity.Collection, p *Part, seed uint64, workers int) (float64, error) {
	scores, err := scorePositives(ctx, c, p, workers)
	if err != nil {
		return 0, err
	}
	scores = slices.DeleteFunc(scores, func(s float64) bool { return !(s > 0) }) // NaN too
	if len(scores) == 0 {
		return 1, nil
	}
	slices.Sort(scores)
	floor := scores[int(floorLoss*float64(len(scores)))]

	n := len(p.Docs)
	rng := rand.New(rand.NewPCG(seed, 4))
	var sample []float64
	for range min(floorPairs, int(twos(float64(n)))) {
		i, j := rng.IntN(n), rng.IntN(n)
		if i, j = min(i, j), max(i, j); j >= int(p.clusters.end[i]) && !p.clusters.skips(i, j) {
			sample = append(sample, c.Score(i, j))
		}
	}
	slices.Sort(sample)
	others := twos(float64(n)) - float64(p.clusters.positives())
	// So many pairs of the sample may lie at or above the floor.
	if may := int(float64(p.clusters.keep) / others * float64(len(sample))); may < len(sample) {
		floor = max(floor, math.Nextafter(sample[len(sample)-1-may], 2))
	}
	return min(1, max(1, math.Floor(floor*1024))/1024), nil
}

// scorePositives returns the scores of the pairs within clusters, in order; NaN for
// those that are skipped.
func scorePositives(ctx context.Context, c similarity.Collection, p *Part, workers int) ([]float64, error) {
	t := p.clusters
	out := make([]float64, t.positives())
	const chunk = 1024 // documents
	parallel.Ranges(ctx, workers, len(p.Docs), chunk, func(_, from, to int) {
		var skip []int32
		for i := from; i < to; i++ {
			row := out[t.at[i]:t.at[i+1]]
			for k := range row {
				row[k] = c.Score(i, i+1+k)
			}
			skip = t.skipped(i, skip[:0])
			for _, j := range skip {
				if j < t.end[i] {
					row[int(j)-i-1] = math.NaN()
				}
			}
		}
	})
	return out, ctx.Err()
}
