package eval

import (
	"math"
	"math/rand/v2"
	"slices"
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
	same, err := Compare(r[0], r[2], DefaultMargin)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range same {
		if c.Difference != 0 || c.Low != 0 || c.High != 0 || c.PBetter != 1 || c.PWorse != 1 || c.State != NotWorse || c.Test != "bootstrap" {
			t.Errorf("%s of a method with itself: %+v", c.Name, c)
		}
	}
	got, err := Compare(r[0], r[1], DefaultMargin)
	if err != nil {
		t.Fatal(err)
	}
	ap := figure(t, got, "ap")
	if ap.Difference >= 0 || ap.High >= 0 || ap.State != Worse || !near(float64(ap.PWorse), 1./201) {
		t.Errorf("steps of a half lose no AP: %+v", ap)
	}
	// A run compares its own records in pairs, whether or not it keeps Details.
	x, y := r[0], r[1]
	x.Details, y.Details = nil, nil
	got, err = Compare(x, y, DefaultMargin)
	if err != nil {
		t.Fatal(err)
	}
	if own := figure(t, got, "ap"); own != ap {
		t.Errorf("without Details %+v, with them %+v", own, ap)
	}
	// Without the resamples the intervals decide, and are the wider for it.
	x.resamples = nil
	got, err = Compare(x, y, DefaultMargin)
	if err != nil {
		t.Fatal(err)
	}
	apart := figure(t, got, "ap")
	if apart.Test != "intervals" || apart.High-apart.Low <= ap.High-ap.Low || apart.Difference != ap.Difference {
		t.Errorf("from intervals %+v, from resamples %+v", apart, ap)
	}
	y.Split = "dev"
	if _, err := Compare(x, y, DefaultMargin); err == nil {
		t.Error("records of two splits compare")
	}
}

// The definition on eleven differences: p-values count those that speak against.
func TestPairedP(t *testing.T) {
	d := []float32{-.05, -.02, -.01, 0, .01, .01, .02, .02, .03, float32(math.NaN())}
	better, notWorse, worse := pairedP(d, .03)
	if !near(float64(better), 5./10) || !near(float64(notWorse), 2./10) || !near(float64(worse), 7./10) {
		t.Errorf("p-values %v, %v, %v, want .5, .2, .7", better, notWorse, worse)
	}
	if better, _, _ := pairedP(d[9:], .03); better == better {
		t.Errorf("p-value %v of no difference, want NaN", better)
	}
}

func TestDecide(t *testing.T) {
	nan := Figure(math.NaN())
	for _, c := range []struct {
		better, notWorse, worse Figure
		want                    State
	}{
		{.01, .001, .99, Better},
		{.5, .05, .6, NotWorse},
		{.99, .02, .01, NotWorse}, // worse, but within the margin
		{.99, .4, .01, Worse},
		{.5, .2, .6, Undecided},
		{nan, nan, nan, ""},
	} {
		if got := stateOf(c.better, c.notWorse, c.worse); got != c.want {
			t.Errorf("p-values %v, %v, %v are %q, want %q", c.better, c.notWorse, c.worse, got, c.want)
		}
	}
}

// The method that is best on dev is the one compared with, whatever test says, and
// baselines and unusable intervals claim nothing.
func TestStandings(t *testing.T) {
	record := func(method string, dev, low, high Figure) Record {
		return Record{Method: method, TunedF1: dev, F1: (low + high) / 2, F1Low: low, F1High: high}
	}
	records := []Record{
		record("worse", .5, .40, .50), record("best", .9, .80, .82), record("better", .8, .90, .95),
		record("near", .8, .80, .82), record("wide", .8, .60, .95), record("base", .99, .99, .99),
	}
	records[5].Baseline = true
	best, states := Standings(records, .03)
	if want := []State{Worse, "", Better, NotWorse, Undecided, ""}; best != 1 || !slices.Equal(states, want) {
		t.Errorf("best %d, states %q, want 1 and %q", best, states, want)
	}
	for i := range records {
		records[i].Unusable = true
	}
	if _, states := Standings(records, .03); slices.ContainsFunc(states, func(s State) bool { return s != "" }) {
		t.Errorf("states %q of unusable intervals, want none", states)
	}
	if best, _ := Standings(nil, .03); best != -1 {
		t.Errorf("best %d of no records, want -1", best)
	}
}

func TestGridAndDiff(t *testing.T) {
	one, two := labelled(23, 100), labelled(24, 100)
	cfg := Config{Details: true, Resamples: 100}
	a, b, c := hidden(words{}), hidden(words{steps: 3}), hidden(words{steps: 2})
	first := append(run(t, one, cfg, a, b, c), run(t, two, cfg, a, b)...)
	grid, err := Grid(first, DefaultMargin)
	if err != nil || len(grid) != 4*(3+1) {
		t.Fatalf("%d comparisons, error %v, want 4 figures of 3 pairs and of 1", len(grid), err)
	}
	for _, c := range grid {
		if c.Name == "f1" && c.PBetter+c.PWorse < 1 {
			t.Errorf("p-values %v and %v of opposite questions, want a sum of at least 1", c.PBetter, c.PWorse)
		}
	}
	// By method, where both have one; the data of two is not in the second run.
	diff, err := Diff(first, run(t, one, cfg, b, a), DefaultMargin)
	if err != nil || len(diff) != 2*4 || diff[0].A != a.String() || diff[0].B != a.String() || diff[0].State != NotWorse {
		t.Errorf("%d comparisons, error %v, want 2 methods with themselves", len(diff), err)
	}
	// Else each with each.
	diff, err = Diff(run(t, two, cfg, a, b), run(t, two, cfg, c), DefaultMargin)
	if err != nil || len(diff) != 2*4 || diff[0].A != a.String() || diff[0].B != c.String() {
		t.Errorf("%d comparisons, error %v, want 2 methods with the third", len(diff), err)
	}
	if diff, err := Diff(run(t, one, cfg, a), run(t, two, cfg, a), DefaultMargin); err == nil || len(diff) != 0 {
		t.Errorf("%d comparisons of other data, want an error", len(diff))
	}
}

// Two methods that are right about each pair with the same chance should be told apart
// about once in twenty, in each direction; with chances of .8 and .9 over 200 pairs
// nearly always.
func TestResampledErrorRates(t *testing.T) {
	const units, rounds = 200, 100
	rng := rand.New(rand.NewPCG(31, 31))
	count := func(a, b float64, want State) (n int) {
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
			c := Comparison{Margin: 0}
			c.resampled(replicates(a), replicates(b))
			if c.decide(); c.State == want {
				n++
			}
		}
		return n
	}
	if n := count(.8, .8, Better); n < 1 || n > 12 {
		t.Errorf("%d of %d equal methods called better, want about %d", n, rounds, rounds/20)
	}
	if n := count(.8, .9, Better); n < rounds*8/10 {
		t.Errorf("%d of %d better methods called so, want nearly all", n, rounds)
	}
	if n := count(.9, .8, Worse); n < rounds*8/10 {
		t.Errorf("%d of %d worse methods called so, want nearly all", n, rounds)
	}
}
