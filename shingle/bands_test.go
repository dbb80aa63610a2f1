package shingle

import (
	"math"
	"testing"
)

// The curves of published configurations, computed apart from this code.
func TestCandidate(t *testing.T) {
	at := []float64{.3, .5, .6, .7, .75, .8, .85, .9}
	for _, q := range []struct {
		Banding
		threshold float64
		want      [8]float64
	}{
		{Banding{20, 5}, .5493, [8]float64{.0475, .4701, .8019, .9748, .9956, .9996, 1, 1}},
		{Banding{14, 8}, .7190, [8]float64{.0009, .0533, .2111, .5645, .7716, .9235, .9884, .9996}}, // FineWeb
		{Banding{50, 4}, .3761, [8]float64{.3341, .9603, .9990, 1, 1, 1, 1, 1}},
		{Banding{450, 20}, .7368, [8]float64{0, .0004, .0163, .3018, .7605, .9946, 1, 1}}, // Lee et al. 2021
	} {
		if got := q.Threshold(); math.Abs(got-q.threshold) > 5e-5 {
			t.Errorf("%v: threshold %.5f, want %v", q.Banding, got, q.threshold)
		}
		for i, s := range at {
			if got := q.Candidate(s); math.Abs(got-q.want[i]) > 5.1e-5 {
				t.Errorf("%v at %v: %.5f, want %v", q.Banding, s, got, q.want[i])
			}
		}
		if lo, hi := q.Candidate(0), q.Candidate(1); lo != 0 || hi != 1 {
			t.Errorf("%v: %v at 0 and %v at 1, want 0 and 1", q.Banding, lo, hi)
		}
	}
}
