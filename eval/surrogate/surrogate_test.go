package surrogate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/eval/choose"
)

// library returns n documents of made words and, of each of the first twins, a copy in which a
// share of the words is another.
func library(t testing.TB, n, twins int, share float64) []datasets.Doc {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	word := func() string { return fmt.Sprintf("w%d", int(rng.ExpFloat64()*300)) }
	var docs []datasets.Doc
	for i := range n {
		var words []string
		for range 60 {
			words = append(words, word())
		}
		docs = append(docs, datasets.Doc{ID: fmt.Sprintf("d%d", i), Text: strings.Join(words, " ")})
		if i < twins {
			for k := range words {
				if rng.Float64() < share {
					words[k] = word()
				}
			}
			docs = append(docs, datasets.Doc{ID: fmt.Sprintf("d%d'", i), Text: strings.Join(words, " ")})
		}
	}
	return docs
}

// long skips a test in short runs, under the race detector say.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("short")
	}
}

func twin(a, b string) bool { return strings.TrimSuffix(a, "'") == strings.TrimSuffix(b, "'") }

func build(t testing.TB, docs []datasets.Doc, labels []Label, o Options) *Truth {
	t.Helper()
	truth, err := Build(context.Background(), "library", docs, labels, o)
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

// Pairs that were made alike are found to be, and hardly any others.
func TestBuildFindsTwins(t *testing.T) {
	truth := build(t, library(t, 300, 80, 0.3), nil, Options{})
	if e := truth.Expected(); e < 76 || e > 84 {
		t.Errorf("%.1f alike pairs are expected, 80 there are", e)
	}
	hits := 0
	for _, p := range truth.Pairs {
		a, b := truth.Docs[p.A].ID, truth.Docs[p.B].ID
		switch {
		case twin(a, b) && p.Alike > 0.5:
			hits++
		case !twin(a, b) && p.Alike > 0.5:
			t.Errorf("%s and %s are taken for alike", a, b)
		}
	}
	if hits < 78 {
		t.Errorf("%d of 80 twins are found", hits)
	}
}

// The weights of all pairs add up to the number of pairs, as far as chance allows.
func TestWeightsCountAllPairs(t *testing.T) {
	long(t)
	truth := build(t, library(t, 250, 50, 0.3), nil, Options{})
	sum := 0.0
	for _, p := range truth.Pairs {
		sum += float64(p.Weight)
	}
	n := float64(len(truth.Docs))
	if all := n * (n - 1) / 2; sum < 0.97*all || sum > 1.03*all {
		t.Errorf("the pairs stand for %.0f, %.0f there are", sum, all)
	}
}

// Nothing depends on the number of workers.
func TestBuildIsDeterministic(t *testing.T) {
	docs := library(t, 150, 30, 0.3)
	one, three := build(t, docs, nil, Options{Workers: 1}), build(t, docs, nil, Options{Workers: 3})
	if !reflect.DeepEqual(one.Pairs, three.Pairs) || !reflect.DeepEqual(one.Copies, three.Copies) {
		t.Error("pairs or copies differ between one worker and three")
	}
}

// A collection without any alike pairs is judged by planted edits, and says so.
func TestBuildWithoutTwins(t *testing.T) {
	long(t)
	truth := build(t, library(t, 300, 0, 0), nil, Options{})
	if e := truth.Expected(); e > 10 {
		t.Errorf("%.1f alike pairs are expected where there are none", e)
	}
	if d := truth.Doubts(); len(d) == 0 || !strings.Contains(d[0], "hardly any") {
		t.Errorf("doubts are %q", d)
	}
	result, err := choose.SearchTask(context.Background(), truth.Task(), fewOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	if result.Best.Dev.F1 < 0.9 {
		t.Errorf("planted edits are found with an F1 of %.3f", result.Best.Dev.F1)
	}
}

func fewOptions(t testing.TB) choose.Options {
	t.Helper()
	o := choose.Options{NoSpeed: true, NoDeadline: true, Resamples: 20}
	for _, spec := range []string{"shingle", "cosine", "shingle:width=2", "minhash", "simhash"} {
		c, err := choose.NewCandidate(spec)
		if err != nil {
			t.Fatal(err)
		}
		o.Candidates = append(o.Candidates, c)
	}
	return o
}

// What a search takes by the truth that was made serves the twins.
func TestTaskServesASearch(t *testing.T) {
	long(t)
	truth := build(t, library(t, 300, 80, 0.3), nil, Options{})
	result, err := choose.SearchTask(context.Background(), truth.Task(), fewOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	c, err := choose.NewCandidate(result.Best.Spec)
	if err != nil {
		t.Fatal(err)
	}
	m, err := c.Method.Fit(func(yield func(string) bool) {
		for _, d := range truth.Docs {
			if !yield(d.Text) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	sketches := m.NewCollection()
	for _, d := range truth.Docs {
		sketches.Add(d.Text)
	}
	hits, called := 0, 0
	for i, a := range truth.Docs {
		for j := range i {
			if sketches.Score(i, j) >= float64(result.Best.Threshold) {
				called++
				if twin(a.ID, truth.Docs[j].ID) {
					hits++
				}
			}
		}
	}
	if hits < 76 || called > 84 {
		t.Errorf("%s from %v on finds %d of 80 twins among %d pairs", result.Best.Spec, result.Best.Threshold, hits, called)
	}
}

// A stated mix is what is planted.
func TestStatedEdits(t *testing.T) {
	long(t)
	truth := build(t, library(t, 200, 20, 0.3), nil, Options{Mix: []plant.Choice{{Edit: plant.Edit{Kind: plant.Truncate, Rate: 0.4}, Weight: 1}}})
	if len(truth.Copies) == 0 {
		t.Fatal("no copies")
	}
	c, err := choose.NewCandidate("shingle")
	if err != nil {
		t.Fatal(err)
	}
	found, err := truth.Found(context.Background(), c, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].Edit != "truncate:0.4" || found[0].Found != len(truth.Copies) {
		t.Errorf("found %v of %d copies, want all of one kind at a threshold of 0", found, len(truth.Copies))
	}
}

// A larger collection is sampled so that twins stay together.
func TestSampleKeepsTwins(t *testing.T) {
	long(t)
	docs := library(t, 900, 300, 0.2)
	truth := build(t, docs, nil, Options{MaxDocs: 200})
	if n := len(truth.Docs); n < 190 || n > 200 {
		t.Fatalf("%d documents were sampled, want 200", n)
	}
	in := map[string]bool{}
	for _, d := range truth.Docs {
		in[d.ID] = true
	}
	twins, apart := 0, 0
	for i := range 300 {
		switch a, b := in[fmt.Sprintf("d%d", i)], in[fmt.Sprintf("d%d'", i)]; {
		case a && b:
			twins++
		case a || b:
			apart++
		}
	}
	if twins < 9*apart {
		t.Errorf("%d twins stayed together, %d were parted", twins, apart)
	}
}

// Of a collection that is sampled the background is as large as it is among all documents, and the alike
// pairs are those of the sample.
func TestSampledBackgroundGrows(t *testing.T) {
	long(t)
	const n, twins, most = 900, 300, 300
	truth := build(t, library(t, n, twins, 0.2), nil, Options{MaxDocs: most})
	sampled := float64(len(truth.Docs))
	grow := (n + twins) / sampled
	apart, alike := 0.0, 0.0
	for _, p := range truth.Task().Dev.Pairs {
		switch {
		case !p.Alike:
			apart += float64(p.Weight)
		case int(p.B) < len(truth.Docs): // not planted
			alike += float64(p.Weight)
		}
	}
	if all := sampled * (sampled - 1) / 2 * grow; apart < 0.95*all || apart > 1.05*all {
		t.Errorf("%.0f pairs apart, want about %.0f", apart, all)
	}
	if want := sampled * twins / (n + twins); alike < 0.85*want || alike > 1.15*want {
		t.Errorf("%.0f alike pairs, want about %.0f", alike, want)
	}
}

// A member that is sure of itself has no vote if it stands alone.
func TestTrust(t *testing.T) {
	type member struct {
		f1, alike float64
		trusted   bool
	}
	for _, c := range [][]member{
		{{.9, 100, true}, {.85, 120, true}, {.79, 90, false}, {.95, 700, false}},
		{{.5, 100, false}, {.65, 120, false}},
		{{.5, 100, false}, {.72, 9000, true}},
		{{.8, 100, true}, {.8, 150, true}},
		{{.99, 1000, false}, {.8, 100, true}, {.8, 110, true}, {.98, 20, false}},
	} {
		truth := &Truth{}
		for _, m := range c {
			truth.Members = append(truth.Members, Member{F1: m.f1, Alike: m.alike})
		}
		truth.trust()
		for i, m := range c {
			if truth.Members[i].Trusted != m.trusted {
				t.Errorf("%v: the vote of %v is %v", c, m, truth.Members[i].Trusted)
			}
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	if _, err := Build(context.Background(), "few", library(t, 20, 0, 0), nil, Options{}); err == nil {
		t.Error("twenty documents were taken")
	}
	if _, err := Build(context.Background(), "blank", make([]datasets.Doc, 500), nil, Options{}); err == nil {
		t.Error("documents without a text were taken")
	}
	if _, err := Build(context.Background(), "few", library(t, 200, 0, 0), nil, Options{MaxDocs: 7}); err == nil {
		t.Error("MaxDocs of 7 was taken")
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Build(cancelled, "cancelled", library(t, 200, 0, 0), nil, Options{}); err == nil {
		t.Error("a cancelled context was passed over")
	}
}
