package bloomsim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// bruteForce scores every pair.
func bruteForce(m *Method, a, b []Filter, threshold float64) []similarity.Pair {
	var out []similarity.Pair
	other := b
	if b == nil {
		other = a
	}
	for i := range a {
		for j := range other {
			if s := m.Score(a[i], other[j]); s >= threshold && (b != nil || i < j) {
				out = append(out, similarity.Pair{A: i, B: j, Score: s})
			}
		}
	}
	return out
}

func join(t testing.TB, m *Method, a, b []Filter, threshold float64, workers int) ([]similarity.Pair, similarity.JoinStats) {
	t.Helper()
	var got []similarity.Pair
	st, err := m.Join(context.Background(), a, b, similarity.JoinOptions{Threshold: threshold, Workers: workers},
		func(p similarity.Pair) error { got = append(got, p); return nil })
	if err != nil {
		t.Fatal(err)
	}
	if st.Pairs != int64(len(got)) || st.Recall != 1 || st.Verified < st.Pairs || st.Candidates < st.Verified {
		t.Errorf("statistics %+v for %d pairs", st, len(got))
	}
	return got, st
}

// collections are filters of every kind that a join treats differently.
func collections(m *Method, n int, seed uint64) map[string][]Filter {
	rng := rand.New(rand.NewPCG(seed, 2))
	common := someFeatures(rng, 300)
	// some draws features, a third of them from the common ones.
	some := func(n int) []feature.Feature {
		fs := someFeatures(rng, n)
		for i := range fs {
			if rng.IntN(3) == 0 {
				fs[i] = common[rng.IntN(len(common))]
			}
		}
		return fs
	}
	out := map[string][]Filter{"none": {}, "empty": make([]Filter, 5)}
	for i := range out["empty"] {
		out["empty"][i] = m.Sketch("")
	}
	var original []feature.Feature
	for i := range n {
		put := func(name string, fs []feature.Feature) { out[name] = append(out[name], m.SketchFeatures(fs)) }
		put("random", some(1+rng.IntN(100)))
		put("few", some(1+rng.IntN(3)))
		put("equal", common[:20])
		mixed := some(1 << rng.IntN(13)) // some saturated, and under Auto of all sizes
		if i%4 == 0 {
			mixed = nil
		}
		put("mixed lengths", mixed)
		put("prefixes", common[:1+rng.IntN(len(common))])
		if i%6 == 0 {
			original = some(50)
		}
		put("planted", append(some(i%6*10), original[i%6*5:]...))
	}
	return out
}

// above returns the pairs that score at least a threshold.
func above(pairs []similarity.Pair, threshold float64) []similarity.Pair {
	return slices.DeleteFunc(slices.Clone(pairs), func(p similarity.Pair) bool { return p.Score < threshold })
}

func TestJoin(t *testing.T) {
	n := 150
	if testing.Short() {
		n = 40
	}
	for _, o := range []Options{{Bits: 512}, {Bits: 1000, Hashes: 3}, {Bits: 64, Score: Raw}, {Bits: Auto}, {Bits: Auto, Score: Raw}, {}} {
		m := mustNew(t, o)
		sets := collections(m, n, 1)
		other := sets["mixed lengths"][:n/2]
		for name, list := range sets {
			within, between := bruteForce(m, list, nil, 1e-300), bruteForce(m, list, other, 1e-300)
			for _, threshold := range []float64{0.05, 0.3, 0.5, 0.8, 1} {
				t.Run(fmt.Sprintf("%s/%s/t=%v", m, name, threshold), func(t *testing.T) {
					want := above(within, threshold)
					var first similarity.JoinStats
					for _, workers := range []int{1, 3} {
						got, st := join(t, m, list, nil, threshold, workers)
						if !slices.Equal(got, want) {
							t.Fatalf("self-join with %d workers finds %d pairs, want %d", workers, len(got), len(want))
						}
						if workers > 1 && st != first {
							t.Errorf("statistics %+v, with one worker %+v", st, first)
						}
						first = st
					}
					want = above(between, threshold)
					if got, _ := join(t, m, list, other, threshold, 2); !slices.Equal(got, want) {
						t.Fatalf("join finds %d pairs, want %d", len(got), len(want))
					}
				})
			}
		}
	}
}

// Several blocks, of filters that only a part of is compared first.
func TestJoinBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	m := mustNew(t, Options{})
	var list []Filter
	var fs []feature.Feature
	n := perBlock*2 + 300
	if testing.Short() {
		n = perBlock + 100
	}
	for i := range n {
		if i%5 == 0 {
			fs = someFeatures(rng, 200+rng.IntN(200))
		}
		copy(fs, someFeatures(rng, 10))
		list = append(list, m.SketchFeatures(fs))
	}
	// Far apart, so that pairs lie across blocks.
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	want := bruteForce(m, list, nil, 0.8)
	if len(want) < n {
		t.Fatalf("%d pairs", len(want))
	}
	got, st := join(t, m, list, nil, 0.8, 2)
	if !slices.Equal(got, want) {
		t.Fatalf("%s: %d pairs, want %d", st.Design, len(got), len(want))
	}
	if st.Candidates > int64(len(list)*len(list)/200) {
		t.Errorf("%s: %d candidates for %d pairs among unrelated filters", st.Design, st.Candidates, st.Pairs)
	}
	half := len(list) / 2
	if got, _ := join(t, m, list[:half], list[half:], 0.8, 2); !slices.Equal(got, bruteForce(m, list[:half], list[half:], 0.8)) {
		t.Fatalf("join of two: %d pairs", len(got))
	}
}

// What a pair needs is never more than it has.
func TestBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 2000 {
		o := Options{Bits: 64 + rng.IntN(300), Score: Score(rng.IntN(2))}
		m := mustNew(t, o)
		x, y := m.SketchFeatures(someFeatures(rng, 1+rng.IntN(200))), m.SketchFeatures(someFeatures(rng, 1+rng.IntN(200)))
		for both := range min(x.ones, y.ones) + 1 {
			if x.ones+y.ones-both > o.Bits {
				continue // no two filters are like that
			}
			s := m.scoreSame(&x, &y, both)
			if s == 0 {
				continue
			}
			b := bound{o.Score, s}
			if need := b.terms(x.ones, o.Bits).need(b.terms(y.ones, o.Bits)); int(need) > max(both, 1) {
				t.Fatalf("%v: %d and %d bits of %d with %d in common score %v, but need %d", o.Score, x.ones, y.ones, o.Bits, both, s, need)
			}
			if lo, hi := b.within(b.weight(x.ones, o.Bits), []float64{b.weight(y.ones, o.Bits)}, 0, 1); lo == hi {
				t.Fatalf("%v: %d and %d bits of %d with %d in common score %v, but differ too much", o.Score, x.ones, y.ones, o.Bits, both, s)
			}
		}
	}
}

func FuzzJoin(f *testing.F) {
	f.Add([]byte("some filters of a few features each, and some more"), uint8(60), true)
	f.Add([]byte("aaaaaaaa        zzzzzzzzzzzzzzz"), uint8(100), false)
	f.Fuzz(func(t *testing.T, data []byte, percent uint8, auto bool) {
		threshold := float64(percent%100+1) / 100
		o := Options{Bits: 64, Score: Score(percent / 128)}
		if auto {
			o.Bits = Auto
		}
		m := mustNew(t, o)
		var list []Filter
		for len(data) > 0 && len(list) < 40 {
			n := min(int(data[0]%16), len(data)-1)
			var fs []feature.Feature
			for _, c := range data[1 : n+1] {
				// Some letters stand for many features.
				for k := range uint64(1) << (c % 8) {
					fs = append(fs, feature.Feature{Hash: (uint64(c)<<8 + k) * 0x9e3779b97f4a7c15, Weight: 1})
				}
			}
			list, data = append(list, m.SketchFeatures(fs)), data[n+1:]
		}
		if got, _ := join(t, m, list, nil, threshold, 2); !slices.Equal(got, bruteForce(m, list, nil, threshold)) {
			t.Fatalf("%s at %v: the join finds %v, want %v", m, threshold, got, bruteForce(m, list, nil, threshold))
		}
		a, b := list[:len(list)/2], list[len(list)/2:]
		if got, _ := join(t, m, a, b, threshold, 1); !slices.Equal(got, bruteForce(m, a, b, threshold)) {
			t.Fatalf("%s at %v: the join of two finds %v, want %v", m, threshold, got, bruteForce(m, a, b, threshold))
		}
	})
}

// BenchmarkJoin joins filters of 200 to 600 features, every fifth that of an edited copy;
// all-pairs is what it replaces.
func BenchmarkJoin(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 5))
	const n = 10_000
	for _, o := range []Options{{}, {Bits: Auto}} {
		m := mustNew(b, o)
		var list []Filter
		for i := range n {
			fs := someFeatures(rng, 200+rng.IntN(400))
			if i%5 == 4 {
				list = append(list, list[i-1])
				continue
			}
			list = append(list, m.SketchFeatures(fs))
		}
		for _, threshold := range []float64{0.3, 0.5, 0.8} {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("bits=%s/t=%v/workers=%d", sizeName(m.o.Bits), threshold, workers), func(b *testing.B) {
					for b.Loop() {
						join(b, m, list, nil, threshold, workers)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n/(n-1)*2, "ns/pair")
				})
			}
		}
		b.Run(fmt.Sprintf("bits=%s/all-pairs", sizeName(m.o.Bits)), func(b *testing.B) {
			row := make([]float32, n)
			for b.Loop() {
				for i := range list {
					m.ScoreRow(list[i], list[i+1:], row[i+1:])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n/(n-1)*2, "ns/pair")
		})
	}
}
