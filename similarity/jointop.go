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
	of   map[int][]Pair // the best pairs of a document, a heap with the worst first
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

// offer puts p into the heap of document of if it is good enough there.
func (t *Best) offer(of int, p Pair) {
	worse := func(x, y Pair) bool { // x ranks behind y
		if x.Score != y.Score {
			return x.Score < y.Score
		}
		return x.A+x.B > y.A+y.B // both hold the document, so the sums compare the others
	}
	h := t.of[of]
	if len(h) < t.top {
		h = append(h, p)
		for i := len(h) - 1; i > 0 && worse(h[i], h[(i-1)/2]); i = (i - 1) / 2 {
			h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		}
		t.of[of] = h
		return
	}
	if !worse(h[0], p) {
		return
	}
	h[0] = p
	for i := 0; ; {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && worse(h[c+1], h[c]) {
			c++
		}
		if !worse(h[c], h[i]) {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
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
