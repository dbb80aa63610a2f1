package setjoin

import (
	"bytes"
	"math"
	"slices"
)

// prefixer finds the prefixes of sets: the rarest shingles, of which two sets that share
// enough have at least one in common (Chaudhuri, Ganti and Kaushik, ICDE 2006; Bayardo,
// Ma and Srikant, WWW 2007).
type prefixer struct {
	// The keys are hashes times hashFactor, the rarest first and those that are alone left
	// out. What is left of the set is rounded up.
	prefix

	order []int32
	place [256]int32
}

// find finds the prefix of a set of a size, from the ranks of its shingles. small and
// great are what it must share at least with a set as great and with one as small as itself.
func (p *prefixer) find(s Set, ranks []uint8, size, small, great float64) {
	p.keys, p.rem, p.small = p.keys[:0], p.rem[:0], 0
	lone := bytes.Count(ranks, []byte{alone})
	want := len(ranks) - lone
	if s.Weights == nil {
		want = min(len(ranks), int(size-great)+1) - lone
	}
	if want <= 0 {
		return
	}
	before := float64(lone)
	if s.Weights != nil {
		before = 0
		for i, r := range ranks {
			if r == alone {
				before += s.Weights[i]
			}
		}
	}
	p.sort(ranks, want)
	if s.Weights == nil {
		p.small = min(want, max(0, int(size-small)+1-lone))
		p.keys, p.rem = slices.Grow(p.keys, want)[:want], slices.Grow(p.rem, want)[:want]
		for k, i := range p.order[:want] {
			p.keys[k] = s.Hashes[i] * hashFactor
			p.rem[k] = roundUp(size - before - float64(k))
		}
		return
	}
	for _, i := range p.order[:want] {
		weight := s.Weights[i]
		rem := max(size-before, weight) // by rounding the difference may come out less
		if rem < great {
			return
		}
		if rem >= small {
			p.small++
		}
		p.keys = append(p.keys, s.Hashes[i]*hashFactor)
		p.rem = append(p.rem, roundUp(rem))
		before += weight
	}
}

// sort puts the places of the want rarest shingles that are not alone into order, by
// rank and then hash.
func (p *prefixer) sort(ranks []uint8, want int) {
	clear(p.place[:])
	for _, r := range ranks {
		p.place[r]++
	}
	at, last := int32(0), 0
	for r := alone + 1; r < len(p.place) && int(at) < want; r++ {
		n := p.place[r]
		p.place[r] = at
		at += n
		last = r
	}
	p.order = slices.Grow(p.order[:0], int(at))[:at]
	for i, r := range ranks {
		if r != alone && int(r) <= last {
			p.order[p.place[r]] = int32(i)
			p.place[r]++
		}
	}
}

// roundUp returns the least float32 that is not less than x.
func roundUp(x float64) float32 {
	f := float32(x)
	if float64(f) < x {
		f = math.Nextafter32(f, float32(math.Inf(1)))
	}
	return f
}
