package gojieba

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/jiebadict"
	"github.com/alike-go/alike/feature/segment"
)

// TestPipeline takes the words and the idf table through an extractor: the
// weights are occurrences times idf, and punctuation is gone.
func TestPipeline(t *testing.T) {
	s := segmenter(t, segment.Precise)
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
	if !strings.Contains(x.String(), "tokens=gojieba") {
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
