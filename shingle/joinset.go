package shingle

import (
	"cmp"
	"context"
	"slices"

	"github.com/alike-go/alike/similarity"
)

// setIndex is a prefixJoin of the distinct sets of a collection.
type setIndex struct {
	prefixJoin
	groups   groups
	number   []int32 // of each group in the prefixJoin
	group    []int32 // the reverse
	probe    []Set   // of another collection, which are looked up; nil in a self-join
	weighted bool
	bits     bitmaps
}

// newSetIndex ranks the shingles of b, or where it is nil of a, and of a. What is looked up by whom
// index decides.
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
	x.sort(sets)
	longest := 0
	all := slices.Concat(x.sets, x.probe)
	for _, s := range all {
		longest, x.weighted = max(longest, len(s.Hashes)), x.weighted || s.Weights != nil
	}
	x.rule = newRule(kind, o.Threshold, longest, x.weighted)
	x.ranks = newRanks(ctx, all, o.Workers, func(r ranks) bool { return x.ranked(all, r) })
	return x
}

// meeting is who looks whom up.
type meeting int

const (
	// once is every set those before it in the order of sizes: each pair meets once.
	once meeting = iota
	// bothWays is every set all others, or those that have a document behind its own.
	bothWays
	// fromOutside is sets of another collection those of this one.
	fromOutside
)

// streamed is who looks whom up where pairs are found in the order of the documents.
func (x *setIndex) streamed() meeting {
	if x.probe == nil {
		return bothWays
	}
	return fromOutside
}

// index makes the sets ready to be looked up.
func (x *setIndex) index(ctx context.Context, how meeting, workers int) {
	x.how = how
	x.postings = newPostings(ctx, len(x.sets), len(x.probe), how, workers, func() func(int) prefix {
		p := x.newProber()
		return func(id int) prefix {
			if id >= len(x.sets) {
				return p.prefixOf(x.probe[id-len(x.sets)], x.ranks.set(id))
			}
			size := x.sizes[id]
			great, small := x.asGreater(size), x.asSmaller(size)
			switch {
			case x.kind == ofProbe:
				small = great
			case how == once:
				great = small
			}
			p.find(x.sets[id], x.ranks.set(id), size, small, great)
			return p.prefix
		}
	})
	if !x.weighted && ctx.Err() == nil && x.manyCandidates() {
		x.bits = newBitmaps(ctx, x.sets, x.differ(), workers)
	}
}

// ranked reports whether enough shingles are ranked: whether three of four sets, by a sample,
// have a prefix of shingles that are alone, and so nothing to look up.
func (x *setIndex) ranked(sets []Set, r ranks) bool {
	const samples = 256
	p := x.newProber()
	idle, n := 0, 0
	for i := 0; i < len(sets); i += len(sets)/samples + 1 {
		n++
		if len(p.prefixOf(sets[i], r.set(i)).keys) == 0 {
			idle++
		}
	}
	return 4*idle > 3*n
}

// manyCandidates reports whether there are so many candidates that it is worth putting each
// shingle into bitmaps to spare most of them the reading of two sets: by a sample.
func (x *setIndex) manyCandidates() bool {
	const samples, worth = 256, 128
	m := x.newMatcher(nil, 0)
	n := len(x.probe)
	if x.probe == nil {
		n = len(x.sets)
	}
	every := max(1, n/samples)
	found := 0
	for i := 0; i < n; i += every {
		m.look(i, -1)
		for next, done := m.candidates(); !done; next, done = m.candidates() {
			found += len(next)
		}
	}
	return found*every > len(x.ranks.of)/worth
}

// sort puts the distinct sets in order.
func (x *setIndex) sort(sets []Set) {
	n := len(x.groups.first)
	sizes := make([]float64, n)
	x.group, x.number = make([]int32, n), make([]int32, n)
	for g, doc := range x.groups.first {
		sizes[g] = sizeOf(sets[doc])
		x.group[g] = int32(g)
	}
	slices.SortFunc(x.group, func(g, h int32) int { return cmp.Or(cmp.Compare(sizes[g], sizes[h]), cmp.Compare(g, h)) })
	for id, g := range x.group {
		x.number[g] = int32(id)
		x.sets = append(x.sets, sets[x.groups.first[g]])
		x.sizes = append(x.sizes, sizes[g])
		x.last = append(x.last, int32(x.groups.last(g)))
	}
}

// differ returns in how many shingles two sets of mean size differ that are just a pair.
func (x *setIndex) differ() float64 {
	sum := 0.0
	for _, size := range x.sizes {
		sum += size
	}
	mean := sum / float64(len(x.sizes))
	return 2 * (mean - x.need(mean, mean))
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
