package segment

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/jiebadict"
)

// TestPublishedKeywords weighs words as cppjieba's keyword extractor does: the
// number of occurrences times the idf, an unknown word that of the mean, without
// stop words and single characters. The expected weights are those of cppjieba
// v5.4.0, test/unittest/keyword_extractor_test.cpp, printed there to six digits.
func TestPublishedKeywords(t *testing.T) {
	s := mustNew(t, Options{})
	idf, err := jiebadict.IDF(jiebadict.Mean)
	if err != nil {
		t.Fatal(err)
	}
	stop := strings.Split(read(jiebadict.StopWords), "\n")

	type keyword struct {
		word   string
		weight float64
	}
	for _, c := range []struct {
		text string
		want []keyword
	}{
		{"你好世界世界而且而且", []keyword{{"世界", 8.73506}, {"你好", 7.95788}}},
		{"一部iPhone6", []keyword{{"iPhone6", 11.7392}, {"一部", 6.47592}}},
		{"我是拖拉机学院手扶拖拉机专业的。不用多久，我就会升职加薪，当上CEO，走上人生巅峰。",
			[]keyword{{"CEO", 11.7392}, {"升职", 10.8562}, {"加薪", 10.6426}, {"手扶拖拉机", 10.0089}, {"巅峰", 9.49396}}},
		{"蓝翔优秀毕业生", []keyword{{"蓝翔", 11.7392}, {"毕业生", 8.13549}, {"优秀", 6.78347}}},
	} {
		var got []keyword
		for _, span := range spans(s, c.text) {
			w := c.text[span.Start:span.End]
			if utf8.RuneCountInString(w) < 2 || slices.Contains(stop, w) {
				continue
			}
			i := slices.IndexFunc(got, func(k keyword) bool { return k.word == w })
			if i < 0 {
				i = len(got)
				got = append(got, keyword{word: w})
			}
			got[i].weight += idf.Value([]byte(w))
		}
		slices.SortStableFunc(got, func(a, b keyword) int {
			if a.weight > b.weight {
				return -1
			}
			return 1
		})
		got = got[:min(5, len(got))]
		if !slices.EqualFunc(got, c.want, func(a, b keyword) bool {
			return a.word == b.word && math.Abs(a.weight-b.weight) <= 5e-5
		}) {
			t.Errorf("%s: %v, want %v", c.text, got, c.want)
		}
	}
}

// TestPipeline takes the words and the idf table through an extractor: the
// weights are occurrences times idf, and punctuation is gone.
func TestPipeline(t *testing.T) {
	s := mustNew(t, Options{})
	idf, err := jiebadict.IDF(jiebadict.Median)
	if err != nil {
		t.Fatal(err)
	}
	x, err := feature.New(feature.Options{Tokens: feature.Segmented, Segmenter: s, Weights: feature.TableIDF, IDF: idf})
	if err != nil {
		t.Fatal(err)
	}
	var got []float64
	for _, f := range x.Append(nil, "你好，世界！世界。 iPhone6") {
		got = append(got, f.Weight)
	}
	slices.Sort(got)
	// 你好 once, 世界 twice, and a word that the table lacks.
	want := []float64{7.95787827685, 2 * 4.36752940557, 11.9547675029}
	if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
		t.Errorf("weights %v, want %v", got, want)
	}
	if !strings.Contains(x.String(), "tokens=jieba") {
		t.Errorf("spec %q does not name the segmenter", x)
	}
	for _, id := range []string{s.ID(), idf.ID()} {
		if !strings.Contains(x.Settings(), id) {
			t.Errorf("settings %q lack %s", x.Settings(), id)
		}
	}
	if l := x.Locate("你好，世界"); len(l) != 2 || l[1].Span != (feature.Span{Start: 9, End: 15}) {
		t.Errorf("places %v, want 世界 at 9-15", l)
	}
}
