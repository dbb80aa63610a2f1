package hamming

import (
	"cmp"
	"fmt"
	"slices"
)

// Search appends the codes within k bits of q, in ascending order of number. Up to the
// index's radius it looks them up; beyond it reads all codes. It allocates nothing if
// dst has room. It panics if q has bits above the index's width.
func (x *Index) Search(dst []Match, q Code, k int) []Match {
	if !q.fits(x.design.Bits) {
		panic(fmt.Sprintf("hamming: search for code %x %x in an index of %d bits", q.Hi, q.Lo, x.design.Bits))
	}
	base := len(dst)
	dst = x.find(dst, q, k)
	end := len(dst)
	for i := base; i < end; i++ {
		if m := dst[i]; x.many == nil {
			dst[i].Number = x.codes.ids[m.Number]
		} else {
			for _, number := range x.of(m.Number) {
				dst = append(dst, Match{number, m.Distance})
			}
		}
	}
	if x.many != nil {
		dst = slices.Delete(dst, base, end)
	}
	if len(dst)-base > 1 {
		slices.SortFunc(dst[base:], func(a, b Match) int { return cmp.Compare(a.Number, b.Number) })
	}
	return dst
}

// find appends the positions of the distinct codes within k bits of q, each once, in no
// particular order.
func (x *Index) find(dst []Match, q Code, k int) []Match {
	switch {
	case x.codes.len() == 0:
		return dst
	case len(x.tables) == 0 || k > x.design.Radius:
		return scanNear(dst, x.codes, q, k)
	}
	f := finder{codes: x.codes, q: q, k: k}
	return f.find(dst, x.tables, nil)
}
