package cosine

import (
	"context"
	"math"
	"slices"

	"github.com/alike-go/alike/internal/parallel"
)

// Joins compute with whole numbers: a weight is the multiple of 1/one above or at its
// share of the vector's length. Products and sums of such weights are never
// below what they stand for, whatever the order, so that they bound a score from above.
const one = 1 << 15

// bound returns the sum of products that a pair needs at least to score t. The
// score is computed in floats, whose error is far below the margin.
func bound(t float64) uint32 {
	return uint32(max(1, t*(1-1e-9)*one*one))
}

// rows are vectors with numbered terms, those of the rarest level first. Terms that no
// other document has are left out, and count in the length only.
type rows struct {
	ends    []int    // row i ends at ends[i] and begins where the one before ends
	numbers []uint32 // of terms
	weights []uint16

	// norms[l*len(ends)+i] is the length of what row i has in the levels below l.
	norms []uint16
}

func (r *rows) len() int { return len(r.ends) }

func (r *rows) bounds(i int) (from, to int) {
	if i > 0 {
		from = r.ends[i-1]
	}
	return from, r.ends[i]
}

// newRows numbers the terms of vectors.
func newRows(vs []Vector, t *terms, workers int) *rows {
	r := &rows{ends: make([]int, len(vs)), norms: make([]uint16, (t.levels+1)*len(vs))}
	// Rows are made in pieces by several workers, at places known only when all before
	// are; so each piece is made apart and then moved.
	const piece = 256
	type made struct {
		numbers []uint32
		weights []uint16
	}
	pieces := make([]made, (len(vs)+piece-1)/piece)
	makers := make([]rowMaker, workers)
	parallel.Ranges(context.Background(), workers, len(vs), piece, func(w, from, to int) {
		m := &makers[w]
		m.numbers, m.weights = m.numbers[:0], m.weights[:0]
		for i := from; i < to; i++ {
			m.add(&vs[i], t)
			r.ends[i] = len(m.numbers)
			for l := range t.levels + 1 {
				r.norms[l*len(vs)+i] = m.norms[l]
			}
		}
		pieces[from/piece] = made{slices.Clone(m.numbers), slices.Clone(m.weights)}
	})
	total := 0
	starts := make([]int, len(pieces))
	for p, m := range pieces {
		starts[p] = total
		total += len(m.numbers)
	}
	r.numbers, r.weights = make([]uint32, total), make([]uint16, total)
	parallel.Ranges(context.Background(), workers, len(vs), piece, func(_, from, to int) {
		p := from / piece
		copy(r.numbers[starts[p]:], pieces[p].numbers)
		copy(r.weights[starts[p]:], pieces[p].weights)
		for i := from; i < to; i++ {
			r.ends[i] += starts[p]
		}
	})
	return r
}

// rowMaker makes rows one after the other.
type rowMaker struct {
	numbers []uint32
	weights []uint16
	norms   [maxLevels + 1]uint16 // of the last row

	found []foundTerm
}

type foundTerm struct {
	number uint32
	weight uint16
	level  uint8
}

// add appends a row.
func (m *rowMaker) add(v *Vector, t *terms) {
	var squares [maxLevels]float64
	var at [maxLevels + 1]int
	m.found = m.found[:0]
	length := math.Sqrt(v.sq)
	for i, h := range v.Terms {
		number, level, ok := t.number(h)
		if !ok {
			continue
		}
		w := float64(v.Weights[i]) / length
		m.found = append(m.found, foundTerm{number, up(w), uint8(level)})
		squares[level] += w * w
		at[level]++
	}
	// The rarest level is the highest.
	next := len(m.numbers)
	for l := t.levels - 1; l >= 0; l-- {
		at[l], next = next, next+at[l]
	}
	m.numbers = append(m.numbers, make([]uint32, len(m.found))...)
	m.weights = append(m.weights, make([]uint16, len(m.found))...)
	for _, f := range m.found {
		k := at[f.level]
		at[f.level]++
		m.numbers[k], m.weights[k] = f.number, f.weight
	}
	sq := 0.0
	m.norms[0] = 0
	for l := range t.levels {
		sq += squares[l]
		m.norms[l+1] = up(math.Sqrt(sq))
	}
}

// up returns the multiple of 1/one at or above x, which is at most 1 but for rounding.
func up(x float64) uint16 { return uint16(min(math.Ceil(x*one), one+1)) }

// row makes q the query of row i.
func (q *query) row(r *rows, i, levels int) {
	from, to := r.bounds(i)
	q.numbers, q.weights = r.numbers[from:to], r.weights[from:to]
	for l := range levels + 1 {
		q.norms[l] = r.norms[l*r.len()+i]
	}
}
