package simhash_test

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

// No pair that scores the threshold has words farther apart than Within says.
func TestWord(t *testing.T) {
	const seed = 4
	rng := rand.New(rand.NewPCG(seed, seed))
	for _, width := range []int{32, 64, 128} {
		m, err := simhash.New(simhash.Options{Bits: width})
		if err != nil {
			t.Fatal(err)
		}
		for _, threshold := range []float64{0.3, 0.9, 0.97, 1} {
			layout, err := m.Buckets(similarity.JoinOptions{Threshold: threshold})
			if err != nil {
				t.Fatal(err)
			}
			w := layout.Word
			near := 0
			for range 2000 {
				a := simhash.Fingerprint{Lo: rng.Uint64()}
				switch width {
				case 32:
					a.Lo = uint64(uint32(a.Lo))
				case 128:
					a.Hi = rng.Uint64()
				}
				b := a
				for range rng.IntN(12) {
					if p := rng.IntN(width); p < 64 {
						b.Lo ^= 1 << p
					} else {
						b.Hi ^= 1 << (p - 64)
					}
				}
				if m.Score(a, b) < threshold {
					continue
				}
				near++
				if d := bits.OnesCount64(w.Of(a) ^ w.Of(b)); d > w.Within {
					t.Fatalf("seed %d, %d bits: %v and %v score %v, words %d apart, want at most %d", seed, width, a, b, m.Score(a, b), d, w.Within)
				}
				if got, want := w.Distance(a, b), simhash.Distance(a, b); got != want {
					t.Fatalf("distance %d, want %d", got, want)
				}
			}
			if near == 0 {
				t.Errorf("no pair of %d bits scores %v", width, threshold)
			}
		}
		if _, err := m.Buckets(similarity.JoinOptions{Threshold: 2}); err == nil {
			t.Error("a threshold of 2 was taken")
		}
	}
}
