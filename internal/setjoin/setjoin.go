// Package setjoin finds all pairs of sets that share enough of their elements,
// without comparing them all. Packages shingle, rabinkarp and align use it.
//
// It takes ascending lists of hashes, with or without weights, a Kind that says
// what a pair must share, and a function that scores two documents. The
// function decides about every pair; the Kind must not demand more than it
// does. It gives the pairs of a Join, or a search.
//
// Sets are ordered by their rarest elements. Two sets that share enough then
// have an element of their prefixes in common (Chaudhuri, Ganti and Kaushik,
// ICDE 2006; AllPairs: Bayardo, Ma and Srikant, WWW 2007). Sizes, and the
// position of the first element in common, leave few candidates (PPJoin: Xiao,
// Wang, Lin and Yu, WWW 2008), and bitmaps fewer (Sandes, Teodoro and Melo,
// Information Systems 2020). Sets with weights have prefixes of their weight.
// Equal sets are looked up as one.
//
// KeyJoin is the simpler join of documents that share any key, for bands of
// signatures. What a hash means, and what a score is, does not belong here.
package setjoin

import (
	"context"
	"fmt"

	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// Set is a set of hashes, which ascend strictly, or a bag. Weights is nil for a
// set. For a bag it holds the weight of each hash, above zero.
type Set struct {
	Hashes  []uint64
	Weights []float64
}

// size returns the sum of the weights.
func (s Set) size() float64 {
	if s.Weights == nil {
		return float64(len(s.Hashes))
	}
	sum := 0.0
	for _, w := range s.Weights {
		sum += w
	}
	return sum
}

// Sets are the sets of documents 0 to Len-1.
type Sets struct {
	Len int
	At  func(i int) Set
}

// Of returns the sets of a list of documents. It returns the zero Sets for nil,
// which stands for no second collection.
func Of[S any](docs []S, set func(S) Set) Sets {
	if docs == nil {
		return Sets{}
	}
	return Sets{len(docs), func(i int) Set { return set(docs[i]) }}
}

// Join is a join of the documents of A with those of B, or of A with itself if
// B.At is nil.
type Join struct {
	Kind Kind
	A, B Sets

	// Score scores document i of A and document j of B, or of A if there is no B.
	// Equal sets must have equal scores, and empty sets a score of 0. It is called
	// by several goroutines.
	Score func(i, j int) float64

	Name   string // of the package, for errors
	Design string // for JoinStats

	hold int // see heldPairs; tests lower it
}

// heldPairs is how many pairs a self-join holds, beside as many as there are
// sets, before it gives up finding each pair once.
const heldPairs = 1 << 20

// Pairs calls emit with all pairs that score at least o.Threshold, as
// similarity.Joiner says.
//
// The time is about that of reading all sets twice, and then that of the pairs
// that share rare hashes; for OfSmaller also that of pairs with a
// small set. Beside the sets it takes a byte per hash, 8 bytes per hash of a
// prefix that another set has, 4 bytes per set and worker, and the matches of
// some 300 documents per worker.
func (j *Join) Pairs(ctx context.Context, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	x, st, o, err := j.index(ctx, o)
	if err != nil {
		return st, err
	}
	e := emitter{
		groups: x.groups, self: x.self, stats: &st, emit: emit,
		equal: func(doc int) float64 { return j.Score(doc, doc) },
	}
	if x.self {
		x.build(ctx, once, o.Workers)
		found, err := x.pairs(ctx, o, heldPairs+j.hold+len(x.sets), &st)
		if err == nil {
			err = e.groupwise(ctx, found)
		}
		if err != errTooMany {
			return st, named(ctx, j.Name, err)
		}
	}
	x.build(ctx, x.streamed(), o.Workers)
	err = e.run(ctx, j.A.Len, o.Workers, secondHalf(o, j.A.Len), func() matcher {
		return x.newMatcher(o.Threshold)
	})
	return st, named(ctx, j.Name, err)
}

// index checks the options, fills in their defaults, and returns an index that
// is yet to be built.
func (j *Join) index(ctx context.Context, o similarity.JoinOptions) (*setIndex, similarity.JoinStats, similarity.JoinOptions, error) {
	o, err := check(o)
	if err != nil {
		return nil, similarity.JoinStats{}, o, err
	}
	return newSetIndex(ctx, j, o), similarity.JoinStats{Recall: 1, Design: j.Design}, o, nil
}

// check returns the options with all defaults filled in.
func check(o similarity.JoinOptions) (similarity.JoinOptions, error) {
	o, err := o.Check()
	o.Workers = parallel.Workers(o.Workers)
	show, last := o.Progress, 0.0
	o.Progress = func(done float64) {
		if show != nil && done > last { // where Pairs gives up, its second try starts behind
			last = done
			show(done)
		}
	}
	return o, err
}

// secondHalf returns a function that reports how many of n documents have been
// looked up. The first half of a join is its index.
func secondHalf(o similarity.JoinOptions, n int) func(done int) {
	return func(done int) { o.Progress(0.5 + 0.5*float64(done)/float64(n)) }
}

// named says that an error of the context ended a join.
func named(ctx context.Context, name string, err error) error {
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%s: join: %w", name, err)
	}
	return err
}
