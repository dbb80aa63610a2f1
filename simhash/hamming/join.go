package hamming

import (
	"context"
	"fmt"

	"github.com/alike-go/alike/internal/parallel"
)

// Pair is two codes within the radius of a join: their positions in the lists joined and
// their distance. In a self-join A < B; in a join of two lists A counts in the first and
// B in the second.
type Pair struct {
	A, B     uint32
	Distance int
}

// JoinOptions configures a join. The zero value is a sound default.
type JoinOptions struct {
	// Design is "pieces" or "scan". Empty means pieces where they tell codes apart
	// well enough to be faster. The pairs do not depend on it.
	Design string

	// Workers is the number of goroutines. Zero means GOMAXPROCS. The pairs do not
	// depend on it.
	Workers int

	// Progress, where set, is called now and then with the share of the work that is
	// done, in [0, 1], never twice at a time.
	Progress func(done float64)
}

// JoinStats says what a join did.
type JoinStats struct {
	Candidates int64  // pairs compared, each counted for every bucket that held it
	Pairs      int64  // pairs found
	Design     string // such as "4 pieces of 16 bits"
}

// SelfJoin calls emit for each pair of codes within k bits of one another: each once, in
// ascending order of A and then B, from one goroutine. It is exact.
//
// Pairs of distinct codes that are near are held in memory, 8 bytes each, while those that
// repetitions multiply are not: a million equal codes stream out. It
// stops at the first error of emit or of the context and returns it. It panics if the
// list has 1<<32 - 1 codes or more.
func SelfJoin(ctx context.Context, codes Codes, k int, o JoinOptions, emit func(Pair) error) (JoinStats, error) {
	j, err := newJoiner(ctx, codes, nil, k, o)
	if err != nil {
		return JoinStats{}, err
	}
	if j.scans() {
		err = j.scan(codes, codes, true, emit)
		return j.stats, err
	}
	if err := j.run(); err != nil {
		return j.stats, err
	}
	err = j.emitSelf(emit)
	return j.stats, err
}

// Join is SelfJoin for the pairs of a code of a with one of b, such as new documents with
// old ones. The lists must be of one width.
func Join(ctx context.Context, a, b Codes, k int, o JoinOptions, emit func(Pair) error) (JoinStats, error) {
	j, err := newJoiner(ctx, a, &b, k, o)
	if err != nil {
		return JoinStats{}, err
	}
	if j.scans() {
		err = j.scan(a, b, false, emit)
		return j.stats, err
	}
	if err := j.run(); err != nil {
		return j.stats, err
	}
	err = j.emitCross(emit)
	return j.stats, err
}

// SelfJoinGrouped is SelfJoin without the pairs that repetitions multiply. It first
// calls group with the positions of each code that is there more than once, ascending, in
// ascending order of the first; then emit for each pair of distinct codes, of
// each of which the first position stands for all. Slices given to group must not be kept.
func SelfJoinGrouped(ctx context.Context, codes Codes, k int, o JoinOptions, group func(positions []uint32) error, emit func(Pair) error) (JoinStats, error) {
	j, err := newJoiner(ctx, codes, nil, k, o)
	if err != nil {
		return JoinStats{}, err
	}
	err = j.grouped(group, emit)
	return j.stats, err
}

func newJoiner(ctx context.Context, a Codes, b *Codes, k int, o JoinOptions) (*joiner, error) {
	if err := check(a.width, k); err != nil {
		return nil, err
	}
	if b != nil && b.width != a.width {
		return nil, fmt.Errorf("hamming: join of codes of %d bits with codes of %d", a.width, b.width)
	}
	if o.Design != "" && o.Design != "pieces" && o.Design != "scan" {
		return nil, fmt.Errorf("hamming: join design %q, want pieces or scan", o.Design)
	}
	if o.Workers < 0 {
		return nil, fmt.Errorf("hamming: %d join workers, want 0 or more", o.Workers)
	}
	n := uint64(a.Len())
	if b != nil {
		n += uint64(b.Len())
	}
	if n >= gone {
		panic(fmt.Sprintf("hamming: join of %d codes, want fewer than %d", n, uint64(gone)))
	}
	j := &joiner{ctx: ctx, o: o, width: a.width, k: k, a: a, b: b, workers: parallel.Workers(o.Workers)}
	j.plan()
	return j, nil
}
