package scan

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// within counts bit by bit.
func within(codes []byte, q uint64, k int) []uint32 {
	var at []uint32
	for i := range len(codes) / 8 {
		n := 0
		for bit := range 64 {
			n += int(codes[8*i+bit/8]>>(bit%8)&1) ^ int(q>>bit&1)
		}
		if n <= k {
			at = append(at, uint32(i))
		}
	}
	return at
}

func checkBytes(t *testing.T, codes []byte, q uint64, k int) {
	t.Helper()
	dst := make([]uint32, len(codes)/8)
	if got, want := dst[:NearBytes(dst, codes, q, k)], within(codes, q, k); !slices.Equal(got, want) {
		t.Fatalf("%s: %d bytes within %d of %#x: positions %v, want %v", Kernel(), len(codes), k, q, got, want)
	}
}

func TestNearBytes(t *testing.T) {
	everyKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 1))
		for n := range 150 {
			for range 4 {
				q := rng.Uint64()
				buf := make([]byte, rng.IntN(9), 9+8*n+8) // at any address
				all := buf
				for range n {
					c := q
					for range rng.IntN(12) {
						c ^= 1 << rng.IntN(64)
					}
					if rng.IntN(3) == 0 {
						c = rng.Uint64()
					}
					all = binary.LittleEndian.AppendUint64(all, c)
				}
				all = all[:len(all)+rng.IntN(8)] // and some that fill no code
				for _, k := range []int{-1, 0, 1, 3, 7, 63, 64} {
					checkBytes(t, all[len(buf):], q, k)
				}
			}
		}
	})
}

func FuzzNearBytes(f *testing.F) {
	f.Add([]byte("the words of a bucket, as they lie there"), uint64(0x6f7720656874), 3)
	f.Add([]byte("and some bytes behind them that are no word, for a segment may end anywhere"), uint64(0), 25)
	f.Fuzz(func(t *testing.T, codes []byte, q uint64, k int) {
		underEach(func(string) { checkBytes(t, codes, q, min(k, 64)) })
		Prefetch(codes)
	})
}

func BenchmarkNearBytes(b *testing.B) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{8, 76, 1024} {
		var codes []byte
		for range n {
			codes = binary.LittleEndian.AppendUint64(codes, rng.Uint64())
		}
		dst := make([]uint32, n)
		underEach(func(name string) {
			b.Run(fmt.Sprintf("by=%s/codes=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					if NearBytes(dst, codes, 0, 3) != 0 {
						b.Fatal("a random code is near")
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/code")
			})
		})
	}
}
