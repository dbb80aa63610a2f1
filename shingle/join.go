package shingle

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"

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
	kind := ofUnion
	if m.measure == Overlap {
		kind = ofSmaller
	}
	return joinSets(ctx, kind, a, b, m.Score, o, emit)
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
	o, err := o.Check()
	if err != nil {
		return similarity.JoinStats{}, err
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Progress == nil {
		o.Progress = func(float64) {}
	}
	st := similarity.JoinStats{Recall: 1, Design: "prefixes of the rarest shingles"}
	x := newSetIndex(ctx, kind, a, b, o)
	o.Progress(0.5)
	e := emitter{
		groups: x.groups, self: b == nil, directed: kind == ofProbe, stats: &st, emit: emit,
		equal: func(doc int) float64 { return score(a[doc], a[doc]) },
	}
	err = e.run(ctx, len(a), o.Workers, func(done int) { o.Progress(0.5 + 0.5*float64(done)/float64(len(a))) }, func() matcher {
		return &setMatcher{prober: x.newProber(), x: x, score: score, threshold: o.Threshold}
	})
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("shingle: join: %w", err)
	}
	return st, err
}

// setIndex is a prefixJoin of the distinct sets of a collection.
type setIndex struct {
	prefixJoin
	groups groups
	number []int32 // of each group in the prefixJoin
	group  []int32 // the reverse

	probe []Set // of another collection; nil in a self-join
}

// newSetIndex indexes b, or where it is nil a.
func newSetIndex(ctx context.Context, kind ruleKind, a, b []Set, o similarity.JoinOptions) *setIndex {
	x := &setIndex{probe: a}
	sets := b
	if b == nil {
		x.probe, sets = nil, a
	}
	x.groups = newGroups(ctx, len(sets), o.Workers,
		func(i int) bool { return len(sets[i].Hashes) == 0 },
		func(i int) uint64 { return hashWords(sets[i].Hashes) },
		func(i, k int) bool {
			return slices.Equal(sets[i].Hashes, sets[k].Hashes) && slices.Equal(sets[i].Weights, sets[k].Weights)
		})
	n := len(x.groups.first)
	sizes := make([]float64, n)
	x.group = make([]int32, n)
	for g, doc := range x.groups.first {
		sizes[g] = sizeOf(sets[doc])
		x.group[g] = int32(g)
	}
	slices.SortFunc(x.group, func(g, h int32) int { return cmp.Or(cmp.Compare(sizes[g], sizes[h]), cmp.Compare(g, h)) })
	x.number = make([]int32, n)
	longest, weighted := 0, false
	for id, g := range x.group {
		s := sets[x.groups.first[g]]
		x.number[g] = int32(id)
		x.sets = append(x.sets, s)
		x.sizes = append(x.sizes, sizes[g])
		longest, weighted = max(longest, len(s.Hashes)), weighted || s.Weights != nil
	}
	for _, s := range x.probe {
		longest = max(longest, len(s.Hashes))
	}
	x.rule = newRule(kind, o.Threshold, longest, weighted)
	x.ranks = newRanks(ctx, slices.Concat(x.sets, x.probe), o.Workers)
	x.postings = newPostings(ctx, n, o.Workers, b == nil, func() func(int) *prefixer {
		var p prefixer
		return func(id int) *prefixer {
			size := x.sizes[id]
			great := x.asGreater(size)
			small := great
			if kind != ofProbe {
				small = x.asSmaller(size)
			}
			p.find(x.sets[id], x.ranks.set(id), size, small, great)
			return &p
		}
	})
	return x
}

// sizeOf returns the sum of a set's weights.
func sizeOf(s Set) float64 {
	if s.Weights == nil {
		return float64(len(s.Hashes))
	}
	sum := 0.0
	for _, w := range s.Weights {
		sum += w
	}
	return sum
}

// setMatcher is the matcher of a join of sets.
type setMatcher struct {
	prober
	x         *setIndex
	score     func(a, b Set) float64
	threshold float64
}

func (m *setMatcher) match(dst []match, doc int, t *tally) []match {
	self, at := none, len(m.sets)+doc
	var s Set
	if m.x.probe != nil {
		s = m.x.probe[doc]
	} else {
		g := m.x.groups.of[doc]
		if g == none {
			return dst
		}
		self = int(m.x.number[g])
		s, at = m.sets[self], self
	}
	bothWays := m.x.probe != nil || m.kind == ofProbe
	for _, id := range m.candidates(s, m.ranks.set(at), sizeOf(s), self) {
		g := m.x.group[id]
		if !bothWays && m.x.groups.last(g) < doc {
			continue
		}
		t.candidates++
		t.verified++
		if score := m.score(s, m.sets[id]); score >= m.threshold {
			dst = append(dst, match{g, score})
		}
	}
	return dst
}
