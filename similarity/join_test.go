package similarity_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/similarity"
)

func TestJoinOptionsCheck(t *testing.T) {
	for _, o := range []similarity.JoinOptions{
		{}, {Threshold: -1}, {Threshold: 1.01}, {Threshold: 0.5, Recall: 1}, {Threshold: 0.5, Recall: -0.1}, {Threshold: 0.5, Workers: -1}, {Threshold: 0.5, Documents: -1},
	} {
		if _, err := o.Check(); err == nil {
			t.Errorf("no error for %+v", o)
		}
	}
	if o, err := (similarity.JoinOptions{Threshold: 1}).Check(); err != nil || o.Recall != similarity.DefaultRecall {
		t.Errorf("%+v, %v", o, err)
	}
}

// The oracle sorts the pairs of each document and takes the first.
func TestBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		n, top, self := 2+rng.IntN(12), 1+rng.IntN(4), rng.IntN(2) == 0
		var pairs []similarity.Pair
		for a := range n {
			for b := range n {
				if (a < b || !self) && rng.IntN(3) > 0 {
					pairs = append(pairs, similarity.Pair{A: a, B: b, Score: float64(rng.IntN(4)) / 4})
				}
			}
		}
		var want []similarity.Pair
		for d := range n {
			var own []similarity.Pair
			for _, p := range pairs {
				if p.A == d || self && p.B == d {
					own = append(own, p)
				}
			}
			slices.SortFunc(own, func(x, y similarity.Pair) int {
				return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.A+x.B, y.A+y.B))
			})
			want = append(want, own[:min(top, len(own))]...)
		}
		slices.SortFunc(want, func(x, y similarity.Pair) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
		want = slices.Compact(want)
		rng.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		best := similarity.NewBest(top, self)
		for _, p := range pairs {
			best.Add(p)
		}
		if got := best.Pairs(); !slices.Equal(got, want) {
			t.Fatalf("top %d of %v (self %v): %v, want %v", top, pairs, self, got, want)
		}
	}
}

// With groups spelled out again, the grouped join is the full one.
func TestJoinGrouped(t *testing.T) {
	m, err := shingle.New(shingle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	words := []string{"all", "blue", "cats", "doze"}
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 2))
		c := similarity.Hide(m).NewCollection()
		for range rng.IntN(30) {
			text := ""
			for range rng.IntN(4) {
				text += words[rng.IntN(len(words))] + " "
			}
			c.Add(text)
		}
		o := similarity.JoinOptions{Threshold: 0.4}
		first := c.Groups()
		var want, got []similarity.Pair
		if _, err := c.Join(t.Context(), nil, o, func(p similarity.Pair) error {
			if first[p.A] == p.A && (first[p.B] == p.B || first[p.B] == p.A) {
				want = append(want, p)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		st, err := similarity.JoinGrouped(t.Context(), c, o, func(p similarity.Pair) error { got = append(got, p); return nil })
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) || st.Pairs != int64(len(want)) {
			t.Fatalf("seed %d: %v (%d pairs counted), want %v", seed, got, st.Pairs, want)
		}
	}
}
