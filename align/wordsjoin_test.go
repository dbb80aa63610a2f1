package align

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/similarity"
)

// Joins and searches against the score of every pair, on texts that were edited, whose
// words were put in another order, that repeat words, and on empty ones.
func TestWordsJoinAgainstAllPairs(t *testing.T) {
	const seed = 5
	rng := rand.New(rand.NewPCG(seed, 0))
	m, err := NewWords(WordsOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var texts, others []WordList
	for _, n := range []int{0, 1, 2, 3, 7, 20, 60, 200} {
		for range 6 {
			var a WordList
			for range n {
				a = append(a, uint64(rng.IntN(40)))
			}
			edit := func(rate float64) WordList {
				out := slices.Clone(a)
				for i := range out {
					if rng.Float64() < rate {
						out[i] = rng.Uint64()
					}
				}
				return out
			}
			turned := slices.Clone(a)
			slices.Reverse(turned)
			texts = append(texts, a, slices.Clone(a), turned, edit(.05), edit(.2), append(slices.Clone(a), 7))
			others = append(others, edit(.1), turned)
		}
	}
	compared := int64(0)
	for _, threshold := range []float64{.05, .5, .8, .9, .95, 1} {
		o := similarity.JoinOptions{Threshold: threshold}
		for _, second := range [][]WordList{nil, others} {
			var want []similarity.Pair
			near := map[int][]int{}
			for i, a := range texts {
				with, from := second, 0
				if second == nil {
					with, from = texts, i+1
				}
				for j := from; j < len(with); j++ {
					if s := m.Score(a, with[j]); s >= threshold {
						want = append(want, similarity.Pair{A: i, B: j, Score: s})
						near[i], near[j] = append(near[i], j), append(near[j], i)
					}
				}
			}
			var got []similarity.Pair
			st, err := m.Join(context.Background(), texts, second, o, func(p similarity.Pair) error { got = append(got, p); return nil })
			if err != nil || !slices.Equal(got, want) || st.Pairs != int64(len(want)) {
				t.Errorf("seed %d, from %v on: %d pairs, want %d, %v", seed, threshold, len(got), len(want), err)
			}
			if second != nil {
				continue
			}
			compared += st.Verified
			s, err := m.Search(context.Background(), texts, o)
			if err != nil {
				t.Fatal(err)
			}
			for i := range texts {
				found, _ := s.Find(nil, i, func(int) bool { return true })
				slices.Sort(found)
				slices.Sort(near[i])
				if !slices.Equal(found, near[i]) {
					t.Errorf("seed %d, from %v on: text %d finds %v, want %v", seed, threshold, i, found, near[i])
				}
			}
		}
	}
	if all := int64(6 * len(texts) * len(texts) / 2); compared > all/2 {
		t.Errorf("%d pairs were compared, of %d", compared, all)
	}
	bad := func(similarity.Pair) error { t.Error("a pair at a threshold of 0"); return nil }
	if _, err := m.Join(context.Background(), texts, nil, similarity.JoinOptions{}, bad); err == nil {
		t.Error("a threshold of 0 is accepted")
	}
}
