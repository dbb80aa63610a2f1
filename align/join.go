package align

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"github.com/alike-go/alike/similarity"
)

// Join implements similarity.Joiner, exactly. A pair is looked at only if it could reach the
// threshold by the two lengths, and by how often each character stands in both texts: what one
// has more of than the other cannot be kept by any alignment (Ukkonen, Theoretical Computer Science
// 92, 1992). Every text still meets every other of a similar length, so the time grows with the square
// of their number: by some 20 ns for a pair of titles that the characters rule out.
func (m *Method) Join(ctx context.Context, a, b []Text, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	st := similarity.JoinStats{Recall: 1, Design: "lengths and characters"}
	o, err := o.Check()
	if err != nil {
		return st, err
	}
	x := joiner{measure: m.o.Measure, threshold: o.Threshold, rows: a, index: b, self: b == nil}
	if x.self {
		x.index = a
	}
	x.prepare()
	err = similarity.JoinBlocks(ctx, "align", len(a), o, &st, func(from, to int) ([]similarity.Pair, int64) {
		return x.join(ctx, from, to)
	}, emit)
	return st, err
}

// bag counts the characters of a text in classes, so that what two bags have in common is no
// less than what the texts have.
type bag [32]uint32

func bagOf(t Text) (out bag) {
	for _, c := range t.narrow {
		out[bagClass(int32(c))]++
	}
	for _, c := range t.wide {
		out[bagClass(c)]++
	}
	return out
}

// bagClass spreads neighbouring characters, which alphabets are made of, over all classes.
func bagClass(c int32) uint32 { return uint32(c) * 0x9e3779b1 >> 27 }

func (x *bag) common(y *bag) int {
	n := uint32(0)
	for i, v := range x {
		n += min(v, y[i])
	}
	return int(n)
}

// joiner is a join in progress: rows are looked up in an index, or in themselves.
type joiner struct {
	measure     Measure
	threshold   float64
	rows, index []Text
	self        bool
	rowBags     []bag
	indexBags   []bag
	order       []int32 // of the index, without empty texts, by length
	lengths     []int   // in that order
}

func (x *joiner) prepare() {
	x.indexBags = make([]bag, len(x.index))
	for i, t := range x.index {
		x.indexBags[i] = bagOf(t)
		if t.Len() > 0 {
			x.order = append(x.order, int32(i))
		}
	}
	slices.SortStableFunc(x.order, func(i, j int32) int { return cmp.Compare(x.index[i].Len(), x.index[j].Len()) })
	for _, i := range x.order {
		x.lengths = append(x.lengths, x.index[i].Len())
	}
	if x.rowBags = x.indexBags; !x.self {
		x.rowBags = make([]bag, len(x.rows))
		for i, t := range x.rows {
			x.rowBags[i] = bagOf(t)
		}
	}
}

// most returns the greatest score of two texts of these lengths that have so many
// characters in common.
func (x *joiner) most(common, a, b int) float64 {
	if x.measure == Edit {
		return Edit.score(max(a, b)-common, a, b)
	}
	return x.measure.score(common, a, b)
}

// join looks rows from to to up; it returns their pairs in ascending order, and how many were compared.
func (x *joiner) join(ctx context.Context, from, to int) (pairs []similarity.Pair, compared int64) {
	s := scratches.Get().(*scratch)
	defer s.release()
	var partners []int32
	var texts []Text
	var counts []int
	for i := from; i < to && ctx.Err() == nil; i++ {
		n := x.rows[i].Len()
		if n == 0 {
			continue
		}
		// The lengths that can reach the threshold lie around this one.
		first := sort.Search(len(x.lengths), func(k int) bool {
			l := x.lengths[k]
			return l >= n || x.most(l, n, l) >= x.threshold
		})
		last := sort.Search(len(x.lengths), func(k int) bool {
			l := x.lengths[k]
			return l > n && x.most(n, n, l) < x.threshold
		})
		partners, texts = partners[:0], texts[:0]
		for k := first; k < last; k++ {
			j := x.order[k]
			if x.self && int(j) <= i || x.most(x.rowBags[i].common(&x.indexBags[j]), n, x.lengths[k]) < x.threshold {
				continue
			}
			partners, texts = append(partners, j), append(texts, x.index[j])
		}
		if len(partners) == 0 {
			continue
		}
		compared += int64(len(partners))
		counts = append(counts[:0], make([]int, len(partners))...)
		s.row(x.measure, x.rows[i], texts, counts)
		at := len(pairs)
		for k, j := range partners {
			if score := x.measure.score(counts[k], n, texts[k].Len()); score >= x.threshold {
				pairs = append(pairs, similarity.Pair{A: i, B: int(j), Score: score})
			}
		}
		slices.SortFunc(pairs[at:], func(p, q similarity.Pair) int { return cmp.Compare(p.B, q.B) })
	}
	return pairs, compared
}
