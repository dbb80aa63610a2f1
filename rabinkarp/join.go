package rabinkarp

import (
	"context"

	"github.com/alike-go/alike/internal/setjoin"
	"github.com/alike-go/alike/internal/splitmix"
	"github.com/alike-go/alike/similarity"
)

var (
	_ similarity.Joiner[Sketch] = (*Manber)(nil)
	_ similarity.Joiner[Sketch] = (*Winnow)(nil)
)

// Join finds all pairs that score at least o.Threshold, as similarity.Joiner
// says. It is exact. It compares sets that share one of their rarest
// fingerprints and fit in size (see package internal/setjoin). Sketches without
// fingerprints meet by checksum and size.
func (m *method) Join(ctx context.Context, a, b []Sketch, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	other := b
	if b == nil {
		other = a
	}
	j := setjoin.Join{
		Kind: kindOf(m.measure), A: setjoin.Of(a, setOf), B: setjoin.Of(b, setOf),
		Score: func(i, j int) float64 { return m.Score(a[i], other[j]) },
		Name:  "rabinkarp", Design: "inverted index of prefixes, rare fingerprints first",
	}
	return j.Pairs(ctx, o, emit)
}

// kindOf returns what two sets must share to be a pair.
func kindOf(measure Measure) setjoin.Kind {
	if measure == Overlap {
		return setjoin.OfSmaller
	}
	return setjoin.OfUnion
}

// setOf returns the set that a sketch is joined as. A text without fingerprints
// is the set of one hash that stands for it, and an empty one the empty set.
func setOf(s Sketch) setjoin.Set {
	switch {
	case s.Size == 0:
		return setjoin.Set{}
	case len(s.Prints) == 0:
		return setjoin.Set{Hashes: []uint64{textHash(s)}}
	}
	return setjoin.Set{Hashes: s.Prints}
}

// textHash returns a hash of what a text is compared by that has no fingerprints.
func textHash(s Sketch) uint64 { return splitmix.Mix(s.Sum ^ splitmix.Mix(uint64(s.Size))) }
