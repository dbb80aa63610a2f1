package eval

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/integrate"
	"gonum.org/v1/gonum/stat"
)

func pairs(scores []float64, alike []bool) []Scored {
	out := make([]Scored, len(scores))
	for i := range scores {
		out[i] = Scored{Score: scores[i], Alike: alike[i], Unit: [2]int{i, i}}
	}
	return out
}

// The four scores are those of scikit-learn's documentation of roc_auc_score,
// whose answer is 0.75.
func TestAUCWorkedExample(t *testing.T) {
	if got := AUC(pairs([]float64{0.1, 0.4, 0.35, 0.8}, []bool{false, false, true, true})); got != 0.75 {
		t.Errorf("AUC %v, want 0.75", got)
	}
	if got := AUC(pairs([]float64{.5, .5, .5}, []bool{true, false, true})); got != 0.5 {
		t.Errorf("AUC of ties %v, want 0.5", got)
	}
	if got := AUC(pairs([]float64{.5}, []bool{true})); !math.IsNaN(got) {
		t.Errorf("AUC without a negative %v, want NaN", got)
	}
}

// Gonum draws the curve; the area under it must be ours, ties and all.
func TestAUCAgreesWithGonum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for round := range 50 {
		n := 2 + rng.IntN(60)
		var scores []float64
		var alike []bool
		for range n {
			a := rng.IntN(2) == 0
			s := float64(rng.IntN(8)) / 8
			if a {
				s += .125
			}
			scores, alike = append(scores, s), append(alike, a)
		}
		alike[0], alike[1] = true, false
		got := AUC(pairs(scores, alike))
		y := append([]float64(nil), scores...)
		c := append([]bool(nil), alike...)
		stat.SortWeightedLabeled(y, c, nil)
		tpr, fpr, _ := stat.ROC(nil, y, c, nil)
		if want := integrate.Trapezoidal(fpr, tpr); math.Abs(got-want) > 1e-12 {
			t.Fatalf("round %d: AUC %v, gonum %v", round, got, want)
		}
	}
}

func TestBestF1AgainstEveryThreshold(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for round := range 200 {
		n := 1 + rng.IntN(30)
		var p []Scored
		for range n {
			p = append(p, Scored{Score: float64(rng.IntN(6)) / 5, Alike: rng.IntN(2) == 0})
		}
		best := 0.0
		for _, at := range []float64{.1, .3, .5, .7, .9} { // between the score values
			if f := Count(p, at).F1(); f > best {
				best = f
			}
		}
		threshold, f1 := BestF1(p)
		if f1 != best {
			t.Fatalf("round %d: best F1 %v, want %v of %v", round, f1, best, p)
		}
		if best > 0 && Count(p, threshold).F1() != best {
			t.Fatalf("round %d: F1 %v at threshold %v, want %v", round, Count(p, threshold).F1(), threshold, best)
		}
	}
}

// The confusion of this case can be counted on one's fingers: of scores .9 + .8 -
// .7 + .2 + the threshold .75 takes the first two.
func TestCountWorkedExample(t *testing.T) {
	c := Count(pairs([]float64{.9, .8, .7, .2}, []bool{true, false, true, true}), .75)
	if c != (Confusion{TP: 1, FP: 1, FN: 2}) {
		t.Fatalf("confusion %+v", c)
	}
	if p, r, f := c.Precision(), c.Recall(), c.F1(); p != .5 || r != 1./3 || f != .4 {
		t.Errorf("precision %v, recall %v, F1 %v, want .5, 1/3, .4", p, r, f)
	}
}

// For independent pairs and no false positive F1 is 2r/(1+r) of a binomial
// recall r, so the interval must cover the transformed binomial one closely.
func TestF1IntervalOfIndependentPairs(t *testing.T) {
	const n, hits = 400, 300
	var p []Scored
	for i := range n {
		s := 0.0
		if i < hits {
			s = 1
		}
		p = append(p, Scored{Score: s, Alike: true, Unit: [2]int{i, i}})
	}
	got := Interval95(Bootstrap(p, n, .5, 2000, 7).F1)
	f := func(r float64) float64 { return 2 * r / (1 + r) }
	se := math.Sqrt(.75 * .25 / n)
	if lo, hi := f(.75-1.96*se), f(.75+1.96*se); math.Abs(got.Low-lo) > .006 || math.Abs(got.High-hi) > .006 {
		t.Errorf("interval %v, want about [%.4f, %.4f]", got, lo, hi)
	}
	// The same pairs in 40 clusters of ten that hit or miss together carry less evidence.
	for i := range p {
		u := i / 10
		p[i].Unit = [2]int{u, u}
	}
	wide := Interval95(Bootstrap(p, n/10, .5, 2000, 7).F1)
	if ratio := (wide.High - wide.Low) / (got.High - got.Low); ratio < 2.4 || ratio > 4 {
		t.Errorf("clusters of ten widen the interval %v times, want about sqrt(10)", ratio)
	}
}
