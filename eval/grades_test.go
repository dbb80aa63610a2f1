package eval

import (
	"math"
	"testing"
)

// IQ and hours of television, the worked example of the encyclopaedias for
// Spearman's coefficient: -29/165.
func TestSpearmanWorkedExample(t *testing.T) {
	iq := []float64{106, 100, 86, 101, 99, 103, 97, 113, 112, 110}
	tv := []float64{7, 27, 2, 50, 28, 29, 20, 12, 6, 17}
	if got := spearman(iq, tv); math.Abs(got+29./165) > 1e-12 {
		t.Errorf("Spearman %v, want -29/165", got)
	}
	// Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 over sqrt(4.5 * 5).
	if got := spearman([]float64{1, 2, 2, 9}, []float64{1, 2, 3, 4}); math.Abs(got-4.5/math.Sqrt(22.5)) > 1e-12 {
		t.Errorf("Spearman with ties %v, want %v", got, 4.5/math.Sqrt(22.5))
	}
}

func TestPearson(t *testing.T) {
	if got := pearson([]float64{1, 2, 3}, []float64{2, 4, 6}); math.Abs(got-1) > 1e-15 {
		t.Errorf("Pearson of a line %v, want 1", got)
	}
	// Deviations -1, 0, 1 and -1, 1, 0: 1 over sqrt(2 * 2).
	if got := pearson([]float64{1, 2, 3}, []float64{1, 3, 2}); math.Abs(got-.5) > 1e-15 {
		t.Errorf("Pearson %v, want .5", got)
	}
	for _, x := range [][]float64{nil, {1}, {2, 2, 2}} {
		if got := pearson(x, x); !math.IsNaN(got) {
			t.Errorf("Pearson of %v is %v, want NaN", x, got)
		}
	}
}
