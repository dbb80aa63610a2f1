package scan

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// naive counts bit by bit.
func naive(words []byte, q uint64, k int) []uint32 {
	var at []uint32
	for i := range len(words) / 8 {
		n := 0
		for bit := range 64 {
			n += int(words[8*i+bit/8]>>(bit%8)&1) ^ int(q>>bit&1)
		}
		if n <= k {
			at = append(at, uint32(i))
		}
	}
	return at
}

func check(t *testing.T, words []byte, q uint64, k int) {
	t.Helper()
	dst := make([]uint32, len(words)/8)
	if got, want := dst[:Near(dst, words, q, k)], naive(words, q, k); !slices.Equal(got, want) {
		t.Fatalf("%s: %d bytes within %d of %#x: positions %v, want %v", Kernel(), len(words), k, q, got, want)
	}
}

func TestNear(t *testing.T) {
	everyKernel(func(name string) {
		t.Run(name, func(t *testing.T) {
			const seed = 1
			rng := rand.New(rand.NewPCG(seed, seed))
			for n := range 150 {
				for range 4 {
					q := rng.Uint64()
					buf := make([]byte, rng.IntN(9), 9+8*n+8) // at any address
					words := buf
					for range n {
						w := q
						for range rng.IntN(12) {
							w ^= 1 << rng.IntN(64)
						}
						if rng.IntN(3) == 0 {
							w = rng.Uint64()
						}
						words = binary.LittleEndian.AppendUint64(words, w)
					}
					for _, k := range []int{-1, 0, 1, 3, 7, 63, 64} {
						check(t, words[len(buf):], q, k)
					}
				}
			}
		})
	})
}

func FuzzNear(f *testing.F) {
	f.Add([]byte("the words of a bucket, as they lie there"), uint64(0x6f7720656874), 3)
	f.Fuzz(func(t *testing.T, words []byte, q uint64, k int) {
		everyKernel(func(string) { check(t, words, q, min(k, 64)) })
		Prefetch(words)
	})
}

func BenchmarkNear(b *testing.B) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{8, 76, 1024} {
		var words []byte
		for range n {
			words = binary.LittleEndian.AppendUint64(words, rng.Uint64())
		}
		dst := make([]uint32, n)
		everyKernel(func(name string) {
			b.Run(fmt.Sprintf("words=%d/kernel=%s", n, name), func(b *testing.B) {
				for b.Loop() {
					if Near(dst, words, 0, 3) != 0 {
						b.Fatal("a random word is near")
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/word")
			})
		})
	}
}
