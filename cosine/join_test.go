package cosine

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/similaritytest"
)

// bruteForce scores every pair.
func bruteForce(m *Method, a, b []Vector, threshold float64) []similarity.Pair {
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

func join(t testing.TB, m *Method, a, b []Vector, threshold float64, workers int) ([]similarity.Pair, similarity.JoinStats) {
	t.Helper()
	var got []similarity.Pair
	st, err := m.Join(context.Background(), a, b, similarity.JoinOptions{Threshold: threshold, Workers: workers},
		func(p similarity.Pair) error { got = append(got, p); return nil })
	if err != nil {
		t.Fatal(err)
	}
	if st.Pairs != int64(len(got)) || st.Recall != 1 || st.Verified < st.Pairs {
		t.Errorf("statistics %+v for %d pairs", st, len(got))
	}
	return got, st
}

// collections are vectors of every kind that a join treats differently.
func collections(m *Method, n int, seed uint64) map[string][]Vector {
	rng := rand.New(rand.NewPCG(seed, 3))
	random := make([]uint64, 3*n)
	for i := range random {
		random[i] = rng.Uint64()
	}
	crowded := make([]uint64, 50)
	for i := range crowded {
		crowded[i] = uint64(i)
	}
	// skewed draws nearly all terms from a few.
	skewed := func(terms int) Vector {
		fs := make([]feature.Feature, terms)
		for k := range fs {
			at := int(float64(len(random)) * rng.Float64() * rng.Float64() * rng.Float64() * rng.Float64())
			fs[k] = feature.Feature{Hash: random[at], Weight: float64(1 + rng.IntN(3))}
		}
		return m.SketchFeatures(fs)
	}
	out := map[string][]Vector{"empty": make([]Vector, 5), "none": {}}
	for i := range n {
		out["random"] = append(out["random"], randomVector(m, rng, random, 1+rng.IntN(60)))
		out["few terms"] = append(out["few terms"], randomVector(m, rng, crowded, 1+rng.IntN(3)))
		out["crowded hashes"] = append(out["crowded hashes"], randomVector(m, rng, crowded, 30))
		out["skewed"] = append(out["skewed"], skewed(1+rng.IntN(100)))
		out["equal"] = append(out["equal"], m.SketchFeatures([]feature.Feature{{Hash: 7, Weight: 1}, {Hash: 9, Weight: 2}}))

		// Copies, of which a growing part is replaced.
		planted := skewed(40)
		if i%5 > 0 {
			first := out["planted"][i-i%5]
			var fs []feature.Feature
			for k, h := range first.Terms {
				if rng.IntN(20) < i%5 {
					h = rng.Uint64()
				}
				fs = append(fs, feature.Feature{Hash: h, Weight: float64(first.Weights[k]) * 100})
			}
			planted = m.SketchFeatures(fs)
		}
		out["planted"] = append(out["planted"], planted)
		duplicates := skewed(20)
		if i > 3 && rng.IntN(3) > 0 {
			duplicates = out["duplicates"][rng.IntN(3)]
		}
		out["duplicates"] = append(out["duplicates"], duplicates)
		mixed := Vector{}
		if i%3 > 0 {
			mixed = skewed(1 << rng.IntN(9))
		}
		out["mixed lengths"] = append(out["mixed lengths"], mixed)
	}
	return out
}

// above returns the pairs that score at least a threshold.
func above(pairs []similarity.Pair, threshold float64) []similarity.Pair {
	return slices.DeleteFunc(slices.Clone(pairs), func(p similarity.Pair) bool { return p.Score < threshold })
}

func TestJoin(t *testing.T) {
	n, thresholds := 150, []float64{0.05, 0.3, 0.5, 0.8, 0.95, 1}
	if testing.Short() {
		n, thresholds = 60, []float64{0.05, 0.5, 1}
	}
	for _, scheme := range []string{"smooth", "nnn"} {
		m := mustNew(t, Options{Scheme: scheme})
		sets := collections(m, n, 1)
		other := sets["mixed lengths"]
		for name, vs := range sets {
			within, between := bruteForce(m, vs, nil, 1e-300), bruteForce(m, vs, other, 1e-300)
			for _, threshold := range thresholds {
				t.Run(fmt.Sprintf("%s/%s/t=%v", scheme, name, threshold), func(t *testing.T) {
					want := above(within, threshold)
					var first similarity.JoinStats
					for _, workers := range []int{1, 3} {
						got, st := join(t, m, vs, nil, threshold, workers)
						if !slices.Equal(got, want) {
							t.Fatalf("self-join with %d workers finds %d pairs, want %d", workers, len(got), len(want))
						}
						if workers > 1 && st != first {
							t.Errorf("statistics %+v, with one worker %+v", st, first)
						}
						first = st
					}
					want = above(between, threshold)
					if got, _ := join(t, m, vs, other, threshold, 2); !slices.Equal(got, want) {
						t.Fatalf("join finds %d pairs, want %d", len(got), len(want))
					}
				})
			}
		}
	}
}

// Several blocks, on both sides.
func TestJoinBlocks(t *testing.T) {
	m := mustNew(t, Options{})
	rng := rand.New(rand.NewPCG(9, 9))
	var vs []Vector
	for range 700 {
		fs := make([]feature.Feature, 1+rng.IntN(4))
		for k := range fs {
			fs[k] = feature.Feature{Hash: rng.Uint64N(200) << 56, Weight: float64(1 + rng.IntN(3))}
		}
		vs = append(vs, m.SketchFeatures(fs))
	}
	for _, b := range [][]Vector{nil, vs[200:]} {
		all := bruteForce(m, vs, b, 0.3)
		for _, threshold := range []float64{0.3, 0.9} {
			if got, _ := join(t, m, vs, b, threshold, 3); !slices.Equal(got, above(all, threshold)) {
				t.Fatalf("at %v: %d pairs, want %d", threshold, len(got), len(above(all, threshold)))
			}
		}
	}
}

// A pair that scores the threshold itself is found, whatever was rounded.
func TestJoinAtScore(t *testing.T) {
	m := mustNew(t, Options{})
	vs := collections(m, 40, 2)["skewed"]
	for i := range vs {
		for j := range i {
			s := m.Score(vs[i], vs[j])
			if s == 0 {
				continue
			}
			got, _ := join(t, m, []Vector{vs[i]}, []Vector{vs[j]}, s, 1)
			if want := []similarity.Pair{{A: 0, B: 0, Score: s}}; !slices.Equal(got, want) {
				t.Fatalf("vectors %d and %d score %v, but the join finds %v", i, j, s, got)
			}
		}
	}
}

// FuzzJoin reads vectors of few and small terms, so that many are alike.
func FuzzJoin(f *testing.F) {
	f.Add([]byte("some terms and other terms, one and other"), uint8(80))
	f.Add([]byte("aaaaaaaabbbbbbbb\x00\x00\x00\x00\x00"), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, percent uint8) {
		threshold := float64(percent%100+1) / 100
		m := mustNew(t, Options{Scheme: "nnn"})
		var vs []Vector
		for len(data) > 0 && len(vs) < 60 {
			n := min(1+int(data[0]%8), len(data))
			var fs []feature.Feature
			for _, c := range data[:n] {
				hash := binary.BigEndian.Uint64([]byte{c << 5, 0, 0, 0, 0, 0, 0, c >> 3})
				fs = append(fs, feature.Feature{Hash: hash, Weight: float64(1 + c%4)})
			}
			vs, data = append(vs, m.SketchFeatures(fs)), data[n:]
		}
		if got, _ := join(t, m, vs, nil, threshold, 2); !slices.Equal(got, bruteForce(m, vs, nil, threshold)) {
			t.Fatalf("at %v the join finds %v, want %v", threshold, got, bruteForce(m, vs, nil, threshold))
		}
		half := len(vs) / 2
		if got, _ := join(t, m, vs[:half], vs[half:], threshold, 1); !slices.Equal(got, bruteForce(m, vs[:half], vs[half:], threshold)) {
			t.Fatalf("at %v the join of two finds %v, want %v", threshold, got, bruteForce(m, vs[:half], vs[half:], threshold))
		}
	})
}

// texts returns vectors of generated prose, every fifth an edited copy.
func texts(b *testing.B, n int) (*Method, []Vector) {
	rng := rand.New(rand.NewPCG(5, 5))
	var docs []string
	for i := range n {
		if i%5 == 4 {
			docs = append(docs, docs[i-1]+" "+similaritytest.Prose(rng, 20, 0.5))
			continue
		}
		docs = append(docs, similaritytest.Prose(rng, 200+rng.IntN(400), 0.5))
	}
	m, err := mustNew(b, Options{}).Fit(slices.Values(docs))
	if err != nil {
		b.Fatal(err)
	}
	vs := make([]Vector, n)
	for i, doc := range docs {
		vs[i] = m.Sketch(doc)
	}
	return m, vs
}

// BenchmarkJoin joins a collection with itself; all-pairs is what it replaces, by the
// row kernel.
func BenchmarkJoin(b *testing.B) {
	m, vs := texts(b, 4000)
	for _, threshold := range []float64{0.3, 0.5, 0.8} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("t=%v/workers=%d", threshold, workers), func(b *testing.B) {
				var pairs []similarity.Pair
				for b.Loop() {
					pairs, _ = join(b, m, vs, nil, threshold, workers)
				}
				b.ReportMetric(float64(len(pairs)), "pairs")
			})
		}
	}
	b.Run("all-pairs", func(b *testing.B) {
		row := make([]float32, len(vs))
		for b.Loop() {
			for i := range vs {
				m.ScoreRow(vs[i], vs[i+1:], row[i+1:])
			}
		}
	})
}
