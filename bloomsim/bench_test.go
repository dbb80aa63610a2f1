package bloomsim

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bits-and-blooms/bitset"
	"github.com/bits-and-blooms/bloom/v3"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity/similaritytest"
)

// someFeatures returns n distinct features at random.
func someFeatures(rng *rand.Rand, n int) []feature.Feature {
	out := make([]feature.Feature, n)
	for i := range out {
		out[i] = feature.Feature{Hash: rng.Uint64(), Weight: 1}
	}
	return out
}

// BenchmarkBuild makes the filter of 400 features. The library hashes 8 bytes for
// each; alike is given the hash.
func BenchmarkBuild(b *testing.B) {
	const n = 400
	features := someFeatures(rand.New(rand.NewPCG(1, 2)), n)
	for _, o := range []Options{{Bits: 8192, Hashes: 4}, {Bits: 8192, Hashes: 1}, {Bits: 8000, Hashes: 4}, {Bits: Auto}, {Bits: 8192, Hashes: 4, Places: Compat}} {
		m := mustNew(b, o)
		b.Run(fmt.Sprintf("lib=alike/bits=%s/hashes=%d/places=%s", sizeName(m.o.Bits), m.o.Hashes, m.o.Places), func(b *testing.B) {
			b.ReportAllocs()
			var f Filter
			for b.Loop() {
				f = m.SketchFeatures(features)
			}
			if f.Ones() == 0 {
				b.Fatal("no bit set")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/feature")
			b.ReportMetric(float64(m.Bytes(f)), "B/doc")
		})
	}
	b.Run("lib=bits-and-blooms/bits=8192/hashes=4", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f := bloom.New(8192, 4)
			var key [8]byte
			for _, x := range features {
				binary.BigEndian.PutUint64(key[:], x.Hash)
				f.Add(key[:])
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/feature")
	})
}

// BenchmarkSketch makes the filter of a text, features included.
func BenchmarkSketch(b *testing.B) {
	text := similaritytest.Prose(rand.New(rand.NewPCG(1, 2)), 400, 0)
	for _, o := range []Options{{}, {Bits: Auto}} {
		m := mustNew(b, o)
		b.Run("bits="+sizeName(m.o.Bits), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			var f Filter
			for b.Loop() {
				f = m.Sketch(text)
			}
			b.ReportMetric(float64(m.Bytes(f)), "B/doc")
		})
	}
}

// BenchmarkCompare scores one filter of 1 KiB against 200; the library
// counts the bits of the intersection, which is less than a score.
func BenchmarkCompare(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 200
	for _, o := range []Options{{Bits: 8192, Hashes: 4}, {Bits: 4096}, {Bits: Auto}} {
		m := mustNew(b, o)
		filters := make([]Filter, n)
		sets := make([]*bitset.BitSet, n)
		base := someFeatures(rng, 400)
		for i := range filters {
			copy(base, someFeatures(rng, 100))
			filters[i] = m.SketchFeatures(base)
			sets[i] = filters[i].BitSet()
		}
		row := make([]float32, n)
		size := "bits=" + sizeName(m.o.Bits)
		b.Run(size+"/lib=alike/row", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.ScoreRow(filters[0], filters, row)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/pair")
		})
		b.Run(size+"/lib=alike/pair", func(b *testing.B) {
			sum := 0.0
			for b.Loop() {
				for i := range filters {
					sum += m.Score(filters[0], filters[i])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/pair")
		})
		b.Run(size+"/lib=bitset/intersection", func(b *testing.B) {
			sum := uint(0)
			for b.Loop() {
				for _, s := range sets {
					sum += sets[0].IntersectionCardinality(s)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/pair")
		})
	}
}
