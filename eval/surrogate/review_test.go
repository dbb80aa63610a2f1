package surrogate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/alike-go/alike/datasets"
)

// strict is a reader who calls only some of the twins alike.
func strict(q Question) (Answer, error) {
	if twin(q.A.ID, q.B.ID) && len(q.A.ID) < 4 { // d0 to d99
		return Yes, nil
	}
	return No, nil
}

// Answers are kept, a pair is asked about once, and nobody is asked more than n times.
func TestReviewAsksOnce(t *testing.T) {
	truth := build(t, library(t, 200, 150, 0.4), nil, Options{Want: &versions})
	seen := map[[2]string]bool{}
	labels, err := truth.Review(context.Background(), 30, func(q Question) (Answer, error) {
		k := Key(q.A.ID, q.B.ID)
		if seen[k] {
			t.Errorf("%v is asked about again", k)
		}
		seen[k] = true
		return strict(q)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(labels) != 30 || truth.Labels != 30 {
		t.Fatalf("%d answers, %d kept, want 30", len(labels), truth.Labels)
	}
	for i, l := range labels {
		if l.Check != (i >= 21) {
			t.Errorf("answer %d of 30 checks the rule: %v", i, l.Check)
		}
	}
	at := truth.numbers(labels[:21])
	for _, p := range truth.Pairs {
		if alike, ok := at[[2]int32{p.A, p.B}]; ok && p.Alike != truthOf(alike) {
			t.Errorf("the label of an answered pair is %v, the answer %v", p.Alike, alike)
		}
	}
	more, err := truth.Review(context.Background(), 10, strict)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range more {
		if seen[Key(l.A, l.B)] {
			t.Errorf("%v is asked about in a second review", l)
		}
	}
}

// The precision of a rule is the share of its checked removals that the reader calls
// alike. It is the same when the answers are read again.
func TestReviewChecksTheRule(t *testing.T) {
	docs := library(t, 200, 150, 0.4)
	truth := build(t, docs, nil, Options{Want: &versions})
	right := 0
	labels, err := truth.Review(context.Background(), 40, func(q Question) (Answer, error) {
		answer, err := strict(q)
		if q.Check && answer == Yes {
			right++
		}
		return answer, err
	})
	if err != nil {
		t.Fatal(err)
	}
	again := build(t, docs, labels, Options{Want: &versions})
	for _, truth := range []*Truth{truth, again} {
		rule, err := truth.Rule(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		e, err := truth.Effect(context.Background(), rule)
		if err != nil {
			t.Fatal(err)
		}
		if e.Checked != 12 || e.Right != right || right == 0 || right == 12 || e.Precision.Value != float64(right)/12 {
			t.Errorf("%d of %d checked removals are right, precision %v; want %d of 12", e.Right, e.Checked, e.Precision, right)
		}
	}
}

// Every removal is as likely as any other to be checked.
func TestChecksAreUniform(t *testing.T) {
	var e Effect
	for i := range 20 {
		e.Removals = append(e.Removals, Removal{datasets.Doc{ID: "a"}, datasets.Doc{ID: fmt.Sprint("b", i)}})
	}
	const seeds, first = 4000, 5
	times := map[string]int{}
	for seed := range uint64(seeds) {
		truth := &Truth{seed: seed, given: []Label{{A: "b0", B: "a"}}}
		for _, r := range truth.toCheck(&e)[:first] {
			times[r.Removed.ID]++
		}
	}
	if times["b0"] > 0 {
		t.Errorf("a pair that was learned from is checked %d times", times["b0"])
	}
	p := float64(first) / 19
	mean, sd := seeds*p, math.Sqrt(seeds*p*(1-p))
	for i := 1; i < 20; i++ {
		if n := float64(times[fmt.Sprint("b", i)]); math.Abs(n-mean) > 4*sd {
			t.Errorf("removal %d is checked %v times, want %.0f ± %.0f", i, n, mean, 4*sd)
		}
	}
}

func truthOf(alike bool) float64 {
	if alike {
		return 1
	}
	return 0
}

func TestReviewStops(t *testing.T) {
	truth := build(t, library(t, 150, 50, 0.4), nil, Options{Want: &versions})
	n := 0
	labels, err := truth.Review(context.Background(), 20, func(q Question) (Answer, error) {
		if n++; n > 5 {
			return Stop, nil
		}
		return []Answer{Yes, Skip}[n%2], nil
	})
	if err != nil || len(labels) != 2 {
		t.Errorf("%d answers, error %v; want 2 of five questions of which three were skipped", len(labels), err)
	}
	broken := errors.New("broken")
	if _, err := truth.Review(context.Background(), 20, func(Question) (Answer, error) { return Skip, broken }); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the reader", err)
	}
}

// A reader who calls nothing alike but equal texts is believed.
func TestReviewTeaches(t *testing.T) {
	long(t)
	truth := build(t, library(t, 300, 120, 0.5), nil, Options{Want: &versions})
	before := truth.Expected().Value
	_, err := truth.Review(context.Background(), 60, func(q Question) (Answer, error) { return No, nil })
	if err != nil {
		t.Fatal(err)
	}
	if after := truth.Expected().Value; after > before/3 {
		t.Errorf("%.0f alike pairs are expected after sixty answers that none is, %.0f before", after, before)
	}
}

// The coefficients are those of greatest posterior: no small step in any direction is
// better, but for steps to where a higher score or fewer differing words make a pair less
// likely alike.
func TestRegressIsAMaximum(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, n := range []int{0, 1, 10, 100, -10, -100} { // where negative, answers contradict the scores
		sign := 1.0
		if n < 0 {
			n, sign = -n, -1
		}
		var x [][traits]float64
		var y []float64
		for range n {
			v := [traits]float64{1, rng.NormFloat64() * 3, rng.NormFloat64(), rng.NormFloat64() / 3, rng.ExpFloat64(), rng.Float64() / 2}
			x = append(x, v)
			y = append(y, truthOf(v[1]+float64((sign-1)*(v[2]-4*v[5]))+rng.NormFloat64() > 0.5))
		}
		w := regress(x, y)
		at := posterior(w, x, y)
		if w[2] < 0 || w[5] > 0 {
			t.Errorf("%d answers: the coefficients are %v", n, w)
		}
		if sign*float64(n) == -100 && (w[2] != 0 || w[5] != 0) {
			t.Errorf("answers against the scores: the coefficients are %v", w)
		}
		for j := range traits {
			for _, d := range []float64{-1e-3, 1e-3} {
				v := w
				v[j] += d
				if v[2] < 0 || v[5] > 0 {
					continue
				}
				if p := posterior(v, x, y); p > at+1e-9 || math.IsNaN(p) {
					t.Errorf("%d answers: coefficient %d moved by %v gives %v, more than %v", n, j, d, p, at)
				}
			}
		}
		if n == 0 && w != prior {
			t.Errorf("without answers the coefficients are %v, want the prior %v", w, prior)
		}
	}
}
