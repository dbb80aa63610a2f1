package plant

import "github.com/alike-go/alike/internal/splitmix"

// Rand is a source of random numbers that gives the same ones on every machine
// and under every version of the standard library: SplitMix64 (Steele, Lea and
// Flood, OOPSLA 2014). It is also a source for math/rand/v2. It is not safe for
// concurrent use, and no secret.
type Rand struct{ s splitmix.Stream }

// NewRand returns a source that the numbers select, in their order: sources of
// (seed, 1) and (seed, 2) have nothing to do with each other.
func NewRand(numbers ...uint64) *Rand {
	r := seeded(numbers...)
	return &r
}

// seeded is NewRand without the allocation.
func seeded(numbers ...uint64) Rand {
	var state uint64
	for _, n := range numbers {
		state = splitmix.Mix(splitmix.Mix(state+splitmix.Step) ^ n)
	}
	return Rand{splitmix.Stream(state)}
}

// Uint64 returns 64 random bits.
func (r *Rand) Uint64() uint64 { return r.s.Next() }

// Below returns a number in [0, n), n > 0. The bias is below n/2^64.
func (r *Rand) Below(n int) int { return r.s.Below(n) }

// Chance reports true with the probability p.
func (r *Rand) Chance(p float64) bool {
	return float64(r.Uint64()>>11) < p*(1<<53) // a power of two: nothing is rounded
}

// count returns share*n rounded up or down at random, so that the share is met on
// average over texts of any length; but at least least, and at most most.
func (r *Rand) count(n int, share float64, least, most int) int {
	x := float64(float64(n) * share)
	k := int(x)
	if r.Chance(x - float64(k)) {
		k++
	}
	return max(min(max(k, least), most), 0)
}

// picker chooses want of left things as they pass by, every choice as likely as
// another: selection sampling (Knuth, The Art of Computer Programming, volume 2,
// algorithm 3.4.2 S).
type picker struct{ left, want int }

func (p *picker) take(r *Rand) bool {
	if p.want == 0 { // nothing left to draw for
		return false
	}
	hit := r.Below(p.left) < p.want
	p.left--
	if hit {
		p.want--
	}
	return hit
}
