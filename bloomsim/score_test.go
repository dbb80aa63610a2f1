package bloomsim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/alike-go/alike/feature"
)

// pairOf returns two sets of n random features each whose Jaccard coefficient is
// as near to j as whole numbers allow, and that coefficient.
func pairOf(rng *rand.Rand, n int, j float64) (a, b []feature.Feature, exact float64) {
	shared := int(math.Round(2 * float64(n) * j / (1 + j)))
	all := someFeatures(rng, 2*n-shared)
	return all[:n], all[n-shared:], float64(shared) / float64(2*n-shared)
}

// The expected ratios of bits were computed apart from this package, from the
// occupancy of filters: what the raw ratio of two sets of one size is on average.
func TestRawRatio(t *testing.T) {
	js := [...]float64{0, .2, .5, .8, .9}
	const n = 1000
	for _, c := range []struct {
		perFeature float64
		k          int
		want       [len(js)]float64
	}{
		{2, 1, [...]float64{.245, .392, .617, .846, .923}},
		{8, 1, [...]float64{.062, .250, .531, .812, .906}},
		{8, 5, [...]float64{.303, .436, .644, .857, .928}},
		{12.8, 5, [...]float64{.193, .352, .593, .837, .918}},
	} {
		m := mustNew(t, Options{Bits: int(c.perFeature * n), Hashes: c.k, Score: Raw})
		rng := rand.New(rand.NewPCG(13, 14))
		for i, j := range js {
			t.Run(fmt.Sprintf("bits=%v/hashes=%d/j=%v", c.perFeature, c.k, j), func(t *testing.T) {
				const runs = 20
				mean := 0.0
				for range runs {
					a, b, _ := pairOf(rng, n, j)
					mean += m.Score(m.SketchFeatures(a), m.SketchFeatures(b)) / runs
				}
				if math.Abs(mean-c.want[i]) > 0.004 {
					t.Errorf("raw ratio is %.4f on average, want %.3f", mean, c.want[i])
				}
			})
		}
	}
}

// The estimate of one set's size has variance m(e^t - t - 1), t = n/m, for one hash
// (Whang, Vander-Zanden and Taylor, TODS 1990). Jaccard is (nA + nB)/nU - 1, so its
// error is at most that of all three added up as if they always erred together.
func TestJaccardError(t *testing.T) {
	deviation := func(n, m float64) float64 { return math.Sqrt(m * (math.Exp(n/m) - n/m - 1)) }
	for _, o := range []Options{{}, {Bits: 4000}, {Places: Compat}, {Bits: 1 << 16}} {
		m := mustNew(t, o)
		size := float64(m.o.Bits)
		for _, n := range []int{20, 200, 2000, 8000} {
			for _, j := range []float64{0, .3, .7, .95} {
				t.Run(fmt.Sprintf("%s/n=%d/j=%v", m, n, j), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(15, uint64(n)))
					const runs = 25
					var sum, squares, exact, contained float64
					for range runs {
						var a, b []feature.Feature
						a, b, exact = pairOf(rng, n, j)
						fa, fb := m.SketchFeatures(a), m.SketchFeatures(b)
						e := m.Score(fa, fb) - exact
						sum += e / runs
						squares += e * e / runs
						contained += m.Containment(fa, fb) / runs
					}
					union := 2 * float64(n) / (1 + exact)
					bound := (2*deviation(float64(n), size) + (1+exact)*deviation(union, size)) / union
					if got := math.Sqrt(squares); got > bound {
						t.Errorf("seed 15: root mean square error is %.4f, bound %.4f", got, bound)
					}
					if exact > 0 && math.Abs(sum) > bound/3 {
						t.Errorf("seed 15: bias is %+.4f", sum)
					}
					if want := 2 * exact / (1 + exact); math.Abs(contained-want) > 2*bound {
						t.Errorf("seed 15: containment is %.4f on average, want %.4f", contained, want)
					}
				})
			}
		}
	}
}

// The errors that the package's documentation states, in units of 1/√m: the worst
// over all Jaccard coefficients. Of 150 runs they have an error of 6 % themselves.
func TestStatedError(t *testing.T) {
	const runs = 150
	for _, c := range []struct {
		bits  int
		load  float64 // features a bit
		worst float64
	}{{4096, .25, .6}, {1000, .25, .6}, {4096, 1, .9}, {1024, 2, 1.6}, {4096, 4, 5}} {
		m := mustNew(t, Options{Bits: c.bits})
		rng := rand.New(rand.NewPCG(25, uint64(c.bits)))
		worst := 0.0
		for _, j := range []float64{.1, .3, .5} {
			squares := 0.0
			for range runs {
				a, b, exact := pairOf(rng, int(c.load*float64(c.bits)), j)
				e := m.Score(m.SketchFeatures(a), m.SketchFeatures(b)) - exact
				squares += e * e / runs
			}
			worst = max(worst, math.Sqrt(squares*float64(c.bits)))
		}
		if worst > 1.2*c.worst || worst < .8*c.worst {
			t.Errorf("seed 25, %d bits, %v features each: error is %.2f/√m, stated %v", c.bits, c.load, worst, c.worst)
		}
	}
}

// A quotation lies wholly in the text, though the two are not alike.
func TestContainment(t *testing.T) {
	m := mustNew(t, Options{})
	all := someFeatures(rand.New(rand.NewPCG(17, 18)), 1000)
	quote, text := m.SketchFeatures(all[:50]), m.SketchFeatures(all)
	if got := m.Containment(quote, text); got < 0.98 {
		t.Errorf("containment of the quotation is %v, want 1", got)
	}
	if got := m.Containment(text, quote); math.Abs(got-0.05) > 0.02 {
		t.Errorf("containment in the quotation is %v, want .05", got)
	}
	if got := m.Score(quote, text); math.Abs(got-0.05) > 0.02 {
		t.Errorf("score is %v, want .05", got)
	}
}

// Texts of different size classes are compared at the smaller size.
func TestAutoScore(t *testing.T) {
	m := mustNew(t, Options{Bits: Auto})
	all := someFeatures(rand.New(rand.NewPCG(19, 20)), 200_000)
	for _, c := range []struct{ a, b int }{{500, 1000}, {1000, 500}, {300, 3000}, {30, 200_000}, {200_000, 100_000}} {
		got := m.Score(m.SketchFeatures(all[:c.a]), m.SketchFeatures(all[:c.b]))
		if want := float64(min(c.a, c.b)) / float64(max(c.a, c.b)); math.Abs(got-want) > 0.03 {
			t.Errorf("%d of %d features: score is %v, want %v", c.a, c.b, got, want)
		}
	}
}

func TestSaturation(t *testing.T) {
	m := mustNew(t, Options{Bits: 256})
	rng := rand.New(rand.NewPCG(21, 22))
	full, other := m.SketchFeatures(someFeatures(rng, 10_000)), m.SketchFeatures(someFeatures(rng, 10_000))
	small := m.SketchFeatures(someFeatures(rng, 20))
	if !full.Saturated() || small.Saturated() || (Filter{}).Saturated() {
		t.Error("saturated is wrong for a full filter, a small one or none")
	}
	for _, c := range []struct {
		name      string
		a, b      Filter
		saturated bool
		lo, hi    float64
	}{
		{"both full", full, other, true, 1, 1},
		{"one full", full, small, true, 0, 0.05},
		{"none full", small, small, false, 1, 1},
		{"no filter", Filter{}, Filter{}, false, 0, 0},
	} {
		if got := m.Saturated(c.a, c.b); got != c.saturated {
			t.Errorf("%s: saturated is %v", c.name, got)
		}
		if got := m.Score(c.a, c.b); got < c.lo || got > c.hi {
			t.Errorf("%s: score is %v, want %v to %v", c.name, got, c.lo, c.hi)
		}
	}
	// Unrelated texts whose filters fill all bits only together: the raw ratio is
	// high, the score must not be.
	raw := mustNew(t, Options{Bits: 256, Score: Raw})
	for range 50 {
		a, b := m.SketchFeatures(someFeatures(rng, 800)), m.SketchFeatures(someFeatures(rng, 800))
		if !m.Saturated(a, b) || a.Saturated() || b.Saturated() {
			continue
		}
		if got, ratio := m.Score(a, b), raw.Score(a, b); got > 0.5 || ratio < 0.8 {
			t.Errorf("unrelated texts score %v, raw %v", got, ratio)
		}
	}
}
