package hamming

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/alike-go/alike/internal/scan"
)

// Search appends the codes within k bits of q, in ascending order of number, then distance.
// Up to the index's radius it looks them up; beyond it reads all codes. It allocates
// nothing if dst has room. It panics if q has bits above the index's width.
func (x *Index) Search(dst []Match, q Code, k int) []Match {
	x.checkQuery(q)
	base := len(dst)
	for _, p := range x.parts {
		dst = p.search(dst, q, k)
	}
	if at := len(dst); x.recent.len() > 0 {
		dst = scanNear(dst, x.recent, q, k)
		for i := at; i < len(dst); i++ {
			dst[i].Number = x.recent.ids[dst[i].Number]
		}
	}
	if len(dst)-base > 1 {
		slices.SortFunc(dst[base:], func(a, b Match) int {
			return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Distance, b.Distance))
		})
	}
	return dst
}

func (x *Index) checkQuery(q Code) {
	if !q.fits(x.bits) {
		panic(fmt.Sprintf("hamming: search for code %x %x in an index of %d bits", q.Hi, q.Lo, x.bits))
	}
}

// Nearest appends the m codes that are nearest to q, or all if there are fewer, nearest
// first, equally near ones in ascending order of number; among these, m is met by
// leaving out the highest numbers. Where m codes lie within the index's radius it is as fast as
// Search, otherwise it reads all codes.
func (x *Index) Nearest(dst []Match, q Code, m int) []Match {
	base := len(dst)
	if m <= 0 {
		return dst
	}
	if dst = x.Search(dst, q, x.radius); len(dst)-base < m {
		dst = x.nearestOfAll(dst[:base], q, m)
	}
	slices.SortFunc(dst[base:], compareMatches)
	return dst[:min(len(dst), base+m)]
}

// compareMatches orders by distance, then number.
func compareMatches(a, b Match) int {
	return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Number, b.Number))
}

// nearestOfAll appends the m nearest of all codes in no particular order. It keeps
// the best so far in a heap and scans within the distance of the worst of them.
func (x *Index) nearestOfAll(dst []Match, q Code, m int) []Match {
	base, k := len(dst), x.bits
	offer := func(match Match) {
		if len(dst)-base == m {
			if compareMatches(match, dst[base]) >= 0 {
				return
			}
			dst[base] = match
			down(dst[base:])
		} else {
			dst = append(dst, match)
			up(dst[base:])
		}
		if len(dst)-base == m {
			k = int(dst[base].Distance)
		}
	}
	var near [scanLen]uint32
	all := func(codes columns, numbers func(i uint32) []uint32) {
		for from := 0; from < codes.len(); from += scanLen {
			to := min(from+scanLen, codes.len())
			var n int
			if codes.hi == nil {
				n = scan.Near(near[:], codes.lo[from:to], q.Lo, k)
			} else {
				n = scan.Near128(near[:], codes.lo[from:to], codes.hi[from:to], q.Lo, q.Hi, k)
			}
			for _, i := range near[:n] {
				at := uint32(from) + i
				d := int32(codes.at(int(at)).Distance(q))
				for _, number := range numbers(at) {
					if number != gone {
						offer(Match{number, d})
					}
				}
			}
		}
	}
	for _, p := range x.parts {
		all(p.codes, p.of)
	}
	all(x.recent, func(i uint32) []uint32 { return x.recent.ids[i : i+1] })
	return dst
}

// up and down mend a heap whose worst match is at its root, after the last or the first has
// been set.
func up(h []Match) {
	for i := len(h) - 1; i > 0 && compareMatches(h[i], h[(i-1)/2]) > 0; i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
}

func down(h []Match) {
	for i := 0; ; {
		c := 2*i + 1
		if c+1 < len(h) && compareMatches(h[c+1], h[c]) > 0 {
			c++
		}
		if c >= len(h) || compareMatches(h[c], h[i]) <= 0 {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}
