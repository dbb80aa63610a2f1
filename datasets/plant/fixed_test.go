package plant

import (
	"math"
	"slices"
	"testing"
)

func TestLog2AndExp2AgreeWithMath(t *testing.T) {
	r := NewRand(3)
	for i := range 20_000 {
		n := uint64(i + 1)
		if i > 5000 {
			n = r.Uint64() >> (i % 60)
			n = max(n, 1)
		}
		if got, want := float64(log2(n))/one32, math.Log2(float64(n)); math.Abs(got-want) > 3e-10 {
			t.Fatalf("log2(%d) is %v, want %v", n, got, want)
		}
		x := int64(r.Uint64() % (62 * one32))
		if got, want := float64(exp2(x)), math.Exp2(float64(x)/one32); math.Abs(got-want) > 1+want*1e-14 {
			t.Fatalf("exp2(%d/2^32) is %v, want %v", x, got, want)
		}
	}
	for x, want := range map[int64]uint64{0: 1, one32: 2, 40 * one32: 1 << 40, 61 * one32: 1 << 61, 62 * one32: 1 << 62, math.MaxInt64: 1 << 62, -1: 0, math.MinInt64: 0} {
		if got := exp2(x); got != want {
			t.Errorf("exp2(%d/2^32) is %d, want %d", x, got, want)
		}
	}
}

func TestZipfWeights(t *testing.T) {
	for _, s := range []float64{0.5, 0.96, 1, 2, 4} {
		w := zipf(5000, s)
		if w[0] != 1<<40 {
			t.Errorf("exponent %v: the first weight is %d", s, w[0])
		}
		for i, got := range w {
			want := math.Pow(float64(i+1), -s) * (1 << 40)
			// The exponent is kept to 2^-17, the weight to one.
			if math.Abs(float64(got)-want) > 1.5+want*1e-4 {
				t.Fatalf("exponent %v: weight %d is %d, want %v", s, i+1, got, want)
			}
		}
	}
}

// The share of every number, added up over the slots, is its weight.
func TestAliasHasTheWeights(t *testing.T) {
	r := NewRand(4)
	random := make([]uint64, 777)
	for i := range random {
		random[i] = r.Uint64() >> (24 + i%30)
	}
	for name, weights := range map[string][]uint64{
		"zipf": zipf(50_000, 0.96), "one": {7}, "zeros": {0, 5, 0}, "equal": {3, 3, 3, 3}, "random": random, "two": {1, 1 << 40},
	} {
		a := newAlias(weights)
		share := make([]float64, len(weights))
		for i, s := range a.slots {
			keep := float64(s.keep) / one32
			share[i] += keep
			share[s.other] += 1 - keep
		}
		var total float64
		for _, w := range weights {
			total += float64(w)
		}
		for i, w := range weights {
			want := float64(w) / total * float64(len(weights))
			// Each slot that a number is part of is exact to 2^-32.
			if math.Abs(share[i]-want) > float64(len(weights))/one32+1e-9*want {
				t.Fatalf("%s: number %d has %v of a slot, want %v", name, i, share[i], want)
			}
		}
	}
	zero := newAlias([]uint64{0, 5, 0})
	for range 10_000 {
		if got := zero.pick(r.Uint64()); got != 1 {
			t.Fatalf("a number of weight 0 was picked: %d", got)
		}
	}
}

// The distribution of lengths is the log-normal one, after the test of
// Kolmogorov and Smirnov: at this number of draws the bound is passed by chance
// once in 10^5.
func TestLengthsAreLogNormal(t *testing.T) {
	const n, mean, sigma = 50_000, 40_000, 0.7
	l := newLogNormal(mean, sigma, false)
	r := NewRand(5)
	x := make([]float64, n)
	var sum float64
	for i := range x {
		x[i] = float64(l.draw(r))
		sum += x[i]
	}
	deviation := mean * math.Sqrt(math.Exp(sigma*sigma)-1)
	if got := sum / n; math.Abs(got-mean) > 5*deviation/math.Sqrt(n) {
		t.Errorf("the mean is %v, want %v", got, mean)
	}
	slices.Sort(x)
	furthest := 0.0
	for i, v := range x {
		z := (math.Log(v) - (math.Log(mean) - sigma*sigma/2)) / sigma
		p := math.Erfc(-z/math.Sqrt2) / 2
		furthest = max(furthest, math.Abs(p-float64(i)/n), math.Abs(p-float64(i+1)/n))
	}
	if bound := 2.47 / math.Sqrt(n); furthest > bound {
		t.Errorf("the distribution is %v from the log-normal one, want at most %v", furthest, bound)
	}
}

func TestLengthsOfOne(t *testing.T) {
	r := NewRand(6)
	for mean, l := range map[int]logNormal{400: newLogNormal(400, 0.5, true), 1: newLogNormal(1, 1e-9, false)} {
		for range 100 {
			if got := l.draw(r); got != mean {
				t.Fatalf("a length of %d, want %d", got, mean)
			}
		}
	}
}
