package surrogate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// drawn is scores of pairs that are known to be alike or not.
type drawn struct {
	h     histogram
	alike histogram
}

// draw makes n documents' pairs: exponential background and a Beta of alike ones.
func draw(n, alike int, scale, a, b float64, seed uint64) *drawn {
	d := new(drawn)
	rng := rand.New(rand.NewPCG(seed, 1))
	for range n*(n-1)/2 - alike {
		d.h[binOf(float32(min(1-1e-6, rng.ExpFloat64()*scale)))]++
	}
	beta := distuv.Beta{Alpha: a, Beta: b, Src: rng}
	for range alike {
		i := binOf(float32(beta.Rand()))
		d.h[i]++
		d.alike[i]++
	}
	return d
}

// f1 is what the threshold gives by the truth, and best what any does.
func (d *drawn) f1(threshold float64) (at, best float64) {
	all := 0.0
	for _, n := range d.alike {
		all += n
	}
	hits, called := 0.0, 0.0
	for i := bins; i >= 0; i-- {
		hits += d.alike[i]
		called += d.h[i]
		f := 2 * hits / (called + all)
		best = max(best, f)
		if float64(i)/bins >= threshold {
			at = f
		}
	}
	return at, best
}

// The mixture finds what was mixed: the number of alike pairs, and a threshold that is nearly
// as good as the best one that knows the truth.
func TestMixtureFindsTheParts(t *testing.T) {
	for _, c := range []struct {
		n, alike    int
		scale, a, b float64
	}{
		{700, 300, 0.03, 20, 4},
		{700, 5000, 0.04, 6, 4},
		{1500, 1000, 0.02, 3, 2},
		{1500, 1000, 0.06, 12, 3},
	} {
		t.Run(fmt.Sprintf("n=%d/alike=%d/scale=%v/beta=%v,%v", c.n, c.alike, c.scale, c.a, c.b), func(t *testing.T) {
			const seed = 3
			d := draw(c.n, c.alike, c.scale, c.a, c.b, seed)
			m := fitMixture(&d.h, c.n)
			if share := m.pairs / float64(c.alike); share < 0.9 || share > 1.1 {
				t.Errorf("seed %d: %.0f alike pairs are expected, %d there are", seed, m.pairs, c.alike)
			}
			at, best := d.f1(m.threshold)
			if at < best-0.02 {
				t.Errorf("seed %d: F1 is %.3f at the threshold %.3f, and %.3f at the best", seed, at, m.threshold, best)
			}
			if math.Abs(m.f1-at) > 0.05 {
				t.Errorf("seed %d: F1 is %.3f, %.3f is expected", seed, at, m.f1)
			}
		})
	}
}

// A probability never falls as the score rises, and is one.
func FuzzMixture(f *testing.F) {
	f.Add(uint64(1), 200, 10, 0.05)
	f.Add(uint64(2), 100, 0, 0.5)
	f.Add(uint64(3), 150, 4000, 0.001)
	f.Fuzz(func(t *testing.T, seed uint64, n, alike int, scale float64) {
		if n < 2 || n > 300 || alike < 0 || alike > n*(n-1)/2 || !(scale >= 0 && scale < 10) {
			t.Skip()
		}
		d := draw(n, alike, scale, 8, 3, seed)
		m := fitMixture(&d.h, n)
		before := 0.0
		for i, p := range m.alike {
			if math.IsNaN(p) || p < before || p > 1 {
				t.Fatalf("bin %d: %v after %v", i, p, before)
			}
			before = p
		}
		if !(m.threshold >= 0 && m.threshold <= 1) || !(m.f1 >= 0 && m.f1 <= 1+1e-9) || !(m.pairs >= 0) {
			t.Fatalf("threshold %v, F1 %v, pairs %v", m.threshold, m.f1, m.pairs)
		}
	})
}

// All pairs of score 0, none, and all of score 1 are data too.
func TestMixtureOfNothing(t *testing.T) {
	for _, bin := range []int{0, bins - 1, bins} {
		var h histogram
		h[bin] = 1000
		if m := fitMixture(&h, 45); math.IsNaN(m.f1) || math.IsNaN(m.pairs) {
			t.Errorf("all in bin %d: F1 %v, pairs %v", bin, m.f1, m.pairs)
		}
	}
	if m := fitMixture(new(histogram), 2); m.pairs != 0 || m.f1 != 0 {
		t.Errorf("no pairs: F1 %v, pairs %v", m.f1, m.pairs)
	}
}
