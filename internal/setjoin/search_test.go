package setjoin

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/similarity"
)

// A search finds what scoring all wanted documents finds.
func TestSearchIsBruteForce(t *testing.T) {
	eachCollection(t, 120, func(t *testing.T, kind Kind, sets []Set) {
		j := of(kind, sets, nil)
		r := rand.New(rand.NewPCG(1, 41))
		for _, threshold := range []float64{1e-6, .28, 1. / 3, .5, .8, .95, 1} {
			s, err := j.Search(t.Context(), similarity.JoinOptions{Threshold: threshold})
			if err != nil {
				t.Fatal(err)
			}
			for _, share := range []float64{1, .6, .1, 0} {
				open := make([]bool, len(sets))
				for i := range open {
					open[i] = r.Float64() < share
				}
				for doc := range sets {
					var want []int
					for i := range sets {
						if i != doc && open[i] && j.Score(doc, i) >= threshold {
							want = append(want, i)
						}
					}
					got, compared := s.Find([]int{-1}, doc, func(i int) bool { return open[i] })
					if slices.Sort(got); !slices.Equal(got[1:], want) || got[0] != -1 || compared > int64(len(sets)) {
						t.Fatalf("threshold %v, document %d of those open with probability %v: %v after %d comparisons, want %v",
							threshold, doc, share, got[1:], compared, want)
					}
				}
			}
		}
	})
}

// Texts that share a template and fall below the threshold are not compared at
// all: their rarest shingles are theirs alone.
func TestSearchSkipsTemplates(t *testing.T) {
	const n = 3000
	r := rand.New(rand.NewPCG(2, 41))
	sets := makeSets(n, func(int, []Set) []uint64 {
		set := draw(r, 16, r.Uint64)
		for common := range uint64(38) {
			set = append(set, (common+1)*hashFactor)
		}
		return set
	})
	s, err := of(OfUnion, sets, nil).Search(t.Context(), similarity.JoinOptions{Threshold: .8})
	if err != nil {
		t.Fatal(err)
	}
	sum := int64(0)
	for doc := range sets {
		found, compared := s.Find(nil, doc, func(int) bool { return true })
		if sum += compared; len(found) > 0 {
			t.Fatalf("document %d has the matches %v", doc, found)
		}
	}
	if sum > n {
		t.Errorf("%d comparisons of %d documents", sum, n)
	}
}
