package segment_test

import (
	"math"
	"slices"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/jiebadict"
	"github.com/alike-go/alike/feature/segment"
)

func newKeywords(t testing.TB, o segment.KeywordOptions) *segment.Keywords {
	t.Helper()
	k, err := segment.NewKeywords(o)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func table(t testing.TB, unknown jiebadict.Unknown) feature.IDF {
	t.Helper()
	idf, err := jiebadict.IDF(unknown)
	if err != nil {
		t.Fatal(err)
	}
	return idf
}

// The expected weights are those of cppjieba v5.4.0,
// test/unittest/keyword_extractor_test.cpp, printed there to six digits.
func TestPublishedKeywords(t *testing.T) {
	k := newKeywords(t, segment.KeywordOptions{IDF: table(t, jiebadict.Mean)})
	for _, c := range []struct {
		text string
		want []segment.Keyword
	}{
		{"你好世界世界而且而且", []segment.Keyword{{"世界", 8.73506, 2, 6}, {"你好", 7.95788, 1, 0}}},
		{"一部iPhone6", []segment.Keyword{{"iPhone6", 11.7392, 1, 6}, {"一部", 6.47592, 1, 0}}},
		{"我是拖拉机学院手扶拖拉机专业的。不用多久，我就会升职加薪，当上CEO，走上人生巅峰。",
			[]segment.Keyword{{"CEO", 11.7392, 1, 93}, {"升职", 10.8562, 1, 72}, {"加薪", 10.6426, 1, 78}, {"手扶拖拉机", 10.0089, 1, 21}, {"巅峰", 9.49396, 1, 111}}},
		{"蓝翔优秀毕业生", []segment.Keyword{{"蓝翔", 11.7392, 1, 0}, {"毕业生", 8.13549, 1, 12}, {"优秀", 6.78347, 1, 6}}},
	} {
		got := k.Find(c.text, 5)
		if !slices.EqualFunc(got, c.want, func(a, b segment.Keyword) bool {
			ok := math.Abs(a.Weight-b.Weight) <= 5e-5
			a.Weight = b.Weight
			return ok && a == b
		}) {
			t.Errorf("%s: %v, want %v", c.text, got, c.want)
		}
	}
}

func TestKeywordOrder(t *testing.T) {
	// Both lack in the table, so that they weigh its median; the first comes first.
	k := newKeywords(t, segment.KeywordOptions{})
	for _, text := range []string{"zeta alpha", "alpha zeta"} {
		got := k.Find(text, 0)
		if len(got) != 2 || got[0].Text != text[:len(got[0].Text)] || got[0].Weight != got[1].Weight || math.Abs(got[0].Weight-11.9547675029) > 1e-10 {
			t.Errorf("%s: %v", text, got)
		}
	}
	if got := k.Find("zeta alpha beta", 2); len(got) != 2 || got[1].Text != "alpha" {
		t.Errorf("the top two are %v", got)
	}
	for _, text := range []string{"", "的", "而且", "，。", "\xff"} {
		if got := k.Find(text, 3); len(got) != 0 {
			t.Errorf("%q has the keywords %v", text, got)
		}
	}
	k = newKeywords(t, segment.KeywordOptions{Stop: []string{"世界"}})
	if got := k.Find("世界而且", 0); len(got) != 1 || got[0].Text != "而且" {
		t.Errorf("with stop words of one's own: %v", got)
	}
	k = newKeywords(t, segment.KeywordOptions{Stop: []string{}})
	if got := k.Find("世界而且", 0); len(got) != 2 {
		t.Errorf("without stop words: %v", got)
	}
}

func TestStopWords(t *testing.T) {
	w, err := segment.StopWords()
	if err != nil || len(w) != 1534 || !slices.Contains(w, "而且") {
		t.Fatalf("%d stop words (%v), want 1534", len(w), err)
	}
	clear(w)
	if again, _ := segment.StopWords(); !slices.Contains(again, "而且") {
		t.Error("what is returned can be spoilt for others")
	}
}
