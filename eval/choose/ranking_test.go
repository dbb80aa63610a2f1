package choose

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/alike-go/alike/eval"
)

// randomSample returns pairs of whole weights with scores of few values, so that there
// are ties, and the same pairs spelt out, each as often as it weighs.
func randomSample(rng *rand.Rand, most int) (s *Sample, scores []float32, spelt []eval.Scored) {
	s = &Sample{Texts: make([]string, 30), Units: 10}
	for d := range s.Texts {
		s.Unit = append(s.Unit, int32(d%s.Units))
	}
	for range 200 {
		a, b := int32(rng.IntN(30)), int32(rng.IntN(30))
		p := Pair{a, b, float32(1 + rng.IntN(most)), rng.IntN(3) == 0}
		score := float32(rng.IntN(12)) / 11
		if p.Alike {
			score = min(1, score+.2)
		}
		s.Pairs, scores = append(s.Pairs, p), append(scores, score)
		for range int(p.Weight) {
			spelt = append(spelt, eval.Scored{Score: float64(score), Alike: p.Alike, Unit: [2]int{int(s.Unit[a]), int(s.Unit[b])}})
		}
	}
	return s, scores, spelt
}

// A pair of weight n counts as n pairs do: package eval, which knows no weights, says
// the same of the pairs spelt out.
func TestRankingAgainstEval(t *testing.T) {
	for seed := range uint64(50) {
		s, scores, spelt := randomSample(rand.New(rand.NewPCG(seed, 1)), 5)
		r := newRanking(s, scores)
		threshold, f1 := eval.BestF1(spelt)
		got, c := r.Best(Goal{})
		if got != threshold || math.Abs(c.F1()-f1) > 1e-12 {
			t.Errorf("seed %d: best F1 %v at %v, want %v at %v", seed, c.F1(), got, f1, threshold)
		}
		for _, at := range []float64{-1, 0, .1, .5, 1, 2} {
			if got, want := r.At(at), eval.Count(spelt, at); got != want {
				t.Errorf("seed %d: at %v %+v, want %+v", seed, at, got, want)
			}
		}
		if got, want := r.AP(), eval.AveragePrecision(spelt); math.Abs(got-want) > 1e-12 {
			t.Errorf("seed %d: average precision %v, want %v", seed, got, want)
		}
	}
}

// Where all weigh one, resamples are those of package eval.
func TestReplicatesAgainstEval(t *testing.T) {
	for seed := range uint64(10) {
		s, scores, spelt := randomSample(rand.New(rand.NewPCG(seed, 2)), 1)
		r := newRanking(s, scores)
		want := eval.Bootstrap(spelt, s.Units, .5, 100, seed)
		for n, c := range r.Replicates(.5, 100, seed) {
			if f := float32(c.F1()); f != want.F1[n] && f == f {
				t.Fatalf("seed %d: F1 of resample %d is %v, want %v", seed, n, f, want.F1[n])
			}
		}
	}
}

// Bounded goals: the naive way tries every score as a threshold.
func TestBestAgainstNaive(t *testing.T) {
	for seed := range uint64(50) {
		s, scores, _ := randomSample(rand.New(rand.NewPCG(seed, 3)), 4)
		r := newRanking(s, scores)
		for _, g := range []Goal{{}, {"precision", .5}, {"precision", .99}, {"recall", .7}} {
			best := 0.0
			for _, at := range scores {
				if c := r.At(float64(at)); at > 0 && g.Reached(c) {
					best = max(best, g.Value(c))
				}
			}
			threshold, c := r.Best(g)
			if best == 0 {
				if !math.IsInf(threshold, 1) {
					t.Errorf("seed %d, %s: threshold %v where none serves", seed, g, threshold)
				}
				continue
			}
			if got := g.Value(r.At(threshold)); !g.Reached(c) || math.Abs(got-best) > 1e-12 || r.At(threshold) != c {
				t.Errorf("seed %d, %s: %v at %v, want %v", seed, g, got, threshold, best)
			}
		}
	}
}

// Nothing is alike, nothing is scored, nothing is there.
func TestRankingOfNothing(t *testing.T) {
	s := &Sample{Texts: make([]string, 2), Unit: []int32{0, 1}, Units: 2}
	r := newRanking(s, nil)
	if threshold, _ := r.Best(Goal{}); !math.IsInf(threshold, 1) || !math.IsNaN(r.AP()) {
		t.Errorf("threshold %v, average precision %v of no pairs", threshold, r.AP())
	}
	s.Pairs = []Pair{{0, 1, 3, true}}
	r = newRanking(s, []float32{0})
	if threshold, c := r.Best(Goal{}); !math.IsInf(threshold, 1) || c.FN != 3 {
		t.Errorf("a pair of score 0 is called alike from %v on: %+v", threshold, c)
	}
}
