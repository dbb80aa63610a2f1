package hamming

import (
	"context"
	"slices"

	"github.com/alike-go/alike/internal/parallel"
)

// gone replaces the number of a deleted code.
const gone = 1<<32 - 1

// A segment is codes laid out by a design. It is built at once.
type segment struct {
	distinct // in the order of the first table

	design Design
	tables []table
	size   int // numbers, with those that are gone
	dead   int // numbers that are gone
}

// buildSegment lays out codes with their numbers. It neither keeps nor changes src.
func buildSegment(src columns, d Design, workers int) *segment {
	n, wide := src.len(), d.Bits == 128
	s := &segment{design: d, size: n}
	tmp := newColumns(n, wide)
	// Equal codes meet in a bucket of any table. Without tables they are sorted by the
	// bits that vary most.
	direct := d.kind == looksUp
	var by []int
	if direct {
		by = d.Tables[0].Key
	} else {
		even, sample := balance(src, d.Bits)
		by = pieces(even, sample, d.Bits, 1, maxLookup)[0]
	}
	t := table{lookup: newKey(by[:lookupBits(len(by), n)])}
	t.starts = make([]uint32, 1<<t.lookup.width+1)
	s.distinct = newDistinct(src, tmp, &t.lookup, t.starts, workers)
	if !direct {
		return s
	}
	t.packed, t.probe = t.lookup.raised(), d.Tables[0].Probe
	s.tables = append(s.tables, t)
	codes := s.codes
	codes.ids = nil // tables hold positions
	for _, spec := range d.Tables[1:] {
		s.tables = append(s.tables, buildTable(spec, codes, tmp, d.Bits, workers))
	}
	parallel.For(context.Background(), workers, len(s.tables), func(_, i int) { s.tables[i].cut(codes, d.Bits, d.Radius, 0) })
	return s
}

// find appends the positions of the codes within k bits of q, each once, in no
// particular order.
func (s *segment) find(dst []Match, q Code, k int) []Match {
	switch {
	case s.codes.len() == 0:
		return dst
	case s.design.kind == scans || k > s.design.Radius:
		return scanNear(dst, s.codes, q, k)
	}
	f := finder{codes: s.codes, q: q, k: k}
	return f.find(dst, s.tables, nil)
}

// search appends a match for each number whose code is within k bits of q.
func (s *segment) search(dst []Match, q Code, k int) []Match {
	base := len(dst)
	dst = s.find(dst, q, k)
	if s.many == nil && s.dead == 0 {
		for i := base; i < len(dst); i++ {
			dst[i].Number = s.codes.ids[dst[i].Number]
		}
		return dst
	}
	end := len(dst)
	for i := base; i < end; i++ {
		m := dst[i]
		for _, number := range s.of(m.Number) {
			if number != gone {
				dst = append(dst, Match{number, m.Distance})
			}
		}
	}
	return slices.Delete(dst, base, end)
}

// delete removes a number of a code and reports whether it was there.
func (s *segment) delete(number uint32, code Code, scratch []Match) ([]Match, bool) {
	scratch = s.find(scratch[:0], code, 0)
	for _, m := range scratch {
		numbers := s.of(m.Number)
		if i := slices.Index(numbers, number); i >= 0 {
			numbers[i] = gone
			s.dead++
			return scratch, true
		}
	}
	return scratch, false
}

// appendTo appends the codes and numbers that are not gone.
func (s *segment) appendTo(c *columns) {
	for i := range s.codes.len() {
		for _, number := range s.of(uint32(i)) {
			if number != gone {
				c.append(s.codes.at(i), number, s.codes.hi != nil)
			}
		}
	}
}

func (s *segment) bytes() int64 {
	n := s.distinct.bytes()
	for i := range s.tables {
		n += s.tables[i].bytes()
	}
	return n
}
