package ensemble_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/alike-go/alike/align"
	"github.com/alike-go/alike/cosine"
	"github.com/alike-go/alike/eval/ensemble"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/rabinkarp"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/similaritytest"
)

func hidden[S any, M similarity.Sketcher[S]](t testing.TB, m M, err error) similarity.Method {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return similarity.Hide[S](m)
}

func newShingle(t testing.TB, o feature.Options) similarity.Method {
	m, err := shingle.New(shingle.Options{Features: o})
	return hidden[shingle.Set](t, m, err)
}

func newCosine(t testing.TB) similarity.Method {
	m, err := cosine.New(cosine.Options{})
	return hidden[cosine.Vector](t, m, err)
}

func newEdit(t testing.TB) similarity.Method {
	m, err := align.New(align.Options{Most: 200})
	return hidden[align.Text](t, m, err)
}

func newWinnow(t testing.TB) similarity.Method {
	m, err := rabinkarp.NewWinnow(rabinkarp.WinnowOptions{})
	return hidden[rabinkarp.Sketch](t, m, err)
}

func newSimHash(t testing.TB) similarity.Method {
	m, err := simhash.New(simhash.Options{})
	return hidden[simhash.Fingerprint](t, m, err)
}

func newEnsemble(t testing.TB, o ensemble.Options) *ensemble.Method {
	t.Helper()
	m, err := ensemble.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// ensembles are one of members that share no features, one of members that all do, and one that
// reads text only, with weights and without.
func ensembles(t testing.TB) []*ensemble.Method {
	return []*ensemble.Method{
		newEnsemble(t, ensemble.Options{Members: []similarity.Method{newShingle(t, feature.Options{}), newEdit(t), newWinnow(t)}}),
		newEnsemble(t, ensemble.Options{Members: []similarity.Method{newShingle(t, feature.Options{}), newSimHash(t), newCosine(t)}, Weights: []float64{3.5, 0.25, 7}, Bias: -5}),
		newEnsemble(t, ensemble.Options{Members: []similarity.Method{newEdit(t), newWinnow(t)}, Weights: []float64{0.1, 0.2}}),
		newEnsemble(t, ensemble.Options{Members: []similarity.Method{newShingle(t, feature.Options{Tokens: feature.Rune, MinWidth: 3})}, Weights: []float64{9}, Bias: -4}),
	}
}

// The laws of package similarity, on its texts.
func TestLaws(t *testing.T) {
	texts := similaritytest.Texts()
	if testing.Short() {
		for i := range texts {
			texts[i].Text = texts[i].Text[:min(len(texts[i].Text), 600)] // some are cut within a character
		}
	}
	for _, m := range ensembles(t) {
		t.Run(m.String(), func(t *testing.T) {
			c := m.NewCollection()
			for _, x := range texts {
				c.Add(x.Text)
			}
			if !c.Empty(0) {
				t.Error("the empty text has features")
			}
			row := make([]float32, c.Len())
			for i := range c.Len() {
				c.Scores(i, 0, row)
				for j := range c.Len() {
					s := c.Score(i, j)
					if math.IsNaN(s) || s < 0 || s > 1 || s != c.Score(j, i) {
						t.Errorf("%s and %s score %v, the other way %v", texts[i].Name, texts[j].Name, s, c.Score(j, i))
					}
					if float32(s) != row[j] {
						t.Errorf("%s and %s score %v, in a row %v", texts[i].Name, texts[j].Name, s, row[j])
					}
					if (c.Empty(i) || c.Empty(j)) && s != 0 {
						t.Errorf("%s and %s score %v, one is empty", texts[i].Name, texts[j].Name, s)
					}
				}
				if s := c.Score(i, i); !c.Empty(i) && s != 1 {
					t.Errorf("%s scores %v with itself", texts[i].Name, s)
				}
			}
			saved(t, m, c)
			joined(t, c, m.NewCollection())
			picked(t, c)
		})
	}
}

func saved(t *testing.T, m *ensemble.Method, c similarity.Collection) {
	var buf bytes.Buffer
	if err := c.Save(&buf); err != nil {
		t.Fatal(err)
	}
	d := m.NewCollection()
	if err := d.Load(bytes.NewReader(buf.Bytes())); err != nil {
		t.Fatal(err)
	}
	for i := range c.Len() {
		if c.Score(i, 5) != d.Score(i, 5) || c.Bytes(i) != d.Bytes(i) {
			t.Errorf("document %d is another after load", i)
		}
	}
	for cut := 0; cut < buf.Len(); cut += 1 + buf.Len()/50 {
		if err := d.Load(bytes.NewReader(buf.Bytes()[:cut])); !errors.Is(err, similarity.ErrFormat) {
			t.Errorf("error for %d of %d bytes is %v, want ErrFormat", cut, buf.Len(), err)
		}
	}
	if d.Len() != c.Len() {
		t.Errorf("%d documents after failed loads, want %d", d.Len(), c.Len())
	}
	other := ensembles(t)[3]
	if other.Settings() != m.Settings() {
		if err := other.NewCollection().Load(bytes.NewReader(buf.Bytes())); !errors.Is(err, similarity.ErrSettings) {
			t.Errorf("error for a collection of other members is %v, want ErrSettings", err)
		}
	}
}

// joined holds joins of one collection and of two against scoring every pair.
func joined(t *testing.T, c, half similarity.Collection) {
	var odd []int
	for i := 1; i < c.Len(); i += 2 {
		odd = append(odd, i)
	}
	half.Append(c.Pick(odd))
	for _, threshold := range []float64{0.2, 0.5, 0.9, 1} {
		for _, second := range []similarity.Collection{nil, half} {
			var want, got []similarity.Pair
			for i := range c.Len() {
				if second == nil {
					for j := i + 1; j < c.Len(); j++ {
						want = append(want, similarity.Pair{A: i, B: j, Score: c.Score(i, j)})
					}
					continue
				}
				for k, j := range odd {
					want = append(want, similarity.Pair{A: i, B: k, Score: c.Score(i, j)})
				}
			}
			n := 0
			for _, p := range want {
				if p.Score >= threshold {
					want[n] = p
					n++
				}
			}
			want = want[:n]
			st, err := c.Join(context.Background(), second, similarity.JoinOptions{Threshold: threshold, Workers: 2}, func(p similarity.Pair) error {
				got = append(got, p)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if st.Recall < 1 { // a member that is not exact: nothing false, nothing twice
				for i, p := range got {
					if p.Score < threshold || i > 0 && got[i-1] == p {
						t.Errorf("pair %+v in a join from %v on", p, threshold)
					}
				}
				continue
			}
			if len(got) != len(want) || st.Pairs != int64(len(want)) {
				t.Fatalf("%d pairs from %v on, want %d", len(got), threshold, len(want))
			}
			for i := range got {
				if got[i] != want[i] {
					t.Errorf("pair %d is %+v, want %+v", i, got[i], want[i])
				}
			}
		}
	}
}

func picked(t *testing.T, c similarity.Collection) {
	p := c.Pick([]int{7, 3, 7})
	if p.Len() != 3 || p.Score(0, 1) != c.Score(7, 3) || p.Score(0, 2) != c.Score(7, 7) {
		t.Error("picked documents score otherwise")
	}
	if g := p.Groups(); g[0] != 0 || g[1] != 1 || g[2] != 0 {
		t.Errorf("groups of a document, another and the first again are %v", g)
	}
}

// A mean by hand: weights 3 and 1.
func TestScoreIsTheMean(t *testing.T) {
	words, edit := newShingle(t, feature.Options{}), newEdit(t)
	m := newEnsemble(t, ensemble.Options{Members: []similarity.Method{words, edit}, Weights: []float64{3, 1}, Bias: -2})
	c := m.NewCollection()
	c.Add("a b c d")
	c.Add("a b c x")
	// Three of five words, and one of seven characters.
	want := (3*float64(float32(3./5)) + float64(float32(1-1./7))) / 4
	if got := c.Score(0, 1); math.Abs(got-want) > 1e-12 {
		t.Errorf("score %v, want %v", got, want)
	}
	if got, want := m.Probability(0.5), 0.5; got != want {
		t.Errorf("probability of score .5 is %v, want %v", got, want)
	}
	e, ok := m.Explain("a b c d", "a b c x")
	if !ok || e.Score != c.Score(0, 1) || len(e.Evidence) != 3 || !strings.Contains(e.Note, "shingle 0.6000 (weight 3); edit:most=200 0.8571 (weight 1)") {
		t.Errorf("%+v", e)
	}
}

func TestBadOptions(t *testing.T) {
	a, b := newShingle(t, feature.Options{}), newEdit(t)
	for want, o := range map[string]ensemble.Options{
		"0 members":     {},
		"1 members":     {Members: []similarity.Method{a}},
		"stands twice":  {Members: []similarity.Method{a, b, a}},
		"1 weights of":  {Members: []similarity.Method{a, b}, Weights: []float64{1}},
		"weight of":     {Members: []similarity.Method{a, b}, Weights: []float64{1, 0}},
		"more than 0":   {Members: []similarity.Method{a, b}, Weights: []float64{1, math.NaN()}},
		"Bias is NaN":   {Members: []similarity.Method{a, b}, Weights: []float64{1, 1}, Bias: math.NaN()},
		"without Weigh": {Members: []similarity.Method{a, b}, Bias: 1},
	} {
		if _, err := ensemble.New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %s", err, want)
		}
	}
}

// Fits of members are kept, saved and read; weights stay.
func TestFit(t *testing.T) {
	m := newEnsemble(t, ensemble.Options{Members: []similarity.Method{newShingle(t, feature.Options{}), newCosineFit(t)}, Weights: []float64{1, 2}, Bias: -1})
	if m.FitState() != similarity.FitNone || !strings.Contains(m.String(), "fit=none") {
		t.Fatalf("%s: state %v", m, m.FitState())
	}
	docs := func(yield func(string) bool) {
		for _, d := range []string{"the cat sat", "the dog sat", "a bird flew"} {
			if !yield(d) {
				return
			}
		}
	}
	f, err := m.Fit(docs)
	if err != nil {
		t.Fatal(err)
	}
	if f.FitState() != similarity.Fitted || f.String() == m.String() || f.Settings() == m.Settings() {
		t.Fatalf("%s after fit", f)
	}
	var buf bytes.Buffer
	if err := f.WriteFit(&buf); err != nil {
		t.Fatal(err)
	}
	g, err := m.ReadFit(bytes.NewReader(buf.Bytes()))
	if err != nil || g.String() != f.String() || g.Settings() != f.Settings() {
		t.Errorf("%v, %v after reading the fit of %s", g, err, f)
	}
	for cut := range buf.Len() {
		if _, err := m.ReadFit(bytes.NewReader(buf.Bytes()[:cut])); err == nil {
			t.Fatalf("no error for %d of %d bytes", cut, buf.Len())
		}
	}
	if err := m.WriteFit(&buf); err == nil {
		t.Error("no error for a fit that is not there")
	}
}

func newCosineFit(t testing.TB) similarity.Method {
	m, err := cosine.New(cosine.Options{Scheme: "ltc"})
	return hidden[cosine.Vector](t, m, err)
}

// Trained on pairs that its members can tell apart, an ensemble does; neither workers nor a
// second run change it.
func TestTrain(t *testing.T) {
	m := newEnsemble(t, ensemble.Options{Members: []similarity.Method{newShingle(t, feature.Options{}), newEdit(t), newWinnow(t)}})
	rng := rand.New(rand.NewPCG(1, 2))
	var texts []string
	var pairs [][2]int
	var alike []bool
	for i := range 60 {
		// Alike are the same words in another order, others share letters.
		words := strings.Fields(similaritytest.Prose(rng, 12, 1))
		texts = append(texts, strings.Join(words, " "))
		rng.Shuffle(len(words), func(a, b int) { words[a], words[b] = words[b], words[a] })
		texts = append(texts, strings.Join(words, " "))
		for j := range 2*i + 1 {
			pairs = append(pairs, [2]int{j, 2*i + 1})
			alike = append(alike, j == 2*i)
		}
	}
	var first string
	for _, workers := range []int{0, 1, 2, 5} {
		trained, err := m.Train(context.Background(), texts, pairs, alike, workers)
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = trained.String()
		}
		if trained.String() != first {
			t.Errorf("%d workers make %s, others %s", workers, trained, first)
		}
		x := trained.(*ensemble.Method)
		if !x.Trained() || m.Trained() {
			t.Error("training changed the wrong method")
		}
		c := trained.NewCollection()
		for _, text := range texts {
			c.Add(text)
		}
		for i, p := range pairs {
			if q := x.Probability(c.Score(p[0], p[1])); (q > 0.5) != alike[i] {
				t.Errorf("pair %v, alike: %v, has probability %v", p, alike[i], q)
			}
		}
	}
	if _, err := m.Train(context.Background(), texts, pairs[:3], []bool{false, false, false}, 1); err == nil {
		t.Error("no error for one class alone")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Train(ctx, texts, pairs, alike, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("error of a cancelled training is %v", err)
	}
}
