package surrogate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/eval/choose"
)

var versions = dedup.Versions

// library returns n documents of made words and, of each of the first twins, a copy in
// which a share of the words is another.
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
	truth := build(t, library(t, 300, 80, 0.3), nil, Options{Want: &versions})
	if e := truth.Expected().Value; e < 76 || e > 84 {
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
	truth := build(t, library(t, 300, 80, 0.3), nil, Options{Want: &versions})
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
	truth := build(t, library(t, 200, 20, 0.3), nil, Options{Want: &versions, Mix: []plant.Choice{{Edit: plant.Edit{Kind: plant.Truncate, Rate: 0.4}, Weight: 1}}})
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

// fewer bounds the pairs that are scored, so that small collections are sampled.
func fewer(t *testing.T, pairs int) {
	t.Helper()
	before := scanPairs
	scanPairs = pairs
	t.Cleanup(func() { scanPairs = before })
}

// naiveCopies counts the pairs of documents of which at most a share of the words differ.
func naiveCopies(docs []datasets.Doc, share float64) (n int) {
	for i := range docs {
		for j := range i {
			if _, ok := words.Differ(words.Sketch(docs[i].Text), words.Sketch(docs[j].Text), share); ok {
				n++
			}
		}
	}
	return n
}

// counted is build without a committee.
func counted(t *testing.T, docs []datasets.Doc, o Options) *Truth {
	t.Helper()
	truth := &Truth{all: docs, Of: len(docs), Docs: docs, Profile: choose.Text, Differ: dedup.DefaultDiffer, seed: o.Seed, workers: 2}
	if o.MaxDocs == 0 {
		o.MaxDocs = len(docs)
	}
	ctx := context.Background()
	if err := truth.sample(ctx, nil, o.MaxDocs); err != nil {
		t.Fatal(err)
	}
	truth.readWords(ctx)
	var err error
	if truth.Pairs, err = truth.draw(ctx, proxies[choose.Text][:2], nil); err != nil {
		t.Fatal(err)
	}
	if err := truth.countWords(ctx); err != nil {
		t.Fatal(err)
	}
	return truth
}

// What queries tell of the whole collection is not off, and its interval holds the truth
// nearly always: with 95 %, three of 40 or more miss it with a probability of 1/3, eight
// or more with one of 1/1000.
func TestCountsOfSampledQueries(t *testing.T) {
	long(t)
	const most = 250
	docs := library(t, 500, 200, 0.05)
	want := float64(naiveCopies(docs, dedup.DefaultDiffer))
	for _, c := range []Options{{}, {MaxDocs: 400}} {
		t.Run(fmt.Sprintf("MaxDocs=%d", c.MaxDocs), func(t *testing.T) {
			n := len(docs)
			if c.MaxDocs > 0 {
				n = c.MaxDocs
			}
			fewer(t, n*most)
			missed, sum := 0, 0.0
			for seed := range uint64(40) {
				c.Seed = seed
				truth := counted(t, docs, c)
				if truth.Queries > most {
					t.Fatalf("%d queries, want %d at most", truth.Queries, most)
				}
				e := truth.Wanted(dedup.Copies)
				sum += e.Value
				if want < e.Low || want > e.High {
					missed++
				}
			}
			if missed >= 8 {
				t.Errorf("%d of 40 intervals miss the %v copies", missed, want)
			}
			if mean := sum / 40; mean < 0.93*want || mean > 1.07*want {
				t.Errorf("the mean estimate is %.1f, there are %v copies", mean, want)
			}
		})
	}
}

// Where every document is a query, the interval holds what was left to the drawing of
// pairs, as often as in TestCountsOfSampledQueries, and pairs that were certain leave
// nothing.
func TestCountsOfDrawnPairs(t *testing.T) {
	const docs = 60
	const all = docs * (docs - 1) / 2
	for _, p := range []float64{0.1, 1} {
		missed := 0
		for seed := range uint64(40) {
			rng := rand.New(rand.NewPCG(seed, 3))
			truth := &Truth{Docs: make([]datasets.Doc, docs), Of: docs, sampled: docs, drawn: [2]int{docs, 0}, seed: seed}
			for a := range int32(docs) {
				truth.strata[0] = append(truth.strata[0], a)
				for b := range a {
					if rng.Float64() < p {
						w := float32(0.5 / p)
						truth.Pairs = append(truth.Pairs, Pair{A: b, B: a, Weight: 2 * w, by: [2]float32{w, w}, chance: float32(p)})
					}
				}
			}
			e := truth.Count(func(*Pair) float64 { return 1 })
			if all < e.Low || all > e.High {
				missed++
			}
			if p == 1 && (e.Low != all || e.High != all) {
				t.Errorf("%v, all of %v pairs were counted", e, all)
			}
		}
		if missed >= 8 {
			t.Errorf("p = %v: %d of 40 intervals miss the %v pairs", p, missed, all)
		}
	}
}

// Answers change no weight, neither of pairs that were drawn nor of others.
func TestAnswersDrawNothing(t *testing.T) {
	docs := library(t, 300, 80, 0.3)
	before := build(t, docs, nil, Options{})
	weight := map[[2]int32]float32{}
	var labels []Label
	for i, p := range before.Pairs {
		weight[[2]int32{p.A, p.B}] = p.Weight
		if i%100 == 0 {
			labels = append(labels, before.label([2]int32{p.A, p.B}, true))
		}
	}
	for i := range int32(100) { // most of these were not drawn
		labels = append(labels, before.label([2]int32{i, i + 150}, false))
	}
	after := build(t, docs, labels, Options{})
	if after.Labels < 200 {
		t.Fatalf("%d answers", after.Labels)
	}
	for _, p := range after.Pairs {
		if w := weight[[2]int32{p.A, p.B}]; w != p.Weight {
			t.Fatalf("the pair %d, %d stands for %v after answers, for %v before", p.A, p.B, p.Weight, w)
		}
	}
}

// Answers about documents outside the sample leave what is estimated of the collection.
func TestAnswersOutsideTheSample(t *testing.T) {
	docs := library(t, 500, 250, 0.01)
	o := Options{MaxDocs: 150}
	before := build(t, docs, nil, o)
	in := map[string]bool{}
	for _, d := range before.Docs {
		in[d.ID] = true
	}
	var labels []Label
	for i := range 250 {
		if a := fmt.Sprintf("d%d", i); !in[a] && !in[a+"'"] && len(labels) < 60 {
			labels = append(labels, Label{A: a, B: a + "'", Alike: true})
		}
	}
	after := build(t, docs, labels, o)
	if after.Labels != 60 {
		t.Fatalf("%d answers, want 60", after.Labels)
	}
	for name, of := range map[string]func(*Truth) float64{
		"copies": func(t *Truth) float64 { return t.Wanted(dedup.Copies).Value },
		"alike":  func(t *Truth) float64 { return t.Expected().Value },
	} {
		if x, y := of(before), of(after); math.Abs(x-y) > 0.05*x || x < 100 {
			t.Errorf("%s: %.0f pairs before answers, %.0f after", name, x, y)
		}
	}
}

// A rule removes what a plain loop over all pairs removes, in the order of the documents.
func TestEffect(t *testing.T) {
	docs := library(t, 150, 60, 0.06)
	docs = append(docs, docs[3], docs[70]) // equal texts
	for i := range docs {
		docs[i].ID = fmt.Sprint(i)
	}
	truth := build(t, docs, nil, Options{})
	removed := make([]bool, len(docs))
	want := 0
	for i := range docs {
		for j := i + 1; j < len(docs) && !removed[i]; j++ {
			if _, ok := words.Differ(words.Sketch(docs[i].Text), words.Sketch(docs[j].Text), dedup.DefaultDiffer); ok && !removed[j] {
				removed[j] = true
				want++
			}
		}
	}
	e, err := truth.Effect(context.Background(), truth.CopiesRule())
	if err != nil || e.Removed.Value != float64(want) || want < 20 {
		t.Errorf("removes %+v, %v; want %d", e, err, want)
	}
}

// An estimate follows every document of a small collection, and is the count.
func TestEffectEstimates(t *testing.T) {
	truth := build(t, library(t, 150, 60, 0.2), nil, Options{})
	c, err := choose.NewCandidate("shingle")
	if err != nil {
		t.Fatal(err)
	}
	sketches, err := truth.sketch(context.Background(), truth.all, truth.all, c)
	if err != nil {
		t.Fatal(err)
	}
	for _, threshold := range []float64{0.5, 0.3, 0.22} { // unrelated documents are chained at the last
		counted := &Effect{Rule: Rule{Method: "shingle", Threshold: threshold}}
		estimated := &Effect{Rule: counted.Rule}
		if err := truth.count(context.Background(), counted, truth.all, sketches); err != nil {
			t.Fatal(err)
		}
		if err := truth.estimate(context.Background(), estimated, sketches); err != nil {
			t.Fatal(err)
		}
		if c, e := counted.Removed.Value, estimated.Removed; math.Abs(c-e.Value) > 1e-9 || e.Low > c || e.High < c || c < 20 {
			t.Errorf("from %v on: %v are removed, %v are estimated", threshold, c, e)
		}
	}
}

// The outcome is a recommendation only where what is wanted makes no difference, or was
// said.
func TestOutcomes(t *testing.T) {
	long(t)
	short := library(t, 300, 80, 0)
	for i := range short {
		short[i].Text = strings.Join(strings.Fields(short[i].Text)[:9], " ")
	}
	for name, c := range map[string]struct {
		docs []datasets.Doc
		want *dedup.Want
		out  Kind
	}{
		"copies":          {library(t, 300, 80, 0.01), nil, Recommended},
		"versions":        {library(t, 300, 80, 0.3), nil, AfterAnswer},
		"versions/stated": {library(t, 300, 80, 0.3), &versions, Recommended},
		"nothing":         {library(t, 300, 0, 0), nil, Undecidable},
		"short":           {short, nil, Undecidable},
	} {
		t.Run(name, func(t *testing.T) {
			truth := build(t, c.docs, nil, Options{Want: c.want})
			choice, err := truth.Choose(context.Background(), fewOptions(t))
			if err != nil {
				t.Fatal(err)
			}
			if choice.Outcome != c.out {
				t.Errorf("%s because %q, want %s", choice.Outcome, choice.Why, c.out)
			}
			if got := len(choice.Commands("docs.jsonl")) > 0; got != (c.out == Recommended) {
				t.Errorf("%s prints commands: %v", choice.Outcome, got)
			}
		})
	}
}

// Answers lead to a recommendation if they confirm the rule, and to none, nor a command,
// if they contradict it.
func TestAnswersDecide(t *testing.T) {
	docs := library(t, 300, 80, 0.3)
	for _, agree := range []bool{true, false} {
		var labels []Label
		for i := range 25 {
			a := fmt.Sprintf("d%d", i)
			labels = append(labels, Label{A: a, B: a + "'", Alike: agree || i%2 == 0}, Label{A: a, B: fmt.Sprintf("d%d", i+100)})
		}
		choice, err := build(t, docs, labels, Options{}).Choose(context.Background(), fewOptions(t))
		if err != nil {
			t.Fatal(err)
		}
		if got := choice.Outcome == Recommended && len(choice.Commands("x")) > 0; got != agree {
			t.Errorf("answers that agree (%v): %s, because %q", agree, choice.Outcome, choice.Why)
		}
		if !agree && len(choice.Commands("x")) > 0 {
			t.Errorf("%q is printed against the answers", choice.Commands("x"))
		}
	}
}

// No method has an interval, nor a state that follows from one: truth was made.
func TestChooseHidesIntervals(t *testing.T) {
	c, err := build(t, library(t, 300, 80, 0.3), nil, Options{Want: &versions}).Choose(context.Background(), fewOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Baselines) == 0 || len(c.Front) < 2 {
		t.Fatalf("%d baselines and %d methods in front", len(c.Baselines), len(c.Front))
	}
	for _, x := range slices.Concat([]choose.Trial{c.Best}, c.Trials, c.Front, c.Cheaper, c.Baselines) {
		if x.State != "" || x.Test != nil && !(math.IsNaN(float64(x.Test.Low)) && math.IsNaN(float64(x.Test.High))) {
			t.Errorf("%s is %q beside the best, from %v to %v", x.Spec, x.State, x.Test.Low, x.Test.High)
		}
	}
}

// No reply is removed for what it quotes, in English and in Chinese, and copies are found
// all the same.
func TestThreads(t *testing.T) {
	long(t)
	for _, lang := range []plant.Lang{plant.English, plant.Chinese} {
		maker, err := plant.NewThreads(plant.MakeOptions{Lang: lang, Mean: 80, Seed: 4}, 0.2)
		if err != nil {
			t.Fatal(err)
		}
		var docs []datasets.Doc
		original := map[string]string{} // of the messages that were sent twice
		for d, err := range maker.Docs(1500) {
			if err != nil {
				t.Fatal(err)
			}
			docs = append(docs, d.Doc)
			if d.Copy > 0 {
				original[d.Doc.Text] = d.Original
			}
		}
		truth := build(t, docs, nil, Options{})
		asked, err := truth.spare(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		removed := 0
		truth.readWords(context.Background())
		for i, d := range docs {
			for j := range i {
				if truth.differ(int32(i), int32(j), truth.Differ) <= truth.Differ {
					removed++
					if _, sent := original[d.Text]; !sent && original[docs[j].Text] == "" {
						t.Errorf("%v: %s is a copy of %s, and was sent once", lang, d.ID, docs[j].ID)
					}
					break
				}
			}
		}
		if removed < len(original)/2 || len(original) < 100 {
			t.Errorf("%v: %d are removed of %d that were sent twice; %d replies were spared", lang, removed, len(original), asked)
		}
		if truth.Shape.Quotes < 0.3 {
			t.Errorf("%v: %.2f of the documents quote", lang, truth.Shape.Quotes)
		}
	}
}

func TestQuotes(t *testing.T) {
	for text, want := range map[string]bool{
		"I agree.\n> the plan is good\nBye":   true,
		"On Monday Ann wrote:\nthe plan":      true,
		"【 在 张三 的大作中提到: 】\n: 今天天气不错":          true,
		"本文引用了三篇论文\n今天天气不错":                   false,
		"| name | price |\n| apples | 3.50 |": false,
		": list item of reStructuredText":     false,
		"a > b and b > c\nno quote":           false,
		"今天天气不错":                              false,
		"":                                    false,
	} {
		if quotes(text) != want {
			t.Errorf("%q quotes: %v, want %v", text, !want, want)
		}
	}
}

// Two texts that are only quotes are no replies; a word of assent to each is.
func TestReplies(t *testing.T) {
	quoted := "> the plan is good\n> and we start on Monday\n"
	for text, want := range map[string]bool{quoted: false, quoted + "I agree": true} {
		if replies(quoted, text) != want {
			t.Errorf("%q is a reply: %v, want %v", text, !want, want)
		}
	}
}

// A Differ that was stated is not lowered for replies, and they are reported.
func TestStatedDiffer(t *testing.T) {
	docs := library(t, 120, 20, 0)
	for i := range 20 {
		docs[2*i].Text = "> " + docs[2*i].Text
		docs[2*i+1].Text = docs[2*i].Text + "\nyes"
	}
	truth := build(t, docs, nil, Options{Differ: 0.1})
	if _, err := truth.spare(context.Background()); err != nil || truth.Differ != 0.1 {
		t.Errorf("Differ is %v (%v), 0.1 was stated", truth.Differ, err)
	}
	if e, err := truth.Effect(context.Background(), truth.CopiesRule()); err != nil || e.Replies != 20 {
		t.Errorf("%+v, %v; want 20 replies", e, err)
	}
	if truth = build(t, docs, nil, Options{}); truth.Differ != 0.1 {
		t.Fatalf("Differ is %v without a statement", truth.Differ)
	}
	if n, err := truth.spare(context.Background()); err != nil || n != 20 || truth.Differ >= 0.1 {
		t.Errorf("%d replies are spared by %v (%v), want 20 by less than 0.1", n, truth.Differ, err)
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
