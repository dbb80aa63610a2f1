package feature

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// check compares sorted hashes and their counts with a map.
func checkTally(t *testing.T, hashes []uint64, counts []uint32, want map[uint64]int) {
	t.Helper()
	if len(hashes) != len(want) || len(counts) != len(want) {
		t.Fatalf("%d hashes, %d counts, want %d", len(hashes), len(counts), len(want))
	}
	for i, h := range slices.Sorted(maps.Keys(want)) {
		if hashes[i] != h || int(counts[i]) != want[h] {
			t.Fatalf("entry %d of %d: %#x %d times, want %#x %d times", i, len(want), hashes[i], counts[i], h, want[h])
		}
	}
}

// shapes are ways in which hashes may be spread: fair ones, and such that all
// share their upper bits, or the lower, or are few.
var shapes = map[string]func(rng *rand.Rand) uint64{
	"fair":    (*rand.Rand).Uint64,
	"low":     func(rng *rand.Rand) uint64 { return rng.Uint64() >> 40 },
	"tiny":    func(rng *rand.Rand) uint64 { return rng.Uint64() >> 58 },
	"high":    func(rng *rand.Rand) uint64 { return rng.Uint64() << 50 },
	"crowded": func(rng *rand.Rand) uint64 { return 0xabcd<<48 | uint64(rng.IntN(4))<<30 | rng.Uint64()>>50 },
	"zipf":    func(rng *rand.Rand) uint64 { return uint64(math.Exp(rng.Float64()*10)) * 0x9e3779b97f4a7c15 },
}

func TestCounter(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for name, draw := range shapes {
		t.Run(name, func(t *testing.T) {
			var c Counter
			for _, n := range []int{0, 1, 2, 7, 8, 30, 400, leafLen - 1, leafLen, leafLen + 1, 5 * leafLen, 20_000 * rounds} {
				c.Reset()
				want := map[uint64]int{}
				for len(want) == 0 && n > 0 || c.pending() < n {
					block := make([]uint64, min(n, 1+rng.IntN(1024)))
					for i := range block {
						block[i] = draw(rng)
						want[block[i]]++
					}
					c.Add(block)
				}
				hashes, counts := c.Sorted()
				checkTally(t, hashes, counts, want)
			}
		})
	}
}

func (c *Counter) pending() int { return len(c.buf) }

// Hashes are merged with those counted before, whether that happens by itself or because
// somebody asks.
func TestCounterMerges(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 2))
	var c Counter
	want := map[uint64]int{}
	for round := range 30 {
		block := make([]uint64, rng.IntN(3000))
		for i := range block {
			block[i] = uint64(rng.IntN(5000)) * 0x9e3779b97f4a7c15
			want[block[i]]++
		}
		c.Add(block)
		if round%3 == 0 {
			hashes, counts := c.Sorted()
			checkTally(t, hashes, counts, want)
		}
	}
	full := make([]uint64, counterBuf)
	for i := range full {
		full[i] = 7
	}
	for range 4 {
		c.Add(full[:counterBuf/2])
	}
	want[7] += 2 * counterBuf
	if c.pending() != 0 {
		t.Errorf("%d hashes wait, want none: two buffers are full", c.pending())
	}
	hashes, counts := c.Sorted()
	checkTally(t, hashes, counts, want)
}

func TestSaturate(t *testing.T) {
	for _, q := range [][3]uint32{{1, 2, 3}, {math.MaxUint32, 1, math.MaxUint32}, {1 << 31, 1 << 31, math.MaxUint32}, {math.MaxUint32 - 1, 1, math.MaxUint32}} {
		if got := saturate(q[0], q[1]); got != q[2] {
			t.Errorf("%d and %d saturate to %d, want %d", q[0], q[1], got, q[2])
		}
	}
}

func FuzzCounter(f *testing.F) {
	f.Add([]byte{1, 2, 3, 1}, uint8(56))
	f.Add(make([]byte, 300), uint8(0))
	f.Add([]byte("some hashes of eight bytes, some of them more than once"), uint8(13))
	f.Fuzz(func(t *testing.T, data []byte, shift uint8) {
		var c Counter
		var d documents
		want, docs := map[uint64]int{}, map[uint64]int{}
		for i := range data {
			var b [8]byte
			copy(b[:], data[i:])
			h := binary.LittleEndian.Uint64(b[:]) << (shift % 64)
			for range 1 + i%2 {
				c.Add([]uint64{h})
				want[h]++
			}
			d.add([]uint64{h, h})
			d.end()
			docs[h]++
		}
		hashes, counts := c.Sorted()
		checkTally(t, hashes, counts, want)
		hashes, counts = d.sorted()
		checkTally(t, hashes, counts, docs)
	})
}

func TestDocuments(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 3))
	for name, draw := range shapes {
		t.Run(name, func(t *testing.T) {
			var d documents
			want := map[uint64]int{}
			for doc := range 12 * rounds {
				if doc == 5 {
					d.doc = math.MaxUint32 - 5 // the numbers of documents start again
				}
				in := map[uint64]bool{}
				for range rng.IntN(5) {
					block := make([]uint64, rng.IntN(2000))
					for i := range block {
						block[i] = draw(rng)
						in[block[i]] = true
					}
					d.add(block)
				}
				d.end()
				for h := range in {
					want[h]++
				}
			}
			hashes, docs := d.sorted()
			checkTally(t, hashes, docs, want)
		})
	}
}

// zipf returns documents whose words follow Zipf's law, as English ones do.
func zipfDocs(docs, words int) (out [][]uint64, n int) {
	rng := rand.New(rand.NewPCG(7, 4))
	law := rand.NewZipf(rng, 1.05, 3, 50_000)
	vocabulary := make([]uint64, 50_001)
	for i := range vocabulary {
		vocabulary[i] = rng.Uint64()
	}
	for range docs {
		doc := make([]uint64, words/2+rng.IntN(words))
		for i := range doc {
			doc[i] = vocabulary[law.Uint64()]
		}
		out = append(out, doc)
		n += len(doc)
	}
	return out, n
}

func BenchmarkCounter(b *testing.B) {
	for _, words := range []int{40, 400, 4000, 40_000} {
		docs, n := zipfDocs(400_000/words, words)
		b.Run(fmt.Sprintf("words=%d", words), func(b *testing.B) {
			var c Counter
			for b.Loop() {
				for _, doc := range docs {
					c.Reset()
					c.Add(doc)
					c.Sorted()
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/hash")
		})
	}
}

func BenchmarkDocuments(b *testing.B) {
	docs, n := zipfDocs(2000, 400)
	b.ReportAllocs()
	for b.Loop() {
		var d documents
		for _, doc := range docs {
			d.add(doc)
			d.end()
		}
		d.sorted()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/hash")
}
