package similarity

import (
	"context"
	"fmt"

	"github.com/alike-go/alike/internal/parallel"
)

// joinAll is the join of methods that have none: every pair is scored, by the row
// kernel where there is one. It costs len(a)·len(b) scores and holds the pairs of
// a few blocks of rows per worker.
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

// JoinBlocks is the frame of a join of n rows, each of which is compared by
// itself. It calls join with ranges of up to 64 rows, on as many goroutines as
// there are workers. join returns the pairs of the rows in ascending order, and
// how many it has compared. JoinBlocks emits the pairs in order and counts them
// in st as candidates and verified. An error of ctx names the package.
func JoinBlocks(ctx context.Context, pkg string, n int, o JoinOptions, st *JoinStats, join func(from, to int) (pairs []Pair, compared int64), emit func(Pair) error) error {
	const block = 64 // rows that a worker takes at a time
	type result struct {
		to       int
		pairs    []Pair
		compared int64
	}
	err := parallel.Ordered(ctx, o.Workers, parallel.Numbers((n+block-1)/block), func(i int) (result, error) {
		to := min((i+1)*block, n)
		pairs, compared := join(i*block, to)
		return result{to, pairs, compared}, ctx.Err()
	}, func(r result) error {
		st.Candidates += r.compared
		st.Verified += r.compared
		for _, p := range r.pairs {
			st.Pairs++
			if err := emit(p); err != nil {
				return err
			}
		}
		if o.Progress != nil {
			o.Progress(float64(r.to) / float64(n))
		}
		return nil
	})
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%s: join: %w", pkg, err)
	}
	return err
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
