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
	all := slices.Concat(x.sets, x.probe)
	for _, s := range all {
		longest, weighted = max(longest, len(s.Hashes)), weighted || s.Weights != nil
	}
	x.rule = newRule(kind, o.Threshold, longest, weighted)
	x.ranks = newRanks(ctx, all, o.Workers, func(r ranks) bool { return x.ranked(all, r) })
	x.postings = newPostings(ctx, len(x.sets), len(x.probe), o.Workers, func() func(int) prefix {
		p := x.newProber()
		return func(id int) prefix {
			if id >= len(x.sets) {
				return p.prefixOf(x.probe[id-len(x.sets)], x.ranks.set(id))
			}
			size := x.sizes[id]
			great := x.asGreater(size)
			small := great
			if kind != ofProbe {
				small = x.asSmaller(size)
			}
			p.find(x.sets[id], x.ranks.set(id), size, small, great)
			return p.prefix
		}
	})
	if !weighted && ctx.Err() == nil && x.manyCandidates() {
		x.bits = newBitmaps(ctx, x.sets, x.differ(), o.Workers)
	}
	return x
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
	docs := len(x.probe)
	if x.probe == nil {
		docs = len(x.groups.of)
	}
	every := max(1, docs/samples)
	found := 0
	for doc := 0; doc < docs; doc += every {
		if m.look(doc, m.kind != ofProbe) {
			for next, done := m.candidates(); !done; next, done = m.candidates() {
				found += len(next)
			}
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

// setMatcher is the matcher of a join of sets.
type setMatcher struct {
	prober
	x         *setIndex
	score     func(a, b Set) float64
	threshold float64
	set       Set      // that is looked up
	bits      []uint64 // of it, once there is a candidate
	own       []uint64 // room for them where it is none of those indexed
}

func (x *setIndex) newMatcher(score func(a, b Set) float64, threshold float64) *setMatcher {
	return &setMatcher{prober: x.newProber(), x: x, score: score, threshold: threshold, own: make([]uint64, x.bits.width)}
}

// look begins the turn of a document and reports whether it has a set. Unless both
// documents of a pair are to find it, the first one is (once).
func (m *setMatcher) look(doc int, once bool) bool {
	if m.x.probe != nil {
		m.set = m.x.probe[doc]
		m.begin(m.set, m.ranks.set(len(m.sets)+doc), none, -1)
		m.bits = m.own[:0]
	} else {
		g := m.x.groups.of[doc]
		if g == none {
			return false
		}
		id, after := int(m.x.number[g]), int32(-1)
		if once {
			after = int32(doc)
		}
		m.set = m.sets[id]
		m.begin(m.set, m.ranks.set(id), id, after)
		m.bits = m.x.bits.of(id)
	}
	return true
}

// verify appends the candidates that score at least a threshold.
func (m *setMatcher) verify(dst []match, found []uint32, threshold float64, t *tally) []match {
	t.candidates += int64(len(found))
	if width := m.x.bits.width; len(m.bits) < width {
		m.bits = m.bits[:width]
		clear(m.bits)
		m.x.bits.flip(m.bits, m.set)
	}
	for _, id := range found {
		if m.x.bits.width > 0 {
			other := m.sizes[id]
			if !within(m.bits, m.x.bits.of(int(id)), int(m.size+other-2*m.need(m.size, other))) {
				continue
			}
		}
		t.verified++
		if score := m.score(m.set, m.sets[id]); score >= threshold {
			dst = append(dst, match{m.x.group[id], score})
		}
	}
	return dst
}

func (m *setMatcher) match(dst []match, doc int, t *tally) []match {
	if !m.look(doc, m.kind != ofProbe) {
		return dst
	}
	for {
		found, done := m.candidates()
		if done {
			return dst
		}
		dst = m.verify(dst, found, m.threshold, t)
	}
}
