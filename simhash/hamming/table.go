package hamming

import (
	"math/bits"
	"slices"
)

const (
	// maxLookup is the maximum number of key bits that address a directory.
	maxLookup = 25

	// crowdedShare is how many times the mean number of codes a bucket must hold to be
	// cut into pieces.
	crowdedShare = 8

	// deepest bounds how often a crowded bucket's buckets are cut again.
	deepest = 3
)

// lookupBits returns the number of key bits that address a directory of n codes: as
// many as give a bucket two to four codes, which share a cache line, if the key has so
// many bits.
func lookupBits(key, n int) int { return min(key, maxLookup, max(0, bits.Len(uint(n))-2)) }

// A table finds the positions of codes in the columns of an index by some of their
// bits.
type table struct {
	lookup key // the bits that are looked up
	packed key // these and, below them, the 32 bits of a word
	probe  int // the radius within which they are looked up

	// starts says where each value of the looked-up bits begins.
	starts []uint32

	// 32 more bits of each code, which rule out most codes that are too far, and its
	// position. The first table of an index has none: the codes are in its order.
	words

	inside map[uint64][]table // of crowded buckets, which are cut again
}

// buildTable builds a table of codes without numbers or with positions as numbers. tmp
// is overwritten.
func buildTable(t Table, src, tmp columns, width, workers int) table {
	even, sample := balance(src, width)
	order := append(slices.Clone(t.Key), others(t.Key, even, sample, width)...)
	out := table{probe: t.Probe, words: newWords(src.len())}
	d := lookupBits(len(t.Key), src.len())
	packed := packing(order, d)
	out.lookup, out.packed = newKey(order[:d]), *packed
	out.starts = make([]uint32, 1<<d+1)
	partitionWords(out.words, tmp, src, packed, out.starts, workers)
	return out
}

// cut builds tables inside the crowded buckets. codes are the codes of the index.
func (t *table) cut(codes columns, width, radius, depth int) {
	if depth == deepest {
		return
	}
	many := max(limits.crowded, crowdedShare*t.len(codes)>>t.lookup.width)
	t.buckets(func(k uint64, from, to int) {
		if to-from < many {
			return
		}
		src, tmp := newColumns(to-from, codes.hi != nil), newColumns(to-from, false)
		for i := range src.lo {
			p := t.position(from + i)
			src.set(i, codes.at(int(p)), p)
		}
		even, sample := balance(src, width)
		var tables []table
		for _, piece := range pieces(even, sample, width, radius+1, maxLookup) {
			in := buildTable(Table{Key: piece}, src, tmp, width, 1)
			in.cut(codes, width, radius, depth+1)
			tables = append(tables, in)
		}
		if t.inside == nil {
			t.inside = make(map[uint64][]table)
		}
		t.inside[k] = tables
	})
}

// len returns the number of codes in the table. codes are the codes of the index.
func (t *table) len(codes columns) int {
	if t.pos == nil {
		return codes.len()
	}
	return len(t.pos)
}

// position returns the position in the index of the i-th code of the table.
func (t *table) position(i int) uint32 {
	if t.pos == nil {
		return uint32(i)
	}
	return t.pos[i]
}

// buckets calls f for each bucket that holds codes.
func (t *table) buckets(f func(k uint64, from, to int)) {
	for k := range len(t.starts) - 1 {
		if from, to := t.starts[k], t.starts[k+1]; from < to {
			f(uint64(k), int(from), int(to))
		}
	}
}

// span returns the place of the codes with the looked-up bits k.
func (t *table) span(k uint64) (from, to uint32) { return t.starts[k], t.starts[k+1] }

func (t *table) bytes() int64 {
	n := int64(4*cap(t.starts) + 4*cap(t.word) + 4*cap(t.pos))
	for _, in := range t.inside {
		for i := range in {
			n += in[i].bytes()
		}
	}
	return n
}
