package cosine

import (
	"math/bits"
	"sync"
)

// ScoreRow scores one vector against many. It spreads the one over a table and
// looks the terms of the others up, in their order, so that it adds the same
// products in the same order as Score.
func (m *Method) ScoreRow(a Vector, bs []Vector, dst []float32) {
	if len(bs) < 4 {
		scorePairs(a, bs, dst)
		return
	}
	t := tables.Get().(*table)
	defer tables.Put(t)
	if !t.fill(a) {
		scorePairs(a, bs, dst)
		return
	}
	for i := range bs {
		dst[i] = float32(cosine(t.dot(&bs[i]), a, bs[i]))
	}
}

func scorePairs(a Vector, bs []Vector, dst []float32) {
	for i, b := range bs {
		dst[i] = float32(cosine(dot(a, b), a, b))
	}
}

// table finds the weight of a term of one vector. A filter of one bit for each
// value of a hash's upper bits says which terms are worth a search: nearly
// all that are not shared stop there.
type table struct {
	filter      []uint64
	filterShift int
	terms       []uint64 // 0 where free, in the order of the hashes, with a tail
	weights     []float32
	shift       int
	hits        []int32 // places of terms that passed the filter
}

var tables = sync.Pool{New: func() any { return new(table) }}

// fill makes the table that of v, and reports false where its hashes are spread
// too badly to be found fast.
func (t *table) fill(v Vector) bool {
	n := max(1<<6, 2<<bits.Len(uint(len(v.Terms))))
	t.shift = 64 - bits.TrailingZeros(uint(n))
	t.terms, t.weights = grown(t.terms, n+tail), grown(t.weights, n+tail)
	// 64 bits of filter for each term, or so.
	t.filter = grown(t.filter, n/2)
	t.filterShift = t.shift - 5
	steps := 4 * n
	for k, h := range v.Terms {
		// A real hash is never 0, but one given by hand may be.
		if h == 0 {
			return false
		}
		f := h >> (t.filterShift & 63)
		t.filter[f/64] |= 1 << (f % 64)
		i := int(h >> (t.shift & 63))
		for ; i < len(t.terms) && t.terms[i] != 0; i++ {
			if steps--; steps < 0 {
				return false
			}
		}
		if i == len(t.terms) {
			return false
		}
		t.terms[i], t.weights[i] = h, v.Weights[k]
	}
	return true
}

// grown returns a slice of n zeros, in the given one's memory if it is long enough.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// dot returns the dot product with v.
func (t *table) dot(v *Vector) (sum float64) {
	if cap(t.hits) < len(v.Terms) {
		t.hits = make([]int32, len(v.Terms)+len(v.Terms)/2)
	}
	hits := t.hits[:len(v.Terms)]
	filter, shift := t.filter, t.filterShift&63
	n := 0
	for k, h := range v.Terms {
		f := h >> shift
		hits[n] = int32(k)
		n += int(filter[f/64] >> (f % 64) & 1)
	}
	for _, k := range hits[:n] {
		h := v.Terms[k]
		for i := h >> (t.shift & 63); i < uint64(len(t.terms)); i++ {
			if t.terms[i] == h {
				sum += float64(t.weights[i]) * float64(v.Weights[k])
				break
			}
			if t.terms[i] == 0 {
				break
			}
		}
	}
	return sum
}
