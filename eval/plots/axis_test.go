package plots

import (
	"math"
	"testing"
)

// The axes hold the values, with labelled ticks inside, whatever the values
// are.
func TestAxes(t *testing.T) {
	odd := []float64{0, 1, -1, 0.5, 1e-9, 1e-300, 5e-324, 1e15, -1e15, 1e300, math.MaxFloat64, math.NaN(), math.Inf(1), math.Inf(-1), 1 + 1e-16, 1 + 1e-12, 0.1, 100, 8, 668}
	check := func(s scale, values []float64) {
		t.Helper()
		a := s.axis(values, map[scale]float64{linear: 0.1, logarithmic: 1}[s])
		if !(a.low < a.high) || math.IsInf(a.high-a.low, 0) {
			t.Fatalf("%v: axis from %v to %v", values, a.low, a.high)
		}
		for _, v := range values {
			if s.shows(v) && !(s.at(v) >= a.low-1e-9*math.Abs(a.low) && s.at(v) <= a.high+1e-9*math.Abs(a.high)) {
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
	for _, s := range []scale{share, linear, logarithmic} {
		check(s, nil)
		for _, a := range odd {
			for _, b := range odd {
				check(s, []float64{a, b})
			}
		}
	}
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{8: "8", 0.5: "0.5", 999: "999", 1000: "1k", 999.9: "1k", 2562: "2.56k", 5e5: "500k", 1e6: "1M", 2.5e9: "2.5G", 1e12: "1T"} {
		if got := short(v); got != want {
			t.Errorf("short(%v) = %q, want %q", v, got, want)
		}
	}
}
