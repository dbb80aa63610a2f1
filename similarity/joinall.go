package similarity

import (
	"context"
	"fmt"
	"runtime"
	"sync"
)

// joinAll is the join of methods that have none: every pair is scored, by the row
// kernel where there is one. It costs len(a)·len(b) scores and keeps no more than
// a block of rows for each worker.
func joinAll[S any, M Sketcher[S]](ctx context.Context, m M, a, b []S, o JoinOptions, emit func(Pair) error) (JoinStats, error) {
	st := JoinStats{Recall: 1, Design: "all pairs"}
	self := b == nil
	if self {
		b = a
	}
	err := JoinBlocks(ctx, "similarity", len(a), o, &st, func(lo, hi int) (pairs []Pair, compared int64) {
		row := make([]float32, len(b))
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			if m.Empty(a[i]) {
				continue
			}
			from := 0
			if self {
				from = i + 1
			}
			scoreRow(m, a[i], b[from:], row[:len(b)-from])
			compared += int64(len(b) - from)
			for k, s := range row[:len(b)-from] {
				// A float32 may round up to the threshold; the score itself decides.
				if s < float32(o.Threshold) {
					continue
				}
				if exact := m.Score(a[i], b[from+k]); exact >= o.Threshold {
					pairs = append(pairs, Pair{i, from + k, exact})
				}
			}
		}
		return pairs, compared
	}, emit)
	return st, err
}

// JoinBlocks is the frame of a join of n rows that looks at each by itself: join is called with
// ranges of up to 64 rows, from as many goroutines as there are workers, and returns their pairs in ascending
// order and how many it has compared. Pairs are emitted in order, counted in st as candidates
// and verified. An error of ctx names the package.
func JoinBlocks(ctx context.Context, pkg string, n int, o JoinOptions, st *JoinStats, join func(from, to int) (pairs []Pair, compared int64), emit func(Pair) error) error {
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	const block = 64 // rows that a worker takes at a time
	type result struct {
		pairs    []Pair
		compared int64
	}
	for lo := 0; lo < n; lo += workers * block {
		results := make([]result, workers)
		var wg sync.WaitGroup
		for w := range workers {
			if from := lo + w*block; from < n {
				wg.Go(func() { results[w].pairs, results[w].compared = join(from, min(from+block, n)) })
			}
		}
		wg.Wait()
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%s: join: %w", pkg, err)
		}
		for _, r := range results {
			st.Candidates += r.compared
			st.Verified += r.compared
			for _, p := range r.pairs {
				st.Pairs++
				if err := emit(p); err != nil {
					return err
				}
			}
		}
		if o.Progress != nil {
			o.Progress(float64(min(lo+workers*block, n)) / float64(n))
		}
	}
	return nil
}

func scoreRow[S any, M Sketcher[S]](m M, a S, bs []S, dst []float32) {
	if k, ok := any(m).(RowKernel[S]); ok {
		k.ScoreRow(a, bs, dst)
		return
	}
	for j, s := range bs {
		dst[j] = float32(m.Score(a, s))
	}
}
