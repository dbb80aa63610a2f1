package hamming

import (
	"math/bits"
	"slices"
)

const (
	// maxLookup is the most bits of a key that a directory is addressed by.
	maxLookup = 25

	// crowdedShare is how many times as many codes as on average a bucket must hold to be
	// cut into pieces.
	crowdedShare = 8

	// deepest bounds how often a crowded bucket's buckets are cut again.
	deepest = 3
)

// lookupBits returns how many bits of a key of some length a directory of n codes is
// addressed by: so many that a bucket holds two to four codes, which lie in one cache
// line, if the key has them.
func lookupBits(key, n int) int { return min(key, maxLookup, max(0, bits.Len(uint(n))-2)) }

// A table finds the positions of codes in the main columns of a segment by some of
// their bits.
type table struct {
	lookup key // the bits that are looked up
	packed key // these and, below them, the 32 bits of a word
	probe  int // the radius within which they are looked up

	// starts says where each value of the looked-up bits begins; nil where the
	// words are sorted and begin with them.
	starts []uint32

	// Of each code 32 bits more, which tell most that are too far, and the position.
	// The first table of a segment has none: the codes are in its order.
	words

	inside map[uint64][]table // of crowded buckets, which are cut again
}

// buildTable builds a table over codes whose numbers are their positions; tmp is overwritten.
func buildTable(t Table, src, tmp columns, width, workers int) table {
	even, sample := balance(src, width)
	order := append(slices.Clone(t.Key), others(t.Key, even, sample, width)...)
	out := table{probe: t.Probe, words: newWords(src.len())}
	if t.Sorted {
		out.buildSorted(order, min(32, len(t.Key)), src, tmp, workers)
		return out
	}
	d := lookupBits(len(t.Key), src.len())
	packed := packing(order, d)
	out.lookup, out.packed = newKey(order[:d]), *packed
	out.starts = make([]uint32, 1<<d+1)
	partitionWords(out.words, tmp, src, packed, out.starts, workers)
	return out
}

// cut builds tables inside the crowded buckets. codes are those of the segment.
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

// len returns the number of codes in the table, of the codes of its segment.
func (t *table) len(codes columns) int {
	if t.pos == nil {
		return codes.len()
	}
	return len(t.pos)
}

// position returns the position in the segment of the i-th code of the table.
func (t *table) position(i int) uint32 {
	if t.pos == nil {
		return uint32(i)
	}
	return t.pos[i]
}

// buckets calls f for each bucket that holds codes.
func (t *table) buckets(f func(k uint64, from, to int)) {
	if t.starts != nil {
		for k := range len(t.starts) - 1 {
			if from, to := t.starts[k], t.starts[k+1]; from < to {
				f(uint64(k), int(from), int(to))
			}
		}
		return
	}
	shift := 32 - t.lookup.width
	for from := 0; from < len(t.word); {
		k, to := t.word[from]>>shift, from+1
		for to < len(t.word) && t.word[to]>>shift == k {
			to++
		}
		f(uint64(k), from, to)
		from = to
	}
}

// span returns the place of the codes whose looked-up bits are k.
func (t *table) span(k uint64) (from, to uint32) {
	if t.starts == nil {
		return interpolate(t.word, uint32(k), 32-t.lookup.width)
	}
	return t.starts[k], t.starts[k+1]
}

func (t *table) bytes() int64 {
	n := int64(4*cap(t.starts) + 4*cap(t.word) + 4*cap(t.pos))
	for _, in := range t.inside {
		for i := range in {
			n += in[i].bytes()
		}
	}
	return n
}
