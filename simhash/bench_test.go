package simhash

import (
	"cmp"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
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

// BenchmarkSum is the accumulation alone; counters=64 is the textbook's. It goes
// round many texts, as otherwise the branches of the textbook's loop are learnt by heart.
func BenchmarkSum(b *testing.B) {
	const texts = 64
	for _, n := range []int{10, 100, 400, 5000} {
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		var real, equal [texts][]feature.Feature
		var hashes [texts][]uint64
		for i := range texts {
			real[i] = randomFeatures(rng, n)
			hashes[i] = hashesOf(real[i])
			for _, h := range hashes[i] {
				equal[i] = append(equal[i], feature.Feature{Hash: h, Weight: 1})
			}
		}
		run := func(name string, sum func(i int)) {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					sum(i % texts)
					i++
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/hash")
			})
		}
		for _, bits := range []int{64, 128} {
			run(fmt.Sprintf("weights=unit/bits=%d", bits), func(i int) { SumHashes(bits, TieSalt, hashes[i]) })
			run(fmt.Sprintf("weights=equal/bits=%d", bits), func(i int) { Sum(bits, TieSalt, equal[i]) })
			run(fmt.Sprintf("weights=real/bits=%d", bits), func(i int) { Sum(bits, TieSalt, real[i]) })
		}
		run("weights=real/counters=64", func(i int) { naiveFloats(real[i]) })
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

// A key is appended, sorted with the others of its table and met again; a candidate is compared with
// one of its bucket. What the first costs in terms of the second is keyCost, or less where keys
// are written to a disk or sent to a server.
func BenchmarkLayout(b *testing.B) {
	const n = 1 << 20
	m, err := New(Options{Score: Linear})
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	all := make([]Fingerprint, n)
	for i := range all {
		all[i].Lo = rng.Uint64()
	}
	type record struct {
		bucket, word uint64 // as a posting of an index has both
		doc          uint32
	}
	for _, documents := range []int64{1e6, 1e9, 8e9} {
		buckets, err := m.Buckets(similarity.JoinOptions{Threshold: 1 - 3./64, Documents: documents})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("tables=%d", buckets.Tables), func(b *testing.B) {
			tables := make([][]record, buckets.Tables)
			var keys []similarity.Key
			var spent, compared time.Duration
			candidates, near := 0, 0
			for b.Loop() {
				start := time.Now()
				for t := range tables {
					tables[t] = tables[t][:0]
				}
				for i, f := range all {
					keys = buckets.Append(keys[:0], f)
					for _, k := range keys {
						tables[k.Table] = append(tables[k.Table], record{k.Bucket, f.Lo, uint32(i)})
					}
				}
				for _, t := range tables {
					slices.SortFunc(t, func(x, y record) int {
						return cmp.Or(cmp.Compare(x.bucket, y.bucket), cmp.Compare(x.doc, y.doc))
					})
				}
				sorted := time.Now()
				for _, t := range tables {
					for from := 0; from < n; {
						to := from + 1
						for to < n && t[to].bucket == t[from].bucket {
							to++
						}
						for i := from; i < to; i++ {
							word := t[i].word
							for j := from; j < i; j++ {
								if bits.OnesCount64(word^t[j].word) <= 3 {
									near++
								}
							}
						}
						candidates += (to - from) * (to - from - 1) / 2
						from = to
					}
				}
				spent += sorted.Sub(start)
				compared += time.Since(sorted)
			}
			b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N*n*buckets.Tables), "ns/key")
			if buckets.Tables == 4 { // longer keys have too few candidates to time
				b.ReportMetric(float64(compared.Nanoseconds())/float64(candidates), "ns/candidate")
			}
			if near != 0 {
				b.Logf("%d pairs within 3, by chance", near/b.N)
			}
		})
	}
}
