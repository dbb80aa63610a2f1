package cosine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/alike-go/alike/similarity/similaritytest"
)

func bench(b *testing.B, o Options) *Method {
	m, err := New(o)
	if err != nil {
		b.Fatal(err)
	}
	return m
}

func prose(n int) string {
	return similaritytest.Prose(rand.New(rand.NewPCG(1, 1)), n, 0.3)
}

func BenchmarkSketch(b *testing.B) {
	m := bench(b, Options{})
	fitted, err := m.Fit(func(yield func(string) bool) {
		for seed := range uint64(200) {
			if !yield(similaritytest.Prose(rand.New(rand.NewPCG(seed, 1)), 800, 0.9)) {
				return
			}
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	for fit, m := range []*Method{m, fitted} {
		for _, words := range []int{10, 800, 100_000} {
			b.Run(fmt.Sprintf("fit=%d/words=%d", fit, words), func(b *testing.B) {
				text := prose(words)
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				var v Vector
				for b.Loop() {
					v = m.Sketch(text)
				}
				b.ReportMetric(float64(m.Bytes(v)), "B/doc")
			})
		}
	}
}

// BenchmarkCount is Sketch without the extraction of features.
func BenchmarkCount(b *testing.B) {
	m, text := bench(b, Options{}), prose(800)
	hashes := m.Features().AppendHashes(nil, text)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		c := newCounter()
		c.add(hashes)
		m.vector(c.sorted())
		c.free()
	}
}

// vectors returns random vectors of which each two share about a quarter of
// their terms.
func vectors(m *Method, count, terms int) []Vector {
	rng := rand.New(rand.NewPCG(2, 2))
	vs := make([]Vector, count)
	common := make([]uint64, 2*terms)
	for i := range common {
		common[i] = rng.Uint64()
	}
	for i := range vs {
		vs[i] = randomVector(m, rng, common, terms)
	}
	return vs
}

func BenchmarkScore(b *testing.B) {
	m := bench(b, Options{})
	for _, terms := range []int{30, 288} {
		b.Run(fmt.Sprintf("terms=%d", terms), func(b *testing.B) {
			vs := vectors(m, 64, terms)
			i := 0
			for b.Loop() {
				m.Score(vs[i%64], vs[(i/64+i+1)%64])
				i++
			}
		})
	}
}

func BenchmarkScoreRow(b *testing.B) {
	m := bench(b, Options{})
	for _, terms := range []int{30, 288} {
		b.Run(fmt.Sprintf("terms=%d", terms), func(b *testing.B) {
			vs := vectors(m, 1000, terms)
			dst := make([]float32, len(vs))
			b.ReportAllocs()
			for b.Loop() {
				m.ScoreRow(vs[0], vs, dst)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(vs)), "ns/doc")
		})
	}
}
