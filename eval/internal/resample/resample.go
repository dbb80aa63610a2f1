// Package resample draws the samples that figures and their intervals rest on,
// as functions of numbers and a seed: the same on every machine and for any
// number of workers.
//
// Packages eval, choose and surrogate use it. Figures do not belong here.
package resample

import (
	"math"
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

// Poisson returns how often resample n draws one unit more: a draw from the Poisson
// distribution of mean 1, which depends on n alone.
func Poisson(n int) float64 {
	u := Chance(int32(n), 0, 0)
	k, term := 0.0, math.Exp(-1)
	for ; u >= term && k < 20; k++ {
		u -= term
		term /= k + 1
	}
	return k
}

// Chance returns a number in [0, 1) that depends on a pair and the seed alone.
func Chance(a, b int32, seed uint64) float64 {
	h := xxh3.HashSeed([]byte{byte(a), byte(a >> 8), byte(a >> 16), byte(a >> 24), byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24)}, seed)
	return float64(h>>11) / (1 << 53)
}
