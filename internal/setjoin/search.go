package setjoin

import (
	"context"
	"slices"

	"github.com/alike-go/alike/similarity"
)

// Search indexes the prefixes of A, as Pairs does for a self-join, and needs as
// much memory. It looks documents up one at a time, so it never holds their
// pairs. There is no B.
func (j *Join) Search(ctx context.Context, o similarity.JoinOptions) (similarity.Search, error) {
	x, _, o, err := j.index(ctx, o)
	if err != nil {
		return nil, err
	}
	x.build(ctx, bothWays, o.Workers)
	if err := ctx.Err(); err != nil {
		return nil, named(ctx, j.Name, err)
	}
	return &search{x.newMatcher(o.Threshold)}, nil
}

// search looks up the sets of an index.
type search struct{ *setMatcher }

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
	if len(groups.all(own)) > 1 && s.x.join.Score(doc, doc) >= s.threshold {
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
