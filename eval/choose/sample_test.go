package choose

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval"
)

// made returns documents of random words in clusters of one to four, whose members differ in
// each word with a probability of one fifth.
func made(docs int, seed uint64) *datasets.Set {
	rng := rand.New(rand.NewPCG(seed, 9))
	word := func() string { return fmt.Sprintf("w%d", int(math.Pow(1000, rng.Float64()))) }
	set := &datasets.Set{Name: "made"}
	for cluster := 0; len(set.Docs) < docs; cluster++ {
		words := make([]string, 10+rng.IntN(30))
		for i := range words {
			words[i] = word()
		}
		size := 1
		if cluster%3 == 0 {
			size = 2 + rng.IntN(3)
		}
		for range size {
			edited := slices.Clone(words)
			for i := range edited {
				if rng.IntN(5) == 0 {
					edited[i] = word()
				}
			}
			set.Docs = append(set.Docs, datasets.Doc{ID: fmt.Sprint(len(set.Docs)), Text: strings.Join(edited, " ")})
			set.Clusters = append(set.Clusters, cluster)
		}
	}
	return set
}

func newTask(t *testing.T, set *datasets.Set, o Options) *Task {
	t.Helper()
	task, err := NewTask(context.Background(), set, o)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

func candidates(t *testing.T, specs ...string) []Candidate {
	t.Helper()
	var out []Candidate
	for _, s := range specs {
		c, err := NewCandidate(s)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// The pairs drawn stand for all pairs: their weights add up to the number of these, and
// each candidate's F1 at any threshold is near to what scoring all pairs gives.
func TestDrawnPairsStandForAll(t *testing.T) {
	docs := 2200
	if testing.Short() {
		docs = 1200
	}
	set := made(docs, 1)
	dev, _, err := eval.Divide(set, eval.Config{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	s := newTask(t, set, Options{Seed: 3}).Dev
	all := &Sample{Texts: s.Texts, Unit: s.Unit, Units: s.Units}
	for a := range dev.Docs {
		for b := a + 1; b < len(dev.Docs); b++ {
			if !dev.Skips(a, b) {
				all.Pairs = append(all.Pairs, Pair{int32(a), int32(b), 1, dev.Unit[a] == dev.Unit[b]})
			}
		}
	}
	var weight, alike, most float64
	for _, p := range s.Pairs {
		weight += float64(p.Weight)
		most = max(most, float64(p.Weight))
		if p.Alike {
			alike += float64(p.Weight)
		}
	}
	if len(s.Pairs) == len(all.Pairs) && !testing.Short() {
		t.Fatalf("all %d pairs are taken, and nothing is sampled", len(all.Pairs))
	}
	if math.Abs(weight/float64(len(all.Pairs))-1) > .02 {
		t.Errorf("%d pairs stand for %.0f, want about %d", len(s.Pairs), weight, len(all.Pairs))
	}
	specs := candidates(t, "shingle", "shingle:tokens=rune,width=4", "minhash:size=64", "cosine", "simhash", "bloom:bits=1024", "winnow:k=8,window=4")
	sampled := make([]*ranking, len(specs))
	take := func(i int, r Ranked) error { sampled[i] = r.ranking; return nil }
	if err := Rank(context.Background(), s, s, specs, 2, take); err != nil {
		t.Fatal(err)
	}
	err = Rank(context.Background(), all, s, specs, 2, func(i int, r Ranked) error {
		best, want := r.Best(Goal{})
		if math.Abs(alike-want.TP-want.FN) > 1e-6 {
			t.Errorf("%.0f alike pairs, want %.0f", alike, want.TP+want.FN)
		}
		for _, at := range []float64{best * .8, best, best * 1.2} {
			// Were all false pairs drawn with the least probability, 1/most, their number had a variance
			// of most times itself.
			got, want := sampled[i].At(at).F1(), r.At(at)
			sigma := want.F1() * math.Sqrt(most*want.FP) / (2*want.TP + want.FP + want.FN)
			if math.Abs(got-want.F1()) > 4*sigma+1e-6 {
				t.Errorf("%s at %.3f: F1 %.4f, of all pairs %.4f, sigma %.4f", specs[i].Spec, at, got, want.F1(), sigma)
			}
			if at == best && sigma > .05 {
				t.Errorf("%s: sigma %.4f at the best threshold", specs[i].Spec, sigma)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Pairs do not depend on the number of workers.
func TestDrawIsDeterministic(t *testing.T) {
	set := made(800, 2)
	want := newTask(t, set, Options{Workers: 1, Seed: 5})
	for _, workers := range []int{2, 7} {
		got := newTask(t, set, Options{Workers: workers, Seed: 5})
		if !slices.Equal(got.Dev.Pairs, want.Dev.Pairs) || !slices.Equal(got.Test.Pairs, want.Test.Pairs) {
			t.Errorf("%d workers draw other pairs than one", workers)
		}
	}
}

// Pairs to ignore, and equal texts of different clusters, are drawn by nobody.
func TestDrawSkips(t *testing.T) {
	set := made(60, 3)
	for d := range set.Docs[1:] {
		set.Ignore = append(set.Ignore, datasets.Pair{A: d, B: d + 1})
	}
	twice := set.Docs[40].Text
	set.Docs[10].Text = twice
	task := newTask(t, set, Options{})
	number := map[string]int{}
	for i, d := range set.Docs {
		number[d.Text] = i
	}
	for _, s := range []*Sample{task.Dev, task.Test} {
		for _, p := range s.Pairs {
			x, y := s.Texts[p.A], s.Texts[p.B]
			a, b := number[x], number[y]
			if x == twice || y == twice {
				if x == y {
					t.Error("two equal texts are a pair")
				}
				continue // which of the two it is the text does not say
			}
			if max(a, b)-min(a, b) == 1 || (set.Clusters[a] == set.Clusters[b]) != p.Alike {
				t.Errorf("documents %d and %d are a pair, alike %v", a, b, p.Alike)
			}
		}
	}
}

// A sample of units is unbiased: over many seeds, weights add up to those of the whole.
func TestShrinkIsUnbiased(t *testing.T) {
	s := newTask(t, made(400, 4), Options{}).Dev
	sum := func(s *Sample) (alike, other float64) {
		for _, p := range s.Pairs {
			if p.Alike {
				alike += float64(p.Weight)
			} else {
				other += float64(p.Weight)
			}
		}
		return alike, other
	}
	alike, other := sum(s)
	for _, share := range []float64{.1, .4, .9} {
		var a, o float64
		const seeds = 200
		for seed := range uint64(seeds) {
			got := s.Shrink(share, seed)
			x, y := sum(got)
			a, o = a+x/seeds, o+y/seeds
			if len(got.Texts) >= len(s.Texts) || got.Units == 0 {
				t.Fatalf("share %v: %d of %d texts", share, len(got.Texts), len(s.Texts))
			}
			for _, p := range got.Pairs {
				if (got.Unit[p.A] == got.Unit[p.B]) != p.Alike {
					t.Fatalf("share %v: pair %+v in units %d and %d", share, p, got.Unit[p.A], got.Unit[p.B])
				}
			}
		}
		if math.Abs(a/alike-1) > .05 || math.Abs(o/other-1) > .1 {
			t.Errorf("share %v: %.0f alike and %.0f other pairs in the mean, want about %.0f and %.0f", share, a, o, alike, other)
		}
	}
	if s.Shrink(1, 1) != s {
		t.Error("the whole share is not the sample itself")
	}
}

// Of many labelled pairs some are taken, and no document that is in none of them.
func TestLabelledPairsAreThinned(t *testing.T) {
	set := &datasets.Set{Name: "pairs"}
	for i := range 60_000 {
		set.Docs = append(set.Docs, datasets.Doc{ID: fmt.Sprint(2 * i), Text: fmt.Sprint("a", i)}, datasets.Doc{ID: fmt.Sprint(2*i + 1), Text: fmt.Sprint("b", i)})
		split := datasets.Dev
		if i%61 == 0 {
			split = datasets.Test
		}
		set.Pairs = append(set.Pairs, datasets.Pair{A: 2 * i, B: 2*i + 1, Label: float64(i % 2), Split: split})
	}
	s := newTask(t, set, Options{}).Dev
	weight := 0.0
	for _, p := range s.Pairs {
		weight += float64(p.Weight)
		if s.Texts[p.A][1:] != s.Texts[p.B][1:] || s.Unit[p.A] != s.Unit[p.B] {
			t.Fatalf("%s and %s are a pair of units %d and %d", s.Texts[p.A], s.Texts[p.B], s.Unit[p.A], s.Unit[p.B])
		}
	}
	if n := len(s.Pairs); math.Abs(float64(n)/mostLabelled-1) > .02 || len(s.Texts) != 2*n || s.Units != n || math.Abs(weight/59_016-1) > .02 {
		t.Errorf("%d pairs of %d texts in %d units stand for %.0f", n, len(s.Texts), s.Units, weight)
	}
}

func TestTaskErrors(t *testing.T) {
	one := &datasets.Set{Name: "one", Docs: []datasets.Doc{{ID: "a"}, {ID: "b"}}, Clusters: []int{0, 0}}
	none := &datasets.Set{Name: "none", Docs: one.Docs}
	for _, set := range []*datasets.Set{one, none} {
		if _, err := NewTask(context.Background(), set, Options{}); err == nil || !strings.Contains(err.Error(), set.Name) {
			t.Errorf("%s: error %v", set.Name, err)
		}
	}
	for _, o := range []Options{{Budget: 1}, {MaxDocs: 3}, {Resamples: 5}, {MaxBytesPerDoc: -1}, {MaxBytesPerDoc: math.NaN()}} {
		if _, err := NewTask(context.Background(), made(60, 1), o); err == nil || !strings.HasPrefix(err.Error(), "choose: ") {
			t.Errorf("%+v: error %v", o, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Search(ctx, made(60, 1), Options{}); err == nil {
		t.Error("a cancelled search finds something")
	}
}

// Beyond MaxDocs clusters are sampled, and what is left stands for all.
func TestMaxDocs(t *testing.T) {
	set := made(1000, 6)
	whole, few := newTask(t, set, Options{}), newTask(t, set, Options{MaxDocs: 400})
	if n := len(few.Dev.Texts) + len(few.Test.Texts); n > 440 || n < 300 {
		t.Errorf("%d documents, want about 400", n)
	}
	sum := func(s *Sample) (w float64) {
		for _, p := range s.Pairs {
			w += float64(p.Weight)
		}
		return w
	}
	if got, want := sum(few.Dev), sum(whole.Dev); math.Abs(got/want-1) > .1 {
		t.Errorf("pairs of the sample stand for %.0f, want about %.0f", got, want)
	}
}
