package setjoin

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"github.com/alike-go/alike/similarity"
)

// match is a group of sketches that a sketch is alike to.
type match struct {
	group int32
	score float64
}

// matcher finds the matches of documents, one at a time. Every goroutine has its own.
type matcher interface {
	// match appends the matches of a document of the first collection. In a
	// self-join those of its own group are left out, and those of a group that has
	// no later document may be.
	match(dst []match, doc int, t *tally) []match
}

// tally counts what similarity.JoinStats states.
type tally struct{ candidates, verified int64 }

// matches are those of a block of documents. Those of each end where ends says.
type matches struct {
	ends  []int
	found []match
	tally
}

// emitter spells matches of groups out as pairs of documents.
type emitter struct {
	groups groups
	self   bool
	// equal returns the score of a document with another of its own group.
	equal func(doc int) float64
	emit  func(similarity.Pair) error
	pairs []similarity.Pair
	stats *similarity.JoinStats
}

// run finds the matches of documents 0 to n−1 on several goroutines and hands them on.
func (e *emitter) run(ctx context.Context, n, workers int, progress func(done int), start func() matcher) error {
	return blocks(ctx, n, workers, start, func(m matcher, doc int, r *matches) {
		from := len(r.found)
		r.found = m.match(r.found, doc, &r.tally)
		byGroup(r.found[from:])
		r.ends = append(r.ends, len(r.found))
	}, func(doc int, r *matches) error {
		e.stats.Candidates += r.candidates
		e.stats.Verified += r.verified
		from := 0
		for i, end := range r.ends {
			if err := e.document(doc+i, r.found[from:end:end]); err != nil {
				return err
			}
			from = end
		}
		return nil
	}, progress)
}

// groupwise emits the pairs of all documents, the matches of whose groups are found.
func (e *emitter) groupwise(ctx context.Context, found adjacent) error {
	for doc, g := range e.groups.of {
		if doc%docsAtOnce == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if g != none {
			if err := e.document(doc, found.of(g)); err != nil {
				return err
			}
		}
	}
	return nil
}

// byGroup sorts matches by group.
func byGroup(found []match) {
	slices.SortFunc(found, func(x, y match) int { return cmp.Compare(x.group, y.group) })
}

// document emits the pairs of a document, whose matches ascend by group.
func (e *emitter) document(doc int, found []match) error {
	after := -1
	own := int32(none)
	if e.self {
		after = doc
		if own = e.groups.of[doc]; own != none && len(e.groups.all(own)) > 1 {
			k, _ := slices.BinarySearchFunc(found, own, func(m match, g int32) int { return cmp.Compare(m.group, g) })
			found = slices.Insert(found, k, match{own, e.equal(doc)})
		}
	}
	// The first documents of groups ascend, so pairs do where no group has more.
	e.pairs = e.pairs[:0]
	sorted := true
	for _, m := range found {
		docs := e.groups.all(m.group)
		docs = docs[sort.SearchInts(docs, after+1):]
		if len(found) == 1 && m.group != own {
			for _, d := range docs {
				e.stats.Pairs++
				if err := e.emit(similarity.Pair{A: doc, B: d, Score: m.score}); err != nil {
					return err
				}
			}
			return nil
		}
		for _, d := range docs {
			if d == doc && m.group == own {
				continue
			}
			sorted = sorted && (len(e.pairs) == 0 || e.pairs[len(e.pairs)-1].B < d)
			e.pairs = append(e.pairs, similarity.Pair{A: doc, B: d, Score: m.score})
		}
	}
	if !sorted {
		slices.SortFunc(e.pairs, func(x, y similarity.Pair) int { return cmp.Compare(x.B, y.B) })
	}
	for _, p := range e.pairs {
		e.stats.Pairs++
		if err := e.emit(p); err != nil {
			return err
		}
	}
	return nil
}
