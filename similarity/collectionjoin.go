package similarity

import (
	"context"
	"fmt"

	"github.com/zeebo/xxh3"
)

func (c *collection[S, M]) Join(ctx context.Context, other Collection, o JoinOptions, emit func(Pair) error) (JoinStats, error) {
	o, err := o.Check()
	if err != nil {
		return JoinStats{}, err
	}
	var b []S
	if other != nil {
		if b = c.same(other).docs; b == nil {
			b = []S{} // nil would mean a self-join
		}
	}
	if j, ok := any(c.m).(Joiner[S]); ok {
		return j.Join(ctx, c.docs, b, o, emit)
	}
	return joinAll(ctx, c.m, c.docs, b, o, emit)
}

func (c *collection[S, M]) search(ctx context.Context, o JoinOptions) (Search, error) {
	if s, ok := any(c.m).(Searcher[S]); ok {
		return s.Search(ctx, c.docs, o)
	}
	return nil, ErrNoSearch
}

func (c *collection[S, M]) Buckets(o JoinOptions) (Buckets[int], error) {
	k, ok := any(c.m).(Bucketer[S])
	if !ok {
		return Buckets[int]{}, fmt.Errorf("similarity: %s: %w", c.m, ErrNoBuckets)
	}
	o, err := o.Check()
	if err != nil {
		return Buckets[int]{}, err
	}
	b, err := k.Buckets(o)
	if err != nil {
		return Buckets[int]{}, err
	}
	out := Buckets[int]{
		Tables: b.Tables,
		Design: b.Design,
		Recall: b.Recall,
		Append: func(dst []Key, doc int) []Key { return b.Append(dst, c.docs[doc]) },
	}
	if w := b.Word; w != nil {
		out.Word = &Word[int]{
			Design: w.Design,
			Within: w.Within,
			Of:     func(doc int) uint64 { return w.Of(c.docs[doc]) },
		}
		if w.Distance != nil {
			out.Word.Distance = func(i, j int) int { return w.Distance(c.docs[i], c.docs[j]) }
		}
	}
	return out, nil
}

// Sketches are the same when their encodings are, which 128 bits of hash stand for.
func (c *collection[S, M]) Groups() []int {
	first := make(map[xxh3.Uint128]int)
	out := make([]int, len(c.docs))
	var buf []byte
	for i, s := range c.docs {
		out[i] = i
		if c.m.Empty(s) {
			continue
		}
		buf = c.m.AppendSketch(buf[:0], s)
		h := xxh3.Hash128(buf)
		if at, ok := first[h]; ok {
			out[i] = at
		} else {
			first[h] = i
		}
	}
	return out
}

func (c *collection[S, M]) Pick(docs []int) Collection {
	out := &collection[S, M]{m: c.m, docs: make([]S, len(docs))}
	for k, d := range docs {
		out.docs[k] = c.docs[d]
	}
	return out
}

// JoinGrouped is a self-join that does not spell out the pairs among documents of
// the same sketch, of which a million equal documents have half a billion times a
// thousand. Each group stands behind its first document: emitted are the pairs of
// the first with each other member, and otherwise pairs of firsts alone, in
// ascending order of A and then B. The connected components are those of the
// full join.
func JoinGrouped(ctx context.Context, c Collection, o JoinOptions, emit func(Pair) error) (JoinStats, error) {
	groups := c.Groups()
	var firsts []int
	members := make(map[int][]int) // the others of a group, by the first
	for i, g := range groups {
		if g == i {
			firsts = append(firsts, i)
		} else {
			members[g] = append(members[g], i)
		}
	}
	if len(members) == 0 {
		return c.Join(ctx, nil, o, emit)
	}
	var (
		extra int64
		at    int // firsts before this one have all their members emitted up to the current pair
		next  int // the members of firsts[at] before this one have been emitted
	)
	// flush emits the members' pairs that come before the pair (a, b).
	flush := func(a, b int) error {
		for at < len(firsts) && firsts[at] <= a {
			first := firsts[at]
			for m := members[first]; next < len(m) && (first < a || m[next] < b); next++ {
				extra++
				if err := emit(Pair{first, m[next], c.Score(first, m[next])}); err != nil {
					return err
				}
			}
			if first == a {
				return nil
			}
			at, next = at+1, 0
		}
		return nil
	}
	st, err := c.Pick(firsts).Join(ctx, nil, o, func(p Pair) error {
		p.A, p.B = firsts[p.A], firsts[p.B]
		if err := flush(p.A, p.B); err != nil {
			return err
		}
		return emit(p)
	})
	if err == nil {
		err = flush(c.Len(), 0)
	}
	st.Pairs += extra
	return st, err
}
