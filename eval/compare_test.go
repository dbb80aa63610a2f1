package eval

import (
	"math"
	"math/rand/v2"
	"testing"
)

func figure(t *testing.T, cs []Comparison, name string) Comparison {
	t.Helper()
	for _, c := range cs {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no comparison of %s among %v", name, cs)
	return Comparison{}
}

func TestCompare(t *testing.T) {
	set := cluttered(21, 250)
	good, coarse := hidden(words{}), hidden(words{steps: 2})
	r := run(t, set, Config{Details: true, Resamples: 200}, good, coarse, good)
	same, err := Compare(r[0], r[2])
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range same {
		if c.Difference != 0 || c.Low != 0 || c.High != 0 || c.P != 1 || !c.Noise() || c.Test != "bootstrap" {
			t.Errorf("%s of a method with itself: %+v", c.Name, c)
		}
	}
	got, err := Compare(r[0], r[1])
	if err != nil {
		t.Fatal(err)
	}
	ap := figure(t, got, "ap")
	if ap.Difference >= 0 || ap.High >= 0 || ap.Noise() || !near(float64(ap.P), 2./201) {
		t.Errorf("steps of a half lose no AP: %+v", ap)
	}
	// Without the resamples the intervals decide, and are the wider for it.
	x, y := r[0], r[1]
	x.Details = nil
	got, err = Compare(x, y)
	if err != nil {
		t.Fatal(err)
	}
	apart := figure(t, got, "ap")
	if apart.Test != "intervals" || apart.High-apart.Low <= ap.High-ap.Low || apart.Difference != ap.Difference {
		t.Errorf("from intervals %+v, from resamples %+v", apart, ap)
	}
	y.Split = "dev"
	if _, err := Compare(x, y); err == nil {
		t.Error("records of two splits compare")
	}
}

func TestCompareCountsPairs(t *testing.T) {
	set := labelled(22, 200)
	r := run(t, set, Config{Details: true, Resamples: 200}, hidden(words{}), hidden(words{steps: 3}))
	cs, err := Compare(r[0], r[1])
	if err != nil {
		t.Fatal(err)
	}
	c := figure(t, cs, "accuracy")
	// Accuracy differs by the pairs that only one judges right.
	want := float64(r[1].Accuracy - r[0].Accuracy)
	if got := float64(c.OnlyB-c.OnlyA) / float64(r[0].Pairs); math.Abs(got-want) > 1e-12 || c.Test != "mcnemar" {
		t.Errorf("%d and %d pairs of %d, but accuracy differs by %v", c.OnlyA, c.OnlyB, r[0].Pairs, want)
	}
	if float64(c.P) != mcNemar(c.OnlyA, c.OnlyB) {
		t.Errorf("p %v, want %v", c.P, mcNemar(c.OnlyA, c.OnlyB))
	}
}

func TestGridAndDiff(t *testing.T) {
	one, two := labelled(23, 100), labelled(24, 100)
	cfg := Config{Details: true, Resamples: 100}
	a, b, c := hidden(words{}), hidden(words{steps: 3}), hidden(words{steps: 2})
	first := append(run(t, one, cfg, a, b, c), run(t, two, cfg, a, b)...)
	grid, err := Grid(first)
	if err != nil || len(grid) != 5*(3+1) {
		t.Fatalf("%d comparisons, error %v, want 5 figures of 3 pairs and of 1", len(grid), err)
	}
	for _, c := range grid {
		if c.Adjusted < c.P || c.Adjusted > 3*c.P && c.Adjusted != 1 {
			t.Errorf("p %v adjusted to %v in a family of at most three", c.P, c.Adjusted)
		}
	}
	// By method, where both have one; the data of two is not in the second run.
	diff, err := Diff(first, run(t, one, cfg, b, a))
	if err != nil || len(diff) != 2*5 || diff[0].A != a.String() || diff[0].B != a.String() || !diff[0].Noise() {
		t.Errorf("%d comparisons, error %v, want 2 methods with themselves", len(diff), err)
	}
	// Else each with each.
	diff, err = Diff(run(t, two, cfg, a, b), run(t, two, cfg, c))
	if err != nil || len(diff) != 2*5 || diff[0].A != a.String() || diff[0].B != c.String() {
		t.Errorf("%d comparisons, error %v, want 2 methods with the third", len(diff), err)
	}
	if diff, err := Diff(run(t, one, cfg, a), run(t, two, cfg, a)); err != nil || len(diff) != 0 {
		t.Errorf("%d comparisons of other data, error %v", len(diff), err)
	}
}

// Two methods that are right about each pair with the same chance differ by
// noise, and the test should say otherwise about once in twenty; with chances of .8
// and .9 over 200 pairs it should nearly always see the difference.
func TestResampledErrorRates(t *testing.T) {
	const units, rounds = 200, 100
	rng := rand.New(rand.NewPCG(31, 31))
	rejections := func(a, b float64) (n int) {
		replicates := func(right float64) Floats {
			p := make([]Scored, units)
			for i := range p {
				p[i] = Scored{Alike: i%2 == 0, Unit: [2]int{i, i}}
				if p[i].Alike == (rng.Float64() < right) {
					p[i].Score = 1
				}
			}
			return Bootstrap(p, units, .5, 200, 1).F1
		}
		for range rounds {
			var c Comparison
			c.resampled(replicates(a), replicates(b))
			if c.P <= .05 {
				n++
			}
		}
		return n
	}
	if n := rejections(.8, .8); n < 1 || n > 12 {
		t.Errorf("%d of %d equal methods told apart, want about %d", n, rounds, rounds/20)
	}
	if n := rejections(.8, .9); n < rounds*8/10 {
		t.Errorf("%d of %d different methods told apart, want nearly all", n, rounds)
	}
}
