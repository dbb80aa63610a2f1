package shingle

import (
	"context"
	"slices"

	"github.com/alike-go/alike/similarity"
)

var _ similarity.Searcher[Set] = (*Method)(nil)

// Search indexes the prefixes of the sets as Join does, and needs as much
// memory. It looks sets up one at a time, so it never holds their pairs.
func (m *Method) Search(ctx context.Context, sets []Set, o similarity.JoinOptions) (similarity.Search, error) {
	o, _, err := checkJoin(o)
	if err != nil {
		return nil, err
	}
	x := newSetIndex(ctx, m.joins(), sets, nil, o)
	x.index(ctx, bothWays, o.Workers)
	if err := ctx.Err(); err != nil {
		return nil, joinError(ctx, err)
	}
	return &search{setMatcher: x.newMatcher(m.Score, o.Threshold), sets: sets}, nil
}

// search looks up the sets of an index.
type search struct {
	*setMatcher
	sets []Set
}

// Find skips a set before it is compared if want wants none of its documents.
func (s *search) Find(dst []int, doc int, want func(doc int) bool) (found []int, compared int64) {
	groups := &s.x.groups
	own := groups.of[doc]
	if own == none {
		return dst, 0
	}
	add := func(group int32) {
		for _, d := range groups.all(group) {
			if d != doc && want(d) {
				dst = append(dst, d)
			}
		}
	}
	if len(groups.all(own)) > 1 && s.score(s.sets[doc], s.sets[doc]) >= s.threshold {
		add(own)
	}
	var t tally
	s.look(int(s.x.number[own]), -1)
	for {
		ids, done := s.candidates()
		if done {
			return dst, t.candidates
		}
		ids = slices.DeleteFunc(ids, func(id uint32) bool {
			return !slices.ContainsFunc(groups.all(s.x.group[id]), want)
		})
		s.room = s.verify(s.room[:0], ids, s.threshold, &t)
		for _, m := range s.room {
			add(m.group)
		}
	}
}
