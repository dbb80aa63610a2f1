package eval

import (
	"math"
	"testing"
)

// Eight of ten at 95 %: (.4902, .9433), the first example of most texts on the
// score interval.
func TestWilson(t *testing.T) {
	if got := Wilson(8, 10); !near(got.Low, .4902) || !near(got.High, .9433) {
		t.Errorf("interval %v, want (.4902, .9433)", got)
	}
	if got := Wilson(0, 10); got.Low < 0 || got.Low > 1e-12 || got.High < .2 {
		t.Errorf("interval %v of none of ten, want it to begin at 0", got)
	}
	if got := Wilson(0, 0); !math.IsNaN(got.Low) {
		t.Errorf("interval %v of nothing, want NaN", got)
	}
}

// R: p.adjust(c(.01, .04, .03, .005), "holm") is .03 .06 .06 .02.
func TestHolm(t *testing.T) {
	got := holm([]float64{.01, .04, math.NaN(), .03, .005})
	for i, want := range []float64{.03, .06, math.NaN(), .06, .02} {
		if !near(got[i], want) {
			t.Errorf("adjusted p-values %v, number %d should be %v", got, i, want)
		}
	}
	if got := holm([]float64{.9, .8}); got[0] != 1 || got[1] != 1 {
		t.Errorf("adjusted p-values %v, want no more than 1", got)
	}
}
