package setjoin

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/alike-go/alike/similarity"
)

// Top calls emit with the best pairs of each document of A: at most top of them
// that score at least o.Threshold, and of equal scores those of the lower
// numbers. Pairs come in ascending order of A and then B. In a join of A with
// itself a pair comes as (A, B), as (B, A) or as both, by whose best it is.
//
// It is exact. The best so far raise what the rest must share, so that a low
// threshold costs little if documents have near neighbours. Memory is as with
// Pairs.
func (j *Join) Top(ctx context.Context, top int, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	if top < 1 {
		return similarity.JoinStats{}, fmt.Errorf("%s: best %d of each document, want 1 or more", j.Name, top)
	}
	x, st, o, err := j.index(ctx, o)
	if err != nil {
		return st, err
	}
	x.build(ctx, x.streamed(), o.Workers)
	o.Progress(0.5)
	type result struct {
		pairs []similarity.Pair
		tally
	}
	err = blocks(ctx, j.A.Len, o.Workers, func() *topMatcher {
		return &topMatcher{setMatcher: x.newMatcher(o.Threshold), top: top}
	}, func(t *topMatcher, doc int, r *result) {
		r.pairs = t.best(r.pairs, doc, &r.tally)
	}, func(_ int, r *result) error {
		st.Candidates += r.candidates
		st.Verified += r.verified
		for _, p := range r.pairs {
			st.Pairs++
			if err := emit(p); err != nil {
				return err
			}
		}
		return nil
	}, secondHalf(o, j.A.Len))
	return st, named(ctx, j.Name, err)
}

// topMatcher finds the best partners of documents.
type topMatcher struct {
	*setMatcher
	top   int
	found []match // best first
}

// best appends the best pairs of a document.
func (m *topMatcher) best(dst []similarity.Pair, doc int, t *tally) []similarity.Pair {
	m.found = m.found[:0]
	i, own := doc, int32(none)
	if m.x.self {
		if own = m.x.groups.of[doc]; own == none {
			return dst
		}
		i = int(m.x.number[own])
	}
	m.look(i, -1)
	if own != none && len(m.x.groups.all(own)) > 1 {
		m.found = append(m.found, match{own, m.x.join.Score(doc, doc)})
	}
	least := m.threshold
	for {
		if worst := m.worst(doc); worst > least {
			least = worst
			m.raise(least)
		}
		found, done := m.candidates()
		if done {
			break
		}
		m.found = m.verify(m.found, found, least, t)
	}
	m.worst(doc)
	from := len(dst)
	for _, f := range m.found {
		docs := m.x.groups.all(f.group)
		for _, d := range docs[:min(len(docs), m.top+1)] { // itself may be one of them
			if !m.x.self || d != doc {
				dst = append(dst, similarity.Pair{A: doc, B: d, Score: f.score})
			}
		}
	}
	slices.SortFunc(dst[from:], func(x, y similarity.Pair) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.B, y.B))
	})
	dst = dst[:min(len(dst), from+m.top)]
	slices.SortFunc(dst[from:], func(x, y similarity.Pair) int { return cmp.Compare(x.B, y.B) })
	return dst
}

// worst drops groups that are not among the best, and returns the score that a partner
// must have to be among them: 0 where there are less than top so far.
func (m *topMatcher) worst(doc int) float64 {
	slices.SortFunc(m.found, func(x, y match) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.group, y.group))
	})
	docs := 0
	for i, f := range m.found {
		docs += len(m.x.groups.all(f.group))
		if m.x.self && f.group == m.x.groups.of[doc] {
			docs-- // itself
		}
		if docs < m.top {
			continue
		}
		// Equal scores stay: one of them may hold a lower number.
		for i+1 < len(m.found) && m.found[i+1].score == f.score {
			i++
		}
		m.found = m.found[:i+1]
		return f.score
	}
	return 0
}
