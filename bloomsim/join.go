package bloomsim

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

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
	for at := range j.left.blocks() {
		pairs := j.block(ctx, at)
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
			o.Progress(float64(at+1) / float64(j.left.blocks()))
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
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
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

// block returns the pairs of the left block at, in ascending order.
func (j *joiner) block(ctx context.Context, at int) []similarity.Pair {
	// A task is a few rows of the block and the size that they are compared with.
	type task struct {
		rows     *pack
		from, to int
		others   []*pack
	}
	var tasks []task
	for _, p := range j.pairs {
		bits := min(p[0], p[1])
		rows := j.left.packs[key{p[0], bits}][at]
		for from := 0; from < len(rows.docs); from += chunk {
			tasks = append(tasks, task{rows, from, min(from+chunk, len(rows.docs)), j.right.packs[key{p[1], bits}]})
		}
	}
	first := 0
	if j.self {
		first = at
	}
	found := make([][]similarity.Pair, len(tasks))
	each(len(j.scanners), len(tasks), func(w, i int) {
		t := tasks[i]
		for k := first; k < len(t.others) && ctx.Err() == nil; k++ {
			found[i] = j.scan(&j.scanners[w], t.rows, t.from, t.to, t.others[k], j.self && k == at, found[i])
		}
	})
	out := slices.Concat(found...)
	slices.SortFunc(out, func(p, q similarity.Pair) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) })
	return out
}

// each calls do for each i from 0 to n-1, from at most as many goroutines as there
// are workers, and returns when all are done. Each goroutine has its own number.
func each(workers, n int, do func(worker, i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range min(workers, n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(w, i)
			}
		})
	}
	wg.Wait()
}
