package similarity

import (
	"cmp"
	"slices"
)

// Best keeps, of a stream of pairs, those that are among the best of one of their
// documents: the highest scores, ties to the lower number of the other document. It
// holds at most that many pairs for each document.
type Best struct {
	top  int
	self bool
	of   map[int][]Pair // the best pairs of a document, best first
}

// NewBest returns a Best of the top best pairs of each document of a join. In a
// self-join (self) a pair may be among the best of either document, in a join of
// two collections only of the first's.
func NewBest(top int, self bool) *Best {
	if top < 1 {
		panic("similarity: best of less than one pair")
	}
	return &Best{top: top, self: self, of: make(map[int][]Pair)}
}

// Add takes a pair.
func (t *Best) Add(p Pair) {
	t.offer(p.A, p)
	if t.self {
		t.offer(p.B, p)
	}
}

// offer keeps p among the best pairs of document of if it is good enough there.
func (t *Best) offer(of int, p Pair) {
	h := t.of[of]
	at, _ := slices.BinarySearchFunc(h, p, func(x, y Pair) int {
		// Both hold the document, so the sums compare the others.
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.A+x.B, y.A+y.B))
	})
	if at < t.top {
		t.of[of] = slices.Insert(h, at, p)[:min(len(h)+1, t.top)]
	}
}

// Pairs returns the pairs kept, each once, in ascending order of A and then B.
func (t *Best) Pairs() []Pair {
	var out []Pair
	for _, h := range t.of {
		out = append(out, h...)
	}
	slices.SortFunc(out, func(x, y Pair) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	return slices.CompactFunc(out, func(x, y Pair) bool { return x.A == y.A && x.B == y.B })
}
