package feature

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestDFAgainstSearch looks hashes up that are there and such that are not.
func TestDFAgainstSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 3, 100, 5000} {
		for _, shift := range []int{0, 40, 63} { // spread, and crowded
			m := &Model{}
			for range n {
				m.hashes = append(m.hashes, rng.Uint64()>>shift)
			}
			slices.Sort(m.hashes)
			m.hashes = slices.Compact(m.hashes)
			for i := range m.hashes {
				m.df = append(m.df, uint32(i+1))
			}
			m.seal()
			for _, h := range append(slices.Clone(m.hashes), 0, 1, 1<<63, 1<<64-1, rng.Uint64()) {
				want := 0
				if i, ok := slices.BinarySearch(m.hashes, h); ok {
					want = int(m.df[i])
				}
				if got := m.DF(h); got != want {
					t.Fatalf("%d hashes >> %d: DF(%#x) is %d, want %d", n, shift, h, got, want)
				}
			}
		}
	}
}
