package cosine

import (
	"context"
	"fmt"

	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

var _ similarity.Joiner[Vector] = (*Method)(nil)

// Join finds all pairs that score at least o.Threshold, as similarity.Joiner says. It
// is exact: products of rounded-up weights say what need not be compared, and Score
// itself decides what is left.
//
// The documents of a are taken in blocks, each vector of b is looked up in the posting
// lists of a block, and what its frequent terms could add is bounded (Bayardo, Ma,
// Srikant, WWW 2007; Anastasiu and Karypis, ICDE 2014). Time grows with the product
// of the collections' sizes; memory, beside the vectors, is six bytes for each of their
// terms, four for each term of a block, and some two million pairs.
func (m *Method) Join(ctx context.Context, a, b []Vector, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	o, err := o.Check()
	if err != nil {
		return similarity.JoinStats{}, err
	}
	j := newJoiner(a, b, o)
	st := similarity.JoinStats{Recall: 1, Design: fmt.Sprintf("posting lists of %d documents, bounds on the rest", j.size)}
	size := firstBlock
	for from, to := 0, 0; from < len(a); from = to {
		to = min(from+size, len(a))
		pairs := j.block(ctx, from, to)
		if err := ctx.Err(); err != nil {
			return st, fmt.Errorf("cosine: join: %w", err)
		}
		size = j.nextSize(size, len(pairs))
		st.Candidates, st.Verified = j.counts()
		for _, p := range pairs {
			st.Pairs++
			if err := emit(p); err != nil {
				return st, err
			}
		}
		if o.Progress != nil {
			o.Progress(float64(to) / float64(len(a)))
		}
	}
	return st, nil
}

// joiner is a join under way.
type joiner struct {
	a, b        []Vector // the same in a self-join
	self        bool
	threshold   float64
	terms       *terms
	left, right *rows
	size        int // documents in a block at most
	now         *block
	workers     []joinWorker
}

// joinWorker is what one goroutine of a join needs.
type joinWorker struct {
	probe    *probe
	query    query
	scorer   scorer
	verified int64
}

func newJoiner(a, b []Vector, o similarity.JoinOptions) *joiner {
	workers := parallel.Workers(o.Workers)
	t := numberTerms(a, b, 2, workers)
	j := &joiner{a: a, b: b, threshold: o.Threshold, terms: t, now: new(block)}
	j.left = newRows(a, t, workers)
	j.right = j.left
	if b == nil {
		j.self, j.b = true, a
	} else {
		j.right = newRows(b, t, workers)
	}
	// A self-join goes twice through the pairs within a block, hence sixteen at least;
	// many more would go through each vector's terms too often.
	j.size = min(max((len(a)+15)/16, leastBlock), 8192)
	j.workers = make([]joinWorker, workers)
	for w := range j.workers {
		j.workers[w].probe = newProbe(t)
	}
	return j
}

func (j *joiner) counts() (candidates, verified int64) {
	for w := range j.workers {
		candidates += j.workers[w].probe.proposed
		verified += j.workers[w].verified
	}
	return candidates, verified
}

// A join begins with a block of firstBlock documents, goes up to leastBlock or more, and
// down again to hold no more than mostPairs pairs at a time.
const firstBlock, leastBlock, mostPairs = 32, 256, 1 << 21

// nextSize returns the size of the next block after one that gave so many pairs: twice
// as many documents, unless that would be too many pairs.
func (j *joiner) nextSize(size, pairs int) int {
	if pairs > mostPairs/2 {
		return max(1, int(float64(size)*mostPairs/2/float64(pairs)))
	}
	return min(2*size, j.size)
}

// chunk is the number of vectors that a worker takes at a time.
const chunk = 32

// block returns the pairs whose A is from from to to, in ascending order.
func (j *joiner) block(ctx context.Context, from, to int) []similarity.Pair {
	newBlock(j.now, j.left, from, to, j.terms)
	first := 0
	if j.self {
		first = from
	}
	found := make([][]similarity.Pair, (len(j.b)-first+chunk-1)/chunk)
	parallel.For(ctx, len(j.workers), len(found), func(w, c int) {
		at := first + c*chunk
		for i := at; i < min(at+chunk, len(j.b)) && ctx.Err() == nil; i++ {
			found[c] = j.search(&j.workers[w], i, found[c])
		}
	})
	return ascending(found, from, to)
}

// search appends the pairs of vector i of b with the documents of the block.
func (j *joiner) search(w *joinWorker, i int, dst []similarity.Pair) []similarity.Pair {
	from, limit := j.now.from, j.now.to-j.now.from
	if j.self {
		limit = min(limit, i-from)
	}
	w.query.row(j.right, i, j.terms.levels)
	places := w.probe.search(&w.query, j.now, limit, bound(j.threshold))
	w.verified += int64(len(places))
	w.scorer.set(&j.b[i], len(places))
	for _, p := range places {
		k := from + int(p)
		if s := w.scorer.score(&j.a[k]); s >= j.threshold {
			dst = append(dst, similarity.Pair{A: k, B: i, Score: s})
		}
	}
	w.scorer.done()
	return dst
}

// ascending puts pairs that ascend by B into the order of A and then B. All A are
// from from to to.
func ascending(lists [][]similarity.Pair, from, to int) []similarity.Pair {
	at := make([]int, to-from+1) // where the pairs of A go
	for _, pairs := range lists {
		for _, p := range pairs {
			at[p.A-from+1]++
		}
	}
	for i := range to - from {
		at[i+1] += at[i]
	}
	out := make([]similarity.Pair, at[to-from])
	for _, pairs := range lists {
		for _, p := range pairs {
			out[at[p.A-from]] = p
			at[p.A-from]++
		}
	}
	return out
}
