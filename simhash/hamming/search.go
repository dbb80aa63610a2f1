package hamming

import (
	"cmp"
	"fmt"
	"slices"
)

// Search appends the codes within k bits of q, in ascending order of number, then
// distance. Up to the index's radius it looks them up; beyond it reads all codes. It
// allocates nothing if dst has room. It panics if q has bits above the index's width.
func (x *Index) Search(dst []Match, q Code, k int) []Match {
	if !q.fits(x.bits) {
		panic(fmt.Sprintf("hamming: search for code %x %x in an index of %d bits", q.Hi, q.Lo, x.bits))
	}
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

// Nearest appends the m codes nearest to q, or all codes if there are fewer: nearest
// first, equally near ones in ascending order of number. It is as fast as Search if m
// codes are within the index's radius. Otherwise it reads all codes up to a few times.
func (x *Index) Nearest(dst []Match, q Code, m int) []Match {
	base := len(dst)
	m = min(m, x.Len())
	if m <= 0 {
		return dst
	}
	k := x.radius
	dst = x.Search(dst, q, k)
	for len(dst)-base < m {
		k = min(2*k+1, x.bits)
		dst = x.Search(dst[:base], q, k)
	}
	slices.SortFunc(dst[base:], func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Number, b.Number))
	})
	return dst[:base+m]
}
