package hamming

import "github.com/alike-go/alike/internal/scan"

// Match is a code found: the number it was added under, and its distance.
type Match struct {
	Number   uint32
	Distance int32
}

// A finder looks one code up in the tables of a segment. Of the matches it appends the
// numbers are positions.
type finder struct {
	codes   columns
	q       Code
	k       int
	touched uint64 // what touch read, kept so that it is read
}

// within is the tables in whose bucket a finder stands, and which of them it came
// through, out to the outermost.
type within struct {
	tables []table
	at     int
	outer  *within
}

// batch is the number of tables whose buckets are located before the first is read,
// so that their cache misses overlap.
const batch = 16

// find appends what the tables find, each code once: a code is taken from the first
// of the tables that lead to it.
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
		// Asking for all buckets before the first is read lets the processor wait for them
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

// probe looks up the keys that differ from one in 1 to r of the bits below a place.
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

// take appends the code at a position if it is near enough and no earlier table
// leads to it.
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

// scanNear appends the positions of all codes within k bits of q.
func scanNear(dst []Match, codes columns, q Code, k int) []Match {
	var near [scanLen]uint32
	for from := 0; from < codes.len(); from += scanLen {
		to := min(from+scanLen, codes.len())
		var n int
		if codes.hi == nil {
			n = scan.Near(near[:], codes.lo[from:to], q.Lo, k)
		} else {
			n = scan.Near128(near[:], codes.lo[from:to], codes.hi[from:to], q.Lo, q.Hi, k)
		}
		for _, i := range near[:n] {
			pos := uint32(from) + i
			dst = append(dst, Match{pos, int32(codes.at(int(pos)).Distance(q))})
		}
	}
	return dst
}
