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
}

// Pair is two documents of a sample, by number.
type Pair struct {
	A, B   int32
	Weight float32 // the inverse of the probability that the pair was taken with, 1 or more
	Alike  bool
}

// Bytes returns the length of all texts together.
func (s *Sample) Bytes() int {
	n := 0
	for _, t := range s.Texts {
		n += len(t)
	}
	return n
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

// taken is a sample of units, a share of either of two classes.
type taken struct {
	class   []bool
	inverse []float32  // of the probability of a unit; 0 for those not taken
	joint   [2]float32 // by class: what two of its units weigh more than by themselves
}

// takeUnits takes a share of the units of either class, at least one of each. The same seed
// and share take the same, and a greater share those too.
func takeUnits(class []bool, share float64, seed uint64) taken {
	var classes [2][]int32
	for u := range class {
		k := 0
		if class[u] {
			k = 1
		}
		classes[k] = append(classes[k], int32(u))
	}
	t := taken{class: class, inverse: make([]float32, len(class)), joint: [2]float32{1, 1}}
	for k, units := range classes {
		slices.SortFunc(units, func(a, b int32) int {
			return cmp.Or(cmp.Compare(unitHash(a, seed), unitHash(b, seed)), cmp.Compare(a, b))
		})
		all := float64(len(units))
		n := min(all, math.Ceil(float64(share*all)))
		for _, u := range units[:int(n)] {
			t.inverse[u] = float32(all / n)
		}
		if n > 1 {
			// Two units are taken together with probability n(n-1) / all(all-1).
			t.joint[k] = float32((all - 1) / all * n / (n - 1))
		}
	}
	return t
}

// weight returns the inverse of the probability that both units were taken.
func (t *taken) weight(u, v int32) float32 {
	if u == v {
		return t.inverse[u]
	}
	w := t.inverse[u] * t.inverse[v]
	if t.class[u] == t.class[v] {
		k := 0
		if t.class[u] {
			k = 1
		}
		w *= t.joint[k]
	}
	return w
}

// pick returns the documents whose units were taken, under new numbers for documents and
// units, and the new number of each document, -1 for those left out.
func (s *Sample) pick(t taken) (out *Sample, doc []int32) {
	out = &Sample{}
	unit := make([]int32, s.Units)
	for u := range unit {
		if t.inverse[u] > 0 {
			unit[u] = int32(out.Units)
			out.Units++
		}
	}
	doc = make([]int32, len(s.Texts))
	for i, u := range s.Unit {
		doc[i] = -1
		if t.inverse[u] > 0 {
			doc[i] = int32(len(out.Texts))
			out.Texts = append(out.Texts, s.Texts[i])
			out.Unit = append(out.Unit, unit[u])
		}
	}
	return out, doc
}

// Shrink returns a sample of the sample: a share of the units that hold alike pairs,
// and the same share of the others. A pair weighs more by the inverse of the probability that
// its units were taken.
func (s *Sample) Shrink(share float64, seed uint64) *Sample {
	if share >= 1 {
		return s
	}
	has, _ := s.positiveUnits()
	t := takeUnits(has, share, seed)
	out, doc := s.pick(t)
	for _, p := range s.Pairs {
		a, b := doc[p.A], doc[p.B]
		if a < 0 || b < 0 {
			continue
		}
		out.Pairs = append(out.Pairs, Pair{a, b, p.Weight * t.weight(s.Unit[p.A], s.Unit[p.B]), p.Alike})
	}
	return out
}

func unitHash(u int32, seed uint64) uint64 {
	return xxh3.HashSeed([]byte{byte(u), byte(u >> 8), byte(u >> 16), byte(u >> 24)}, seed)
}
