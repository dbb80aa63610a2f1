package hamming

import (
	"context"
	"fmt"

	"github.com/alike-go/alike/internal/parallel"
)

// Pair is two codes within the radius of a join: their positions in the joined lists and
// their distance. In a self-join A < B. In a join of two lists, A is a position in the
// first list and B in the second.
type Pair struct {
	A, B     uint32
	Distance int
}

// JoinOptions configures a join. The zero value is a sound default.
type JoinOptions struct {
	// Workers is the number of goroutines. Zero means GOMAXPROCS. The pairs do not
	// depend on it.
	Workers int

	// Progress, if set, is called now and then with the share of the work that is done,
	// in [0, 1], by one goroutine at a time.
	Progress func(done float64)

	// design is "pieces" or "scan"; tests set it. Empty means pieces if they tell codes
	// apart well enough to be faster.
	design string
}

// JoinStats counts what a join did.
type JoinStats struct {
	Candidates int64  // compared pairs, counted once for each bucket
	Pairs      int64  // found pairs
	Design     string // such as "4 pieces of 16 bits"
}

// SelfJoin calls emit for each pair of codes within k bits of each other: each pair once,
// in ascending order of A and then B, from one goroutine. It is exact.
//
// It holds the near pairs of distinct codes in memory, 8 bytes each, but not the pairs
// that repetitions multiply: a million equal codes stream out. It stops at the first
// error of emit or of the context and returns it. It panics if the list has 1<<32 - 1
// codes or more.
func SelfJoin(ctx context.Context, codes Codes, k int, o JoinOptions, emit func(Pair) error) (JoinStats, error) {
	return join(ctx, codes, nil, k, o, emit)
}

// Join is SelfJoin for the pairs of a code in a and a code in b, such as new and old
// documents. The lists must have the same width.
func Join(ctx context.Context, a, b Codes, k int, o JoinOptions, emit func(Pair) error) (JoinStats, error) {
	return join(ctx, a, &b, k, o, emit)
}

// join joins a with b, or with itself if b is nil.
func join(ctx context.Context, a Codes, b *Codes, k int, o JoinOptions, emit func(Pair) error) (JoinStats, error) {
	j, err := newJoiner(ctx, a, b, k, o)
	if err != nil {
		return JoinStats{}, err
	}
	if j.scans() {
		err = j.scan(emit)
	} else if err = j.run(); err == nil {
		err = j.emit(emit)
	}
	return j.stats, err
}

func newJoiner(ctx context.Context, a Codes, b *Codes, k int, o JoinOptions) (*joiner, error) {
	if err := check(a.width, k); err != nil {
		return nil, err
	}
	if b != nil && b.width != a.width {
		return nil, fmt.Errorf("hamming: join of codes of %d bits with codes of %d", a.width, b.width)
	}
	if o.Workers < 0 {
		return nil, fmt.Errorf("hamming: %d join workers, want 0 or more", o.Workers)
	}
	j := &joiner{ctx: ctx, o: o, width: a.width, k: k, a: a, b: b, workers: parallel.Workers(o.Workers)}
	if j.n = a.Len(); b != nil {
		j.n += b.Len()
	}
	if uint64(j.n) >= tooMany {
		panic(fmt.Sprintf("hamming: join of %d codes, want fewer than %d", j.n, uint64(tooMany)))
	}
	j.plan()
	return j, nil
}
