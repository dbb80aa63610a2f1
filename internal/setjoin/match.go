package setjoin

import (
	"math"
	"slices"

	"github.com/alike-go/alike/internal/intersect"
)

// setMatcher is the matcher of a join of sets.
type setMatcher struct {
	prober
	x         *setIndex
	threshold float64
	doc       int      // that is looked up
	set       Set      // of it
	bits      []uint64 // of it; empty until there is a candidate where it is none of those indexed
	own       []uint64 // room for that
	room      []match
}

func (x *setIndex) newMatcher(threshold float64) *setMatcher {
	return &setMatcher{prober: x.newProber(), x: x, threshold: threshold, own: make([]uint64, x.bits.width)}
}

// look begins the turn of a set of the other collection, or where there is none of one that is
// indexed. Only sets that have a document behind one (after) will be found.
func (m *setMatcher) look(i int, after int32) {
	if !m.x.self {
		m.doc, m.set, m.bits = i, m.x.probe[i], m.own[:0]
		m.begin(m.set, m.ranks.set(len(m.sets)+i), none, after)
		return
	}
	m.doc, m.set, m.bits = m.x.groups.first[m.x.group[i]], m.sets[i], m.x.bits.of(i)
	m.begin(m.set, m.ranks.set(i), i, after)
}

// match appends the matches of a document.
func (m *setMatcher) match(dst []match, doc int, t *tally) []match {
	i, after := doc, int32(-1)
	if m.x.self {
		g := m.x.groups.of[doc]
		if g == none {
			return dst
		}
		i = int(m.x.number[g])
		after = int32(doc)
	}
	m.look(i, after)
	return m.matches(dst, t)
}

// matches appends the matches of the set of the turn.
func (m *setMatcher) matches(dst []match, t *tally) []match {
	for {
		found, done := m.candidates()
		if done {
			return dst
		}
		dst = m.verify(dst, found, m.threshold, t)
	}
}

// verify appends the candidates that score at least a threshold.
func (m *setMatcher) verify(dst []match, found []uint32, threshold float64, t *tally) []match {
	t.candidates += int64(len(found))
	width := m.x.bits.width
	if len(m.bits) < width {
		m.bits = m.bits[:width]
		clear(m.bits)
		m.x.bits.flip(m.bits, m.set)
	}
	for _, id := range found {
		other := m.sets[id]
		size := m.sizes[id]
		need := m.need(m.size, size)
		if width > 0 && !within(m.bits, m.x.bits.of(int(id)), int(m.size+size-2*need)) {
			continue
		}
		t.verified++
		if !m.x.weighted && !enoughCommon(m.set.Hashes, other.Hashes, int(math.Ceil(need))) {
			continue
		}
		g := m.x.group[id]
		if score := m.x.join.Score(m.doc, m.x.groups.first[g]); score >= threshold {
			dst = append(dst, match{g, score})
		}
	}
	return dst
}

// manyShingles is from how many shingles a look at some of them pays.
const manyShingles = 128

// enoughCommon reports whether two sets of many shingles may share so many: not if the first
// eighth of them shares so few that all of the rest would not do.
func enoughCommon(a, b []uint64, need int) bool {
	if len(a) < manyShingles || len(b) < manyShingles {
		return true
	}
	i := len(a) / 8
	j, _ := slices.BinarySearch(b, a[i])
	return intersect.Count(a[:i], b[:j])+min(len(a)-i, len(b)-j) >= need
}
