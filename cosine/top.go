package cosine

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// JoinTop finds for each document of a those of b, or where b is nil the others of a,
// that score best: at most top of them that score at least o.Threshold, and of equal
// scores those of the lower numbers. Pairs come in ascending order of A and then B; in a
// join of a with itself a pair comes as (A, B), as (B, A) or as both, by whose best it is.
//
// It is exact: the best so far raise what the rest must score. All of b is indexed, in
// ten bytes for each of its terms.
func (m *Method) JoinTop(ctx context.Context, a, b []Vector, top int, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	o, err := o.Check()
	if err != nil {
		return similarity.JoinStats{}, err
	}
	if top < 1 {
		return similarity.JoinStats{}, fmt.Errorf("cosine: best %d of each document, want 1 or more", top)
	}
	workers := parallel.Workers(o.Workers)
	self := b == nil
	if self {
		b = a
	}
	x := newIndex(b, workers)
	seekers := make([]*seeker, workers)
	for w := range seekers {
		seekers[w] = x.pool.Get().(*seeker)
	}
	best := func(s *seeker, i int) []similarity.Pair {
		but := -1
		if self {
			but = i
		}
		x.ready(s, &a[i])
		found := x.nearest(s, nil, &a[i], top, o.Threshold, but)
		slices.SortFunc(found, func(p, q Match) int { return cmp.Compare(p.Doc, q.Doc) })
		pairs := make([]similarity.Pair, len(found))
		for k, f := range found {
			pairs[k] = similarity.Pair{A: i, B: f.Doc, Score: f.Score}
		}
		return pairs
	}
	st := similarity.JoinStats{Recall: 1, Design: fmt.Sprintf("posting lists, the best %d raise the threshold", top)}
	const round = 1 << 10
	for from := 0; from < len(a); from += round {
		to := min(from+round, len(a))
		pairs := make([][]similarity.Pair, to-from)
		parallel.For(ctx, workers, to-from, func(w, i int) {
			if ctx.Err() == nil {
				pairs[i] = best(seekers[w], from+i)
			}
		})
		if err := ctx.Err(); err != nil {
			return st, fmt.Errorf("cosine: join: %w", err)
		}
		st.Candidates, st.Verified = 0, 0
		for _, s := range seekers {
			st.Candidates += s.probe.proposed
			st.Verified += s.verified
		}
		for _, p := range slices.Concat(pairs...) {
			st.Pairs++
			if err := emit(p); err != nil {
				return st, err
			}
		}
		if o.Progress != nil {
			o.Progress(float64(to) / float64(len(a)))
		}
	}
	return st, nil
}
