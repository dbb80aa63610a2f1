package cosine

// query is a vector to be searched for: its terms, rarest level first, and the lengths
// of what it has below each level.
type query struct {
	numbers []uint32
	weights []uint16
	norms   [maxLevels + 1]uint16
}

// probe finds what may be alike in a block. Each goroutine has its own.
type probe struct {
	terms *terms
	sums  *[maxBlock]uint32
	found []int32  // places that may still be alike
	dense []uint16 // weights of the query's frequent terms, by number

	ranges []span // of the lists of the query's terms
	mass   [maxLevels]int
	ends   [maxLevels]int // where the terms of a level end

	proposed int64 // places whose sum was completed
}

type span struct{ from, to uint32 }

func newProbe(t *terms) *probe {
	return &probe{terms: t, sums: new([maxBlock]uint32), dense: make([]uint16, t.count())}
}

// What the steps of a search cost, as measured, in units of an entry of a list.
const (
	costLook  = 0.5 // the sum of one document of a block, looked at
	costCheck = 200 // a document whose remaining terms are gone through
)

// search returns the places below limit of documents in the block whose sum of products with
// the query is least or more, in ascending order. The sums are bounds: not all are
// alike. The result, and the sums of those places, are valid until the next search.
//
// It adds the lists of the query's terms, rarest first. Whatever the terms that
// remain may add is bounded by the product of both lengths there (Cauchy and Schwarz;
// Anastasiu and Karypis, L2AP, ICDE 2014). When few documents can still reach the
// least, it is cheaper to look at those alone than to go through the long lists.
func (p *probe) search(q *query, b *block, limit int, least uint32) []int32 {
	p.found = p.found[:0]
	if limit == 0 {
		return nil
	}
	p.look(q, b)
	levels := p.terms.levels
	rest := 0
	for l := range levels {
		rest += p.mass[l]
	}
	clear(p.sums[:b.to-b.from])
	scanned, k := false, 0
	for l := levels - 1; l >= 0; l-- {
		for ; k < p.ends[l]; k++ {
			p.add(b, p.ranges[k], q.weights[k])
		}
		rest -= p.mass[l]
		if l == 0 || rest == 0 {
			p.keep(b, limit, least, scanned, 0, 0)
			p.proposed += int64(len(p.found))
			return p.found
		}
		next := float64(p.mass[l-1])
		if !scanned {
			if uint32(q.norms[l])*uint32(b.usual[l]) >= least || next < costLook*float64(limit) {
				continue
			}
			p.keep(b, limit, least, false, q.norms[l], l)
			scanned = true
		} else {
			p.keep(b, limit, least, true, q.norms[l], l)
		}
		if next >= float64(len(p.found))*costCheck/2 {
			p.check(q, k, b, least, l)
			return p.found
		}
	}
	return p.found
}

// look finds the lists of the query's terms in the block.
func (p *probe) look(q *query, b *block) {
	p.ranges = p.ranges[:0]
	k := 0
	for l := p.terms.levels - 1; l >= 0; l-- {
		mass := uint32(0)
		for first := p.terms.start[l]; k < len(q.numbers) && q.numbers[k] >= first; k++ {
			n := q.numbers[k]
			r := span{b.offsets[n], b.offsets[n+1]}
			mass += r.to - r.from
			p.ranges = append(p.ranges, r)
		}
		p.mass[l], p.ends[l] = int(mass), k
	}
}

// rare returns the sums of a block's documents over the query's rarest terms: as few
// levels as give at least so many documents something, but more where they are short.
func (p *probe) rare(q *query, b *block, least int) []uint32 {
	p.look(q, b)
	sums := p.sums[:b.to-b.from]
	clear(sums)
	k, mass := 0, 0
	for l := p.terms.levels - 1; l >= 0; l-- {
		for ; k < p.ends[l]; k++ {
			p.add(b, p.ranges[k], q.weights[k])
		}
		if mass += p.mass[l]; mass < len(sums)/4 || mass < least {
			continue
		}
		some := 0
		for _, s := range sums {
			if s > 0 {
				some++
			}
		}
		if some >= least {
			break
		}
	}
	return sums
}

// add adds one list, times the query's weight of its term.
func (p *probe) add(b *block, r span, weight uint16) {
	sums, w := p.sums, uint32(weight)
	for _, e := range b.list[r.from:r.to] {
		sums[e>>16] += w * (e & 0xffff)
	}
}

// keep leaves in found the places whose sum can still reach the least: of those there
// are, or, the first time, of all below limit.
func (p *probe) keep(b *block, limit int, least uint32, again bool, norm uint16, l int) {
	norms := b.norms(l)
	if again {
		kept := p.found[:0]
		for _, i := range p.found {
			if p.sums[i]+uint32(norm)*uint32(norms[i]) >= least {
				kept = append(kept, i)
			}
		}
		p.found = kept
		return
	}
	if cap(p.found) < limit {
		p.found = make([]int32, 0, 2*limit)
	}
	found, n := p.found[:limit], 0
	sums := p.sums[:limit]
	norms = norms[:limit]
	for i, s := range sums {
		found[n] = int32(i)
		if s+uint32(norm)*uint32(norms[i]) >= least {
			n++
		}
	}
	p.found = found[:n]
}

// check adds to the sum of each found place what the query's terms from the k-th on
// give, which are those below level l, and leaves those that reach the least.
func (p *probe) check(q *query, k int, b *block, least uint32, l int) {
	if len(p.found) == 0 {
		return
	}
	for i, n := range q.numbers[k:] {
		p.dense[n] = q.weights[k+i]
	}
	first := p.terms.start[l]
	kept := p.found[:0]
	for _, i := range p.found {
		from, to := b.rows.bounds(b.from + int(i))
		numbers, weights := b.rows.numbers[from:to], b.rows.weights[from:to]
		lo, hi := 0, len(numbers)
		for lo < hi {
			if mid := int(uint(lo+hi) / 2); numbers[mid] >= first {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		sum := p.sums[i]
		numbers, weights = numbers[lo:], weights[lo:]
		weights = weights[:len(numbers)]
		for j, n := range numbers {
			sum += uint32(p.dense[n]) * uint32(weights[j])
		}
		if sum >= least {
			p.sums[i] = sum
			kept = append(kept, i)
		}
	}
	p.proposed += int64(len(p.found))
	p.found = kept
	for _, n := range q.numbers[k:] {
		p.dense[n] = 0
	}
}
