package simhash

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The table of the binomial model for 64 bits, summed independently from the
// definition with Python's math.comb, to as many places as are printed.
func TestProbWithin(t *testing.T) {
	for _, c := range []struct {
		cos       float64
		k         int
		want, tol float64
	}{
		{.999, 3, .987, .0005}, {.995, 3, .853, .0005}, {.99, 3, .674, .0005}, {.98, 3, .411, .0005},
		{.97, 3, .253, .0005}, {.95, 3, .101, .0005}, {.90, 3, .013, .0005}, {.80, 3, .0004, .00005},
		{0, 3, 2.4e-15, .05e-15},
		{.999, 7, 1, .0005}, {.995, 7, .999, .0005}, {.99, 7, .992, .0005}, {.98, 7, .950, .0005},
		{.97, 7, .875, .0005}, {.95, 7, .682, .0005}, {.90, 7, .283, .0005}, {.80, 7, .0345, .00005},
	} {
		if got := ProbWithin(c.cos, c.k, 64); math.Abs(got-c.want) > c.tol {
			t.Errorf("P(h<=%d) at cosine %v: %v, want %v", c.k, c.cos, got, c.want)
		}
	}
}

func TestProbWithinEdges(t *testing.T) {
	for _, c := range []struct {
		cos     float64
		k, bits int
		want    float64
	}{
		{1, 0, 64, 1}, {1, 3, 64, 1}, {-1, 63, 64, 0}, {-1, 64, 64, 1}, {.5, -1, 64, 0}, {.5, 64, 64, 1},
		{2, 0, 64, 1}, {-7, 0, 128, 0},
		{0, 0, 1, .5}, {0, 0, 2, .25}, {0, 1, 2, .75},
		{0, 63, 127, .5}, // an odd number of fair bits
		{.5, 0, 1, 2. / 3},
	} {
		if got := ProbWithin(c.cos, c.k, c.bits); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("P(h<=%d of %d) at cosine %v: %v, want %v", c.k, c.bits, c.cos, got, c.want)
		}
	}
	// It grows with k and with the cosine.
	for k := range 128 {
		for _, cos := range []float64{-.5, 0, .3, .9, .99} {
			if p, q := ProbWithin(cos, k, 128), ProbWithin(cos, k+1, 128); p > q {
				t.Errorf("cosine %v: P(h<=%d) is %v, P(h<=%d) %v", cos, k, p, k+1, q)
			}
			if p, q := ProbWithin(cos, k, 128), ProbWithin(cos+.005, k, 128); p > q*(1+1e-12) {
				t.Errorf("P(h<=%d) is %v at cosine %v, less at %v: %v", k, p, cos, cos+.005, q)
			}
		}
	}
}

// cos(πh/64) as the reference tabulates it.
func TestEstimateCosine(t *testing.T) {
	for h, want := range map[int]float64{0: 1, 1: .9988, 2: .9952, 3: .9892, 4: .9808, 5: .9700,
		6: .9569, 7: .9415, 8: .9239, 10: .8819, 12: .8315, 16: .7071, 32: 0, 64: -1} {
		if got := EstimateCosine(h, 64); math.Abs(got-want) > .00005 {
			t.Errorf("h=%d: %v, want %v", h, got, want)
		}
	}
	if EstimateCosine(32, 64) != 0 || EstimateCosine(2, 6) != .5 {
		t.Error("32 of 64 bits are not exactly 0, or 2 of 6 not exactly .5")
	}
}

// The law that all rests on: E[h] = f·θ/π, and the distances scatter as binomial
// ones do. Texts share some features and have others of their own, with random weights.
func TestDistanceFollowsAngle(t *testing.T) {
	const (
		seed  = 12
		pairs = 200
		n     = 300 // features a text, enough for the normal limit
	)
	rng := rand.New(rand.NewPCG(seed, seed))
	for _, shared := range []int{0, 60, 150, 240, 285, 297} {
		var sum, expect, variance, square [3]float64
		for range pairs {
			a := randomFeatures(rng, n)
			b := randomFeatures(rng, n)
			copy(b, a[:shared])
			var ab, aa, bb float64
			for i := range n {
				aa += a[i].Weight * a[i].Weight
				bb += b[i].Weight * b[i].Weight
				if i < shared {
					ab += a[i].Weight * b[i].Weight
				}
			}
			p := math.Acos(min(1, ab/math.Sqrt(aa*bb))) / math.Pi
			for i, width := range widths {
				h := float64(Distance(Sum(width, TieSalt, a), Sum(width, TieSalt, b)))
				mean := p * float64(width)
				sum[i] += h
				expect[i] += mean
				variance[i] += mean * (1 - p)
				square[i] += (h - mean) * (h - mean)
			}
		}
		for i, width := range widths {
			// Four standard errors; one of 18 cases beyond is a 1 in 900 event.
			if math.Abs(sum[i]-expect[i]) > 4*math.Sqrt(variance[i]) {
				t.Errorf("seed %d, %d bits, %d of %d shared: mean distance %.3f, want %.3f ± %.3f",
					seed, width, shared, n, sum[i]/pairs, expect[i]/pairs, math.Sqrt(variance[i])/pairs)
			}
			// The sample variance has a relative error of about sqrt(2/pairs), .1.
			if r := square[i] / variance[i]; r < .6 || r > 1.45 {
				t.Errorf("seed %d, %d bits, %d of %d shared: variance is %.2f times the binomial one",
					seed, width, shared, n, r)
			}
		}
	}
}
