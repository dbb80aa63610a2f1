package cosine

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

func mustNew(t testing.TB, o Options) *Method {
	t.Helper()
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// randomVector takes some features from common, and others of its own.
func randomVector(m *Method, rng *rand.Rand, common []uint64, terms int) Vector {
	fs := make([]feature.Feature, 0, terms)
	for range terms {
		h := rng.Uint64()
		if len(common) > 0 && rng.IntN(2) == 0 {
			h = common[rng.IntN(len(common))]
		}
		fs = append(fs, feature.Feature{Hash: h, Weight: float64(1 + rng.IntN(5))})
	}
	return m.SketchFeatures(fs)
}

// naive is the cosine by its definition, over maps.
func naive(a, b Vector) float64 {
	wa, wb := map[uint64]float64{}, map[uint64]float64{}
	var aa, bb, ab float64
	for i, t := range a.Terms {
		wa[t] = float64(a.Weights[i])
		aa += wa[t] * wa[t]
	}
	for i, t := range b.Terms {
		wb[t] = float64(b.Weights[i])
		bb += wb[t] * wb[t]
	}
	for _, t := range a.Terms {
		ab += wa[t] * wb[t]
	}
	if ab == 0 {
		return 0
	}
	return ab / math.Sqrt(aa) / math.Sqrt(bb)
}

// plainDot is dot without its haste.
func plainDot(a, b *Vector) float64 {
	var low, high float64
	for i, t := range a.Terms {
		if j, ok := slices.BinarySearch(b.Terms, t); ok {
			product := float64(a.Weights[i]) * float64(b.Weights[j])
			if t < 1<<63 {
				low += product
			} else {
				high += product
			}
		}
	}
	return low + high
}

func TestScoreAgainstNaive(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, o := range []Options{{}, {Scheme: "nnn"}, {Scheme: "anc"}} {
		m := mustNew(t, o)
		var vs []Vector
		for _, n := range []int{0, 1, 2, 10, 300} {
			for k := range 6 {
				common := make([]uint64, n)
				for i := range common {
					common[i] = rng.Uint64N(uint64(2*n)) << (11 * k) // also crowded, also 0
				}
				vs = append(vs, randomVector(m, rng, common, n))
			}
		}
		row := make([]float32, len(vs))
		for i, a := range vs {
			m.ScoreRow(a, vs, row)
			for j, b := range vs {
				if got, want := dot(&a, &b), plainDot(&a, &b); got != want {
					t.Fatalf("%s: dot of vectors %d and %d is %v, want %v", m, i, j, got, want)
				}
				got, want := m.Score(a, b), naive(a, b)
				if math.Abs(got-want) > 1e-12 {
					t.Fatalf("%s: score of vectors %d and %d is %v, want %v", m, i, j, got, want)
				}
				if row[j] != float32(got) {
					t.Fatalf("%s: row score of vectors %d and %d is %v, want %v", m, i, j, row[j], float32(got))
				}
			}
		}
	}
}

func TestSketchFeatures(t *testing.T) {
	m := mustNew(t, Options{Scheme: "nnn"})
	huge := math.MaxFloat64
	for _, c := range []struct {
		name string
		fs   []feature.Feature
		want Vector
	}{
		{"none", nil, Vector{}},
		{"weight 0", []feature.Feature{{Hash: 1, Weight: 0}}, Vector{}},
		{"below 0 and NaN", []feature.Feature{{Hash: 1, Weight: -1}, {Hash: 2, Weight: math.NaN()}}, Vector{}},
		{"order and repeats", []feature.Feature{{Hash: 9, Weight: 1}, {Hash: 2, Weight: 2}, {Hash: 9, Weight: 3}},
			Vector{Terms: []uint64{2, 9}, Weights: []float32{2, 4}, mid: 2, sq: 20}},
		{"hash 0", []feature.Feature{{Hash: 0, Weight: 3}}, Vector{Terms: []uint64{0}, Weights: []float32{3}, mid: 1, sq: 9}},
		{"too small", []feature.Feature{{Hash: 1, Weight: 1e-300}, {Hash: 2, Weight: 1}},
			Vector{Terms: []uint64{2}, Weights: []float32{1}, mid: 1, sq: 1}},
		{"too great", []feature.Feature{{Hash: 1, Weight: huge}, {Hash: 1, Weight: huge}},
			Vector{Terms: []uint64{1}, Weights: []float32{math.MaxFloat32}, mid: 1, sq: math.MaxFloat32 * math.MaxFloat32}},
	} {
		if got := m.SketchFeatures(c.fs); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestExtremeWeights wants unit vectors and equal texts that score 1, whatever
// the weights.
func TestExtremeWeights(t *testing.T) {
	for _, scheme := range []string{"", "ntc", "nnn", "anc", "Lnc", "dotnet"} {
		m := mustNew(t, Options{Scheme: scheme})
		for _, w := range []float64{math.SmallestNonzeroFloat64, 1e-200, 1e-30, 0.3, 1, 1e30, 1e200, math.MaxFloat64, math.Inf(1)} {
			v := m.SketchFeatures([]feature.Feature{{Hash: 7, Weight: w}, {Hash: 8, Weight: w}, {Hash: 8, Weight: w}})
			if scheme == "nnn" && w < 1e-100 {
				continue // too small for a weight that nothing scales
			}
			if s := m.Score(v, v); s != 1 {
				t.Errorf("%s: weight %v: score with itself %v, want 1 (%v)", m, w, s, v)
			}
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	unit := mustNew(t, Options{})
	raw := mustNew(t, Options{Scheme: "nnn"})
	two := raw.AppendSketch(nil, Vector{Terms: []uint64{1, 2}, Weights: []float32{1, 1}})
	for name, src := range map[string][]byte{
		"empty":         {},
		"huge count":    {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
		"long count":    {0x80, 0},
		"cut":           two[:len(two)-1],
		"order":         raw.AppendSketch(nil, Vector{Terms: []uint64{2, 1}, Weights: []float32{1, 1}}),
		"repeat":        raw.AppendSketch(nil, Vector{Terms: []uint64{1, 1}, Weights: []float32{1, 1}}),
		"zero weight":   raw.AppendSketch(nil, Vector{Terms: []uint64{1}, Weights: []float32{0}}),
		"below zero":    raw.AppendSketch(nil, Vector{Terms: []uint64{1}, Weights: []float32{-1}}),
		"infinite":      raw.AppendSketch(nil, Vector{Terms: []uint64{1}, Weights: []float32{float32(math.Inf(1))}}),
		"not a number":  raw.AppendSketch(nil, Vector{Terms: []uint64{1}, Weights: []float32{float32(math.NaN())}}),
		"not of length": two,
	} {
		m := raw
		if name == "not of length" {
			m = unit
		}
		if _, _, err := m.DecodeSketch(src); !errors.Is(err, similarity.ErrFormat) {
			t.Errorf("%s: error is %v, want ErrFormat", name, err)
		}
	}
}

func FuzzDecodeSketch(f *testing.F) {
	m := mustNew(f, Options{})
	raw := mustNew(f, Options{Scheme: "nnn"})
	for _, text := range []string{"", "a", "we all scream for ice cream"} {
		f.Add(m.AppendSketch(nil, m.Sketch(text)))
		f.Add(raw.AppendSketch(nil, raw.Sketch(text)))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, m := range []*Method{m, raw} {
			v, n, err := m.DecodeSketch(src)
			if err != nil {
				continue
			}
			if got := m.AppendSketch(nil, v); string(got) != string(src[:n]) {
				t.Fatalf("%s: %x decodes and encodes to %x", m, src[:n], got)
			}
			if s := m.Score(v, v); s != 1 && !m.Empty(v) {
				t.Fatalf("%s: %x: score with itself %v, want 1", m, src, s)
			}
		}
	})
}

// vectorOf makes a vector of bytes: some bits of each for the term, crowded or
// spread, and some for the weight.
func vectorOf(m *Method, data []byte, shift uint) Vector {
	fs := make([]feature.Feature, len(data))
	for i, b := range data {
		fs[i] = feature.Feature{Hash: uint64(b>>2) << (shift % 59), Weight: float64(1 + b&3)}
	}
	return m.SketchFeatures(fs)
}

func FuzzScore(f *testing.F) {
	m := mustNew(f, Options{})
	f.Add([]byte("the cat sat"), []byte("on the mat"), uint(58))
	f.Add([]byte{1, 200, 255}, []byte{0, 200, 255, 255}, uint(3))
	f.Fuzz(func(t *testing.T, x, y []byte, shift uint) {
		a, b := vectorOf(m, x, shift), vectorOf(m, y, shift)
		if got, want := dot(&a, &b), plainDot(&a, &b); got != want {
			t.Fatalf("dot %v, want %v", got, want)
		}
		s := m.Score(a, b)
		if math.Abs(s-naive(a, b)) > 1e-12 || s != m.Score(b, a) || s < 0 || s > 1 {
			t.Fatalf("score %v, %v the other way, want %v", s, m.Score(b, a), naive(a, b))
		}
		if !m.Empty(a) && m.Score(a, a) != 1 {
			t.Fatalf("score with itself %v, want 1", m.Score(a, a))
		}
		row := make([]float32, 4)
		m.ScoreRow(a, []Vector{b, a, b, {}}, row)
		if row[0] != float32(s) || row[2] != row[0] || row[1] != float32(m.Score(a, a)) || row[3] != 0 {
			t.Fatalf("row %v, want %v", row, s)
		}
	})
}

// TestHugeTableIsLeft wants a row over a huge vector to leave no huge table behind.
func TestHugeTableIsLeft(t *testing.T) {
	n := keptSlots
	huge := Vector{Terms: make([]uint64, n), Weights: make([]float32, n)}
	for i := range n {
		huge.Terms[i], huge.Weights[i] = (uint64(i)+1)<<40, 1
	}
	huge.seal()
	m := &Method{}
	row := make([]float32, 4)
	m.ScoreRow(huge, []Vector{huge, {}, huge, {}}, row)
	if want := []float32{1, 0, 1, 0}; !slices.Equal(row, want) {
		t.Fatalf("row %v, want %v", row, want)
	}
	for range 10 {
		if x := tables.Get().(*table); cap(x.terms) > keptSlots+tail || cap(x.hits) > keptSlots {
			t.Fatalf("a table of %d terms and %d hits waits for the next row", cap(x.terms), cap(x.hits))
		}
	}
}
