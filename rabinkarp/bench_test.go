package rabinkarp

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/alike-go/alike/similarity/similaritytest"
)

// prose returns about n bytes of English-like text.
func prose(n int) []byte {
	return []byte(similaritytest.Prose(rand.New(rand.NewPCG(1, 2)), n/3, 0))[:n:n]
}

// BenchmarkSample is hashing and choosing over all windows of a folded text.
func BenchmarkSample(b *testing.B) {
	text := prose(1 << 20)
	for _, o := range []ManberOptions{
		{},
		{Window: 50, Keep: 4},
		{Window: 50, Keep: 6},
		{Window: 50, Keep: 8},
		{Window: 50, Keep: 8, Overlap: true},
		{Window: 50, Keep: 8, Hash: Sif},
	} {
		m := newManber(b, o)
		b.Run(fmt.Sprintf("hash=%s/window=%d/keep=%d/overlap=%v", m.o.Hash, m.o.Window, m.o.Keep, o.Overlap), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			s := scratch{once: true}
			var places []place
			for b.Loop() {
				places = m.choose(places[:0], &s, text)
			}
			b.ReportMetric(float64(len(places))/float64(len(text))*1024, "prints/KB")
		})
	}
}

// BenchmarkWinnow is hashing and selecting over all k-grams of a folded text.
func BenchmarkWinnow(b *testing.B) {
	text := prose(1 << 20)
	for _, o := range []WinnowOptions{
		{},
		{K: 5, Window: 4},
		{K: 50, Window: 100},
		{K: 50, Window: 100, Robust: true},
	} {
		m := newWinnow(b, o)
		b.Run(fmt.Sprintf("k=%d/window=%d/robust=%v", m.o.K, m.o.Window, o.Robust), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			s := scratch{once: true}
			var places []place
			for b.Loop() {
				places = m.choose(places[:0], &s, text)
			}
			b.ReportMetric(float64(len(places))/float64(len(text))*1024, "prints/KB")
		})
	}
}

// BenchmarkSketch is the whole way from text to sketch, folding and sorting included.
func BenchmarkSketch(b *testing.B) {
	for _, size := range []int{1 << 10, 1 << 14, 1 << 20} {
		text := string(prose(size))
		manber, winnow := newManber(b, ManberOptions{}), newWinnow(b, WinnowOptions{})
		for _, m := range []interface {
			Sketch(string) Sketch
			Bytes(Sketch) int
		}{manber, winnow} {
			name := "manber"
			if m == any(winnow) {
				name = "winnow"
			}
			b.Run(fmt.Sprintf("method=%s/size=%d", name, size), func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				var s Sketch
				for b.Loop() {
					s = m.Sketch(text)
				}
				b.ReportMetric(float64(m.Bytes(s)), "B/doc")
			})
		}
	}
}

// BenchmarkScore is one pair of sketches that share nine fingerprints in ten.
func BenchmarkScore(b *testing.B) {
	m := newWinnow(b, WinnowOptions{})
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{16, 400} {
		var x, y []place
		for range n {
			h := rng.Uint64()
			x = append(x, place{hash: h})
			if rng.IntN(10) == 0 {
				h = rng.Uint64()
			}
			y = append(y, place{hash: h})
		}
		sx, sy := newSketch([]byte("x"), x, new(scratch)), newSketch([]byte("y"), y, new(scratch))
		b.Run(fmt.Sprintf("prints=%d", n), func(b *testing.B) {
			var s float64
			for b.Loop() {
				s += m.Score(sx, sy)
			}
			if s == 0 {
				b.Error("nothing shared")
			}
		})
	}
}
