package bloomsim

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

var _ similarity.Joiner[Filter] = (*Method)(nil)

// Join finds all pairs that score at least o.Threshold, as similarity.Joiner says; it
// is exact.
//
// Filters are packed in blocks, in order of their bits set. How many bits two filters have
// set says how many of them they must have in common, and whether they can have so many
// at all; of the pairs that are left most are dismissed by a part of their words. Time
// grows with the product of the collections' sizes, and a packed copy of all filters is
// made: under Auto one for each smaller size too that they may be compared at.
func (m *Method) Join(ctx context.Context, a, b []Filter, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	o, err := o.Check()
	if err != nil {
		return similarity.JoinStats{}, err
	}
	j := m.newJoiner(a, b, o)
	st := similarity.JoinStats{Recall: 1, Design: j.design()}
	size := firstRows
	for from, to := 0, 0; from < len(a); from = to {
		to = min(from+size, len(a), (from/perBlock+1)*perBlock)
		pairs := j.rows(ctx, from, to)
		size = nextSize(size, len(pairs))
		if err := ctx.Err(); err != nil {
			return st, fmt.Errorf("bloomsim: join: %w", err)
		}
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
	bound
	m           *Method
	left, right *side // the same in a self-join
	self        bool
	pairs       [][2]int    // sizes that are compared, of the left and of the right
	heads       map[int]int // words that are compared first, by size
	scanners    []scanner
}

func (m *Method) newJoiner(a, b []Filter, o similarity.JoinOptions) *joiner {
	workers := parallel.Workers(o.Workers)
	j := &joiner{bound: bound{m.o.Score, o.Threshold}, m: m, self: b == nil, scanners: make([]scanner, workers)}
	j.left = newSide(a)
	j.right = j.left
	if !j.self {
		j.right = newSide(b)
	}
	for _, x := range j.left.sizes {
		for _, y := range j.right.sizes {
			if !j.apart(x, y) {
				j.pairs = append(j.pairs, [2]int{x.bits, y.bits})
			}
		}
	}
	j.heads = make(map[int]int)
	for _, p := range j.pairs {
		at := min(p[0], p[1])
		if j.heads[at] == 0 {
			j.heads[at] = j.head(at, j.left, j.right)
		}
		j.left.pack(&j.bound, p[0], at, j.heads[at], workers)
		j.right.pack(&j.bound, p[1], at, j.heads[at], workers)
	}
	return j
}

func (j *joiner) design() string {
	if len(j.pairs) != 1 {
		return "packed scan by bits set"
	}
	words := packedWords(j.pairs[0][0])
	head := j.heads[j.pairs[0][0]]
	if head == words {
		return fmt.Sprintf("packed scan by bits set, %d words", words)
	}
	return fmt.Sprintf("packed scan by bits set, %d of %d words first", head, words)
}

func (j *joiner) counts() (candidates, verified int64) {
	for w := range j.scanners {
		candidates += j.scanners[w].candidates
		verified += j.scanners[w].verified
	}
	return candidates, verified
}

// A join begins with the pairs of firstRows filters, goes up to those of a block, and down
// again to hold no more than mostPairs pairs at a time.
const firstRows, mostPairs = 32, 1 << 21

func nextSize(size, pairs int) int {
	if pairs > mostPairs/2 {
		return max(1, int(float64(size)*mostPairs/2/float64(pairs)))
	}
	return min(2*size, perBlock)
}

// rows returns the pairs of the left filters from from to to, which lie in one block, in
// ascending order.
func (j *joiner) rows(ctx context.Context, from, to int) []similarity.Pair {
	// A task is a few of these filters and the size that they are compared with.
	type task struct {
		pack   *pack
		rows   []int
		others []*pack
	}
	var tasks []task
	at := from / perBlock
	for _, p := range j.pairs {
		bits := min(p[0], p[1])
		pack := j.left.packs[key{p[0], bits}][at]
		for rows := range slices.Chunk(pack.rowsOf(from, to), chunk) {
			tasks = append(tasks, task{pack, rows, j.right.packs[key{p[1], bits}]})
		}
	}
	first := 0
	if j.self {
		first = at
	}
	found := make([][]similarity.Pair, len(tasks))
	parallel.For(ctx, len(j.scanners), len(tasks), func(w, i int) {
		t := tasks[i]
		for k := first; k < len(t.others) && ctx.Err() == nil; k++ {
			found[i] = j.scan(&j.scanners[w], t.pack, t.rows, t.others[k], j.self && k == at, found[i])
		}
	})
	out := slices.Concat(found...)
	slices.SortFunc(out, func(p, q similarity.Pair) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) })
	return out
}
