package hamming

import (
	"cmp"
	"slices"
	"sort"
)

// distinct is codes with the repetitions taken out. A million equal codes are one
// entry, so that no table and no join meets them again and again.
type distinct struct {
	// codes holds each code once. Its ids are the numbers of codes that have one, and
	// of the others which group theirs are.
	codes columns

	// many has a bit for each code, set where it has a group; nil where none has.
	// Group g has the numbers from first[g] to first[g+1], in ascending order.
	many    []uint64
	first   []uint32
	numbers []uint32
}

// newDistinct sorts codes by a key into columns without repetition, starts of which
// it sets as partition does. tmp is overwritten.
func newDistinct(src, tmp columns, k *key, starts []uint32, workers int) distinct {
	d := distinct{codes: newColumns(src.len(), src.hi != nil)}
	partition(d.codes, tmp, src, k, starts, workers)
	buckets := len(starts) - 1
	const stride = 256
	repeats := make([]bool, buckets)
	parallel((buckets+stride-1)/stride, workers, func(p int) {
		var set codeSet
		for b := p * stride; b < min((p+1)*stride, buckets); b++ {
			repeats[b] = set.repeats(d.codes.slice(int(starts[b]), int(starts[b+1])))
		}
	})
	if slices.Contains(repeats, true) {
		d.group(starts, repeats)
	}
	return d
}

// group takes the repetitions out of the buckets that have some.
func (d *distinct) group(starts []uint32, repeats []bool) {
	all, to := d.codes, 0
	d.many = make([]uint64, (all.len()+63)/64)
	for b, some := range repeats {
		in := all.slice(int(starts[b]), int(starts[b+1]))
		starts[b] = uint32(to)
		if !some {
			all.copyWithin(to, in)
			to += in.len()
			continue
		}
		sort.Sort(byCode(in))
		for i := 0; i < in.len(); {
			end := i + 1
			for end < in.len() && in.at(end) == in.at(i) {
				end++
			}
			id := in.ids[i]
			if end > i+1 {
				id = uint32(len(d.first))
				d.first = append(d.first, uint32(len(d.numbers)))
				d.numbers = append(d.numbers, in.ids[i:end]...)
				d.many[to/64] |= 1 << (to % 64)
			}
			all.set(to, in.at(i), id)
			i, to = end, to+1
		}
	}
	starts[len(repeats)] = uint32(to)
	d.first = append(d.first, uint32(len(d.numbers)))
	d.codes = all.slice(0, to)
	d.many = d.many[:(to+63)/64]
}

// of returns the numbers of the i-th code, which the caller may change but not keep.
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

// copyWithin copies columns to a place before them in c.
func (c columns) copyWithin(to int, src columns) {
	copy(c.lo[to:], src.lo)
	copy(c.ids[to:], src.ids)
	if c.hi != nil {
		copy(c.hi[to:], src.hi)
	}
}

// byCode sorts columns by code, then number.
type byCode columns

func (c byCode) Len() int { return len(c.lo) }

func (c byCode) Less(i, j int) bool {
	if a, b := columns(c).at(i), columns(c).at(j); a != b {
		return a.less(b)
	}
	return c.ids[i] < c.ids[j]
}

func (c byCode) Swap(i, j int) {
	c.lo[i], c.lo[j] = c.lo[j], c.lo[i]
	c.ids[i], c.ids[j] = c.ids[j], c.ids[i]
	if c.hi != nil {
		c.hi[i], c.hi[j] = c.hi[j], c.hi[i]
	}
}

// A codeSet finds repetitions in small buckets by hashing.
type codeSet struct{ slots [1024]uint16 }

// repeats reports whether a code is among the columns twice.
func (s *codeSet) repeats(c columns) bool {
	n := c.len()
	if n < 2 {
		return false
	}
	if 2*n > len(s.slots) {
		codes := make([]Code, n)
		for i := range codes {
			codes[i] = c.at(i)
		}
		slices.SortFunc(codes, func(a, b Code) int { return cmp.Or(cmp.Compare(a.Hi, b.Hi), cmp.Compare(a.Lo, b.Lo)) })
		for i, code := range codes[1:] {
			if code == codes[i] {
				return true
			}
		}
		return false
	}
	size, shift := 8, 61
	for size < 2*n {
		size, shift = 2*size, shift-1
	}
	slots := s.slots[:size]
	clear(slots)
	for i, lo := range c.lo {
		h := lo
		if c.hi != nil {
			h += c.hi[i] * 0xd1342543de82ef95
		}
		// Fibonacci hashing after a fold: codes of a bucket share bits, so all must count.
		for at := (h ^ h>>32) * 0x9e3779b97f4a7c15 >> shift; ; at = (at + 1) & uint64(size-1) {
			j := slots[at]
			if j == 0 {
				slots[at] = uint16(i + 1)
				break
			}
			if c.lo[j-1] == lo && (c.hi == nil || c.hi[j-1] == c.hi[i]) {
				return true
			}
		}
	}
	return false
}
