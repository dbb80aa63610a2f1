package shingle

import (
	"context"

	"github.com/alike-go/alike/internal/setjoin"
	"github.com/alike-go/alike/similarity"
)

var (
	_ similarity.Joiner[Set]          = (*Method)(nil)
	_ similarity.Searcher[Set]        = (*Method)(nil)
	_ similarity.Joiner[BottomSketch] = (*Bottom)(nil)
)

// Join finds all pairs that score at least the threshold, exactly, with the
// scores of Score. It compares sets that share one of their rarest shingles and
// fit in size (see package internal/setjoin). Bags are joined by prefixes of
// their weight.
//
// The time is about that of reading all shingles twice, and then that of the
// pairs that share rare shingles; under Overlap also that of pairs with a small
// set. Beside the sets it takes a byte per shingle, 8 bytes per shingle of a
// prefix that another set has, 4 bytes per set and worker, and the matches of
// some 300 documents per worker.
func (m *Method) Join(ctx context.Context, a, b []Set, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	return joinOf(m.joins(), a, b, setOf, m.Score).Pairs(ctx, o, emit)
}

// Search indexes the prefixes of the sets as Join does, and needs as much
// memory. It looks sets up one at a time, so it never holds their pairs.
func (m *Method) Search(ctx context.Context, sets []Set, o similarity.JoinOptions) (similarity.Search, error) {
	return joinOf(m.joins(), sets, nil, setOf, m.Score).Search(ctx, o)
}

// Join finds all pairs that score at least the threshold, exactly, as Method.Join
// does. The hashes sampled are as many as either sketch has or more; the share
// that the threshold demands must be in both.
func (m *Bottom) Join(ctx context.Context, a, b []BottomSketch, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	return joinOf(setjoin.OfGreater, a, b, setOfBottom, m.Score).Pairs(ctx, o, emit)
}

// joins returns what two sets must share to be a pair of the method.
func (m *Method) joins() setjoin.Kind {
	if m.measure == Overlap {
		return setjoin.OfSmaller
	}
	return setjoin.OfUnion
}

func setOf(s Set) setjoin.Set                { return setjoin.Set(s) }
func setOfBottom(s BottomSketch) setjoin.Set { return setjoin.Set{Hashes: s} }

// joinOf returns the join of two collections, or of a with itself where b is nil.
// A score of at least the threshold must mean that the sets share what the kind
// demands.
func joinOf[S any](kind setjoin.Kind, a, b []S, hashes func(S) setjoin.Set, score func(a, b S) float64) *setjoin.Join {
	other := b
	if b == nil {
		other = a
	}
	return &setjoin.Join{
		Kind: kind, A: setjoin.Of(a, hashes), B: setjoin.Of(b, hashes), Score: func(i, j int) float64 { return score(a[i], other[j]) },
		Name: "shingle", Design: "prefixes of the rarest shingles",
	}
}
