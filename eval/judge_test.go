package eval

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

// countPairByPair counts all pairs of a clustered set one by one.
func countPairByPair(set *datasets.Set, found func(i, j int) bool) (c Confusion, skipped int64) {
	ignore := map[[2]int]bool{}
	for _, q := range set.Ignore {
		ignore[[2]int{min(q.A, q.B), max(q.A, q.B)}] = true
	}
	for i := range set.Docs {
		for j := i + 1; j < len(set.Docs); j++ {
			alike := set.Clusters[i] == set.Clusters[j]
			if ignore[[2]int{i, j}] || oneSource(set, i, j) || !alike && set.Docs[i].Text == set.Docs[j].Text {
				skipped++
				continue
			}
			c.add(alike, found(i, j))
		}
	}
	return c, skipped
}

func TestJudgeCountsAllPairs(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 0))
		set := cluttered(seed, 12)
		in := map[[2]int]bool{}
		var found Found
		for range rng.IntN(60) {
			a, b := rng.IntN(len(set.Docs)), rng.IntN(len(set.Docs))
			found.Pairs = append(found.Pairs, similarity.Pair{A: a, B: b})
			in[[2]int{min(a, b), max(a, b)}] = true
		}
		want, skipped := countPairByPair(set, func(i, j int) bool { return in[[2]int{i, j}] })
		got, err := Judge(set, found, Config{Seed: seed, Resamples: 20})
		if err != nil {
			t.Fatal(err)
		}
		if !same(got.Precision, want.Precision()) || !same(got.Recall, want.Recall()) || !same(got.F1, want.F1()) {
			t.Errorf("seed %d: %v %v %v, want %v %v %v", seed, got.Precision, got.Recall, got.F1, want.Precision(), want.Recall(), want.F1())
		}
		if got.Skipped != skipped || got.Found != int64(want.TP+want.FP) || got.Positives != int64(want.TP+want.FN) || got.Pairs != int64(want.TP+want.FP+want.FN+want.TN) {
			t.Errorf("seed %d: %+v, want %+v and %d skipped", seed, got, want, skipped)
		}
	}
}

func same(got Figure, want float64) bool {
	return float64(got) == want || math.IsNaN(float64(got)) && math.IsNaN(want)
}

// Clusters come to what all pairs within them do, intervals included, and their figures to
// the closure's.
func TestJudgeOfClustersIsThatOfTheirPairs(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 1))
		set := cluttered(seed, 12)
		clusters := make([]int, len(set.Docs))
		for i := range clusters {
			clusters[i] = rng.IntN(12)
		}
		var pairs []similarity.Pair
		for i := range clusters {
			for j := range i {
				if clusters[i] == clusters[j] {
					pairs = append(pairs, similarity.Pair{A: i, B: j})
				}
			}
		}
		cfg := Config{Seed: seed, Resamples: 50}
		a, err := Judge(set, Found{Clusters: clusters}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Judge(set, Found{Pairs: pairs}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprintf("%+v", *a.Removal) != fmt.Sprintf("%+v", *b.Removal) {
			t.Errorf("seed %d: removal %+v, by pairs %+v", seed, *a.Removal, *b.Removal)
		}
		a.Removal, b.Removal = nil, nil
		if fmt.Sprintf("%+v", a) != fmt.Sprintf("%+v", b) {
			t.Errorf("seed %d: clusters\n%+v\npairs\n%+v", seed, a, b)
		}
		if a.F1 != a.ClosureF1 {
			t.Errorf("seed %d: F1 %v, closure %v", seed, a.F1, a.ClosureF1)
		}
	}
}

// What a method finds at its threshold is judged as Run judges the method: precision,
// recall, F1 with their intervals, and clusters.
func TestJudgeIsRunsOwn(t *testing.T) {
	pairs := labelled(5, 80)
	pairs.Pairs = slices.DeleteFunc(pairs.Pairs, func(q datasets.Pair) bool { return q.A == q.B }) // nobody finds those
	for _, set := range []*datasets.Set{pairs, cluttered(6, 300)} {
		m := &words{min: 1, steps: 8}
		cfg := Config{Report: datasets.Test, Resamples: 100, Repeat: -1, Seed: 3}
		records, err := Run(context.Background(), set, []similarity.Method{hidden(*m)}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		r := records[0]
		var found Found
		found.Scored = true
		for i, a := range set.Docs {
			for j := range i {
				if s := float32(m.Score(m.Sketch(a.Text), m.Sketch(set.Docs[j].Text))); float64(s) >= float64(r.Threshold) {
					found.Pairs = append(found.Pairs, similarity.Pair{A: i, B: j, Score: float64(s)})
				}
			}
		}
		g, err := Judge(set, found, cfg)
		if err != nil {
			t.Fatal(err)
		}
		got := []Figure{g.Precision, g.PrecisionLow, g.PrecisionHigh, g.Recall, g.RecallLow, g.RecallHigh, g.F1, g.F1Low, g.F1High}
		want := []Figure{r.Precision, r.PrecisionLow, r.PrecisionHigh, r.Recall, r.RecallLow, r.RecallHigh, r.F1, r.F1Low, r.F1High}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: %v, want %v", set.Name, got, want)
				break
			}
		}
		if g.Pairs != r.Pairs || g.Positives != r.Positives || g.Skipped != r.Skipped || g.Docs != r.Docs {
			t.Errorf("%s: %+v, want the pairs of %+v", set.Name, g, r)
		}
	}
}

// Worked by hand: clusters {a, b, c} and {d, e}; found are a-b, c-d (wrong) and a-c at falling scores,
// so precision is 1, 1/2, 2/3 at recall 1/4, 1/4, 2/4. Three pairs of seven are wrong.
func TestJudgeByHand(t *testing.T) {
	set := &datasets.Set{Clusters: []int{0, 0, 0, 1, 1}}
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		set.Docs = append(set.Docs, datasets.Doc{ID: id, Text: id})
	}
	found := Found{Scored: true, Pairs: []similarity.Pair{{A: 0, B: 1, Score: 9}, {A: 3, B: 2, Score: 8}, {A: 0, B: 2, Score: -7}, {A: 2, B: 0, Score: -8}, {A: 4, B: 4, Score: 5}}}
	g, err := Judge(set, found, Config{})
	if err != nil {
		t.Fatal(err)
	}
	// The two pairs that were not found come last, with the five others: 4 of 10.
	ap := 1.*1/4 + 2./3*1/4 + 4./10*2/4
	if !equal(float64(g.Precision), 2./3) || !equal(float64(g.Recall), 2./4) || !equal(float64(g.F1), 4./7) || !equal(float64(g.AP), ap) {
		t.Errorf("%v %v %v %v, want 2/3, 1/2, 4/7 and %v", g.Precision, g.Recall, g.F1, g.AP, ap)
	}
	// The closure is {a, b, c, d} and {e}: 3 of 6 pairs are right, of 4 there are. Of its four
	// documents a is kept; b and c are rightly removed, d is not.
	if !equal(float64(g.ClosurePrecision), 3./6) || !equal(float64(g.ClosureRecall), 3./4) {
		t.Errorf("closure %v %v, want 1/2 and 3/4", g.ClosurePrecision, g.ClosureRecall)
	}
	if r := g.Removal; r.Removable != 3 || r.Removed != 3 || r.Right != 2 || r.Wrong != 1 || r.Excused != 0 {
		t.Errorf("removal %+v, want 3 removable, 3 removed, 2 right, 1 wrong", r)
	}
}

// Of what was removed it is not said for what: the clusters are {a, b, c}, {d, e}, {f} and {g}, and the
// texts of f and a are equal.
func TestJudgeOfRemovals(t *testing.T) {
	set := &datasets.Set{Clusters: []int{0, 0, 0, 1, 1, 2, 3}}
	for _, text := range []string{"a", "b", "c", "d", "e", "a", "g"} {
		set.Docs = append(set.Docs, datasets.Doc{ID: fmt.Sprint("id", len(set.Docs)), Text: text})
	}
	for _, c := range []struct {
		removed string // the numbers of documents
		want    Removal
	}{
		{"", Removal{Removable: 3}},
		{"12", Removal{Removable: 3, Removed: 2, Right: 2}},
		{"34", Removal{Removable: 3, Removed: 2, Right: 1, Wrong: 1}},
		{"6", Removal{Removable: 3, Removed: 1, Wrong: 1}},
		{"5", Removal{Removable: 3, Removed: 1, Excused: 1}},
		{"05", Removal{Removable: 3, Removed: 2, Right: 1, Wrong: 1}},
		{"0123456", Removal{Removable: 3, Removed: 7, Right: 3, Wrong: 4}},
	} {
		removed := make([]bool, len(set.Docs))
		for _, d := range c.removed {
			removed[d-'0'] = true
		}
		g, err := Judge(set, Found{Removed: removed}, Config{})
		if err != nil {
			t.Fatal(err)
		}
		r := *g.Removal
		got := Removal{Removable: r.Removable, Removed: r.Removed, Right: r.Right, Wrong: r.Wrong, Excused: r.Excused}
		if got != c.want {
			t.Errorf("without %s: %+v, want %+v", c.removed, got, c.want)
		}
		if f1 := 2 * float64(r.Right) / float64(r.Removable+r.Right+r.Wrong); !equal(float64(r.F1), f1) || r.F1Low > r.F1 || r.F1High < r.F1 {
			t.Errorf("without %s: F1 %v in [%v, %v], want %v", c.removed, r.F1, r.F1Low, r.F1High, f1)
		}
	}
	if _, err := Judge(labelled(1, 9), Found{Removed: make([]bool, len(labelled(1, 9).Docs))}, Config{}); err == nil {
		t.Error("no error for a truth of pairs")
	}
}

func equal(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

func TestJudgeOfLabelledPairs(t *testing.T) {
	set := &datasets.Set{Pairs: []datasets.Pair{{A: 0, B: 1, Label: 1}, {A: 3, B: 2, Label: 0}, {A: 1, B: 2, Label: 1}, {A: 4, B: 4, Label: 1}}}
	for i := range 6 {
		set.Docs = append(set.Docs, datasets.Doc{ID: fmt.Sprint(i), Text: fmt.Sprint(i)})
	}
	g, err := Judge(set, Found{Pairs: []similarity.Pair{{A: 1, B: 0}, {A: 2, B: 3}, {A: 0, B: 2}, {A: 0, B: 5}}}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if g.Precision != 0.5 || g.Recall != 0.5 || g.Unlabelled != 1 || g.Outside != 1 || g.Skipped != 1 || g.Removal != nil || !math.IsNaN(float64(g.AP)) {
		t.Errorf("%+v, want precision and recall 1/2, 1 pair without label, 1 outside and 1 skipped", g)
	}
	// 0 to 3 are one component, and so is 4 with itself.
	if g.ClosureRecall != 1 || g.ClosurePrecision != 3./4 {
		t.Errorf("closure %v %v, want 3/4 and 1", g.ClosurePrecision, g.ClosureRecall)
	}
}

func TestJudgeRefuses(t *testing.T) {
	set := cluttered(1, 12)
	for name, found := range map[string]Found{
		"clusters": {Clusters: make([]int, 3)},
		"number":   {Pairs: []similarity.Pair{{A: 0, B: len(set.Docs)}}},
		"score":    {Pairs: []similarity.Pair{{A: 0, B: 1, Score: math.NaN()}}, Scored: true},
	} {
		if _, err := Judge(set, found, Config{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := Judge(&datasets.Set{}, Found{}, Config{}); err == nil {
		t.Error("no error for a set without truth")
	}
}
