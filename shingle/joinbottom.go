package shingle

import (
	"context"

	"github.com/alike-go/alike/similarity"
)

var _ similarity.Joiner[BottomSketch] = (*Bottom)(nil)

// Join finds all pairs that score at least the threshold, exactly, as Method.Join does:
// of the hashes sampled, which are as many as either sketch has or more, that share must be in
// both.
func (m *Bottom) Join(ctx context.Context, a, b []BottomSketch, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	return joinSets(ctx, ofGreater, asSets(a), asSets(b), func(s, t Set) float64 { return m.Score(s.Hashes, t.Hashes) }, o, emit)
}

// asSets returns the sketches as sets, and nil for nil.
func asSets(sketches []BottomSketch) []Set {
	if sketches == nil {
		return nil
	}
	sets := make([]Set, len(sketches))
	for i, s := range sketches {
		sets[i].Hashes = s
	}
	return sets
}
