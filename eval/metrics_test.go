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

// The scores are those of scikit-learn's documentation of
// average_precision_score, whose answer is 0.83, that is 5/6; with one score for
// all the only precision is the share of pairs alike.
func TestAveragePrecisionWorkedExample(t *testing.T) {
	if got := AveragePrecision(pairs([]float64{.1, .4, .35, .8}, []bool{false, false, true, true})); math.Abs(got-5./6) > 1e-15 {
		t.Errorf("AP %v, want 5/6", got)
	}
	for _, alike := range [][]bool{{true, false, false, false}, {false, false, false, true}} {
		if got := AveragePrecision(pairs([]float64{.5, .5, .5, .5}, alike)); got != .25 {
			t.Errorf("AP of ties %v, want .25 in whatever order", got)
		}
	}
	if got := AveragePrecision(pairs([]float64{.5}, []bool{false})); !math.IsNaN(got) {
		t.Errorf("AP without a pair alike %v, want NaN", got)
	}
}

// Precision and recall at every threshold, by counting, are the whole definition.
func TestRankingAgainstEveryThreshold(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for round := range 300 {
		var p []Scored
		for range 1 + rng.IntN(40) {
			p = append(p, Scored{Score: float64(rng.IntN(9)) / 8, Alike: rng.IntN(3) == 0})
		}
		ap, p95, last := 0.0, 0.0, 0.0
		for s := 8; s >= 0; s-- {
			c := Count(p, float64(s)/8)
			if c.TP+c.FP == 0 {
				continue
			}
			ap += (c.Recall() - last) * c.Precision()
			last = c.Recall()
			if c.Precision() >= .75 {
				p95 = max(p95, c.Recall())
			}
		}
		if math.IsNaN(last) {
			continue // no pair alike
		}
		if got := AveragePrecision(p); math.Abs(got-ap) > 1e-12 {
			t.Fatalf("round %d: AP %v, want %v of %v", round, got, ap, p)
		}
		if got := rankScored(p).recallAt(.75); got != p95 {
			t.Fatalf("round %d: recall at precision .75 is %v, want %v of %v", round, got, p95, p)
		}
	}
}

func TestAccuracy(t *testing.T) {
	if got := (Confusion{TP: 1, FP: 2, FN: 3, TN: 4}).Accuracy(); got != .5 {
		t.Errorf("accuracy %v, want .5", got)
	}
}
