package eval

import (
	"context"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// evaluation is what a method's scores say about a part.
type evaluation struct {
	ranking    *ranking
	at         Confusion // at the threshold
	closure    Confusion // of the transitive closure of predicted pairs, without TN
	components []int     // of that closure, by document
	scores     []float32 // of labelled pairs
	floor      float64
	skipped    int64
	join       *Join // nil where every pair was scored
}

// evaluate scores the pairs of a part and judges them at a threshold; +Inf where
// there is none yet. With a floor above 0 pairs of clusters are found by the
// method's join. The result does not depend on the number of workers.
func evaluate(ctx context.Context, c similarity.Collection, p *part, floor, threshold float64, cfg Config, progress func(share float64)) (*evaluation, error) {
	if p.clusters != nil {
		var s *scan
		var j *Join
		var err error
		if floor > 0 {
			s, j, err = scanJoined(ctx, c, p, floor, threshold, cfg, progress)
		} else {
			s, err = scanAll(ctx, c, p, threshold, cfg.Workers, progress)
		}
		if err == nil {
			err = settle(ctx, c)
		}
		if err != nil {
			return nil, err
		}
		e := &evaluation{ranking: s.ranking, at: s.at, components: s.forest.Numbers(), floor: s.floor, skipped: s.skipped, join: j}
		e.closure = p.clusters.closure(e.components)
		return e, nil
	}
	e := &evaluation{scores: scorePairs(ctx, c, p, cfg.Workers)}
	if err := settle(ctx, c); err != nil {
		return nil, err
	}
	items := make([]item, len(p.pairs))
	f := datasets.NewForest(len(p.docs))
	for i, q := range p.pairs {
		items[i] = item{e.scores[i], int32(p.unit[q.A]), int32(p.unit[q.B]), q.Alike()}
		if float64(e.scores[i]) >= threshold {
			f.Join(q.A, q.B)
		}
	}
	e.ranking = rank(items)
	e.at = e.ranking.count(threshold)
	e.components = f.Numbers()
	e.closure = closurePairs(p.pairs, e.components)
	progress(1)
	return e, nil
}

// scorePairs scores labelled pairs. Workers take contiguous ranges.
func scorePairs(ctx context.Context, c similarity.Collection, p *part, workers int) []float32 {
	out := make([]float32, len(p.pairs))
	const chunk = 1024
	parallel.Ranges(ctx, workers, len(out), chunk, func(_, from, to int) {
		pairs := p.pairs[from:to]
		if r, ok := c.(similarity.Remote); ok {
			ask := make([][2]int, len(pairs))
			for i, q := range pairs {
				ask[i] = [2]int{q.A, q.B}
			}
			r.ScorePairs(ask, out[from:to])
			return
		}
		for i, q := range pairs {
			out[from+i] = float32(c.Score(q.A, q.B))
		}
	})
	return out
}
