package steps

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/alike-go/alike/dedup"
)

// Waves and the sweep decide with judgements as dedup.Cluster does over the whole graph.
func TestJudgedEqualsCluster(t *testing.T) {
	unknown, changed := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 21))
		const n = 30
		fixed := uint32(r.IntN(8))
		scores := map[[2]uint32]float64{}
		near := make([][]uint32, n)
		var pairs []Pair
		for b := range uint32(n) {
			for a := range b {
				if b < fixed || r.IntN(8) > 0 {
					continue
				}
				s := .8 + r.Float64()/5
				scores[[2]uint32{a, b}] = s
				near[a], near[b] = append(near[a], b), append(near[b], a)
				pairs = append(pairs, Pair{rankOf(a), rankOf(b), s})
			}
		}
		groups := &dedup.Groups{Of: make([]int32, n)}
		for i := range groups.Of {
			groups.Of[i] = int32(r.IntN(14))
			if groups.Of[i] >= 6 {
				groups.Of[i] = -1
			}
		}
		apart := map[[2]int32]bool{}
		for range 6 {
			a, b := int32(r.IntN(6)), int32(r.IntN(6))
			apart[[2]int32{a, b}], apart[[2]int32{b, a}] = a != b, a != b
		}
		groups.Apart = func(a, b int32) bool { return apart[[2]int32{a, b}] }
		cluster := func(judged *dedup.Groups) *dedup.Clustering {
			c, err := dedup.Cluster(t.Context(), dedup.Graph{
				Nodes: n, Fixed: int(fixed),
				Near: func(dst []uint32, node uint32, _ func(uint32) bool) ([]uint32, error) {
					return append(dst, near[node]...), nil
				},
			}, dedup.Rule{Threshold: .5, Judged: judged, Score: func(a, b uint32) (float64, error) {
				return scores[[2]uint32{min(a, b), max(a, b)}], nil
			}})
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		want, free := cluster(groups), cluster(nil)

		nodes := map[dedup.Rank]*Node{}
		of := map[dedup.Rank][]Pair{}
		for _, p := range pairs {
			of[p.A], of[p.B] = append(of[p.A], p), append(of[p.B], p)
		}
		sweep := NewRankSweep(t.TempDir(), 1<<18)
		sweep.Apart = groups.Apart
		sweep.Old = func(r dedup.Rank) bool { return r < rankOf(fixed) }
		for i := range uint32(n) {
			node := NewNode(rankOf(i), of[rankOf(i)])
			if node.Held = groups.Of[i] >= 0; node.Held {
				if err := sweep.Judge(node.Rank, groups.Of[i]); err != nil {
					t.Fatal(err)
				}
			}
			nodes[node.Rank] = &node
		}
		got := map[dedup.Rank]Decision{}
		take := func(d Decision) error { got[d.Rank] = d; return nil }
		for range 1 + r.IntN(4) {
			told := map[dedup.Rank][]News{}
			for rank, node := range nodes {
				if d, done := node.Decide(func(to dedup.Rank, w News) { told[to] = append(told[to], w) }); done {
					take(d)
					delete(nodes, rank)
				}
			}
			for rank, node := range nodes {
				node.Hear(told[rank])
			}
		}
		for _, node := range nodes {
			if err := node.Pairs(sweep.Add); err != nil {
				t.Fatal(err)
			}
		}
		if err := sweep.Each(t.Context(), take); err != nil {
			t.Fatal(err)
		}
		if err := sweep.Close(); err != nil {
			t.Fatal(err)
		}
		for i := range uint32(n) {
			leader, score := rankOf(want.Leader[i]), want.Score[i]
			d, ok := got[rankOf(i)]
			if !ok {
				d = Decision{rankOf(i), rankOf(i), 1}
			}
			if math.IsNaN(d.Score) { // an engine scores it
				unknown++
				d.Score = score
			}
			if d.Leader != leader || d.Score != score {
				t.Fatalf("seed %d: text %d goes for %x with %v, want %x with %v", seed, i, d.Leader, d.Score, leader, score)
			}
			if want.Leader[i] != free.Leader[i] {
				changed++
			}
		}
	}
	if unknown < 100 || changed < 100 {
		t.Errorf("%d scores were unknown, %d texts go for others than without judgements: these graphs show nothing", unknown, changed)
	}
}
