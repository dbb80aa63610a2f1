package eval

import (
	"context"

	"github.com/alike-go/alike/datasets"
	sketching "github.com/alike-go/alike/eval/internal/sketch"
	"github.com/alike-go/alike/similarity"
)

// evaluation is what a method's scores say about a part.
type evaluation struct {
	ranking    *ranking
	at         Confusion // at the threshold
	components []int     // of the transitive closure of predicted pairs, by document
	scores     []float32 // of labelled pairs
	floor      float64
	skipped    int64
	join       *Join // nil where every pair was scored
}

// evaluate scores the pairs of a part and judges them at a threshold; +Inf where
// there is none yet. With a floor above 0 pairs of clusters are found by the
// method's join. The result does not depend on the number of workers.
func evaluate(ctx context.Context, c similarity.Collection, p *Part, floor, threshold float64, cfg Config, progress func(share float64)) (*evaluation, error) {
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
		return &evaluation{ranking: s.ranking, at: s.at, components: s.forest.Numbers(), floor: s.floor, skipped: s.skipped, join: j}, nil
	}
	e := &evaluation{scores: scorePairs(ctx, c, p.Pairs, cfg.Workers)}
	if err := settle(ctx, c); err != nil {
		return nil, err
	}
	items := make([]item, len(p.Pairs))
	f := datasets.NewForest(len(p.Docs))
	for i, q := range p.Pairs {
		items[i] = item{e.scores[i], int32(p.Unit[q.A]), int32(p.Unit[q.B]), q.Alike()}
		if float64(e.scores[i]) >= threshold {
			f.Join(q.A, q.B)
		}
	}
	e.ranking = rank(items)
	e.at = e.ranking.count(threshold)
	e.components = f.Numbers()
	progress(1)
	return e, nil
}

// scorePairs scores labelled pairs.
func scorePairs(ctx context.Context, c similarity.Collection, pairs []datasets.Pair, workers int) []float32 {
	return sketching.Scores(ctx, c, len(pairs), func(i int) (a, b int) { return pairs[i].A, pairs[i].B }, workers)
}
