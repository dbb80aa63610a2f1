package bloomsim

import (
	"slices"

	"github.com/alike-go/alike/bloomsim/internal/popcount"
	"github.com/alike-go/alike/similarity"
)

// scanner is what one goroutine of a join needs.
type scanner struct {
	counts []uint32
	least  []int32 // what the heads must share, for filters of one number of bits set
	found  []int32

	candidates, verified int64
}

// tileWords is the size of what stays in the second-level cache while many filters are
// compared with it.
const tileWords = 1 << 15

// scan appends the pairs of rows of p with those of q; in one block only those in
// ascending order.
func (j *joiner) scan(s *scanner, p *pack, rows []int, q *pack, same bool, dst []similarity.Pair) []similarity.Pair {
	size := max(tileWords/p.perHead, 64)
	if cap(s.counts) < size {
		s.counts, s.least, s.found = make([]uint32, size), make([]int32, size), make([]int32, size)
	}
	for tile := 0; tile < len(q.docs); tile += size {
		end := min(tile+size, len(q.docs))
		lo, hi := tile, tile
		for k, i := range rows {
			if k == 0 || p.ones[i] != p.ones[rows[k-1]] {
				lo, hi = j.within(p.weights[i], q.weights, tile, end)
				q.plan(p.terms[i], s.least, lo, hi)
			}
			if lo < hi {
				dst = j.verify(s, p, i, q, q.near(p.headOf(i), lo, hi, s.least, s), same, dst)
			}
		}
	}
	return dst
}

// within returns the range of those weights from from to to that do not differ too much.
func (b *bound) within(weight float64, weights []float64, from, to int) (lo, hi int) {
	t := b.threshold * (1 - slack)
	lo, _ = slices.BinarySearch(weights[from:to], weight*t)
	hi, _ = slices.BinarySearch(weights[from:to], weight/t)
	return from + lo, from + hi
}

// plan sets least to what the heads of rows lo to hi must share with one of given terms.
func (p *pack) plan(t terms, least []int32, lo, hi int) {
	for k := lo; k < hi; k++ {
		if k > lo && p.ones[k] == p.ones[k-1] {
			least[k-lo] = least[k-lo-1] + p.rest[k-1] - p.rest[k]
			continue
		}
		least[k-lo] = t.need(p.terms[k]) - p.rest[k]
	}
}

// near returns the rows from lo to hi whose heads share enough with the given one.
func (p *pack) near(head []uint64, lo, hi int, least []int32, s *scanner) []int32 {
	n := hi - lo
	counts, found := s.counts[:n], s.found[:n]
	least = least[:n]
	popcount.Rows(counts, head, p.head[lo*p.perHead:hi*p.perHead])
	k := 0
	for i, c := range counts {
		// Written each time, kept only if near: no branch to be mispredicted.
		found[k] = int32(lo + i)
		if int32(c) >= least[i] {
			k++
		}
	}
	return found[:k]
}

// verify appends those of the rows of q that are alike to row i of p.
func (j *joiner) verify(s *scanner, p *pack, i int, q *pack, rows []int32, same bool, dst []similarity.Pair) []similarity.Pair {
	for _, r := range rows {
		k := int(r)
		a, b := p.docs[i], q.docs[k]
		if same && a >= b {
			continue
		}
		s.candidates++
		if p.perTail > 0 {
			both := popcount.And(p.headOf(i), q.headOf(k))
			need := int(p.terms[i].need(q.terms[k]))
			if both+int(min(p.rest[i], q.rest[k])) < need || both+popcount.And(p.tailOf(i), q.tailOf(k)) < need {
				continue
			}
		}
		s.verified++
		if score := j.m.score(&j.left.filters[a], &j.right.filters[b]); score >= j.threshold {
			dst = append(dst, similarity.Pair{A: a, B: b, Score: score})
		}
	}
	return dst
}
