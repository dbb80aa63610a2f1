package choose

import (
	"cmp"
	"math"
	"slices"

	"github.com/zeebo/xxh3"
)

// Sample is documents and labelled pairs of them, each with the number of pairs that
// it stands for.
type Sample struct {
	Texts []string
	Unit  []int32 // bootstrap unit of each document
	Units int
	Pairs []Pair

	bytes int // of all texts
}

// Pair is two documents of a sample, by number.
type Pair struct {
	A, B   int32
	Weight float32 // the inverse of the probability that the pair was taken with, 1 or more
	Alike  bool
}

// Bytes returns the length of all texts together.
func (s *Sample) Bytes() int {
	if s.bytes == 0 {
		for _, t := range s.Texts {
			s.bytes += len(t)
		}
	}
	return s.bytes
}

// positiveUnits returns which units hold an alike pair, and how many do.
func (s *Sample) positiveUnits() (has []bool, n int) {
	has = make([]bool, s.Units)
	for _, p := range s.Pairs {
		if u := s.Unit[p.A]; p.Alike && !has[u] {
			has[u] = true
			n++
		}
	}
	return has, n
}

// takeUnits takes a share of the units of either class, at least one of each, and
// returns the inverse of the probability that a unit was taken with, 0 for those that were
// not. The same seed and share take the same, and a greater share those too.
func takeUnits(class []bool, share float64, seed uint64) []float32 {
	var classes [2][]int32
	for u := range class {
		k := 0
		if class[u] {
			k = 1
		}
		classes[k] = append(classes[k], int32(u))
	}
	inverse := make([]float32, len(class))
	for _, units := range classes {
		slices.SortFunc(units, func(a, b int32) int {
			return cmp.Or(cmp.Compare(unitHash(a, seed), unitHash(b, seed)), cmp.Compare(a, b))
		})
		n := min(len(units), int(math.Ceil(share*float64(len(units)))))
		for _, u := range units[:n] {
			inverse[u] = float32(float64(len(units)) / float64(n))
		}
	}
	return inverse
}

// pick returns the documents whose units were taken, under new numbers for documents and
// units, and the new number of each document, -1 for those left out.
func (s *Sample) pick(inverse []float32) (out *Sample, doc []int32) {
	out = &Sample{}
	unit := make([]int32, s.Units)
	for u := range inverse {
		if inverse[u] > 0 {
			unit[u] = int32(out.Units)
			out.Units++
		}
	}
	doc = make([]int32, len(s.Texts))
	for i, u := range s.Unit {
		doc[i] = -1
		if inverse[u] > 0 {
			doc[i] = int32(len(out.Texts))
			out.Texts = append(out.Texts, s.Texts[i])
			out.Unit = append(out.Unit, unit[u])
		}
	}
	return out, doc
}

// Shrink returns a sample of the sample: a share of the units that hold alike pairs,
// and the same share of the others. A pair inside a unit weighs more by the inverse of the unit's
// probability, a pair between two by that of both.
func (s *Sample) Shrink(share float64, seed uint64) *Sample {
	if share >= 1 {
		return s
	}
	has, _ := s.positiveUnits()
	inverse := takeUnits(has, share, seed)
	out, doc := s.pick(inverse)
	for _, p := range s.Pairs {
		a, b := doc[p.A], doc[p.B]
		if a < 0 || b < 0 {
			continue
		}
		w := p.Weight * inverse[s.Unit[p.A]]
		if s.Unit[p.A] != s.Unit[p.B] {
			w *= inverse[s.Unit[p.B]]
		}
		out.Pairs = append(out.Pairs, Pair{a, b, w, p.Alike})
	}
	return out
}

func unitHash(u int32, seed uint64) uint64 {
	return xxh3.HashSeed([]byte{byte(u), byte(u >> 8), byte(u >> 16), byte(u >> 24)}, seed)
}

// chance returns a number in [0, 1) that depends on the pair and the seed alone.
func chance(a, b int32, seed uint64) float64 {
	h := xxh3.HashSeed([]byte{byte(a), byte(a >> 8), byte(a >> 16), byte(a >> 24), byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24)}, seed)
	return float64(h>>11) / (1 << 53)
}
