package plots

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/alike-go/alike/eval"
)

// scored returns pairs with scores of so many different values, 0 among them.
func scored(rng *rand.Rand, n, values int) []eval.Scored {
	pairs := make([]eval.Scored, n)
	for i := range pairs {
		p := &pairs[i]
		p.Alike = rng.IntN(3) == 0
		p.Score = float64(rng.IntN(values)) / float64(values)
		if p.Alike {
			p.Score = math.Sqrt(p.Score)
		}
	}
	return pairs
}

// The area under a curve drawn in steps is its average precision, but for pairs of
// score 0, which no threshold predicts.
func TestCurveIsAveragePrecision(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		pairs := scored(rng, 1+rng.IntN(300), 2+rng.IntN(50))
		c := NewCurve("x", pairs, 0.5)
		area, recall := 0.0, 0.0
		for _, p := range c.Points {
			area += (p.Recall - recall) * p.Precision
			recall = p.Recall
			if got := eval.Count(pairs, p.Threshold); got.Precision() != p.Precision || got.Recall() != p.Recall {
				t.Fatalf("seed %d: point %+v, counted precision %v, recall %v", seed, p, got.Precision(), got.Recall())
			}
		}
		want := eval.AveragePrecision(pairs)
		if zero := eval.Count(pairs, 1e-9); zero.TP+zero.FN == 0 {
			want = 0 // NaN: nothing to draw
		} else {
			want -= (1 - zero.Recall()) * eval.Count(pairs, -1).Precision()
		}
		if math.Abs(area-want) > 1e-9 {
			t.Fatalf("seed %d: area %v, want %v", seed, area, want)
		}
		if c.Chosen != nil {
			if got := eval.Count(pairs, 0.5); c.Chosen.Precision != got.Precision() || c.Chosen.Recall != got.Recall() {
				t.Fatalf("seed %d: chosen %+v, want %+v", seed, c.Chosen, got)
			}
		}
	}
}

func TestCurveIsThinned(t *testing.T) {
	pairs := scored(rand.New(rand.NewPCG(1, 1)), 100_000, 1<<20)
	c := NewCurve("x", pairs, 0.5)
	if n := len(c.Points); n < curveSteps/2 || n > curveSteps+1 {
		t.Errorf("%d points, want about %d", n, curveSteps)
	}
	area, recall := 0.0, 0.0
	for _, p := range c.Points {
		area += (p.Recall - recall) * p.Precision
		recall = p.Recall
	}
	// A step of recall is 1/400, and precision changes by at most 1 in all.
	if want := eval.AveragePrecision(pairs); math.Abs(area-want) > 2.0/curveSteps {
		t.Errorf("area %v, want %v", area, want)
	}
}

func TestCurveOfOddPairs(t *testing.T) {
	nan := math.NaN()
	for _, pairs := range [][]eval.Scored{nil, {{Score: 0.5}}, {{Score: 0, Alike: true}}, {{Score: nan, Alike: true}}, {{Score: math.Inf(1), Alike: true}, {Score: math.Inf(-1)}}} {
		for _, threshold := range []float64{0, 0.5, nan, math.Inf(1), math.Inf(-1)} {
			NewCurve("", pairs, threshold)
			NewHistogram("", pairs, threshold)
		}
	}
	if c := NewCurve("", []eval.Scored{{Score: 0.5, Alike: true}}, math.Inf(1)); c.Chosen != nil {
		t.Errorf("chosen %+v at a threshold that predicts nothing", c.Chosen)
	}
}

func TestNewHistogram(t *testing.T) {
	h := NewHistogram("x", []eval.Scored{
		{Score: 0}, {Score: 0.019}, {Score: 0.021, Alike: true}, {Score: 0.5, Alike: true}, {Score: 1}, {Score: 1, Alike: true}, {Score: 7}, {Score: -7}, {Score: math.NaN()},
	}, 0.3)
	alike, other := map[int]int64{1: 1, 25: 1, 49: 1}, map[int]int64{0: 3, 49: 2}
	for i := range histogramSteps {
		if h.Alike[i] != alike[i] || h.Other[i] != other[i] {
			t.Errorf("step %d: %d alike and %d not, want %d and %d", i, h.Alike[i], h.Other[i], alike[i], other[i])
		}
	}
}

// The axes hold the values, with labelled ticks inside, whatever the values are.
func TestAxes(t *testing.T) {
	odd := []float64{0, 1, -1, 0.5, 1e-9, 1e-300, 5e-324, 1e15, -1e15, 1e300, math.MaxFloat64, math.NaN(), math.Inf(1), math.Inf(-1), 1 + 1e-16, 1 + 1e-12, 0.1, 100, 8, 668}
	check := func(a axis, values []float64, ok func(float64) bool) {
		t.Helper()
		if !(a.low < a.high) || math.IsInf(a.high-a.low, 0) {
			t.Fatalf("%v: axis from %v to %v", values, a.low, a.high)
		}
		for _, v := range values {
			if ok(v) && !(a.at(v) >= a.low-1e-9*math.Abs(a.low) && a.at(v) <= a.high+1e-9*math.Abs(a.high)) {
				t.Errorf("%v: %v is outside of %v to %v", values, v, a.low, a.high)
			}
		}
		labelled := map[string]bool{}
		for _, tick := range a.ticks {
			if tick.Value >= a.low && tick.Value <= a.high && tick.Label != "" {
				if labelled[tick.Label] {
					t.Errorf("%v: two ticks say %q", values, tick.Label)
				}
				labelled[tick.Label] = true
			}
		}
		if len(labelled) < 2 || len(labelled) > 16 {
			t.Errorf("%v: %d labels: %v", values, len(labelled), labelled)
		}
	}
	for _, a := range odd {
		for _, b := range odd {
			values := []float64{a, b}
			check(linear("", values, 0.1), values, showable)
			check(logarithmic("", values), values, showableLog)
		}
	}
	check(linear("", nil, 0.1), nil, showable)
	check(logarithmic("", nil), nil, showableLog)
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{8: "8", 0.5: "0.5", 999: "999", 1000: "1k", 999.9: "1k", 2562: "2.56k", 5e5: "500k", 1e6: "1M", 2.5e9: "2.5G", 1e12: "1T"} {
		if got := short(v); got != want {
			t.Errorf("short(%v) = %q, want %q", v, got, want)
		}
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := grouped(n); got != want {
			t.Errorf("grouped(%d) = %q, want %q", n, got, want)
		}
	}
}
