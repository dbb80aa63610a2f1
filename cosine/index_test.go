package cosine

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/alike-go/alike/feature"
)

// scored scores v against each document and keeps what scores at least the threshold.
func scored(m *Method, docs []Vector, v Vector, threshold float64) []Match {
	var out []Match
	for i := range docs {
		if s := m.Score(v, docs[i]); s > 0 && s >= threshold {
			out = append(out, Match{i, s})
		}
	}
	return out
}

// best sorts matches and cuts them to the first top.
func best(matches []Match, top int) []Match {
	slices.SortStableFunc(matches, func(x, y Match) int { return cmp.Compare(y.Score, x.Score) })
	return matches[:min(top, len(matches))]
}

func TestIndex(t *testing.T) {
	m := mustNew(t, Options{})
	sets := collections(m, 60, 5)
	for name, docs := range sets {
		t.Run(name, func(t *testing.T) {
			x := m.NewIndex(docs)
			if x.Len() != len(docs) {
				t.Errorf("%d documents, want %d", x.Len(), len(docs))
			}
			queries := append(slices.Clone(docs[:min(10, len(docs))]), sets["mixed lengths"][:10]...)
			for i, q := range queries {
				for _, threshold := range []float64{1e-9, 0.3, 0.8, 1} {
					if got, want := x.Search(nil, q, threshold), scored(m, docs, q, threshold); !slices.Equal(got, want) {
						t.Fatalf("query %d at %v: %v, want %v", i, threshold, got, want)
					}
				}
				for _, top := range []int{1, 2, 10, 1000} {
					if got, want := x.Nearest(nil, q, top), best(scored(m, docs, q, 0), top); !slices.Equal(got, want) {
						t.Fatalf("query %d, best %d: %v, want %v", i, top, got, want)
					}
				}
			}
		})
	}
	for name, f := range map[string]func(){
		"threshold": func() { m.NewIndex(nil).Search(nil, Vector{}, 0) },
		"top":       func() { m.NewIndex(nil).Nearest(nil, Vector{}, 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for a %s of 0", name)
				}
			}()
			f()
		}()
	}
}

// More documents than a block, most of them short, so that brute force is quick.
func TestIndexBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 17,000 vectors")
	}
	m := mustNew(t, Options{})
	rng := rand.New(rand.NewPCG(7, 7))
	docs := make([]Vector, indexBlock+600)
	for i := range docs {
		fs := make([]feature.Feature, 1+rng.IntN(12))
		for k := range fs {
			fs[k] = feature.Feature{Hash: uint64(rng.IntN(1+rng.IntN(3000))) * 0x9e3779b97f4a7c15, Weight: float64(1 + rng.IntN(3))}
		}
		docs[i] = m.SketchFeatures(fs)
	}
	x := m.NewIndex(docs)
	var wg sync.WaitGroup
	for from := range 2 { // at the same time
		wg.Go(func() {
			for i := from; i < 60; i += 2 {
				q := docs[i*(len(docs)/60)]
				if got, want := x.Search(nil, q, 0.6), scored(m, docs, q, 0.6); !slices.Equal(got, want) {
					t.Errorf("query %d: %v, want %v", i, got, want)
				}
				if got, want := x.Nearest(nil, q, 5), best(scored(m, docs, q, 0), 5); !slices.Equal(got, want) {
					t.Errorf("query %d: best %v, want %v", i, got, want)
				}
			}
		})
	}
	wg.Wait()
}

func TestIndexAllocatesNothing(t *testing.T) {
	if underRace {
		t.Skip("sync.Pool forgets under the race detector")
	}
	m := mustNew(t, Options{})
	docs := collections(m, 300, 8)["skewed"]
	x := m.NewIndex(docs)
	var found []Match
	i := 0
	// The pool of buffers may be emptied now and then.
	if n := testing.AllocsPerRun(200, func() {
		found = x.Search(found[:0], docs[i%300], 0.4)
		found = x.Nearest(found[:0], docs[i%300], 3)
		i++
	}); n >= 1 {
		t.Errorf("%v allocations a query, want none", n)
	}
}

// BenchmarkIndex looks up one vector among many.
func BenchmarkIndex(b *testing.B) {
	m, vs := texts(b, 10_000)
	x := m.NewIndex(vs)
	run := func(name string, query func(i int)) {
		b.Run(name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				query(i * 7919 % len(vs))
				i++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(vs)), "ns/doc")
		})
	}
	var found []Match
	for _, threshold := range []float64{0.3, 0.5, 0.8} {
		run(fmt.Sprintf("t=%v", threshold), func(i int) { found = x.Search(found[:0], vs[i], threshold) })
	}
	for _, top := range []int{1, 10, 100} {
		run(fmt.Sprintf("top=%d", top), func(i int) { found = x.Nearest(found[:0], vs[i], top) })
	}
	row := make([]float32, len(vs))
	run("row", func(i int) { m.ScoreRow(vs[i], vs, row) })
}
