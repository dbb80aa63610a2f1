package setjoin

import (
	"cmp"
	"context"
	"slices"

	"github.com/alike-go/alike/similarity"
)

// setIndex is a prefixJoin of the distinct sets of a collection.
type setIndex struct {
	prefixJoin
	join     *Join
	self     bool
	groups   groups
	number   []int32 // of each group in the prefixJoin
	group    []int32 // the reverse
	probe    []Set   // of A, which are looked up if there is a B
	weighted bool
	bits     bitmaps
}

// newSetIndex ranks the hashes of all sets. build then decides which sets are
// looked up.
func newSetIndex(ctx context.Context, j *Join, o similarity.JoinOptions) *setIndex {
	x := &setIndex{join: j, self: j.B.At == nil}
	sets := j.B
	if x.self {
		sets = j.A
	}
	x.groups = newGroups(ctx, sets.Len, o.Workers,
		func(i int) bool { return len(sets.At(i).Hashes) == 0 },
		func(i int) uint64 { return hashWords(sets.At(i).Hashes) },
		func(i, k int) bool {
			s, t := sets.At(i), sets.At(k)
			return slices.Equal(s.Hashes, t.Hashes) && slices.Equal(s.Weights, t.Weights)
		})
	x.sort(sets)
	all := x.sets
	if !x.self {
		for i := range j.A.Len {
			all = append(all, j.A.At(i))
		}
		x.sets, x.probe = all[:len(x.sets)], all[len(x.sets):]
	}
	longest := 0
	for _, s := range all {
		longest, x.weighted = max(longest, len(s.Hashes)), x.weighted || s.Weights != nil
	}
	x.rule = newRule(j.Kind, o.Threshold, longest, x.weighted)
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
	if x.self {
		return bothWays
	}
	return fromOutside
}

// build makes the sets ready to be looked up.
func (x *setIndex) build(ctx context.Context, how meeting, workers int) {
	x.how = how
	x.postings = newPostings(ctx, len(x.sets), len(x.probe), how, workers, func() func(int) prefix {
		p := x.newProber()
		return func(id int) prefix {
			if id >= len(x.sets) {
				return p.prefixOf(x.probe[id-len(x.sets)], x.ranks.set(id))
			}
			size := x.sizes[id]
			great, small := x.asGreater(size), x.asSmaller(size)
			if how == once {
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
	m := x.newMatcher(0)
	n := len(x.probe)
	if x.self {
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
func (x *setIndex) sort(sets Sets) {
	n := len(x.groups.first)
	sizes := make([]float64, n)
	x.group, x.number = make([]int32, n), make([]int32, n)
	for g, doc := range x.groups.first {
		sizes[g] = sets.At(doc).size()
		x.group[g] = int32(g)
	}
	slices.SortFunc(x.group, func(g, h int32) int { return cmp.Or(cmp.Compare(sizes[g], sizes[h]), cmp.Compare(g, h)) })
	for id, g := range x.group {
		x.number[g] = int32(id)
		x.sets = append(x.sets, sets.At(x.groups.first[g]))
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
