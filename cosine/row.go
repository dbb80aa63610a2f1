package cosine

import (
	"math/bits"
	"sync"
)

// ScoreRow scores one vector against many. It spreads the one over a table and
// looks the terms of the others up, in their order, so that it adds the same
// products in the same order as Score.
func (m *Method) ScoreRow(a Vector, bs []Vector, dst []float32) {
	var s scorer
	s.set(&a, len(bs))
	defer s.done()
	for i := range bs {
		dst[i] = float32(s.score(&bs[i]))
	}
}

// table finds the weight of a term of one vector. A filter with a bit for each
// value of a hash's upper 16 bits says which terms are worth a search: of those
// that are not shared nearly all stop there.
type table struct {
	filter  [1 << 10]uint64
	terms   []uint64 // 0 where free, in the order of the hashes, with a tail
	weights []float32
	shift   int
	hits    []int32 // places of terms that passed the filter
}

const (
	// tail slots take what moves up from the last ones.
	tail = 64
	// keptSlots is the size of the greatest table that waits for the next vector.
	keptSlots = 1 << 18
)

var tables = sync.Pool{New: func() any { return new(table) }}

// free hands the table to the next vector, unless it is so large that it would
// only hold memory.
func (t *table) free() {
	if cap(t.terms) <= keptSlots+tail && cap(t.hits) <= keptSlots {
		tables.Put(t)
	}
}

// fill makes the table that of v, and reports false where its hashes are spread
// too badly to be found fast.
func (t *table) fill(v *Vector) bool {
	n := 2 << bits.Len(uint(len(v.Terms)))
	t.shift = 64 - bits.TrailingZeros(uint(n))
	t.terms, t.weights = zeros(t.terms, n+tail), zeros(t.weights, n+tail)
	t.filter = [1 << 10]uint64{}
	steps := n
	for k, h := range v.Terms {
		// A real hash is never 0, but one given by hand may be.
		if h == 0 {
			return false
		}
		t.filter[h>>54] |= 1 << (h >> 48 % 64)
		i := int(h >> (t.shift & 63))
		for i < len(t.terms) && t.terms[i] != 0 {
			i++
			steps--
		}
		if i == len(t.terms) || steps < 0 {
			return false
		}
		t.terms[i], t.weights[i] = h, v.Weights[k]
	}
	return true
}

// zeros returns n zeros, in the memory of s if that is long enough.
func zeros[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// dot returns the dot product with v.
func (t *table) dot(v *Vector) float64 {
	return t.sum(v.Terms[:v.mid], v.Weights[:v.mid]) + t.sum(v.Terms[v.mid:], v.Weights[v.mid:])
}

func (t *table) sum(terms []uint64, weights []float32) (sum float64) {
	if cap(t.hits) < len(terms) {
		t.hits = make([]int32, 2*len(terms))
	}
	hits := t.hits[:len(terms)]
	n := 0
	for k, h := range terms {
		hits[n] = int32(k)
		n += int(t.filter[h>>54] >> (h >> 48 % 64) & 1)
	}
	for _, k := range hits[:n] {
		h := terms[k]
		for i := h >> (t.shift & 63); i < uint64(len(t.terms)); i++ {
			if t.terms[i] == h {
				sum += float64(t.weights[i]) * float64(weights[k])
				break
			}
			if t.terms[i] == 0 {
				break
			}
		}
	}
	return sum
}
