package plant

import (
	"math"
	"testing"
)

// The numbers are those of the seed 1234567 in splitmix64.c (Vigna, 2015), as
// Rosetta Code lists them.
func TestRandIsSplitMix64(t *testing.T) {
	r := &Rand{1234567}
	for i, want := range []uint64{
		6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
	} {
		if got := r.Uint64(); got != want {
			t.Errorf("number %d is %d, want %d", i+1, got, want)
		}
	}
}

func TestRandTellsItsNumbersApart(t *testing.T) {
	seen := map[uint64][]uint64{}
	for a := range uint64(50) {
		for b := range uint64(50) {
			for _, key := range [][]uint64{{a}, {a, b}, {a, 0, b}} {
				x := NewRand(key...).Uint64()
				if old, ok := seen[x]; ok && len(key) > 1 {
					t.Fatalf("%v and %v give the same number", old, key)
				}
				seen[x] = key
			}
		}
	}
}

// A share of n is met on average, and never missed by one or more.
func TestCount(t *testing.T) {
	r := NewRand(1)
	for _, c := range []struct {
		n     int
		share float64
	}{{30, 0.05}, {7, 0.33}, {1000, 0.01}, {40, 0.25}} {
		const rounds = 20_000
		sum := 0
		for range rounds {
			k := r.count(c.n, c.share, 0, c.n)
			if x := float64(c.n) * c.share; math.Abs(float64(k)-x) >= 1 {
				t.Fatalf("%d of %d at %v", k, c.n, c.share)
			}
			sum += k
		}
		// The variance of the rounding is at most a quarter: five standard errors.
		if got, want := float64(sum)/rounds, float64(c.n)*c.share; math.Abs(got-want) > 5*0.5/math.Sqrt(rounds) {
			t.Errorf("the mean of %v of %d is %v, want %v", c.share, c.n, got, want)
		}
	}
	if k := r.count(3, 0.01, 1, 3); k != 1 {
		t.Errorf("at least one of three: got %d", k)
	}
	if k := r.count(1, 0.5, 1, 0); k != 0 {
		t.Errorf("at most none: got %d", k)
	}
}

// Each of the things is picked equally often, and always the number wanted.
func TestPicker(t *testing.T) {
	r := NewRand(2)
	const n, want, rounds = 10, 3, 20_000
	var hits [n]int
	for range rounds {
		p := picker{n, want}
		got := 0
		for i := range n {
			if p.take(r) {
				hits[i]++
				got++
			}
		}
		if got != want {
			t.Fatalf("%d of %d were picked, want %d", got, n, want)
		}
	}
	const p = float64(want) / n
	for i, h := range hits {
		if d := float64(h)/rounds - p; math.Abs(d) > 5*math.Sqrt(p*(1-p)/rounds) {
			t.Errorf("thing %d was picked in %v of the rounds, want %v", i, float64(h)/rounds, p)
		}
	}
}
