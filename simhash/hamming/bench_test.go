package hamming

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// fingerprints returns n codes of 64 bits, one in a hundred a copy of an earlier one with
// 0 to 3 bits flipped. With bias, bit by bit the probability of a one lies between .30
// and .70, otherwise it is one half.
func fingerprints(n int, bias bool) []uint64 {
	rng := rand.New(rand.NewPCG(7, 7))
	var p [64]uint64
	for b := range p {
		p[b] = 1 << 15
		if bias {
			p[b] = uint64((0.30 + 0.40*rng.Float64()) * (1 << 16))
		}
	}
	out := make([]uint64, n)
	for i := range out {
		if i > 0 && rng.IntN(100) == 0 {
			out[i] = out[rng.IntN(i)]
			for range rng.IntN(4) {
				out[i] ^= 1 << rng.IntN(64)
			}
			continue
		}
		if !bias {
			out[i] = rng.Uint64()
			continue
		}
		for b := 0; b < 64; b += 4 {
			r := rng.Uint64()
			for j := range 4 {
				if r>>(16*j)&0xffff < p[b+j] {
					out[i] |= 1 << (b + j)
				}
			}
		}
	}
	return out
}

// plainScan is what every figure is compared with.
func plainScan(codes []uint64, q uint64, k int) int {
	n := 0
	for _, c := range codes {
		if bits.OnesCount64(c^q) <= k {
			n++
		}
	}
	return n
}

func sizes(b *testing.B) []int {
	if testing.Short() {
		return []int{100_000}
	}
	return []int{1_000_000, 10_000_000}
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range sizes(b) {
		codes := fingerprints(n, false)
		queries := make([]Code, 1<<14)
		rng := rand.New(rand.NewPCG(1, 2))
		for i := range queries {
			queries[i].Lo = rng.Uint64()
			if i%100 == 0 {
				queries[i].Lo = codes[rng.IntN(n)] ^ 1<<rng.IntN(64)
			}
		}
		b.Run(fmt.Sprintf("codes=%d/by=plain", n), func(b *testing.B) {
			i := 0
			for b.Loop() {
				plainScan(codes, queries[i%len(queries)].Lo, 3)
				i++
			}
		})
		for _, name := range []string{"scan", "blocks:4", "blocks:5", "mih:3"} {
			x, err := Build(Codes64(codes), 3, Options{Design: name})
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("codes=%d/by=%s", n, name), func(b *testing.B) {
				b.ReportAllocs()
				var dst []Match
				i := 0
				for b.Loop() {
					dst = x.Search(dst[:0], queries[i%len(queries)], 3)
					i++
				}
				b.ReportMetric(float64(x.Bytes())/float64(n), "B/code")
			})
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range sizes(b) {
		codes := fingerprints(n, false)
		for _, name := range []string{"blocks:4", "blocks:5"} {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("codes=%d/by=%s/workers=%d", n, name, workers), func(b *testing.B) {
					for b.Loop() {
						if _, err := Build(Codes64(codes), 3, Options{Design: name, Workers: workers}); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/code")
				})
			}
		}
	}
}
