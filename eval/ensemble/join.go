package ensemble

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/alike-go/alike/similarity"
)

// Join finds the pairs by the joins of the members, since a mean of t or more has a member
// that says t or more: exact where all their joins are, and with the least of their
// probabilities otherwise. Memory grows with the pairs that the members find.
func (c *collection) Join(ctx context.Context, other similarity.Collection, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	o, err := o.Check()
	if err != nil {
		return similarity.JoinStats{}, err
	}
	both, behind := c, 0 // both collections, and where the second begins
	if other != nil {
		all := make([]int, c.Len())
		for i := range all {
			all[i] = i
		}
		both, behind = c.Pick(all).(*collection), c.Len()
		both.Append(other)
	}
	st := similarity.JoinStats{Recall: 1}
	part := o
	part.Threshold = o.Threshold * (1 - 1e-6) // scores are taken as float32, which may round up
	var found [][2]int32
	var designs []string
	for k, p := range c.parts {
		var second similarity.Collection
		if other != nil {
			second = other.(*collection).parts[k]
		}
		if o.Progress != nil {
			part.Progress = func(done float64) { o.Progress((float64(k) + done) / float64(len(c.parts)+1)) }
		}
		s, err := p.Join(ctx, second, part, func(q similarity.Pair) error {
			found = append(found, [2]int32{int32(q.A), int32(q.B)})
			return nil
		})
		if err != nil {
			return st, err
		}
		st.Candidates += s.Candidates
		st.Recall = min(st.Recall, s.Recall)
		designs = append(designs, s.Design)
		found = distinct(found)
	}
	st.Design = strings.Join(designs, " and ")
	for n, q := range found {
		if n&0xfff == 0 {
			if err := ctx.Err(); err != nil {
				return st, err
			}
		}
		st.Verified++
		score := both.Score(int(q[0]), behind+int(q[1]))
		if score < o.Threshold {
			continue
		}
		st.Pairs++
		if err := emit(similarity.Pair{A: int(q[0]), B: int(q[1]), Score: score}); err != nil {
			return st, err
		}
	}
	if o.Progress != nil {
		o.Progress(1)
	}
	return st, nil
}

// distinct sorts pairs and drops repetitions.
func distinct(pairs [][2]int32) [][2]int32 {
	slices.SortFunc(pairs, func(p, q [2]int32) int {
		return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1]))
	})
	return slices.Compact(pairs)
}
