package cosine

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/similaritytest"
)

func TestLaws(t *testing.T) {
	for _, o := range []Options{
		{},
		{Scheme: "sklearn"},
		{Scheme: "Lpn"},
		{Scheme: "nnn", Features: feature.Options{MinWidth: 1, MaxWidth: 2}},
		{Scheme: "dotnet", Features: feature.Options{Tokens: feature.Rune, MinWidth: 2}},
		{Features: feature.Options{Top: 20}},
		{Scheme: "tf", Features: feature.Options{Weights: feature.LogTF, Levels: 9}},
		{Features: feature.Options{Tokens: feature.Overlap, Hash: feature.Times33}},
	} {
		m := mustNew(t, o)
		t.Run(m.String(), func(t *testing.T) { similaritytest.Run(t, m) })
	}
}

// TestLawsFitted checks the laws under a fit on some of the texts.
func TestLawsFitted(t *testing.T) {
	var docs []string
	for _, tx := range similaritytest.Texts() {
		docs = append(docs, tx.Text)
	}
	for _, scheme := range []string{"", "ntn"} {
		m, err := mustNew(t, Options{Scheme: scheme}).Fit(slices.Values(docs[4:]))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(m.String(), func(t *testing.T) { similaritytest.Run(t, m) })
	}
}

func TestNewRefuses(t *testing.T) {
	for want, o := range map[string]Options{
		`cosine: Scheme is "xyz", want smooth,`:                             {Scheme: "xyz"},
		`cosine: Scheme is "ltu", but pivoted`:                              {Scheme: "ltu"},
		"cosine: Features.Weights is 1 under the scheme smooth, want TF":    {Features: feature.Options{Weights: feature.Binary}},
		"cosine: Features.Weights is 3 under the scheme smooth, want TF (0": {Features: feature.Options{Weights: feature.FitIDF}},
		"cosine: Features.Weights is 3 under the scheme nnc":                {Scheme: "tf", Features: feature.Options{Weights: feature.FitIDF}},
		"cosine: feature: ": {Features: feature.Options{MinWidth: 65}},
	} {
		if _, err := New(o); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: error %v, want %s...", o, err, want)
		}
	}
}

func TestSpec(t *testing.T) {
	wide := feature.Options{MinWidth: 2}
	for want, o := range map[string]Options{
		"cosine:fit=none":                    {Scheme: "smooth"},
		"cosine:scheme=ltc,fit=none":         {Scheme: "ltc"},
		"cosine:scheme=nnc":                  {Scheme: "tf"},
		"cosine:scheme=lnn":                  {Scheme: "lnn"},
		"cosine:scheme=dotnet,fit=none":      {Scheme: "dotnet"},
		"cosine:scheme=nnc,width=2":          {Scheme: "nnc", Features: wide},
		"cosine:scheme=ntc,fit=none,width=2": {Scheme: "ntc", Features: wide},
	} {
		if got := mustNew(t, o).String(); got != want {
			t.Errorf("%+v: spec %s, want %s", o, got, want)
		}
	}
	a, b := mustNew(t, Options{}), mustNew(t, Options{Scheme: "sklearn"})
	if a.Settings() == b.Settings() || a.Settings() == mustNew(t, Options{Features: wide}).Settings() {
		t.Errorf("different methods have the settings %s", a.Settings())
	}
	if a.Settings() != mustNew(t, Options{Scheme: "smooth"}).Settings() {
		t.Error("the default by name has other settings")
	}
}

// The sentences share 4 of 5 and 5 words; "the" stands twice in one of them:
// tf vectors (2 the, cat, sat, on, mat) and (the, cat, sat, on, a, mat) have the
// dot product 6 and squared lengths 8 and 6.
func TestWorkedExample(t *testing.T) {
	const a, b, c = "the cat sat on the mat", "The cat sat on a mat", "we all scream for ice cream"
	m := mustNew(t, Options{Scheme: "tf"})
	if got, want := m.Score(m.Sketch(a), m.Sketch(b)), 6/math.Sqrt(48); math.Abs(got-want) > 1e-7 {
		t.Errorf("tf: %v, want %v", got, want)
	}
	if got := m.Score(m.Sketch(a), m.Sketch(c)); got != 0 {
		t.Errorf("tf: %v for nothing shared, want 0", got)
	}
	l := 1 + math.Log(2)
	m = mustNew(t, Options{})
	if got, want := m.Score(m.Sketch(a), m.Sketch(b)), (l+4)/math.Sqrt((l*l+4)*6); math.Abs(got-want) > 1e-7 {
		t.Errorf("default: %v, want %v", got, want)
	}
	m = mustNew(t, Options{Scheme: "bnc"})
	if got, want := m.Score(m.Sketch(a), m.Sketch(b)), 5/math.Sqrt(30); math.Abs(got-want) > 1e-7 {
		t.Errorf("binary: %v, want %v", got, want)
	}
	if m.Bytes(m.Sketch(a)) != 5*12+8 {
		t.Errorf("%d bytes, want %d", m.Bytes(m.Sketch(a)), 5*12+8)
	}
}

// TestFit fits on the counts of the scikit-learn user guide, spelt as words.
func TestFit(t *testing.T) {
	docs := []string{"a a a c", "a a", "a a a", "a a a a", "a a a b b", "a a a c c"}
	none := mustNew(t, Options{Scheme: "sklearn-unsmoothed"})
	m, err := none.Fit(slices.Values(docs))
	if err != nil {
		t.Fatal(err)
	}
	v := m.Sketch(docs[4])
	got := slices.Clone(v.Weights)
	slices.Sort(got)
	if len(got) != 2 || math.Abs(float64(got[0])-.47330339) > 1e-7 || math.Abs(float64(got[1])-.88089948) > 1e-7 {
		t.Errorf("weights %v, want .47330339 and .88089948", got)
	}
	if none.FitState() != similarity.FitNone || m.FitState() != similarity.Fitted {
		t.Errorf("fit states %v and %v", none.FitState(), m.FitState())
	}
	if !strings.Contains(m.String(), "fit="+m.Features().Model().Sum()) || strings.Contains(m.String(), "fit=none") {
		t.Errorf("spec %s does not name the fit %s", m, m.Features().Model().Sum())
	}
	if m.Settings() == none.Settings() {
		t.Error("the fit does not change the settings")
	}

	var saved bytes.Buffer
	if err := none.WriteFit(&saved); err == nil {
		t.Error("no error for saving no fit")
	}
	if err := m.WriteFit(&saved); err != nil {
		t.Fatal(err)
	}
	again, err := none.ReadFit(bytes.NewReader(saved.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if again.Settings() != m.Settings() || !reflect.DeepEqual(again.Sketch(docs[4]), v) {
		t.Errorf("after saving and reading: %s, before %s", again, m)
	}
	// The frequencies serve another scheme on the same features, but no other features.
	ltc, err := mustNew(t, Options{Scheme: "ltc"}).ReadFit(bytes.NewReader(saved.Bytes()))
	if err != nil || ltc.FitState() != similarity.Fitted {
		t.Errorf("reading the fit with another scheme: %v", err)
	}
	if _, err := mustNew(t, Options{Features: feature.Options{MinWidth: 2}}).ReadFit(bytes.NewReader(saved.Bytes())); err == nil {
		t.Error("no error for a fit on other features")
	}
	if _, err := none.ReadFit(bytes.NewReader(saved.Bytes()[:saved.Len()-1])); !errors.Is(err, feature.ErrFormat) {
		t.Errorf("error for a fit cut short is %v, want ErrFormat", err)
	}
}

// TestFitEdges: no documents, empty ones, and phrases, which need a fit even
// where the scheme does not.
func TestFitEdges(t *testing.T) {
	for _, docs := range [][]string{nil, {"", " "}, {"a"}} {
		for _, scheme := range []string{"", "ltc", "npn", "sklearn-unsmoothed"} {
			m, err := mustNew(t, Options{Scheme: scheme}).Fit(slices.Values(docs))
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range m.Sketch("a a b").Weights {
				if math.IsNaN(float64(w)) || math.IsInf(float64(w), 0) {
					t.Errorf("%s fitted on %q: weight %v", m, docs, w)
				}
			}
		}
	}
	m := mustNew(t, Options{Scheme: "nnc", Features: feature.Options{Phrases: 1}})
	if m.FitState() != similarity.FitNone {
		t.Errorf("with phrases, the fit state is %v, want FitNone", m.FitState())
	}
	docs := slices.Repeat([]string{"ice cream", "we scream", "the cat", "a mat"}, 10)
	f, err := m.Fit(slices.Values(docs))
	if err != nil || f.FitState() != similarity.Fitted {
		t.Fatalf("with phrases, after a fit: %v, %v", f, err)
	}
	if got := len(f.Sketch("ice cream").Terms); got != 1 {
		t.Errorf("the phrase has %d terms, want 1", got)
	}
}

func TestHideFit(t *testing.T) {
	docs := slices.Values([]string{"a b", "b c"})
	useless := mustNew(t, Options{Scheme: "nnc"})
	if f, err := useless.Fit(docs); err != nil || f.Settings() != useless.Settings() {
		t.Errorf("a useless fit gives %v, %v, want the method as it was", f, err)
	}
	if _, err := useless.ReadFit(strings.NewReader("")); err == nil || !strings.Contains(err.Error(), "learns nothing") {
		t.Errorf("error for reading a useless fit is %v", err)
	}
	h := similarity.Hide(useless)
	if f, err := h.Fit(docs); err != nil || f.String() != h.String() {
		t.Errorf("a useless fit changes %s to %v (%v)", h, f, err)
	}
	h = similarity.Hide(mustNew(t, Options{}))
	if f, err := h.Fit(docs); err != nil || f.FitState() != similarity.Fitted {
		t.Errorf("fit of %s: %v", h, err)
	}
}

func TestExplain(t *testing.T) {
	const a, b = "The cat sat on the mat.", "A cat sat on the mat!"
	m := mustNew(t, Options{Scheme: "tf"})
	e := m.Explain(a, b)
	if want := "5 shared terms of 5 and 6"; e.Note != want {
		t.Errorf("note %q, want %q", e.Note, want)
	}
	var texts []string
	var sum float64
	for _, ev := range e.Evidence {
		texts = append(texts, ev.Text)
		sum += ev.Weight
		for _, s := range ev.B {
			if got := b[s.Start:s.End]; !strings.EqualFold(got, ev.Text) {
				t.Errorf("%q stands as %q in the second text", ev.Text, got)
			}
		}
	}
	if want := []string{"The", "cat", "sat", "on", "mat"}; !slices.Equal(texts, want) {
		t.Errorf("terms %q, want %q", texts, want)
	}
	if len(e.Evidence[0].A) != 2 || len(e.Evidence[0].B) != 1 {
		t.Errorf("places of %q: %v and %v", texts[0], e.Evidence[0].A, e.Evidence[0].B)
	}
	if math.Abs(sum-e.Score) > 1e-12 || e.Score != m.Score(m.Sketch(a), m.Sketch(b)) {
		t.Errorf("the evidence sums to %v, the score is %v", sum, e.Score)
	}
}

// A dictionary's idf under the scheme tf: 10 times 2 beside 3 times 1, by hand.
func TestWeightsOfFeatures(t *testing.T) {
	m, err := New(Options{Scheme: "tf", Features: feature.Options{Weights: feature.TableIDF, IDF: idfTable{"rare": 10, "common": 3}}})
	if err != nil {
		t.Fatal(err)
	}
	v := m.Sketch("rare common rare")
	slices.Sort(v.Weights)
	length := math.Sqrt(20*20 + 3*3)
	for i, want := range []float64{3 / length, 20 / length} {
		if got := float64(v.Weights[i]); math.Abs(got-want) > 1e-6 {
			t.Errorf("weight %v, want %v", got, want)
		}
	}
}

type idfTable map[string]float64

func (t idfTable) ID() string                 { return "test" }
func (t idfTable) Name() string               { return "test" }
func (t idfTable) Value(token []byte) float64 { return t[string(token)] }
