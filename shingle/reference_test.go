package shingle

import (
	"math"
	"testing"

	"github.com/alike-go/alike/feature"
)

const (
	catThe   = "the cat sat on the mat"
	catA     = "the cat sat on a mat"
	scream   = "we all scream for ice cream"
	hanCall  = "你妈妈喊你回家吃饭哦,回家罗回家罗"
	hanShout = "你妈妈叫你回家吃饭啦,回家罗回家罗"
)

func mustNew(t testing.TB, o Options) *Method {
	t.Helper()
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func mustMinHash(t testing.TB, o MinHashOptions) *MinHash {
	t.Helper()
	m, err := NewMinHash(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func mustBottom(t testing.TB, o MinHashOptions) *Bottom {
	t.Helper()
	m, err := NewBottom(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The shingles of these texts can be listed by hand; the counts were also worked
// out by a program apart from this one.
func TestReference(t *testing.T) {
	runes := func(n int) feature.Options { return feature.Options{Tokens: feature.Rune, MinWidth: n} }
	words := func(n int) feature.Options { return feature.Options{MinWidth: n} }
	for _, q := range []struct {
		features      feature.Options
		a, b          string
		na, nb        int // distinct shingles
		shared, union int
	}{
		{runes(2), catThe, catA, 15, 16, 14, 17},
		{runes(2), catThe, scream, 15, 21, 3, 33},
		{runes(3), catThe, catA, 17, 17, 14, 20},
		{runes(3), catThe, scream, 17, 22, 1, 38},
		{runes(4), catThe, catA, 18, 17, 13, 22},
		{runes(4), catThe, scream, 18, 22, 0, 40},
		{words(1), catThe, catA, 5, 6, 5, 6},
		{words(2), catThe, catA, 5, 5, 3, 7},
		{words(3), catThe, catA, 4, 4, 2, 6},
		{runes(1), hanCall, hanShout, 10, 10, 8, 12},
		{runes(2), hanCall, hanShout, 13, 13, 9, 17},
		{runes(3), hanCall, hanShout, 14, 14, 8, 20},
	} {
		m := mustNew(t, Options{Features: q.features})
		a, b := m.Sketch(q.a), m.Sketch(q.b)
		if len(a.Hashes) != q.na || len(b.Hashes) != q.nb || a.Common(b) != q.shared {
			t.Errorf("%s of %q and %q: %d and %d shingles, %d shared, want %d, %d, %d",
				m, q.a, q.b, len(a.Hashes), len(b.Hashes), a.Common(b), q.na, q.nb, q.shared)
		}
		if got, want := m.Score(a, b), float64(q.shared)/float64(q.union); got != want {
			t.Errorf("%s of %q and %q: %v, want %d/%d", m, q.a, q.b, got, q.shared, q.union)
		}
		if got, want := m.Containment(a, b), float64(q.shared)/float64(q.na); got != want {
			t.Errorf("%s: containment of %q in %q is %v, want %d/%d", m, q.a, q.b, got, q.shared, q.na)
		}
		over := mustNew(t, Options{Features: q.features, Measure: Overlap})
		if got, want := over.Score(a, b), float64(q.shared)/float64(min(q.na, q.nb)); got != want {
			t.Errorf("%s of %q and %q: %v, want %v", over, q.a, q.b, got, want)
		}
	}
}

// The example of Manning, Raghavan and Schütze, Introduction to Information
// Retrieval, section 19.6.
func TestRose(t *testing.T) {
	m := mustNew(t, Options{Features: feature.Options{MinWidth: 4}, Bag: true})
	s := m.Sketch("a rose is a rose is a rose")
	counts := map[float64]int{}
	for _, w := range s.Weights {
		counts[w]++
	}
	if len(s.Hashes) != 3 || counts[2] != 2 || counts[1] != 1 {
		t.Errorf("weights %v, want two shingles twice and one once", s.Weights)
	}
}

// Words by hand: "to be or not to be" {to 2, be 2, or, not}, "to be or to do"
// {to 2, be, or, do}: Σmin = 2+1+1 = 4, Σmax = 2+2+1+1+1 = 7, sums 6 and 5.
func TestBag(t *testing.T) {
	m := mustNew(t, Options{Bag: true})
	a, b := m.Sketch("to be or not to be"), m.Sketch("to be or to do")
	if got := m.Score(a, b); got != 4.0/7 {
		t.Errorf("resemblance %v, want 4/7", got)
	}
	if got := m.Containment(a, b); got != 4.0/6 {
		t.Errorf("containment %v, want 4/6", got)
	}
	over := mustNew(t, Options{Bag: true, Measure: Overlap})
	if got := over.Score(a, b); got != 4.0/5 {
		t.Errorf("overlap %v, want 4/5", got)
	}
}

func TestBagOfHugeWeights(t *testing.T) {
	m := mustNew(t, Options{Bag: true})
	fs := []feature.Feature{{Hash: 1, Weight: math.MaxFloat64}, {Hash: 2, Weight: math.MaxFloat64}, {Hash: 1, Weight: math.MaxFloat64}}
	s := m.SketchFeatures(fs)
	if got := m.Score(s, s); got != 1 {
		t.Errorf("score with itself %v, want 1", got)
	}
	if none := m.SketchFeatures([]feature.Feature{{Hash: 7}}); !m.Empty(none) {
		t.Errorf("a feature of weight 0 makes %v, want the empty set", none)
	}
}

func TestExplain(t *testing.T) {
	m := mustNew(t, Options{Features: feature.Options{Tokens: feature.Rune, MinWidth: 2}})
	e := m.Explain(catThe, catA)
	if e.Note != "14 of 17 shingles shared" || e.Score != 14.0/17 || len(e.Evidence) != 14 {
		t.Errorf("note %q, score %v, %d shingles, want 14 of 17", e.Note, e.Score, len(e.Evidence))
	}
	// "at" stands in cat, sat and mat of both texts.
	for _, ev := range e.Evidence {
		for _, sp := range ev.B {
			if catA[sp.Start:sp.End] != ev.Text {
				t.Errorf("shingle %q stands at %v in the second text, which reads %q", ev.Text, sp, catA[sp.Start:sp.End])
			}
		}
		if ev.Text == "at" && (len(ev.A) != 3 || len(ev.B) != 3 || ev.A[0] != (feature.Span{Start: 5, End: 7})) {
			t.Errorf("%q stands at %v and %v, want three places in each, the first at 5", ev.Text, ev.A, ev.B)
		}
	}
	bag := mustNew(t, Options{Bag: true}).Explain("to be or not to be", "to be or to do")
	if want := "3 shingles shared, weighing 4 of 7"; bag.Note != want || bag.Evidence[0].Text != "to" || bag.Evidence[0].Weight != 2 {
		t.Errorf("explanation %+v, want %q, heaviest to", bag, want)
	}
	over := mustNew(t, Options{Measure: Overlap}).Explain(catThe, catA)
	if want := "5 of the smaller text's 5 shingles shared"; over.Note != want {
		t.Errorf("note %q, want %q", over.Note, want)
	}
	// Six shingles in all, so the bottom 128 hashes are all there are.
	if got, want := mustBottom(t, MinHashOptions{}).Explain(catThe, catA).Note, "5 of 6 hashes sampled agree; 5 of 6 shingles shared"; got != want {
		t.Errorf("note %q, want %q", got, want)
	}
	same := mustMinHash(t, MinHashOptions{}).Explain(catThe, catThe)
	if want := "128 of 128 values agree; 5 of 5 shingles shared"; same.Note != want || same.Score != 1 {
		t.Errorf("note %q, score %v, want %q", same.Note, same.Score, want)
	}
	none := mustMinHash(t, MinHashOptions{}).Explain(catThe, "")
	if want := "0 of 128 values agree; 0 of 5 shingles shared"; none.Note != want || none.Score != 0 {
		t.Errorf("note %q, score %v, want %q", none.Note, none.Score, want)
	}
}

func TestSpecs(t *testing.T) {
	w3 := feature.Options{MinWidth: 3}
	for _, q := range []struct{ got, want string }{
		{mustNew(t, Options{}).String(), "shingle"},
		{mustNew(t, Options{Features: w3, Measure: Overlap, Bag: true}).String(), "shingle:measure=overlap,bag=true,width=3"},
		{mustMinHash(t, MinHashOptions{Size: 128, Bits: 32}).String(), "minhash"},
		{mustMinHash(t, MinHashOptions{Features: w3, Size: 64, Bits: 1, Scheme: KPerm, Seed: 9}).String(), "minhash:size=64,bits=1,scheme=kperm,permseed=9,width=3"},
		{mustBottom(t, MinHashOptions{Size: 64, Seed: 9}).String(), "minhash:size=64,scheme=bottom,permseed=9"},
	} {
		if q.got != q.want {
			t.Errorf("spec %q, want %q", q.got, q.want)
		}
	}
}

func TestBadOptions(t *testing.T) {
	for _, q := range []struct {
		err  func() error
		want string
	}{
		{func() error { _, err := New(Options{Measure: 2}); return err }, "shingle: Measure is 2, want Resemblance or Overlap"},
		{func() error { _, err := NewMinHash(MinHashOptions{Size: -1}); return err }, "shingle: Size is -1, want 1 to 65536"},
		{func() error { _, err := NewMinHash(MinHashOptions{Bits: 7}); return err }, "shingle: Bits is 7, want 1, 2, 4, 8, 16 or 32"},
		{func() error { _, err := NewMinHash(MinHashOptions{Scheme: 3}); return err }, "shingle: Scheme is 3, want OPH, KPerm or ICWS"},
		{func() error { _, err := NewBottom(MinHashOptions{Size: maxSize + 1}); return err }, "shingle: Size is 65537, want 1 to 65536"},
	} {
		if err := q.err(); err == nil || err.Error() != q.want {
			t.Errorf("error %v, want %q", err, q.want)
		}
	}
	if _, err := New(Options{Features: feature.Options{MinWidth: 99}}); err == nil {
		t.Error("no error for a width of 99")
	}
}
