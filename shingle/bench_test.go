package shingle

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/similaritytest"
)

// article is English-like text of 400 words, 2.3 kB.
func article() string { return similaritytest.Prose(rand.New(rand.NewPCG(1, 1)), 400, 0) }

var w3 = feature.Options{MinWidth: 3}

// BenchmarkSketch takes text to sketch; the features alone are the row
// method=features.
func BenchmarkSketch(b *testing.B) {
	text := article()
	x := mustNew(b, Options{Features: w3}).x
	b.Run("method=features", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		n := 0
		count := func(h []uint64) { n += len(h) }
		for b.Loop() {
			x.Blocks(text, count)
		}
	})
	benchSketch(b, mustNew(b, Options{Features: w3}), text)
	benchSketch(b, mustNew(b, Options{Features: w3, Bag: true}), text)
	benchSketch(b, mustMinHash(b, MinHashOptions{Features: w3}), text)
	benchSketch(b, mustMinHash(b, MinHashOptions{Features: w3, Size: 512, Bits: 1}), text)
	benchSketch(b, mustMinHash(b, MinHashOptions{Features: w3, Scheme: KPerm}), text)
	benchSketch(b, mustMinHash(b, MinHashOptions{Features: w3, Scheme: ICWS}), text)
	benchSketch(b, mustBottom(b, MinHashOptions{Features: w3}), text)
	benchSketch(b, mustBottom(b, MinHashOptions{Features: w3}), similaritytest.Prose(rand.New(rand.NewPCG(1, 1)), 4000, 0))
}

func benchSketch[S any](b *testing.B, m similarity.Sketcher[S], text string) {
	b.Run(fmt.Sprintf("method=%s/size=%d", m, len(text)), func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		var s S
		for b.Loop() {
			s = m.Sketch(text)
		}
		b.ReportMetric(float64(m.Bytes(s)), "B/doc")
	})
}

// BenchmarkHashes takes hashes to signature, without the text.
func BenchmarkHashes(b *testing.B) {
	for _, scheme := range []Scheme{OPH, KPerm} {
		for _, n := range []int{10, 400, 4000} {
			b.Run(fmt.Sprintf("scheme=%s/n=%d", scheme, n), func(b *testing.B) {
				m := mustMinHash(b, MinHashOptions{Scheme: scheme})
				hs := hashesOf(randomFeatures(rand.New(rand.NewPCG(1, 2)), n, 1<<30, 64, 0))
				sc := m.newScratch()
				for b.Loop() {
					sc.reset()
					for h := hs; len(h) > 0; {
						k := min(len(h), feature.BlockLen)
						sc.add(h[:k])
						h = h[k:]
					}
					sc.signature()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/hash")
			})
		}
	}
}

// BenchmarkBuild makes a set of hashes.
func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{20, 400, 100_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			hs := hashesOf(randomFeatures(rand.New(rand.NewPCG(1, 3)), n, 1<<30, 64, 0))
			bu := builders.Get().(*builder)
			for b.Loop() {
				bu.reset()
				bu.hashes = append(bu.hashes, hs...)
				bu.set()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/hash")
		})
	}
}

// BenchmarkScore scores pairs of sets, many of them in turn so that no branch
// is learnt by heart.
func BenchmarkScore(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 4))
	for _, n := range []int{427, 4000} {
		for _, r := range []float64{0, .1, .5, .9} {
			const pairs = 64
			var fa, fb [pairs][]feature.Feature
			for i := range fa {
				fa[i], fb[i], _ = overlapping(rng, n, r)
			}
			b.Run(fmt.Sprintf("method=shingle/n=%d/r=%v", n, r), func(b *testing.B) {
				benchScore(b, mustNew(b, Options{}), fa[:], fb[:])
			})
			if n == 427 {
				b.Run(fmt.Sprintf("method=shingle:bag=true/n=%d/r=%v", n, r), func(b *testing.B) {
					benchScore(b, mustNew(b, Options{Bag: true}), fa[:], fb[:])
				})
			}
			if n == 427 && r == .5 {
				for _, o := range []MinHashOptions{{}, {Bits: 16}, {Bits: 8}, {Bits: 4}, {Size: 512, Bits: 1}} {
					m := mustMinHash(b, o)
					b.Run("method="+m.String(), func(b *testing.B) { benchScore(b, m, fa[:], fb[:]) })
				}
				m := mustBottom(b, MinHashOptions{})
				b.Run("method="+m.String(), func(b *testing.B) { benchScore(b, m, fa[:], fb[:]) })
			}
		}
	}
	var fa, fb [16][]feature.Feature
	for i := range fa {
		fa[i], fb[i] = randomFeatures(rng, 30, 1<<30, 64, 0), randomFeatures(rng, 4000, 1<<30, 64, 0)
	}
	b.Run("method=shingle/n=30,4000", func(b *testing.B) { benchScore(b, mustNew(b, Options{}), fa[:], fb[:]) })
}

func benchScore[S any](b *testing.B, m similarity.Featured[S], fa, fb [][]feature.Feature) {
	var sa, sb []S
	for i := range fa {
		sa = append(sa, m.SketchFeatures(fa[i]))
		sb = append(sb, m.SketchFeatures(fb[i]))
	}
	s := m.(similarity.Similarity[S])
	i := 0
	sum := 0.0
	for b.Loop() {
		sum += s.Score(sa[i], sb[i])
		i = (i + 1) % len(sa)
	}
	if sum < 0 {
		b.Fatal("negative scores")
	}
}
