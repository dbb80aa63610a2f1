package pairs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/alike-go/alike/dedup"
)

// writePairs writes pairs in some files, as engines do.
func writePairs(t testing.TB, dir string, pairs []Pair, files int) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "data"), 0o777); err != nil {
		t.Fatal(err)
	}
	for i := range files {
		own := pairs[i*len(pairs)/files : (i+1)*len(pairs)/files]
		if err := parquet.WriteFile(filepath.Join(dir, "data", fmt.Sprintf("part-%d.parquet", i)), own); err != nil {
			t.Fatal(err)
		}
	}
	// What engines put beside it.
	if err := os.WriteFile(filepath.Join(dir, "data", "._crc.parquet"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// The outcome is that of dedup.Cluster, whose graph is a table of all pairs, in any order of keeping.
func TestDecidesAsCluster(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		n := 1 + r.IntN(40)
		scores := make(map[[2]uint32]float64)
		for range r.IntN(3 * n) {
			a, b := uint32(r.IntN(n)), uint32(r.IntN(n))
			if a != b {
				scores[[2]uint32{min(a, b), max(a, b)}] = float64(r.IntN(101)) / 100
			}
		}
		order := r.Perm(n) // by node, its place
		if seed%2 == 0 {
			order = nil
		}
		const threshold = .4
		want, chain := oracle(t, n, scores, order, threshold)

		var pairs []Pair
		for p, s := range scores {
			pairs = append(pairs, Pair{int64(p[0]), int64(p[1]), s})
			if r.IntN(4) == 0 {
				pairs = append(pairs, Pair{int64(p[1]), int64(p[0]), s}) // again, the other way round
			}
		}
		r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		dir := t.TempDir()
		writePairs(t, dir, pairs, 3)
		s, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		g := graph{nodes: n, node: func(number int64) (uint32, bool) { return uint32(number), number >= 0 && number < int64(n) }}
		if order != nil {
			g.compare = func(a, b uint32) int { return order[a] - order[b] }
		}
		got := make(map[uint32]removal)
		res, err := decide(t.Context(), s, g, Options{Threshold: threshold, Memory: 1, Dir: t.TempDir()}, func(node, leader uint32, score float64) error {
			got[node] = removal{leader, score}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: removed %v, want %v", seed, got, want)
		}
		if res.removed != len(want) || res.pairs != int64(len(pairs)) {
			t.Errorf("seed %d: %d removed by %d pairs, want %d by %d", seed, res.removed, res.pairs, len(want), len(pairs))
		}
		if res.chaining != chain {
			t.Errorf("seed %d: chaining %+v, want %+v", seed, res.chaining, chain)
		}
	}
}

// oracle clusters by dedup.Cluster, and finds components by repeating what is said of neighbours until
// nothing changes.
func oracle(t *testing.T, n int, scores map[[2]uint32]float64, order []int, threshold float64) (map[uint32]removal, dedup.Chaining) {
	t.Helper()
	nodes := make([]uint32, n) // by place
	place := make([]uint32, n)
	for i := range n {
		p := i
		if order != nil {
			p = order[i]
		}
		nodes[p], place[i] = uint32(i), uint32(p)
	}
	score := func(a, b uint32) (float64, bool) {
		x, y := nodes[a], nodes[b]
		s, ok := scores[[2]uint32{min(x, y), max(x, y)}]
		return s, ok
	}
	c, err := dedup.Cluster(context.Background(), dedup.Graph{Nodes: n, Near: func(dst []uint32, node uint32, open func(uint32) bool) ([]uint32, error) {
		for b := range uint32(n) {
			if _, ok := score(node, b); ok && open(b) {
				dst = append(dst, b)
			}
		}
		return dst, nil
	}}, dedup.Rule{Threshold: threshold, Score: func(a, b uint32) (float64, error) {
		s, _ := score(a, b)
		return s, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[uint32]removal)
	for p, l := range c.Leader {
		if uint32(p) != l {
			out[nodes[p]] = removal{nodes[l], c.Score[p]}
		}
	}
	root := make([]uint32, n) // by place: the least of the component
	for p := range root {
		root[p] = uint32(p)
	}
	for changed := true; changed; {
		changed = false
		for pair, s := range scores {
			a, b := place[pair[0]], place[pair[1]]
			if m := min(root[a], root[b]); s >= threshold && root[a] != root[b] {
				root[a], root[b], changed = m, m, true
			}
		}
	}
	var chain dedup.Chaining
	for r := range uint32(n) {
		size, apart := 0, 0
		for p := range root {
			if root[p] == r {
				size++
				if c.Leader[p] != r {
					apart++
				}
			}
		}
		if size > 1 {
			chain.Components++
			chain.Documents += size
			chain.Apart += apart
			chain.Largest = max(chain.Largest, size)
		}
	}
	return out, chain
}

// removal is the leader of a node and their score.
type removal struct {
	leader uint32
	score  float64
}

func TestRefusesBadPairs(t *testing.T) {
	g := graph{nodes: 3, node: func(n int64) (uint32, bool) { return uint32(n), n >= 0 && n < 3 }}
	for _, c := range []struct {
		pair Pair
		want string
	}{
		{Pair{0, 3, .9}, "0 and 3, of which there is no such document"},
		{Pair{-1, 2, .9}, "no such document"},
		{Pair{1, 1, .9}, "1 and 1"},
		{Pair{0, 1, 1.5}, "a score from 0 to 1"},
	} {
		dir := t.TempDir()
		writePairs(t, dir, []Pair{c.pair}, 1)
		s, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		_, err = decide(t.Context(), s, g, Options{Dir: t.TempDir()}, func(uint32, uint32, float64) error { return nil })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want one that says %q", c.pair, err, c.want)
		}
	}
	other := filepath.Join(t.TempDir(), "other.parquet")
	if err := parquet.WriteFile(other, []struct{ A string }{{"x"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(other); err == nil || !strings.Contains(err.Error(), "want the columns a and b") {
		t.Errorf("a file of other columns: %v", err)
	}
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("no error for a folder without pairs")
	}
}

// A run that is cancelled says so and leaves no file behind.
func TestDecideIsCancelled(t *testing.T) {
	dir, tmp := t.TempDir(), t.TempDir()
	var pairs []Pair
	for i := range int64(20_000) {
		pairs = append(pairs, Pair{i, i + 1, 1})
	}
	writePairs(t, dir, pairs, 4)
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, stage := range []string{"read", "sort", "chains"} {
		ctx, cancel := context.WithCancel(t.Context())
		g := graph{nodes: 30_000, node: func(n int64) (uint32, bool) { return uint32(n), true }}
		_, err := decide(ctx, s, g, Options{Threshold: .5, Dir: tmp, Memory: 1, Progress: func(now string, _ float64) {
			if now == stage {
				cancel()
			}
		}}, func(uint32, uint32, float64) error { return nil })
		cancel()
		if !strings.Contains(fmt.Sprint(err), "context canceled") {
			t.Errorf("cancelled in %s: error %v", stage, err)
		}
		left, err := os.ReadDir(tmp)
		if err != nil || len(left) > 0 {
			t.Errorf("cancelled in %s: %d files left, %v", stage, len(left), err)
		}
	}
}
