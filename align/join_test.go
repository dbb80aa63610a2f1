package align

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/alike-go/alike/similarity"
)

// Joins against every pair, on texts of every alphabet and of lengths around each border.
func TestJoinAgainstAllPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	var texts, others []Text
	for _, name := range []string{"two", "letter", "latin", "border", "han"} {
		alphabet := alphabets[name]
		for range 12 {
			a := word(rng, alphabet, rng.IntN(90))
			texts = append(texts, sketchOf(a), sketchOf(edited(rng, alphabet, a, .1)))
			others = append(others, sketchOf(edited(rng, alphabet, a, .2)))
		}
		a := word(rng, alphabet, 300)
		texts = append(texts, sketchOf(a), sketchOf(edited(rng, alphabet, a, .1)), Text{})
		others = append(others, sketchOf(edited(rng, alphabet, a, .2)))
	}
	for _, measure := range []Measure{Edit, Subsequence, Substring} {
		m, err := New(Options{Measure: measure})
		if err != nil {
			t.Fatal(err)
		}
		for _, threshold := range []float64{.1, .5, .8, .9, 1} {
			for _, second := range [][]Text{nil, others} {
				var want []similarity.Pair
				for i, a := range texts {
					with, from := second, 0
					if second == nil {
						with, from = texts, i+1
					}
					for j := from; j < len(with); j++ {
						if s := m.Score(a, with[j]); s >= threshold {
							want = append(want, similarity.Pair{A: i, B: j, Score: s})
						}
					}
				}
				for _, workers := range []int{1, 3} {
					n := 0
					st, err := m.Join(context.Background(), texts, second, similarity.JoinOptions{Threshold: threshold, Workers: workers}, func(p similarity.Pair) error {
						if n < len(want) && p != want[n] {
							t.Errorf("%s from %v on: pair %d is %+v, want %+v", m, threshold, n, p, want[n])
						}
						n++
						return nil
					})
					if err != nil || n != len(want) || st.Pairs != int64(n) {
						t.Errorf("%s from %v on: %d pairs, %v, want %d", m, threshold, n, err, len(want))
					}
				}
			}
		}
	}
}

func TestJoinStops(t *testing.T) {
	m, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	texts := []Text{sketchOf("abc"), sketchOf("abc"), sketchOf("abd")}
	stop := errors.New("enough")
	if _, err := m.Join(context.Background(), texts, nil, similarity.JoinOptions{Threshold: .5}, func(similarity.Pair) error { return stop }); err != stop {
		t.Errorf("error %v, want that of emit", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Join(ctx, texts, nil, similarity.JoinOptions{Threshold: .5}, func(similarity.Pair) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if _, err := m.Join(context.Background(), texts, nil, similarity.JoinOptions{}, func(similarity.Pair) error { return nil }); err == nil {
		t.Error("no error for a threshold of 0")
	}
}
