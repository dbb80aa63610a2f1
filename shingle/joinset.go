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
	groups groups
	number []int32 // of each group in the prefixJoin
	group  []int32 // the reverse
	bits   bitmaps

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
	x.sort(sets)
	longest, weighted := 0, false
	for _, s := range slices.Concat(x.sets, x.probe) {
		longest, weighted = max(longest, len(s.Hashes)), weighted || s.Weights != nil
	}
	x.rule = newRule(kind, o.Threshold, longest, weighted)
	x.ranks = newRanks(ctx, slices.Concat(x.sets, x.probe), o.Workers)
	x.postings = newPostings(ctx, len(x.sets), o.Workers, b == nil, func() func(int) *prefixer {
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
	if shingles := len(x.ranks.of); !weighted && x.postings.meetings() > int64(shingles/worthBits) {
		x.bits = newBitmaps(ctx, x.sets, x.differ(), o.Workers)
	}
	return x
}

// worthBits is for how many shingles, of which each has to be put into bitmaps, there must be
// a candidate that these may tell from a pair without reading hundreds of shingles.
const worthBits = 256

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

// setMatcher is the matcher of a join of sets.
type setMatcher struct {
	prober
	x         *setIndex
	score     func(a, b Set) float64
	threshold float64
	bits      []uint64
}

func (x *setIndex) newMatcher(score func(a, b Set) float64, threshold float64) *setMatcher {
	return &setMatcher{prober: x.newProber(), x: x, score: score, threshold: threshold, bits: make([]uint64, x.bits.width)}
}

func (m *setMatcher) match(dst []match, doc int, t *tally) []match {
	s, ranks, self, after := Set{}, []uint8(nil), none, int32(doc)
	if m.x.probe != nil {
		s, ranks, after = m.x.probe[doc], m.ranks.set(len(m.sets)+doc), -1
	} else {
		g := m.x.groups.of[doc]
		if g == none {
			return dst
		}
		self = int(m.x.number[g])
		s, ranks = m.sets[self], m.ranks.set(self)
		if m.kind == ofProbe {
			after = -1
		}
	}
	size := sizeOf(s)
	found := m.candidates(s, ranks, size, self, after)
	t.candidates += int64(len(found))
	if len(found) > 0 && m.x.bits.width > 0 {
		clear(m.bits)
		m.x.bits.flip(m.bits, s)
	}
	for _, id := range found {
		other := m.sets[id]
		if m.x.bits.width > 0 {
			y := m.sizes[id]
			if !within(m.bits, m.x.bits.of(int(id)), int(size+y-2*m.need(size, y))) {
				continue
			}
		}
		t.verified++
		if score := m.score(s, other); score >= m.threshold {
			dst = append(dst, match{m.x.group[id], score})
		}
	}
	return dst
}
