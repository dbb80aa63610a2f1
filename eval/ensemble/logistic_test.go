package ensemble

import (
	"math"
	"math/rand/v2"
	"testing"
)

// naive descends the same objective by small steps along the gradient, back onto
// the bounds after each.
func naive(s *sample) (weights []float64, bias float64) {
	sc := s.scale()
	beta := make([]float64, s.width+1)
	rate := 1.0 / float64(len(s.alike)+1)
	for range 20_000 {
		gradient, _ := s.slopes(sc, beta)
		for k := range beta {
			if beta[k] -= rate * gradient[k]; k < s.width {
				beta[k] = max(0, beta[k])
			}
		}
	}
	weights, bias = make([]float64, s.width), beta[s.width]
	for k := range weights {
		if sc.sd[k] > 0 {
			weights[k] = beta[k] / sc.sd[k]
			bias -= weights[k] * sc.mean[k]
		}
	}
	return weights, bias
}

func draw(rng *rand.Rand, n int, truth []float64, bias float64) *sample {
	s := &sample{width: len(truth)}
	for range n {
		z := bias
		common := rng.Float64() // members agree in part
		for _, w := range truth {
			v := float32((common + rng.Float64()) / 2)
			s.scores = append(s.scores, v)
			z += w * float64(v)
		}
		s.alike = append(s.alike, rng.Float64() < logistic(z))
	}
	return s
}

func TestRegressAgainstDescent(t *testing.T) {
	seeds := uint64(6)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 9))
		s := draw(rng, 100, []float64{6, 0, -4, 2}, -2)
		weights, bias := s.regress()
		want, wantBias := naive(s)
		for k := range weights {
			if math.Abs(weights[k]-want[k]) > 1e-3 || weights[k] < 0 {
				t.Errorf("seed %d: weight %d is %v, want %v", seed, k, weights[k], want[k])
			}
		}
		if math.Abs(bias-wantBias) > 1e-3 {
			t.Errorf("seed %d: bias %v, want %v", seed, bias, wantBias)
		}
	}
}

// With many pairs the weights are those that made the labels. The standard error of a weight
// here is about 0.15.
func TestRegressFindsTheTruth(t *testing.T) {
	truth := []float64{6, 3, 0}
	s := draw(rand.New(rand.NewPCG(3, 4)), 60_000, truth, -5)
	weights, bias := s.regress()
	for k := range truth {
		if math.Abs(weights[k]-truth[k]) > 0.75 {
			t.Errorf("weight %d is %v, want %v", k, weights[k], truth[k])
		}
	}
	if math.Abs(bias+5) > 0.75 {
		t.Errorf("bias is %v, want -5", bias)
	}
}

// Pairs that are told apart without error have no finite maximum but for the ridge;
// a column that does not vary says nothing.
func TestRegressDegenerate(t *testing.T) {
	s := &sample{width: 2}
	for i := range 100 {
		s.scores = append(s.scores, float32(i)/100, 0.5)
		s.alike = append(s.alike, i >= 60)
	}
	weights, bias := s.regress()
	if !(weights[0] > 5 && weights[0] < 1e4) || weights[1] != 0 || math.IsNaN(bias) {
		t.Errorf("weights %v, bias %v", weights, bias)
	}
	for i := range s.alike {
		s.alike[i] = i < 40 // the score points the wrong way
	}
	if weights, _ := s.regress(); weights[0] != 0 {
		t.Errorf("weight %v of a score that points the wrong way", weights[0])
	}
}
