package dedup

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestJudgements(t *testing.T) {
	j, err := NewJudged([]Judgement{{"a", "b", true}, {"c", "b", true}, {"c", "d", false}, {"e", "f", false}})
	if err != nil {
		t.Fatal(err)
	}
	g := j.Group
	if g("a") != g("c") || g("a") == g("d") || g("x") != -1 || g("e") == g("f") {
		t.Errorf("groups %d %d %d %d %d", g("a"), g("c"), g("d"), g("e"), g("f"))
	}
	if !j.Apart(g("d"), g("a")) || !j.Apart(g("f"), g("e")) || j.Apart(g("a"), g("e")) {
		t.Error("other groups are apart than a, b, c of d, and e of f")
	}
	_, err = NewJudged([]Judgement{{"a", "b", true}, {"b", "c", true}, {"c", "d", true}, {"x", "d", true}, {"d", "a", false}, {"x", "x", false}})
	for _, want := range []string{"d and a are marked as different, but as the same by way of c, b", "x and x are marked"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}

// Whatever the scores are: a group has one leader, or its members are leaders that are
// fixed; no cluster has two groups that are apart; and all others are alike to their
// leader.
func TestClusterKeepsToJudgements(t *testing.T) {
	apart, together := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		tab := randomTable(r, 2+r.IntN(25), r.Float64())
		fixed := r.IntN(len(tab)) * r.IntN(2)
		g := &Groups{Of: make([]int32, len(tab)), Apart: func(a, b int32) bool { return (a+b)%3 == 1 }}
		for i := range g.Of {
			g.Of[i] = int32(r.IntN(12)) - 4
			g.Of[i] = max(g.Of[i], -1)
		}
		rule := Rule{Threshold: .6, Score: tab.score, Judged: g, Counts: func(a, b uint32) bool {
			return g.Of[a] < 0 || g.Of[b] < 0 || g.Of[a] == g.Of[b] || !g.Apart(g.Of[a], g.Of[b])
		}}
		c, err := Cluster(t.Context(), tab.graph(fixed), rule)
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range c.Leader {
			if c.Leader[l] != l || i < fixed && int(l) != i {
				t.Fatalf("seed %d: leaders %v, %d are fixed", seed, c.Leader, fixed)
			}
			mates := 0
			for k, m := range c.Leader {
				if a, b := g.Of[i], g.Of[k]; a >= 0 && b >= 0 && i != k {
					switch {
					case a == b && l != m && i >= fixed && k >= fixed:
						t.Fatalf("seed %d: %d and %d of group %d go to %d and %d", seed, i, k, a, l, m)
					case a == b:
						mates++
					case l == m && g.Apart(a, b):
						t.Fatalf("seed %d: %d and %d are in the cluster of %d, and apart", seed, i, k, l)
					case g.Apart(a, b) && tab[i][k] >= .6:
						apart++
					}
				}
			}
			if int(l) != i && tab[i][l] < .6 {
				if mates == 0 {
					t.Fatalf("seed %d: %d is removed for %d by a score of %v", seed, i, l, tab[i][l])
				}
				together++
			}
		}
	}
	if apart < 100 || together < 100 {
		t.Errorf("%d pairs apart, %d removed as judged: that shows nothing", apart, together)
	}
}
