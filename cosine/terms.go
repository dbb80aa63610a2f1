package cosine

import (
	"context"
	"math/bits"
	"slices"

	"github.com/alike-go/alike/internal/parallel"
)

// A join numbers the terms that two documents can share, in levels by how many
// documents have them: level 0 are the terms of more than half of all documents
// there are, and two levels on each document frequency is halved. Within a vector the
// levels come rarest first. A frequent term weighs little and costs much, since its
// list of documents is long; the levels say where a search may stop.

// maxLevels is enough for 2^32 documents.
const maxLevels = 66

// level returns the level of a term that df of n documents have.
func level(df, n int) int {
	// Twice the logarithm of n/df, rounded down.
	q := uint64(n) / uint64(df)
	log := bits.Len64(q) - 1
	l := 2 * log
	if r := float64(n) / float64(df) / float64(uint64(1)<<log); r >= 1.4142 {
		l++
	}
	return min(l, maxLevels-1)
}

const partBits = 3

// parts is the number of ranges of hashes that terms are counted in, each by one worker.
const parts = 1 << partBits

// terms numbers terms. It is immutable when complete.
type terms struct {
	parts  [parts]part
	start  [maxLevels + 1]uint32 // the first number of a level; behind the last level the number of terms
	levels int                   // levels up to the rarest term's
}

// part is an open-addressed table of the terms whose hash has given upper bits.
type part struct {
	slots []entry // a power of two of them, at most half of them taken
	shift int
	taken int
}

type entry struct {
	hash    uint64
	a, b    uint32 // documents that have the term, 0 and 0 where the entry is free
	number  uint32 // of a term that can be shared, else none
	levelAt uint8
}

const none = ^uint32(0)

// find returns the entry of a term, or the free one where it would be.
func (p *part) find(hash uint64) *entry {
	i := hash * 0x9e3779b97f4a7c15 >> (p.shift & 63)
	for {
		s := &p.slots[i]
		if s.hash == hash && s.a|s.b != 0 || s.a|s.b == 0 {
			return s
		}
		if i++; i == uint64(len(p.slots)) {
			i = 0
		}
	}
}

func (p *part) resize(n int) {
	old := p.slots
	p.slots = make([]entry, n)
	p.shift = 64 - bits.TrailingZeros(uint(n))
	for _, s := range old {
		if s.a|s.b != 0 {
			*p.find(s.hash) = s
		}
	}
}

func partOf(hash uint64) int { return int(hash >> (64 - partBits)) }

// numberTerms numbers the terms that at least so many documents of a have, or, where b
// is not nil, one of a and one of b.
func numberTerms(a, b []Vector, least uint32, workers int) *terms {
	t := new(terms)
	parallel.For(context.Background(), workers, parts, func(_, k int) { t.parts[k].count(a, b, k) })

	// Numbers ascend by level, then by part.
	var sizes [maxLevels][parts]uint32
	self, n := b == nil, len(a)+len(b)
	parallel.For(context.Background(), workers, parts, func(_, k int) {
		p := &t.parts[k]
		for i := range p.slots {
			s := &p.slots[i]
			s.number = none
			if self && s.a >= least || s.a > 0 && s.b > 0 {
				s.levelAt = uint8(level(int(s.a+s.b), n))
				s.number = sizes[s.levelAt][k]
				sizes[s.levelAt][k]++
			}
		}
	})
	next := uint32(0)
	for l := range sizes {
		t.start[l] = next
		for k, size := range sizes[l] {
			sizes[l][k] = next
			next += size
			if size > 0 {
				t.levels = l + 1
			}
		}
	}
	t.start[maxLevels] = next
	parallel.For(context.Background(), workers, parts, func(_, k int) {
		p := &t.parts[k]
		for i := range p.slots {
			if s := &p.slots[i]; s.a|s.b != 0 && s.number != none {
				s.number += sizes[s.levelAt][k]
			}
		}
	})
	return t
}

// count counts the documents that have each term of part k.
func (p *part) count(a, b []Vector, k int) {
	p.resize(256)
	add := func(vs []Vector, which int) {
		for i := range vs {
			for _, h := range ofPart(vs[i].Terms, k) {
				if 2*p.taken >= len(p.slots) {
					p.resize(2 * len(p.slots))
				}
				s := p.find(h)
				if s.a|s.b == 0 {
					s.hash = h
					p.taken++
				}
				if which == 0 {
					s.a++
				} else {
					s.b++
				}
			}
		}
	}
	add(a, 0)
	add(b, 1)
}

// ofPart returns those of ascending hashes that belong to part k.
func ofPart(hashes []uint64, k int) []uint64 {
	from, _ := slices.BinarySearch(hashes, uint64(k)<<(64-partBits))
	if k == parts-1 {
		return hashes[from:]
	}
	to, _ := slices.BinarySearch(hashes[from:], uint64(k+1)<<(64-partBits))
	return hashes[from : from+to]
}

// number returns the number and the level of a term that can be shared; ok is
// false for any other.
func (t *terms) number(hash uint64) (number uint32, level int, ok bool) {
	p := &t.parts[partOf(hash)]
	s := p.find(hash)
	if s.a|s.b == 0 || s.number == none {
		return 0, 0, false
	}
	return s.number, int(s.levelAt), true
}

// count returns the number of numbered terms.
func (t *terms) count() int { return int(t.start[maxLevels]) }
