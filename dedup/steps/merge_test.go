package steps

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/alike-go/alike/dedup"
)

// rankOf returns ranks in the order of numbers.
func rankOf(n uint32) dedup.Rank {
	return dedup.Rank(binary.BigEndian.AppendUint64(nil, uint64(n)))
}

// graph is pairs of numbers with scores, the lesser first.
type graph struct {
	nodes, fixed int
	pairs        map[[2]uint32]float64
}

func randomGraph(r *rand.Rand) graph {
	g := graph{nodes: 2 + r.IntN(60), pairs: map[[2]uint32]float64{}}
	g.fixed = r.IntN(g.nodes) * r.IntN(2)
	share := r.Float64() * r.Float64()
	for b := range uint32(g.nodes) {
		for a := range b {
			if r.Float64() < share && int(b) >= g.fixed {
				g.pairs[[2]uint32{a, b}] = float64(1+r.IntN(100)) / 100
			}
		}
	}
	return g
}

// chain is a graph in which each is alike to the next.
func chain(n uint32) graph {
	g := graph{nodes: int(n), pairs: map[[2]uint32]float64{}}
	for i := range n - 1 {
		g.pairs[[2]uint32{i, i + 1}] = .9
	}
	return g
}

// cluster decides by package dedup.
func (g graph) cluster(t *testing.T) *dedup.Clustering {
	t.Helper()
	near := make([][]uint32, g.nodes)
	for p := range g.pairs {
		near[p[0]], near[p[1]] = append(near[p[0]], p[1]), append(near[p[1]], p[0])
	}
	c, err := dedup.Cluster(t.Context(), dedup.Graph{Nodes: g.nodes, Fixed: g.fixed,
		Near: func(dst []uint32, n uint32, _ func(uint32) bool) ([]uint32, error) {
			return append(dst, near[n]...), nil
		},
	}, dedup.Rule{Threshold: .005, Score: func(a, b uint32) (float64, error) { return g.pairs[[2]uint32{min(a, b), max(a, b)}], nil }})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (g graph) ranked(r *rand.Rand) []Pair {
	var out []Pair
	for p, s := range g.pairs {
		out = append(out, Pair{rankOf(p[0]), rankOf(p[1]), s})
		if r.IntN(10) == 0 {
			out = append(out, out[len(out)-1]) // repetition does no harm
		}
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func (g graph) check(t *testing.T, removed map[dedup.Rank]Decision) {
	t.Helper()
	c := g.cluster(t)
	n := 0
	for i, l := range c.Leader {
		if uint32(i) == l {
			continue
		}
		n++
		if got, want := removed[rankOf(uint32(i))], (Decision{rankOf(uint32(i)), rankOf(l), c.Score[i]}); got != want {
			t.Fatalf("text %d: %x of %x at %v, want %x at %v", i, got.Leader, got.Rank, got.Score, want.Leader, want.Score)
		}
	}
	if len(removed) != n {
		t.Fatalf("%d texts are removed, want %d", len(removed), n)
	}
}

// Waves, as many as there may be, and the sweep of what they leave are dedup.Cluster.
func TestWavesAndSweepEqualCluster(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 7))
		g := randomGraph(r)
		e := engine{t: t, r: r, waves: r.IntN(8) * r.IntN(8)}
		g.check(t, e.decide(g.ranked(r)))
	}
}

// Without a sweep, as many waves as there are texts decide on all.
func TestWavesEnd(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 8))
		g := randomGraph(r)
		nodes := map[dedup.Rank]*Node{}
		for n := range uint32(g.nodes) {
			var own []Pair
			for p, s := range g.pairs {
				if p[0] == n || p[1] == n {
					own = append(own, Pair{rankOf(p[0]), rankOf(p[1]), s})
				}
			}
			node := NewNode(rankOf(n), own)
			nodes[node.Rank] = &node
		}
		news := map[dedup.Rank][]News{}
		for wave := 0; len(nodes) > 0; wave++ {
			if wave > g.nodes {
				t.Fatalf("seed %d: %d of %d texts are not decided on after %d waves", seed, len(nodes), g.nodes, wave)
			}
			told := map[dedup.Rank][]News{}
			for r, n := range nodes {
				n.Hear(news[r])
			}
			for r, n := range nodes {
				if _, done := n.Decide(func(to dedup.Rank, w News) { told[to] = append(told[to], w) }); done {
					delete(nodes, r)
				}
			}
			news = told
		}
	}
}

// A chain of which each link waits for the one before costs no more than its length.
func TestSweepOfALongChain(t *testing.T) {
	g := chain(50_000)
	e := engine{t: t, r: rand.New(rand.NewPCG(1, 9)), waves: 3}
	g.check(t, e.decide(g.ranked(e.r)))
}

func TestSweepEqualsCluster(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 10))
		g := randomGraph(r)
		s := NewSweep(t.TempDir(), 0)
		for p, score := range g.pairs {
			if r.IntN(2) == 0 {
				p[0], p[1] = p[1], p[0]
			}
			if err := s.Add(p[0], p[1], score); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			c, err := s.Decide(t.Context(), uint32(g.nodes))
			if err != nil {
				t.Fatal(err)
			}
			removed := map[dedup.Rank]Decision{}
			for node, leader := range c.Leader {
				if uint32(node) != leader {
					removed[rankOf(uint32(node))] = Decision{rankOf(uint32(node)), rankOf(leader), c.Score[node]}
				}
			}
			g.check(t, removed)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// In order, each once, and with no file left.
func TestRankSweepSaysEachOnce(t *testing.T) {
	dir := t.TempDir()
	s := NewRankSweep(dir, 1<<14)
	g := chain(5000)
	for _, p := range g.ranked(rand.New(rand.NewPCG(1, 11))) {
		if err := s.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	var got []dedup.Rank
	if err := s.Each(t.Context(), func(d Decision) error { got = append(got, d.Rank); return nil }); err != nil {
		t.Fatal(err)
	}
	var want []dedup.Rank
	for i := range uint32(4999) {
		want = append(want, rankOf(i+1))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d decisions, or in another order than by rank, want %d", len(got), len(want))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

func TestSweepRefuses(t *testing.T) {
	s := NewRankSweep(t.TempDir(), 0)
	defer s.Close()
	if err := s.Add(Pair{rankOf(1), rankOf(2), .5}); err != nil {
		t.Fatal(err)
	}
	for _, p := range []Pair{{rankOf(1), rankOf(1), 1}, {rankOf(2), rankOf(1), 1}, {rankOf(1), rankOf(2) + "x", 1}} {
		if err := s.Add(p); err == nil {
			t.Errorf("%+v is accepted", p)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Each(ctx, func(Decision) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that the context was cancelled", err)
	}
	n := NewSweep(t.TempDir(), 0)
	defer n.Close()
	if err := n.Add(1, 1, 1); err == nil {
		t.Error("a pair of one text is accepted")
	}
	if err := n.Add(1, 7, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := n.Decide(t.Context(), 8); err != nil {
		t.Fatal(err)
	}
	if _, err := n.Decide(t.Context(), 7); err == nil {
		t.Error("more texts than were said are accepted")
	}
}
