package shingle

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/similarity"
)

// naiveTop keeps the best of all pairs of each document.
func naiveTop(a, b []Set, top int, threshold float64, score func(a, b Set) float64) []similarity.Pair {
	of := make(map[int][]similarity.Pair)
	for _, p := range bruteForce(a, b, threshold, true, score) {
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

func TestJoinTopIsBruteForce(t *testing.T) {
	for name, collection := range collections {
		for _, o := range []Options{{}, {Measure: Overlap}, {Bag: true}} {
			m := mustNew(t, o)
			t.Run(fmt.Sprintf("%s/%s", name, m), func(t *testing.T) {
				r := rand.New(rand.NewPCG(1, 41))
				sets := collection(r, 70)
				if o.Bag {
					sets = weigh(r, sets)
				}
				for _, threshold := range []float64{1e-6, .2, .5, .9, 1} {
					for _, top := range []int{1, 2, 5, 1000} {
						for _, b := range [][]Set{nil, sets[25:]} {
							a := sets
							if b != nil {
								a = sets[:25]
							}
							got, _ := collect(t, func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
								return m.JoinTop(context.Background(), a, b, top, similarity.JoinOptions{Threshold: threshold, Workers: 2}, emit)
							})
							if want := naiveTop(a, b, top, threshold, m.Score); !slices.Equal(got, want) {
								t.Fatalf("best %d at %v, self %t: %s", top, threshold, b == nil, difference(got, want))
							}
						}
					}
				}
			})
		}
	}
	if _, err := mustNew(t, Options{}).JoinTop(context.Background(), nil, nil, 0, similarity.JoinOptions{Threshold: 1}, nil); err == nil {
		t.Error("no error for the best 0")
	}
}
