package shingle

import (
	"slices"
	"sync"

	"github.com/alike-go/alike/feature"
)

// maxWeight bounds a weight so that no sum of weights becomes infinite.
const maxWeight = 1e290

// keepHashes is how many hashes of a set gather before repeats are first dropped.
const keepHashes = 1 << 16

// mostKept is how many hashes or features scratch space may hold on to between
// texts: 2 MB of hashes, 4 MB of features.
const mostKept = 1 << 18

// builder is the scratch space of sketching, kept in a pool so that a sketch
// allocates nothing but its result.
type builder struct {
	hashes   []uint64
	distinct int // how many hashes were left when repeats were last dropped
	sorter   sorter
	features []feature.Feature
	add      func(block []uint64)
}

var builders = sync.Pool{New: func() any {
	b := new(builder)
	// Made once: a closure made for each text would be an allocation for each.
	b.add = func(block []uint64) {
		if len(b.hashes) >= keepHashes && len(b.hashes) >= 2*b.distinct {
			b.compact()
		}
		b.hashes = append(b.hashes, block...)
	}
	return b
}}

// reset makes the builder ready for the hashes of another text.
func (b *builder) reset() { b.hashes, b.distinct = b.hashes[:0], 0 }

// release gives the builder back, without what a huge text made it grow to.
func (b *builder) release() {
	if cap(b.hashes) > mostKept {
		b.hashes = nil
	}
	if cap(b.sorter.tmp) > mostKept {
		b.sorter.tmp = nil
	}
	if cap(b.features) > mostKept {
		b.features = nil
	}
	builders.Put(b)
}

// compact sorts the hashes gathered and drops repeats. Done whenever they have
// doubled, it costs a constant factor and keeps the memory of a long repetitive
// text in proportion to its distinct shingles.
func (b *builder) compact() {
	b.sorter.sort(b.hashes)
	b.hashes = slices.Compact(b.hashes)
	b.distinct = len(b.hashes)
}

// set returns the distinct hashes gathered as a set.
func (b *builder) set() Set {
	b.compact()
	if len(b.hashes) == 0 {
		return Set{}
	}
	return Set{Hashes: append(make([]uint64, 0, len(b.hashes)), b.hashes...)}
}

// counts returns the bag of the hashes gathered, each counting 1.
func (b *builder) counts() Set {
	b.sorter.sort(b.hashes)
	distinct := 0
	for i, h := range b.hashes {
		if i == 0 || h != b.hashes[i-1] {
			distinct++
		}
	}
	if distinct == 0 {
		return Set{}
	}
	s := Set{Hashes: make([]uint64, distinct), Weights: make([]float64, distinct)}
	k := -1
	for i, h := range b.hashes {
		if i == 0 || h != b.hashes[i-1] {
			k++
			s.Hashes[k] = h
		}
		s.Weights[k]++
	}
	return s
}

// weighted returns the set or the bag of weighted features.
func (b *builder) weighted(features []feature.Feature, bag bool) Set {
	if bag && slices.ContainsFunc(features, func(f feature.Feature) bool { return f.Weight != 1 }) {
		var s Set
		s.Hashes, s.Weights = feature.AddUp(features, maxWeight)
		return s
	}
	b.reset()
	b.hashes = feature.AppendPresent(b.hashes, features)
	if bag {
		return b.counts()
	}
	return b.set()
}
