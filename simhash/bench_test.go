package simhash

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity/similaritytest"
)

// randomFeatures returns n features with uniform hashes and weights from 0 to 20.
func randomFeatures(rng *rand.Rand, n int) []feature.Feature {
	fs := make([]feature.Feature, n)
	for i := range fs {
		fs[i] = feature.Feature{Hash: rng.Uint64(), Weight: 20 * rng.Float64()}
	}
	return fs
}

func hashesOf(fs []feature.Feature) []uint64 {
	hs := make([]uint64, len(fs))
	for i, f := range fs {
		hs[i] = f.Hash
	}
	return hs
}

// BenchmarkSum is the accumulation alone; counters=64 is the textbook's.
func BenchmarkSum(b *testing.B) {
	perHash := func(b *testing.B, n int) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/hash")
	}
	for _, n := range []int{10, 100, 400, 5000} {
		fs := randomFeatures(rand.New(rand.NewPCG(1, uint64(n))), n)
		hs := hashesOf(fs)
		unit := make([]feature.Feature, n)
		for i, h := range hs {
			unit[i] = feature.Feature{Hash: h, Weight: 1}
		}
		for _, bits := range []int{64, 128} {
			b.Run(fmt.Sprintf("weights=unit/bits=%d/n=%d", bits, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					SumHashes(bits, TieSalt, hs)
				}
				perHash(b, n)
			})
			b.Run(fmt.Sprintf("weights=equal/bits=%d/n=%d", bits, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					Sum(bits, TieSalt, unit)
				}
				perHash(b, n)
			})
			b.Run(fmt.Sprintf("weights=real/bits=%d/n=%d", bits, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					Sum(bits, TieSalt, fs)
				}
				perHash(b, n)
			})
		}
		b.Run(fmt.Sprintf("weights=real/counters=64/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				naiveFloats(fs)
			}
			perHash(b, n)
		})
	}
}

// naiveFloats is the textbook's sum: 64 counters and a branch.
func naiveFloats(fs []feature.Feature) (f uint64) {
	var v [64]float64
	for _, f := range fs {
		for j := range v {
			if f.Hash>>j&1 != 0 {
				v[j] += f.Weight
			} else {
				v[j] -= f.Weight
			}
		}
	}
	for j, s := range v {
		if s > 0 {
			f |= 1 << j
		}
	}
	return f
}

func BenchmarkSketch(b *testing.B) {
	text := similaritytest.Prose(rand.New(rand.NewPCG(1, 1)), 400, 0)
	for _, o := range []Options{
		{},
		{Bits: 128},
		{Features: feature.Options{MinWidth: 3}},
		{Features: feature.Options{Weights: feature.LogTF}},
	} {
		m, err := New(o)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("method="+m.String(), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				m.Sketch(text)
			}
			b.ReportMetric(float64(m.Bytes(Fingerprint{})), "B/doc")
		})
	}
}

func BenchmarkScoreRow(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, bits := range []int{64, 128} {
		m, err := New(Options{Bits: bits})
		if err != nil {
			b.Fatal(err)
		}
		row := make([]Fingerprint, 4096)
		for i := range row {
			row[i].Lo = rng.Uint64()
			if bits == 128 {
				row[i].Hi = rng.Uint64()
			}
		}
		dst := make([]float32, len(row))
		b.Run(fmt.Sprintf("bits=%d/kernel=row", bits), func(b *testing.B) {
			for b.Loop() {
				m.ScoreRow(row[0], row, dst)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(row)), "ns/pair")
		})
		b.Run(fmt.Sprintf("bits=%d/kernel=pairs", bits), func(b *testing.B) {
			for b.Loop() {
				for i, s := range row {
					dst[i] = float32(m.Score(row[0], s))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(row)), "ns/pair")
		})
	}
}
