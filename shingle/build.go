package shingle

import (
	"cmp"
	"slices"
	"sync"

	"github.com/alike-go/alike/feature"
)

// maxWeight bounds a weight so that no sum of weights becomes infinite.
const maxWeight = 1e290

// keepHashes is how many hashes of a set gather before repeats are first dropped.
const keepHashes = 1 << 16

// builder is the scratch space of sketching, kept in a pool so that a sketch
// allocates nothing but its result.
type builder struct {
	hashes   []uint64
	sorted   int // hashes[:sorted] ascend strictly
	features []feature.Feature
	add      func(block []uint64)
}

var builders = sync.Pool{New: func() any {
	b := new(builder)
	// Made once: a closure made for each text would be an allocation for each.
	b.add = func(block []uint64) {
		if len(b.hashes) >= keepHashes && len(b.hashes) >= 2*b.sorted {
			b.compact()
		}
		b.hashes = append(b.hashes, block...)
	}
	return b
}}

// compact sorts the hashes gathered and drops repeats. Done whenever they have
// doubled, it costs a constant factor and keeps the memory of a long repetitive
// text in proportion to its distinct shingles.
func (b *builder) compact() {
	slices.Sort(b.hashes)
	b.hashes = slices.Compact(b.hashes)
	b.sorted = len(b.hashes)
}

// set returns the distinct hashes of a text.
func (b *builder) set(x *feature.Extractor, text string) Set {
	b.hashes, b.sorted = b.hashes[:0], 0
	x.Blocks(text, b.add)
	return b.distinct()
}

// distinct returns the distinct values of b.hashes as a set.
func (b *builder) distinct() Set {
	b.compact()
	if len(b.hashes) == 0 {
		return Set{}
	}
	return Set{Hashes: slices.Clone(b.hashes)}
}

// counts returns the bag of a text in which each occurrence counts 1.
func (b *builder) counts(x *feature.Extractor, text string) Set {
	b.hashes = x.AppendHashes(b.hashes[:0], text)
	return b.runs()
}

// runs returns the bag of the values of b.hashes.
func (b *builder) runs() Set {
	slices.Sort(b.hashes)
	var s Set
	for i, h := range b.hashes {
		if i == 0 || h != b.hashes[i-1] {
			s.Hashes = append(s.Hashes, h)
			s.Weights = append(s.Weights, 0)
		}
		s.Weights[len(s.Weights)-1]++
	}
	return s
}

// weighted returns the set or the bag of weighted features.
func (b *builder) weighted(features []feature.Feature, bag bool) Set {
	b.hashes, b.sorted = b.hashes[:0], 0
	unit := true
	for _, f := range features {
		if f.Weight > 0 {
			b.hashes = append(b.hashes, f.Hash)
		}
		unit = unit && f.Weight == 1
	}
	switch {
	case !bag:
		return b.distinct()
	case unit:
		return b.runs()
	}
	// Equal hashes are added up in the order of their weights, so that the last
	// bit of the sum does not depend on the order of the features.
	fs := slices.Clone(features)
	slices.SortFunc(fs, func(p, q feature.Feature) int {
		return cmp.Or(cmp.Compare(p.Hash, q.Hash), cmp.Compare(p.Weight, q.Weight))
	})
	var s Set
	for _, f := range fs {
		if !(f.Weight > 0) {
			continue
		}
		if n := len(s.Hashes); n == 0 || s.Hashes[n-1] != f.Hash {
			s.Hashes = append(s.Hashes, f.Hash)
			s.Weights = append(s.Weights, 0)
		}
		w := &s.Weights[len(s.Weights)-1]
		*w = min(*w+f.Weight, maxWeight)
	}
	return s
}
