package hamming

import (
	"cmp"
	"context"
	"slices"

	"github.com/alike-go/alike/internal/parallel"
)

// distinct is codes without repetitions. A million equal codes are one entry, so tables
// and joins meet them once.
type distinct struct {
	// codes has each code once. Its ids are the number of a code with one number, or the
	// group of a code with many.
	codes columns

	// many has a bit for each code, set if the code has a group. It is nil if none has.
	// Group g has the numbers from first[g] to first[g+1], in ascending order.
	many    []uint64
	first   []uint32
	numbers []uint32
}

// newDistinct sorts codes by a key into columns without repetitions, and sets starts as
// partition does. tmp is overwritten.
func newDistinct(src, tmp columns, k *key, starts []uint32, workers int) distinct {
	d := distinct{codes: newColumns(src.len(), src.hi != nil)}
	partition(d.codes, tmp, src, k, starts, workers)
	// Equal codes share a bucket. A worker searches a stride of buckets at a time.
	buckets := len(starts) - 1
	const stride = 256
	repeats := make([][]repeat, (buckets+stride-1)/stride)
	parallel.For(context.Background(), workers, len(repeats), func(_, p int) {
		var set codeSet
		for b := p * stride; b < min((p+1)*stride, buckets); b++ {
			repeats[p] = set.repeats(repeats[p], d.codes, int(starts[b]), int(starts[b+1]))
		}
		slices.SortFunc(repeats[p], func(a, b repeat) int {
			return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.at, b.at))
		})
	})
	if all := slices.Concat(repeats...); len(all) > 0 {
		d.group(starts, all)
	}
	return d
}

// A repeat is a place in columns with the same code as an earlier place, first.
type repeat struct{ at, first uint32 }

// group removes the repetitions, which are in ascending order of first.
func (d *distinct) group(starts []uint32, all []repeat) {
	was := d.codes
	n := was.len()
	d.many = make([]uint64, (n-len(all)+63)/64)
	// The first code of each group stays; the others leave.
	leave := make([]uint32, 0, len(all))
	for i := 0; i < len(all); {
		first := all[i].first
		from := uint32(len(d.numbers))
		d.numbers = append(d.numbers, was.ids[first])
		for ; i < len(all) && all[i].first == first; i++ {
			d.numbers = append(d.numbers, was.ids[all[i].at])
			leave = append(leave, all[i].at)
		}
		slices.Sort(d.numbers[from:])
		was.ids[first] = uint32(len(d.first))
		d.first = append(d.first, from)
		// The new place of the first is unknown until all that leave are known.
		all[len(d.first)-1].first = first
	}
	d.first = append(d.first, uint32(len(d.numbers)))
	slices.Sort(leave)
	firsts := all[:len(d.first)-1]

	to, from, left, b := 0, 0, 0, 0
	for _, at := range append(leave, uint32(n)) {
		for ; b < len(starts) && starts[b] <= at; b++ {
			starts[b] -= uint32(left)
		}
		for ; len(firsts) > 0 && firsts[0].first < at; firsts = firsts[1:] {
			place := firsts[0].first - uint32(left)
			d.many[place/64] |= 1 << (place % 64)
		}
		was.copyWithin(to, was.slice(from, int(at)))
		to += int(at) - from
		from, left = int(at)+1, left+1
	}
	d.codes = was.slice(0, to)
}

// of returns the numbers of the i-th code. The caller may not change them.
func (d *distinct) of(i uint32) []uint32 {
	if d.many != nil && d.many[i/64]>>(i%64)&1 == 1 {
		g := d.codes.ids[i]
		return d.numbers[d.first[g]:d.first[g+1]]
	}
	return d.codes.ids[i : i+1]
}

func (d *distinct) bytes() int64 {
	return d.codes.bytes() + int64(8*cap(d.many)+4*cap(d.first)+4*cap(d.numbers))
}

// copyWithin copies columns to an earlier place of c.
func (c columns) copyWithin(to int, src columns) {
	copy(c.lo[to:], src.lo)
	copy(c.ids[to:], src.ids)
	if c.hi != nil {
		copy(c.hi[to:], src.hi)
	}
}

// hashed is the maximum size of a bucket whose repetitions are found by hashing: the
// slots stay in the second cache.
const hashed = 1 << 14

// A codeSet finds repetitions in small buckets by hashing.
type codeSet struct{ slots []uint16 }

// repeats appends the repetitions in c[from:to].
func (s *codeSet) repeats(dst []repeat, c columns, from, to int) []repeat {
	n := to - from
	if n < 2 {
		return dst
	}
	if n > hashed {
		return repeatsBySorting(dst, c, from, to)
	}
	size, shift := 8, 61
	for size < 2*n {
		size, shift = 2*size, shift-1
	}
	s.slots = slices.Grow(s.slots[:0], size)
	slots := s.slots[:size]
	clear(slots)
	for i, lo := range c.lo[from:to] {
		h := lo
		if c.hi != nil {
			h += c.hi[from+i] * 0xd1342543de82ef95
		}
		// Fibonacci hashing after a fold: codes of a bucket share bits, so all bits must
		// count.
		for at := (h ^ h>>32) * 0x9e3779b97f4a7c15 >> shift; ; at = (at + 1) & uint64(size-1) {
			j := int(slots[at])
			if j == 0 {
				slots[at] = uint16(i + 1)
				break
			}
			if first := from + j - 1; c.lo[first] == lo && (c.hi == nil || c.hi[first] == c.hi[from+i]) {
				dst = append(dst, repeat{uint32(from + i), uint32(first)})
				break
			}
		}
	}
	return dst
}

// repeatsBySorting does the same for large buckets. No choice of codes makes it slow.
func repeatsBySorting(dst []repeat, c columns, from, to int) []repeat {
	type entry struct {
		code Code
		at   uint32
	}
	entries := make([]entry, to-from)
	for i := range entries {
		entries[i] = entry{c.at(from + i), uint32(from + i)}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.code.Hi, b.code.Hi), cmp.Compare(a.code.Lo, b.code.Lo), cmp.Compare(a.at, b.at))
	})
	first := entries[0]
	for _, e := range entries[1:] {
		if e.code != first.code {
			first = e
			continue
		}
		dst = append(dst, repeat{e.at, first.at})
	}
	return dst
}
