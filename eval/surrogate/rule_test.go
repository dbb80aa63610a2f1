package surrogate

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/alike-go/alike/dedup"
)

// The threshold is the best of all that a plain loop tries, and F1 there is
// what the loop counts.
func TestScoredBest(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 1 + rng.IntN(40)
		pairs := make([]Pair, n)
		score := make([]float32, n)
		for i := range pairs {
			pairs[i] = Pair{Weight: float32(1 + rng.IntN(3)), Alike: rng.Float64()}
			score[i] = float32(rng.IntN(8)) / 8 // ties, and scores of 0
		}
		alike := func(p *Pair) float64 { return p.Alike }
		f1 := func(threshold float64) float64 {
			hits, called, all := 0.0, 0.0, 0.0
			for i := range pairs {
				w := float64(pairs[i].Weight)
				all += w * pairs[i].Alike
				if score[i] > 0 && float64(score[i]) >= threshold {
					hits += w * pairs[i].Alike
					called += w
				}
			}
			return 2 * hits / (called + all)
		}
		s := newScored("m", score)
		threshold, best := s.best(pairs, alike)
		want := 0.0
		for k := 1; k <= 8; k++ {
			want = max(want, f1(float64(k)/8))
		}
		if math.Abs(best-want) > 1e-9 || math.Abs(s.f1(pairs, threshold, alike)-best) > 1e-9 || best > 0 && math.Abs(f1(threshold)-best) > 1e-9 {
			t.Errorf("seed %d: %v at %v, the loop says %v there and %v at best", seed, best, threshold, f1(threshold), want)
		}
	}
}

// A few answers that agree with the rule leave it as it is; many that
// contradict it change it.
func TestRuleIsSteady(t *testing.T) {
	truth := build(t, library(t, 300, 120, 0.3), nil, Options{Want: &versions})
	ctx := context.Background()
	before, err := truth.Rule(ctx)
	if err != nil || before.Threshold <= 0 || before.Threshold > 1 {
		t.Fatalf("%+v, %v", before, err)
	}
	if _, err := truth.Review(context.Background(), 20, func(q Question) (Answer, error) {
		if twin(q.A.ID, q.B.ID) {
			return Yes, nil
		}
		return No, nil
	}); err != nil {
		t.Fatal(err)
	}
	after, err := truth.Rule(ctx)
	if err != nil || after != before {
		t.Errorf("%+v becomes %+v by answers that agree (%v)", before, after, err)
	}
	if truth.Labels != 20 {
		t.Errorf("%d answers are left, 20 were given", truth.Labels)
	}
	// Half of the twins differ in more words.
	truth = build(t, library(t, 200, 120, 0.3), nil, Options{Want: &versions})
	if before, err = truth.Rule(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := truth.Review(context.Background(), 60, func(q Question) (Answer, error) {
		if q.Differ < 0.27 {
			return Yes, nil
		}
		return No, nil
	}); err != nil {
		t.Fatal(err)
	}
	if after, err := truth.Rule(ctx); err != nil || after == before {
		t.Errorf("%+v stays against 60 answers (%v)", before, err)
	}
}

// A rule loses nothing by the member that it comes from, and much if it calls nothing.
func TestRegret(t *testing.T) {
	truth := build(t, library(t, 300, 80, 0.3), nil, Options{Want: &versions})
	for k := range truth.Members {
		truth.Members[k].Trusted = k == 0
	}
	s, err := truth.scores(context.Background(), truth.Members[0].Spec)
	if err != nil {
		t.Fatal(err)
	}
	cut, _ := s.best(truth.Pairs, func(p *Pair) float64 {
		if p.Differ <= dedup.DefaultDiffer {
			return 1
		}
		return truth.Members[0].m.alike[binOf(p.Scores[0])]
	})
	if loss, by, err := truth.regret(context.Background(), &s, cut); err != nil || loss != 0 {
		t.Errorf("the rule of the only member loses %v by %s, %v", loss, by, err)
	}
	if loss, _, err := truth.regret(context.Background(), &s, 1.1); err != nil || loss < 0.9 {
		t.Errorf("a rule that calls nothing loses %v, %v", loss, err)
	}
}
