package eval

import (
	"context"
	"sync"

	"github.com/alike-go/alike/datasets"
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
	e := &evaluation{scores: scorePairs(ctx, c, p, cfg.Workers)}
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

// scorePairs scores labelled pairs. Workers take contiguous ranges.
func scorePairs(ctx context.Context, c similarity.Collection, p *Part, workers int) []float32 {
	out := make([]float32, len(p.Pairs))
	const chunk = 1024
	work := make(chan int, len(out)/chunk+1)
	for i := 0; i < len(out); i += chunk {
		work <- i
	}
	close(work)
	var wg sync.WaitGroup
	for range max(1, workers) {
		wg.Go(func() {
			for from := range work {
				if ctx.Err() != nil {
					return
				}
				pairs := p.Pairs[from:min(len(out), from+chunk)]
				if r, ok := c.(similarity.Remote); ok {
					ask := make([][2]int, len(pairs))
					for i, q := range pairs {
						ask[i] = [2]int{q.A, q.B}
					}
					r.ScorePairs(ask, out[from:from+len(pairs)])
					continue
				}
				for i, q := range pairs {
					out[from+i] = float32(c.Score(q.A, q.B))
				}
			}
		})
	}
	wg.Wait()
	return out
}
