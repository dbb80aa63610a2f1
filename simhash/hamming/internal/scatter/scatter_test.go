package scatter

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestScatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := range 50 {
		places := make([]uint32, n)
		src64, src32 := make([]uint64, n+1), make([]uint32, n+1)
		for i, p := range rng.Perm(n) {
			places[i], src64[i], src32[i] = uint32(p), rng.Uint64(), rng.Uint32()
		}
		got64, want64 := make([]uint64, n), make([]uint64, n)
		got32, want32 := make([]uint32, n), make([]uint32, n)
		Words64(got64, src64, places)
		scatterGo(want64, src64, places)
		Words32(got32, src32, places)
		scatterGo(want32, src32, places)
		for i, p := range places {
			if want64[p] != src64[i] || want32[p] != src32[i] {
				t.Fatalf("%d words, place %d: in Go %x and %x, want %x and %x", n, p, want64[p], want32[p], src64[i], src32[i])
			}
		}
		if !slices.Equal(got64, want64) || !slices.Equal(got32, want32) {
			t.Errorf("%d words: %x and %x, want %x and %x", n, got64, got32, want64, want32)
		}
	}
}

// A pass that writes 256 runs, out of the cache.
func BenchmarkWords64(b *testing.B) {
	const n, runs = 1 << 23, 1 << 8
	rng := rand.New(rand.NewPCG(1, 1))
	src, dst := make([]uint64, n), make([]uint64, n)
	var next [runs]uint32
	for i := range next {
		next[i] = uint32(i * n / runs)
	}
	places := make([]uint32, n)
	for i := range places {
		r := rng.IntN(runs)
		for next[r] == uint32((r+1)*n/runs) {
			r = (r + 1) % runs
		}
		places[i] = next[r]
		next[r]++
	}
	for name, f := range map[string]func(dst, src []uint64, places []uint32){"Go": scatterGo[uint64], "asm": Words64} {
		b.Run("by="+name, func(b *testing.B) {
			b.SetBytes(8 * n)
			for b.Loop() {
				f(dst, src, places)
			}
		})
	}
}
