package cosine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/alike-go/alike/internal/parallel"
)

// Index finds those of many vectors that are alike to another. It is exact, immutable and
// safe for concurrent use. It keeps the vectors; beside them it takes ten bytes for
// each of their terms, and 24 for each distinct term.
type Index struct {
	docs   []Vector
	terms  *terms
	rows   *rows
	blocks []*block
	pool   sync.Pool // of *seeker
}

// Match is a document of an Index, by its place among the vectors given.
type Match struct {
	Doc   int
	Score float64
}

// indexBlock is the number of documents in a block of an Index: the sums of so many
// fit in the second-level cache, and more of them share the search for a list.
const indexBlock = 1 << 14

// NewIndex makes an index of vectors that the method made. It uses all processors.
func (m *Method) NewIndex(docs []Vector) *Index { return newIndex(docs, runtime.GOMAXPROCS(0)) }

func newIndex(docs []Vector, workers int) *Index {
	x := &Index{docs: docs, terms: numberTerms(docs, nil, 1, workers)}
	x.rows = newRows(docs, x.terms, workers)
	x.blocks = make([]*block, (len(docs)+indexBlock-1)/indexBlock)
	parallel.For(context.Background(), workers, len(x.blocks), func(_, i int) {
		x.blocks[i] = newBlock(new(block), x.rows, i*indexBlock, min((i+1)*indexBlock, len(docs)), x.terms)
	})
	x.pool.New = func() any { return &seeker{probe: newProbe(x.terms)} }
	return x
}

// Len returns the number of vectors.
func (x *Index) Len() int { return len(x.docs) }

// seeker is what a query needs.
type seeker struct {
	probe  *probe
	maker  rowMaker
	query  query
	scorer scorer
	seeds  []Match
}

// take takes a seeker and readies it for a vector.
func (x *Index) take(v *Vector) *seeker {
	s := x.pool.Get().(*seeker)
	s.maker.numbers, s.maker.weights = s.maker.numbers[:0], s.maker.weights[:0]
	s.maker.add(v, x.terms)
	s.query = query{s.maker.numbers, s.maker.weights, s.maker.norms}
	return s
}

// Search appends the documents that score at least the threshold with v, in
// ascending order. It panics unless the threshold is above 0.
func (x *Index) Search(dst []Match, v Vector, threshold float64) []Match {
	if !(threshold > 0) {
		panic(fmt.Sprintf("cosine: search at threshold %v, want above 0", threshold))
	}
	s := x.take(&v)
	defer x.pool.Put(s)
	for _, b := range x.blocks {
		places := s.probe.search(&s.query, b, b.to-b.from, bound(threshold))
		s.scorer.set(&v, len(places))
		for _, p := range places {
			doc := b.from + int(p)
			if score := s.scorer.score(&x.docs[doc]); score >= threshold {
				dst = append(dst, Match{doc, score})
			}
		}
		s.scorer.done()
	}
	return dst
}

// Nearest appends the documents that score best with v, at most top of them, best first
// and of equal scores the lower document first. Documents that share no term with v
// score 0 and are not among them. It panics unless top is at least 1.
func (x *Index) Nearest(dst []Match, v Vector, top int) []Match {
	if top < 1 {
		panic(fmt.Sprintf("cosine: nearest %d documents, want 1 or more", top))
	}
	s := x.take(&v)
	defer x.pool.Put(s)
	from := len(dst)
	least := max(math.SmallestNonzeroFloat64, x.seed(s, &v, top))
	for _, b := range x.blocks {
		places := s.probe.search(&s.query, b, b.to-b.from, bound(least))
		sums := s.probe.sums
		slices.SortFunc(places, func(p, q int32) int { return cmp.Or(cmp.Compare(sums[q], sums[p]), cmp.Compare(p, q)) })
		s.scorer.set(&v, len(places))
		for _, p := range places {
			if sums[p] < bound(least) {
				break
			}
			doc := b.from + int(p)
			if score := s.scorer.score(&x.docs[doc]); score >= least && score > 0 {
				dst = insert(dst, from, top, Match{doc, score})
				if len(dst) == from+top {
					least = dst[len(dst)-1].Score
				}
			}
		}
		s.scorer.done()
	}
	return dst
}

// insert puts a match into the best from from on, of which there are at most top.
func insert(dst []Match, from, top int, m Match) []Match {
	at, _ := slices.BinarySearchFunc(dst[from:], m, func(x, y Match) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.Doc, y.Doc))
	})
	if at == top {
		return dst
	}
	return slices.Insert(dst, from+at, m)[:min(len(dst)+1, from+top)]
}

// seed returns a score that at least top documents reach, 0 if it knows none:
// the score of documents that share the rarest terms with v.
func (x *Index) seed(s *seeker, v *Vector, top int) float64 {
	if top > len(x.docs)/64 {
		return 0 // too many to be worth the search
	}
	best := s.seeds[:0] // by the sum of their rare terms' products
	for _, b := range x.blocks {
		worst := 0.0
		if len(best) == top {
			worst = best[top-1].Score
		}
		// One more, since v itself is often in the index.
		for i, sum := range s.probe.rare(&s.query, b, top+1) {
			if float64(sum) > worst {
				best = insert(best, 0, top, Match{b.from + i, float64(sum)})
				if len(best) == top {
					worst = best[top-1].Score
				}
			}
		}
	}
	s.seeds = best
	if len(best) < top {
		return 0
	}
	least := math.Inf(1)
	for _, m := range best {
		least = min(least, cosine(dot(v, &x.docs[m.Doc]), v, &x.docs[m.Doc]))
	}
	return least
}
