package dedup

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// table is a graph and its scores: pairs of score 0 are not near.
type table [][]float64

func (t table) graph(fixed int) Graph {
	return Graph{Nodes: len(t), Fixed: fixed, Near: func(dst []uint32, node uint32, _ func(uint32) bool) ([]uint32, error) {
		for b := len(t) - 1; b >= 0; b-- {
			if b != int(node) && t[node][b] > 0 {
				dst = append(dst, uint32(b))
			}
		}
		return dst, nil
	}}
}

func (t table) score(a, b uint32) (float64, error) { return t[a][b], nil }

func (t table) near(a, b uint32) (bool, error) { return t[a][b] > 0, nil }

// links yields the pairs that are near, and sets of three.
func (t table) links(yield func([]uint32) error) error {
	for a := range uint32(len(t)) {
		for b := range uint32(len(t)) {
			if err := yield([]uint32{a, b, (a + b) % uint32(len(t))}); err != nil {
				return err
			}
		}
	}
	return nil
}

func randomTable(r *rand.Rand, n int, share float64) table {
	t := make(table, n)
	for i := range t {
		t[i] = make([]float64, n)
		for j := range i {
			if r.Float64() < share {
				t[i][j] = float64(1+r.IntN(10)) / 10
				t[j][i] = t[i][j]
			}
		}
	}
	return t
}

// naive keeps a node unless an earlier kept one that is not fixed against it is alike.
func naive(t table, fixed int, threshold float64) []uint32 {
	leader := make([]uint32, len(t))
	for i := range t {
		leader[i] = uint32(i)
		for j := 0; i >= fixed && j < i; j++ {
			if leader[j] == uint32(j) && t[i][j] > 0 && t[i][j] >= threshold {
				leader[i] = uint32(j)
				break
			}
		}
	}
	return leader
}

func TestClusterEqualsNaive(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		tab := randomTable(r, 1+r.IntN(30), r.Float64())
		fixed, threshold := r.IntN(len(tab)), float64(1+r.IntN(10))/10
		c, err := Cluster(context.Background(), tab.graph(fixed), Rule{Threshold: threshold, Score: tab.score})
		if err != nil {
			t.Fatal(err)
		}
		if want := naive(tab, fixed, threshold); !reflect.DeepEqual(c.Leader, want) {
			t.Fatalf("seed %d: leaders %v, want %v", seed, c.Leader, want)
		}
	}
}

// Whatever the cohesion: a removed document is near enough to its leader, leaders
// lead themselves, come first, and are linked to their members by a chain.
func TestClusterKeepsItsPromise(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		tab := randomTable(r, 1+r.IntN(30), r.Float64()/2)
		threshold := float64(1+r.IntN(10)) / 10
		cohesion := threshold * r.Float64()
		c, err := Cluster(context.Background(), tab.graph(0), Rule{Threshold: threshold, Cohesion: cohesion, Score: tab.score})
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range c.Leader {
			if c.Leader[l] != l || int(l) > i {
				t.Fatalf("seed %d: node %d has the leader %d, which has %d", seed, i, l, c.Leader[l])
			}
			if i != int(l) && (c.Score[i] != tab[i][l] || c.Score[i] < cohesion) {
				t.Fatalf("seed %d: node %d scores %v with its leader, stated %v, want %v", seed, i, tab[i][l], c.Score[i], cohesion)
			}
		}
	}
}

// A negative cohesion gives the connected components.
func TestNoCohesionIsClosure(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 3))
		tab := randomTable(r, 1+r.IntN(40), r.Float64()/10)
		c, err := Cluster(context.Background(), tab.graph(0), Rule{Threshold: .5, Cohesion: -1, Score: tab.score})
		if err != nil {
			t.Fatal(err)
		}
		if want := components(tab, .5); !reflect.DeepEqual(c.Leader, want) {
			t.Fatalf("seed %d: leaders %v, want %v", seed, c.Leader, want)
		}
	}
}

// components labels each node with the least of its component.
func components(t table, threshold float64) []uint32 {
	label := make([]uint32, len(t))
	for i := range label {
		label[i] = uint32(i)
	}
	for range t {
		for i := range t {
			for j := range t {
				if t[i][j] >= threshold {
					label[i] = min(label[i], label[j])
				}
			}
		}
	}
	return label
}

func TestChainEqualsNaive(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 4))
		tab := randomTable(r, 1+r.IntN(40), r.Float64()/8)
		rule := Rule{Threshold: .5, Cohesion: []float64{0, .25, -1}[seed%3], Score: tab.score}
		c, err := Cluster(context.Background(), tab.graph(0), rule)
		if err != nil {
			t.Fatal(err)
		}
		weight := func(n uint32) int { return 1 + int(n)%3 }
		got, err := Chain(context.Background(), len(tab), tab.links, tab.near, rule, c, weight)
		if err != nil {
			t.Fatal(err)
		}
		var want Chaining
		size := map[uint32]int{}
		labels := components(tab, .5)
		for i, l := range labels {
			size[l] += weight(uint32(i))
		}
		for i, l := range labels {
			if size[l] < 2 {
				continue
			}
			if want.Documents += weight(uint32(i)); l == uint32(i) {
				want.Components++
			} else if tab[i][l] < .5 {
				want.Apart += weight(uint32(i))
			}
			want.Largest = max(want.Largest, size[l])
		}
		if got != want {
			t.Fatalf("seed %d: %+v, want %+v", seed, got, want)
		}
	}
}

// A cluster of n equals costs n-1 scores, not n².
func TestClusterOfEqualsIsLinear(t *testing.T) {
	const n = 1000
	g := Graph{Nodes: n, Near: func(dst []uint32, node uint32, _ func(uint32) bool) ([]uint32, error) {
		for b := range uint32(n) {
			if b != node {
				dst = append(dst, b)
			}
		}
		return dst, nil
	}}
	c, err := Cluster(context.Background(), g, Rule{Threshold: 1, Score: func(a, b uint32) (float64, error) { return 1, nil }})
	if err != nil {
		t.Fatal(err)
	}
	if c.Scored != n-1 {
		t.Errorf("%d scores, want %d", c.Scored, n-1)
	}
}

// What comes behind in the order changes nothing before it.
func TestClusterIsIncremental(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 5))
		tab := randomTable(r, 2+r.IntN(40), r.Float64())
		rule := Rule{Threshold: .6, Score: tab.score}
		whole, err := Cluster(context.Background(), tab.graph(0), rule)
		if err != nil {
			t.Fatal(err)
		}
		n := 1 + r.IntN(len(tab)-1)
		part, err := Cluster(context.Background(), tab[:n].graph(0), rule)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(part.Leader, whole.Leader[:n]) {
			t.Fatalf("seed %d: leaders of the first %d are %v alone and %v with the rest", seed, n, part.Leader, whole.Leader[:n])
		}
	}
}

func TestClusterPassesErrorsOn(t *testing.T) {
	bad := errors.New("bad")
	tab := table{{0, 1}, {1, 0}}
	if _, err := Cluster(context.Background(), tab.graph(0), Rule{Threshold: 1, Score: func(a, b uint32) (float64, error) { return 0, bad }}); !errors.Is(err, bad) {
		t.Errorf("error %v, want that of the score", err)
	}
	g := tab.graph(0)
	g.Near = func([]uint32, uint32, func(uint32) bool) ([]uint32, error) { return nil, bad }
	if _, err := Cluster(context.Background(), g, Rule{Threshold: 1, Score: tab.score}); !errors.Is(err, bad) {
		t.Errorf("error %v, want that of the graph", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Cluster(ctx, tab.graph(0), Rule{Threshold: 1, Score: tab.score}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that the context was cancelled", err)
	}
	for _, r := range []Rule{{Threshold: -1}, {Threshold: 1.1}, {Threshold: .5, Cohesion: .6}} {
		if _, err := Cluster(context.Background(), tab.graph(0), r); err == nil {
			t.Errorf("%v is accepted", fmt.Sprint(r.Threshold, r.Cohesion))
		}
	}
}

// Clustering ends at the node at which it is cancelled, and chaining at the
// first one.
func TestClusterCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	looked := 0
	g := Graph{Nodes: 100, Near: func(dst []uint32, node uint32, _ func(uint32) bool) ([]uint32, error) {
		if looked++; node == 3 {
			cancel()
		}
		return dst, nil
	}}
	rule := Rule{Threshold: .5, Score: func(_, _ uint32) (float64, error) { return 0, nil }}
	if _, err := Cluster(ctx, g, rule); !errors.Is(err, context.Canceled) || looked != 4 {
		t.Errorf("error %v after %d nodes", err, looked)
	}
	c, err := Cluster(context.Background(), g, rule)
	if err != nil {
		t.Fatal(err)
	}
	looked = 0
	links := func(yield func([]uint32) error) error { return yield([]uint32{0, 1, 2, 3, 4}) }
	ctx, cancel = context.WithCancel(context.Background())
	near := func(a, _ uint32) (bool, error) {
		looked++
		cancel()
		return false, nil
	}
	if _, err := Chain(ctx, g.Nodes, links, near, rule, c, nil); !errors.Is(err, context.Canceled) || looked != 4 {
		t.Errorf("error %v after %d pairs", err, looked)
	}
}
