package disk

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The directory leads to the first block in which a key can stand.
func TestDirectory(t *testing.T) {
	const seed = 51
	rng := rand.New(rand.NewPCG(seed, seed))
	for name, draw := range map[string]func() uint64{
		"even": func() uint64 { return rng.Uint64() >> (64 - keyBits) },
		"low":  func() uint64 { return rng.Uint64N(300) },
		"few":  func() uint64 { return rng.Uint64N(5) << 37 },
		"one":  func() uint64 { return 1<<keyBits - 1 },
	} {
		for _, n := range []int{0, 1, 2, 100, 3000} {
			// Keys in ascending order, cut into blocks of three.
			all := make([]uint64, 3*n)
			for i := range all {
				all[i] = draw()
			}
			slices.Sort(all)
			var keys []uint64
			for i := 0; i < len(all); i += 3 {
				keys = append(keys, all[i])
			}
			d := newDirectory(keys, func(i int) bool { return i > 0 && all[3*i-1] == all[3*i] })
			for range 500 {
				key := draw()
				at, ok := slices.BinarySearch(all, key)
				if got := d.find(key); ok && got != at/3 || got < 0 || got > n {
					t.Fatalf("seed %d: %s, %d blocks: key %x is found in block %d, want %d", seed, name, n, key, got, at/3)
				}
			}
		}
	}
}
