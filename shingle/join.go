package shingle

import (
	"context"
	"fmt"
	"runtime"

	"github.com/alike-go/alike/similarity"
)

var _ similarity.Joiner[Set] = (*Method)(nil)

// Join finds all pairs that score at least the threshold, exactly, with the scores of
// Score: by prefixes of the rarest shingles, by size and by the position of the first
// shingle shared (AllPairs: Bayardo, Ma and Srikant, WWW 2007; PPJoin: Xiao, Wang, Lin and
// Yu, WWW 2008). Bags are joined by prefixes of their weight.
//
// The time is about that of reading all shingles twice, and then that of the
// pairs that share rare shingles; under Overlap also that of pairs of which one is small.
// Equal sets are looked up in one. Beside the sets it takes a byte for each shingle, 8
// bytes for each shingle of a prefix that another set has, 4 bytes for each set and
// worker, and the matches of 320 documents for each worker.
func (m *Method) Join(ctx context.Context, a, b []Set, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	return joinSets(ctx, m.joins(), a, b, m.Score, o, emit)
}

// joins returns what two sets must share to be a pair of the method.
func (m *Method) joins() ruleKind {
	if m.measure == Overlap {
		return ofSmaller
	}
	return ofUnion
}

// JoinContainment finds all pairs of a document of a and one of b, or where b is nil
// of a and another of a, of which the first lies in the second by at least
// o.Threshold; the score of a pair is Containment(a[A], b[B]). Pairs come in ascending
// order of A and then B, in a join of a with itself in either direction where both hold.
// The rest is as with Join, but the index holds all shingles of b that another document has.
func (m *Method) JoinContainment(ctx context.Context, a, b []Set, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	return joinSets(ctx, ofProbe, a, b, m.Containment, o, emit)
}

// joinSets joins by prefixes. A score of at least the threshold must mean that the sets
// share what the kind of rule demands.
func joinSets(ctx context.Context, kind ruleKind, a, b []Set, score func(a, b Set) float64, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	return joinHolding(ctx, pairsAtOnce, kind, a, b, score, o, emit)
}

// joinHolding is joinSets that holds so many pairs, beside as many as there are sets.
func joinHolding(ctx context.Context, most int, kind ruleKind, a, b []Set, score func(a, b Set) float64, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	o, st, err := checkJoin(o)
	if err != nil {
		return st, err
	}
	x := newSetIndex(ctx, kind, a, b, o)
	e := emitter{
		groups: x.groups, self: b == nil, directed: kind == ofProbe, stats: &st, emit: emit,
		equal: func(doc int) float64 { return score(a[doc], a[doc]) },
	}
	if b == nil && kind != ofProbe {
		x.index(ctx, once, o.Workers)
		found, err := x.pairs(ctx, o, score, most+len(x.sets), &st)
		if err == nil {
			err = e.groupwise(ctx, found)
		}
		if err != errTooMany {
			return st, joinError(ctx, err)
		}
	}
	x.index(ctx, x.streamed(), o.Workers)
	err = e.run(ctx, len(a), o.Workers, func(done int) { o.Progress(float64(done) / float64(len(a))) }, func() matcher {
		return x.newMatcher(score, o.Threshold)
	})
	return st, joinError(ctx, err)
}

// checkJoin returns the options with all defaults filled in, and the statistics that an
// exact join begins with.
func checkJoin(o similarity.JoinOptions) (similarity.JoinOptions, similarity.JoinStats, error) {
	o, err := o.Check()
	if err != nil {
		return o, similarity.JoinStats{}, err
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Progress == nil {
		o.Progress = func(float64) {}
	}
	return o, similarity.JoinStats{Recall: 1, Design: "prefixes of the rarest shingles"}, nil
}

// joinError says that an error of the context ended a join.
func joinError(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("shingle: join: %w", err)
	}
	return err
}
