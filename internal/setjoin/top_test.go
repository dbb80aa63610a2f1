package setjoin

import (
	"cmp"
	"slices"
	"testing"

	"github.com/alike-go/alike/similarity"
)

// naiveTop keeps the best of all pairs of each document.
func naiveTop(j *Join, top int, threshold float64) []similarity.Pair {
	of := make(map[int][]similarity.Pair)
	for _, p := range bruteForce(j, threshold, true) {
		of[p.A] = append(of[p.A], p)
	}
	var best []similarity.Pair
	for _, pairs := range of {
		slices.SortFunc(pairs, func(x, y similarity.Pair) int {
			return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.B, y.B))
		})
		best = append(best, pairs[:min(top, len(pairs))]...)
	}
	slices.SortFunc(best, comparePairs)
	return best
}

func TestTopIsBruteForce(t *testing.T) {
	eachCollection(t, 70, func(t *testing.T, kind Kind, sets []Set) {
		cut := len(sets) / 3
		for _, j := range []*Join{of(kind, sets, nil), of(kind, sets[:cut], sets[cut:])} {
			for _, threshold := range []float64{1e-6, .2, .5, .9, 1} {
				for _, top := range []int{1, 2, 5, 1000} {
					got, _ := collect(t, func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
						return j.Top(t.Context(), top, similarity.JoinOptions{Threshold: threshold, Workers: 2}, emit)
					})
					if want := naiveTop(j, top, threshold); !slices.Equal(got, want) {
						t.Fatalf("best %d at %v, self %t: %s", top, threshold, j.B.At == nil, difference(got, want))
					}
				}
			}
		}
	})
}
