package shingle

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/similarity"
)

// collect runs a join and returns its pairs.
func collect(t testing.TB, join func(emit func(similarity.Pair) error) (similarity.JoinStats, error)) ([]similarity.Pair, similarity.JoinStats) {
	t.Helper()
	var pairs []similarity.Pair
	st, err := join(func(p similarity.Pair) error { pairs = append(pairs, p); return nil })
	if err != nil {
		t.Fatal(err)
	}
	if st.Pairs != int64(len(pairs)) {
		t.Fatalf("%d pairs, statistics say %d", len(pairs), st.Pairs)
	}
	return pairs, st
}

// bruteForce scores all pairs: of a with itself where b is nil, in both directions
// if directed.
func bruteForce[S any](a, b []S, threshold float64, directed bool, score func(a, b S) float64) []similarity.Pair {
	var pairs []similarity.Pair
	other := b
	if b == nil {
		other = a
	}
	for i := range a {
		for j := range other {
			if b == nil && (i == j || j < i && !directed) {
				continue
			}
			if s := score(a[i], other[j]); s >= threshold {
				pairs = append(pairs, similarity.Pair{A: i, B: j, Score: s})
			}
		}
	}
	return pairs
}

// difference says how two lists of pairs differ.
func difference(got, want []similarity.Pair) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("pair %d is %v, want %v", i, got[i], want[i])
		}
	}
	return fmt.Sprintf("%d pairs, want %d", len(got), len(want))
}

// related returns sets of which most are made from an earlier one by few edits,
// some equal and some empty.
func related(r *rand.Rand, n int, bag bool) []Set {
	sets := make([]Set, n)
	for i := range sets {
		var h []uint64
		switch {
		case i%9 == 8: // empty
		case i == 0 || i%3 == 0:
			for range 1 + r.IntN(60) {
				h = append(h, mix(r.Uint64N(1<<16), 0))
			}
		default:
			h = slices.Clone(sets[r.IntN(i)].Hashes)
			for k := range h {
				if i%4 > 0 && r.IntN(10) == 0 {
					h[k] = mix(r.Uint64N(1<<16), 0)
				}
			}
		}
		if h = ascending(h); len(h) == 0 {
			continue
		}
		sets[i].Hashes = h
		if bag {
			for range h {
				sets[i].Weights = append(sets[i].Weights, float64(1+r.IntN(4))/4)
			}
		}
	}
	return sets
}

// The joins of each measure use the Kind that fits it. Package setjoin tests them
// on more collections.
func TestJoinIsBruteForce(t *testing.T) {
	for _, o := range []Options{{}, {Measure: Overlap}, {Bag: true}, {Bag: true, Measure: Overlap}} {
		m := mustNew(t, o)
		sets := related(rand.New(rand.NewPCG(1, 40)), 150, o.Bag)
		for _, threshold := range []float64{1e-6, .28, .5, .8, 1} {
			jo := similarity.JoinOptions{Threshold: threshold}
			for _, b := range [][]Set{nil, sets[50:]} {
				a := sets
				if b != nil {
					a = sets[:50]
				}
				got, _ := collect(t, func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
					return m.Join(t.Context(), a, b, jo, emit)
				})
				if want := bruteForce(a, b, threshold, false, m.Score); !slices.Equal(got, want) {
					t.Errorf("%s at %v, self %t: %s", m, threshold, b == nil, difference(got, want))
				}
			}
			s, err := m.Search(t.Context(), sets, jo)
			if err != nil {
				t.Fatal(err)
			}
			found := 0
			for doc := range sets {
				f, _ := s.Find(nil, doc, func(int) bool { return true })
				found += len(f)
			}
			if want := len(bruteForce(sets, nil, threshold, true, m.Score)); found != want {
				t.Errorf("%s: a search at %v finds %d, want %d", m, threshold, found, want)
			}
		}
	}
}

func TestSearchErrors(t *testing.T) {
	m := mustNew(t, Options{})
	if _, err := m.Search(context.Background(), nil, similarity.JoinOptions{}); err == nil {
		t.Error("no error without a threshold")
	}
	signatures := similarity.Hide(mustMinHash(t, MinHashOptions{})).NewCollection()
	if _, err := similarity.NewSearch(context.Background(), signatures, similarity.JoinOptions{Threshold: .5}); !errors.Is(err, similarity.ErrNoSearch) {
		t.Errorf("error %v of a search by a method that has none", err)
	}
}
