package setjoin

import (
	"context"
	"errors"

	"github.com/alike-go/alike/similarity"
)

// A self-join that looks each pair up once, in ascending order of size, does half the work of one
// that looks up both sets of each pair, but finds pairs in no order that can be emitted: it has to
// hold them all. So it is given up where there are too many.

// adjacent holds the matches of each group that has a document with a later one in the match.
type adjacent struct {
	start []int
	found []match
}

var errTooMany = errors.New("setjoin: too many pairs to hold")

// pairs finds all pairs of the sets, but no more than most: else the error is errTooMany.
func (x *setIndex) pairs(ctx context.Context, o similarity.JoinOptions, most int, st *similarity.JoinStats) (adjacent, error) {
	type pair struct {
		g, h  int32
		score float64
	}
	type result struct {
		pairs []pair
		tally
	}
	var all []pair
	var sum tally
	n := len(x.sets)
	err := blocks(ctx, n, o.Workers, func() *setMatcher {
		return x.newMatcher(o.Threshold)
	}, func(m *setMatcher, id int, r *result) {
		m.look(id, -1)
		m.room = m.matches(m.room[:0], &r.tally)
		for _, f := range m.room {
			r.pairs = append(r.pairs, pair{x.group[id], f.group, f.score})
		}
	}, func(_ int, r *result) error {
		sum.candidates += r.candidates
		sum.verified += r.verified
		if all = append(all, r.pairs...); len(all) > most {
			return errTooMany
		}
		return nil
	}, secondHalf(o, n))
	if err != nil {
		return adjacent{}, err
	}
	st.Candidates, st.Verified = sum.candidates, sum.verified
	// A group needs to know those that have a document behind its first.
	a := adjacent{start: make([]int, len(x.groups.first)+1)}
	each := func(do func(g int32, m match)) {
		for _, p := range all {
			if x.groups.first[p.g] < x.groups.last(p.h) {
				do(p.g, match{p.h, p.score})
			}
			if x.groups.first[p.h] < x.groups.last(p.g) {
				do(p.h, match{p.g, p.score})
			}
		}
	}
	each(func(g int32, _ match) { a.start[g+1]++ })
	for g := range x.groups.first {
		a.start[g+1] += a.start[g]
	}
	a.found = make([]match, a.start[len(x.groups.first)])
	at := append([]int(nil), a.start...)
	each(func(g int32, m match) {
		a.found[at[g]] = m
		at[g]++
	})
	for g := range x.groups.first {
		byGroup(a.of(int32(g)))
	}
	return a, nil
}

// of returns the matches of a group, in ascending order of their groups.
func (a adjacent) of(group int32) []match {
	return a.found[a.start[group]:a.start[group+1]:a.start[group+1]]
}
