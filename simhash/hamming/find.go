package hamming

import "github.com/alike-go/alike/internal/scan"

// Match is a found code: its position in the list of codes, and its distance.
type Match struct {
	Number   uint32
	Distance int32
}

// A finder looks up one code in the tables of an index. The numbers of the matches it
// appends are positions among the distinct codes.
type finder struct {
	codes   columns
	q       Code
	k       int
	touched uint64 // the sum of what touch read, kept so that the reads are not optimised away
}

// within is the path of a finder into buckets that are cut again: the tables, the
// position of the table it came through, and the path to these tables.
type within struct {
	tables []table
	at     int
	outer  *within
}

// batch is the number of tables whose buckets are located before the first is read,
// so that their cache misses overlap.
const batch = 16

// find appends the codes that the tables find, each once: from the first table that
// leads to it.
func (f *finder) find(dst []Match, tables []table, outer *within) []Match {
	for base := 0; base < len(tables); base += batch {
		var packed [batch]uint64
		var from, to [batch]uint32
		some := tables[base:min(base+batch, len(tables))]
		for i := range some {
			t := &some[i]
			packed[i] = t.packed.of(f.q)
			from[i], to[i] = t.span(packed[i] >> 32)
		}
		// Touch all buckets before reading the first, so that the processor waits for them
		// together.
		touched := uint64(0)
		for i := range some {
			touched += f.touch(&some[i], int(from[i]))
		}
		f.touched = touched
		for i := range some {
			t := &some[i]
			dst = f.bucket(dst, tables, base+i, packed[i], from[i], to[i], outer)
			if r := min(t.probe, f.k); r > 0 {
				dst = f.probe(dst, tables, base+i, packed[i], t.lookup.width, r, outer)
			}
		}
	}
	return dst
}

// touch reads the first code of a bucket.
func (f *finder) touch(t *table, at int) uint64 {
	if t.pos == nil {
		if at < len(f.codes.lo) {
			return f.codes.lo[at]
		}
	} else if at < len(t.word) {
		return uint64(t.word[at])
	}
	return 0
}

// probe looks up the keys that differ from packed in 1 to r of the lower bits.
func (f *finder) probe(dst []Match, tables []table, at int, packed uint64, below, r int, outer *within) []Match {
	t := &tables[at]
	for b := range below {
		near := packed ^ 1<<(32+b)
		from, to := t.span(near >> 32)
		dst = f.bucket(dst, tables, at, near, from, to, outer)
		if r > 1 {
			dst = f.probe(dst, tables, at, near, b, r-1, outer)
		}
	}
	return dst
}

// bucket appends the matches of one bucket.
func (f *finder) bucket(dst []Match, tables []table, at int, packed uint64, from, to uint32, outer *within) []Match {
	t := &tables[at]
	if t.inside != nil {
		if in := t.inside[packed>>32]; in != nil {
			return f.find(dst, in, &within{tables, at, outer})
		}
	}
	if t.pos == nil {
		for {
			i := scan.Next64(f.codes.lo[from:to], f.q.Lo, f.k)
			if i < 0 {
				return dst
			}
			from += uint32(i) + 1
			dst = f.take(dst, from-1, tables[:at], outer)
		}
	}
	for {
		i := scan.Next32(t.word[from:to], uint32(packed), f.k)
		if i < 0 {
			return dst
		}
		from += uint32(i) + 1
		dst = f.take(dst, t.pos[from-1], tables[:at], outer)
	}
}

// take appends the code at a position if it is near enough and no earlier table leads
// to it.
func (f *finder) take(dst []Match, pos uint32, earlier []table, outer *within) []Match {
	x := f.codes.at(int(pos)).xor(f.q)
	d := x.Distance(Code{})
	if d > f.k {
		return dst
	}
	for {
		for i := range earlier {
			if x.ones(earlier[i].lookup.mask) <= earlier[i].probe {
				return dst
			}
		}
		if outer == nil {
			return append(dst, Match{pos, int32(d)})
		}
		earlier, outer = outer.tables[:outer.at], outer.outer
	}
}

// scanLen is the number of codes that are scanned at a time.
const scanLen = 512

// near writes the places of the codes within k bits of q, counted from the place from,
// and returns the places. dst has room for to-from of them.
func (c columns) near(dst []uint32, from, to int, q Code, k int) []uint32 {
	if c.hi == nil {
		return dst[:scan.Near(dst, c.lo[from:to], q.Lo, k)]
	}
	return dst[:scan.Near128(dst, c.lo[from:to], c.hi[from:to], q.Lo, q.Hi, k)]
}

// scanNear appends the positions of all codes within k bits of q.
func scanNear(dst []Match, codes columns, q Code, k int) []Match {
	var near [scanLen]uint32
	for from := 0; from < codes.len(); from += scanLen {
		for _, i := range codes.near(near[:], from, min(from+scanLen, codes.len()), q, k) {
			pos := uint32(from) + i
			dst = append(dst, Match{pos, int32(codes.at(int(pos)).Distance(q))})
		}
	}
	return dst
}
