package datasets

import (
	"cmp"
	"slices"

	"github.com/zeebo/xxh3"
)

// Roles returns the split to choose thresholds and parameters on and the split
// to report results of: Dev and Test, or Train in the place of a missing Dev, or
// Train and Dev where the source keeps its test labels to itself. ok is false if
// the set has no two splits; SplitByComponent makes them.
func (s *Set) Roles() (choose, report Split, ok bool) {
	var has [Test + 1]bool
	for _, p := range s.Pairs {
		has[p.Split] = true
	}
	switch {
	case has[Dev] && has[Test]:
		return Dev, Test, true
	case has[Train] && has[Test]:
		return Train, Test, true
	case has[Train] && has[Dev]:
		return Train, Dev, true
	}
	return None, None, false
}

// SplitByComponent returns a copy of the set whose pairs are divided into Dev
// and Test, whatever they were before; about the share dev of the components,
// counted by their pairs, goes to Dev. No document is in pairs of both splits:
// components of alike documents stay whole, a document that is like no other
// follows the first document it is paired with, and a pair whose documents end
// up in different splits gets the split None. Components come in the order of a
// hash of their first document's id and the seed, and each goes to the split
// that is further behind its share. Documents and clusters are shared with the
// original.
func (s *Set) SplitByComponent(seed uint64, dev float64) *Set {
	side := s.divide(s.Components(), seed, dev)
	out := *s
	out.Pairs = slices.Clone(s.Pairs)
	for i := range out.Pairs {
		p := &out.Pairs[i]
		p.Split = None
		if side[p.A] == side[p.B] {
			p.Split = side[p.A]
		}
	}
	return &out
}

// divide gives every document its split, Dev or Test. comp numbers components in
// the order of their first documents.
func (s *Set) divide(comp []int, seed uint64, dev float64) []Split {
	weight := make([]int, len(s.Docs)) // by component: its pairs of documents alike
	for _, p := range s.Pairs {
		if p.Label >= 0.5 {
			weight[comp[p.A]]++
		}
	}
	// Components with something to find go first; then single documents follow
	// their partners; what is left is in no pair, or with its like only.
	sides := make([]Split, len(s.Docs)) // by component
	found, rest := balance{dev: dev}, balance{dev: dev}
	order := s.hashed(comp, seed)
	for _, c := range order {
		if weight[c] > 0 {
			sides[c] = found.place(weight[c])
		}
	}
	for _, p := range s.Pairs {
		x, y := &sides[comp[p.A]], &sides[comp[p.B]]
		switch {
		case *x == None && *y == None:
			*x = rest.place(1)
			*y = *x
		case *x == None:
			*x = *y
		case *y == None:
			*y = *x
		}
	}
	for _, c := range order {
		if sides[c] == None {
			sides[c] = rest.place(1)
		}
	}
	out := make([]Split, len(s.Docs))
	for i, c := range comp {
		out[i] = sides[c]
	}
	return out
}

// balance hands out splits so that the weight in Dev stays near its share.
type balance struct {
	dev        float64
	inDev, all float64
}

func (b *balance) place(weight int) Split {
	w := float64(weight)
	b.all += w
	if b.inDev+w/2 <= float64(b.dev*b.all) {
		b.inDev += w
		return Dev
	}
	return Test
}

// hashed returns the components in a random order that depends on the seed and
// on the id of each component's first document only.
func (s *Set) hashed(comp []int, seed uint64) []int {
	var hashes []uint64 // by component
	var order []int
	for i, c := range comp {
		if c == len(order) { // numbers go up by one at each first document
			hashes = append(hashes, xxh3.HashStringSeed(s.Docs[i].ID, seed))
			order = append(order, c)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(hashes[a], hashes[b]) })
	return order
}
