package dedup

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Chaining says what plain closure would have done. Closure removes every
// document that a chain of alike documents links to the one kept. Only texts
// that were candidates count.
type Chaining struct {
	// Components is the number of components of more than one document.
	// Documents is the number of documents in them.
	Components int `json:"components"`
	Documents  int `json:"documents"`

	// Largest is the size of the largest component.
	Largest int `json:"largest"`

	// Apart is the number of these documents that are not alike to the first
	// document of their component: another document is kept in their place, or
	// their score with the first one is below the threshold. Closure would keep
	// only the first one and lose them.
	Apart int `json:"apart"`

	// Partial says that not all pairs have been looked at, so that the components may be
	// larger still.
	Partial bool `json:"partial,omitempty"`
}

// Share returns the share of the documents in components that are apart.
func (c Chaining) Share() float64 {
	if c.Documents == 0 {
		return 0
	}
	return float64(c.Apart) / float64(c.Documents)
}

// Links yields sets of nodes. Every two nodes that are near each other are in a
// set together, but a set may also hold nodes that are not near each other. The
// receiver may change the sets.
type Links func(yield func(set []uint32) error) error

// Chain looks at no more than chainLooks pairs per node. A pair that is scored
// counts as chainScore of them. That is plenty if clusters are few, and a bound if
// all nodes are near each other.
const (
	chainLooks = 2000
	chainScore = 100
)

// Chain measures the chaining of the nodes that a clustering under the rule has
// decided. Without Clustering.Score all removed nodes are alike to their
// leaders. near reports whether two nodes of a set are near each other. weight
// returns the number of documents of a node; nil means 1. If the nodes of a set
// are one component already, the set costs no more than its size. After two
// thousand pairs per node Chain stops, and the result is partial.
func Chain(ctx context.Context, nodes int, links Links, near func(a, b uint32) (bool, error), r Rule, c *Clustering, weight func(node uint32) int) (Chaining, error) {
	if err := r.check(); err != nil {
		return Chaining{}, err
	}
	roots := make(forest, nodes)
	for i := range roots {
		roots[i] = uint32(i)
	}
	for i, l := range c.Leader {
		roots.join(uint32(i), l)
	}
	left := chainLooks * nodes
	err := links(func(set []uint32) error {
		if left <= 0 {
			return nil
		}
		slices.SortStableFunc(set, func(a, b uint32) int { return cmp.Compare(roots.find(a), roots.find(b)) })
		next := 0 // the first node after the component of a
		for i, a := range set {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("dedup: measure chaining: %w", err)
			}
			for ; next < len(set) && (next <= i || roots.find(set[next]) == roots.find(a)); next++ {
			}
			if left -= len(set) - next; left < 0 {
				break
			}
			for _, b := range set[next:] {
				if roots.find(a) == roots.find(b) || !r.counts(a, b) {
					continue
				}
				if ok, err := near(a, b); err != nil {
					return err
				} else if !ok {
					continue
				}
				left -= chainScore
				s, err := r.Score(a, b)
				if err != nil {
					return err
				}
				if s >= r.Threshold {
					roots.join(a, b)
				}
			}
		}
		return nil
	})
	if err != nil {
		return Chaining{}, err
	}
	out := roots.chaining(c, r.Threshold, weight)
	out.Partial = left < 0
	return out, nil
}

// forest is a union-find. The root of a component is its smallest node.
type forest []uint32

func (f forest) find(i uint32) uint32 {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

func (f forest) join(i, j uint32) {
	a, b := f.find(i), f.find(j)
	f[max(a, b)] = min(a, b)
}

func (f forest) chaining(c *Clustering, threshold float64, weight func(uint32) int) Chaining {
	if weight == nil {
		weight = func(uint32) int { return 1 }
	}
	size, apart := make([]int, len(f)), make([]int, len(f))
	for i := range f {
		root, w := f.find(uint32(i)), weight(uint32(i))
		size[root] += w
		if c.Leader[i] != root || c.Score != nil && c.Score[i] < threshold {
			apart[root] += w
		}
	}
	var out Chaining
	for i, n := range size {
		if n < 2 {
			continue
		}
		out.Components++
		out.Documents += n
		out.Apart += apart[i]
		out.Largest = max(out.Largest, n)
	}
	return out
}
