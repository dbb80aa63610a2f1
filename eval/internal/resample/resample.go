// Package resample draws the samples that figures and their intervals rest on,
// as functions of numbers and a seed: the same on every machine and for any
// number of workers.
//
// Packages eval, choose and surrogate use it. Figures do not belong here.
package resample

import (
	"math/rand/v2"

	"github.com/zeebo/xxh3"
)

// Draw fills in how often resample n of the bootstrap draws each unit.
func Draw(drawn []int32, seed uint64, n int) {
	clear(drawn)
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	for range drawn {
		drawn[rng.IntN(len(drawn))]++
	}
}

// PairedP returns the two-sided p-value of no difference, from the differences
// of paired replicates: twice the share of resamples on the rarer side of 0, both
// counted with one more. Undefined differences do not count; defined is the
// number of the others. The p-value means nothing if defined is 0.
func PairedP(differences []float32) (p float64, defined int) {
	below, above := 0, 0
	for _, d := range differences {
		if d == d {
			defined++
		}
		if d <= 0 {
			below++
		}
		if d >= 0 {
			above++
		}
	}
	return min(1, 2*float64(1+min(below, above))/float64(1+defined)), defined
}

// Chance returns a number in [0, 1) that depends on a pair and the seed alone.
func Chance(a, b int32, seed uint64) float64 {
	h := xxh3.HashSeed([]byte{byte(a), byte(a >> 8), byte(a >> 16), byte(a >> 24), byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24)}, seed)
	return float64(h>>11) / (1 << 53)
}
