package feature

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// checkLocate checks that the located features are those of AppendHashes, in
// order, and lie in the text.
func checkLocate(t *testing.T, x *Extractor, text string) []Located {
	t.Helper()
	located := x.Locate(text)
	var got []uint64
	for _, l := range located {
		got = append(got, l.Hash)
		if l.Start < 0 || l.End <= l.Start || l.End > len(text) {
			t.Fatalf("{%s}: feature at %v of a text of %d bytes", x, l.Span, len(text))
		}
	}
	if want := x.AppendHashes(nil, text); !slices.Equal(got, want) {
		t.Errorf("{%s}: %d located features of a text of %d bytes, want %d, or others: %.200q", x, len(got), len(text), len(want), text)
	}
	return located
}

func TestLocateSpans(t *testing.T) {
	for _, q := range []struct {
		o    Options
		text string
		want []string
	}{
		{Options{}, "The  CAT's ﬁne, naïve", []string{"The", "CAT's", "ﬁne", "naïve"}},
		{Options{MinWidth: 2}, "The  CAT\x00sat\xff.", []string{"The  CAT", "CAT\x00sat"}},
		{Options{MinWidth: 5}, " a b ", []string{"a b"}},
		{Options{}, "他说ＡＢＣ，好", []string{"他说", "ＡＢＣ", "好"}},
		{Options{}, "e\u0301te\u0301 x", []string{"e\u0301te\u0301", "x"}},
		{Options{Tokens: Rune, MinWidth: 2}, "Aﬁ  ½", []string{"Aﬁ", "ﬁ", "ﬁ ", "  ½", "½", "½"}},
		{Options{Tokens: Byte, MinWidth: 2}, "é ", []string{"é"}},
		{Options{Tokens: Rune, MinWidth: 2, Fold: Fold{Space: DropSpace}}, "a \u0301b", []string{"a \u0301b"}},
		{Options{Stop: []string{"en"}, MinWidth: 2}, "cat on the mat", []string{"cat on the mat"}},
		{Options{MinWidth: 1, MaxWidth: 2}, "a b", []string{"a", "b", "a b"}},
	} {
		x := extractor(t, q.o)
		var got []string
		for _, l := range checkLocate(t, x, q.text) {
			got = append(got, q.text[l.Start:l.End])
		}
		if !slices.Equal(got, q.want) {
			t.Errorf("{%s}: %q located at %+q, want %+q", x, q.text, got, q.want)
		}
	}
}

func locateOptions(rng *rand.Rand) Options {
	folds := allFolds()
	o := Options{Fold: folds[rng.IntN(len(folds))], Tokens: []Tokens{Word, Rune, Byte, Overlap, Segmented, Single}[rng.IntN(6)], MinWidth: 1 + rng.IntN(3)}
	o.MaxWidth = o.MinWidth + rng.IntN(2)
	if o.Tokens == Segmented {
		o.Segmenter = halves{}
	}
	if o.Tokens == Word && rng.IntN(2) == 0 {
		o.Stop, o.Stem = []string{"en"}, "en"
	}
	return o
}

// A located word, extracted by itself, is that word again.
func TestLocateAgain(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for i := range 400 * rounds {
		n := 1 + rng.IntN(60)
		if i%200 == 0 {
			n = 20000
		}
		text := randomText(rng, n)
		checkLocate(t, extractor(t, locateOptions(rng)), text)
	}
	x := extractor(t, Options{MinWidth: 2})
	text := "The cat sat on the mat. 我爱北京 It’s ＦＵＬＬ width, ﬁne; naïve Ångström 3.14!"
	for _, l := range checkLocate(t, x, text) {
		again := x.AppendHashes(nil, text[l.Start:l.End])
		if !slices.Contains(again, l.Hash) {
			t.Errorf("%q by itself does not have the feature it was located for", text[l.Start:l.End])
		}
	}
}

func FuzzLocate(f *testing.F) {
	for _, text := range odd {
		f.Add(text, uint64(0))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if len(text) > 4000 {
			t.Skip()
		}
		x, err := New(locateOptions(rand.New(rand.NewPCG(seed, 0))))
		if err != nil {
			t.Fatal(err)
		}
		checkLocate(t, x, text)
	})
}

func TestLocatePhrases(t *testing.T) {
	x := extractor(t, Options{Phrases: 1})
	m, err := x.Fit(slices.Values(slices.Repeat([]string{"new york is big", "a new car", "old york is old"}, 10)))
	if err != nil {
		t.Fatal(err)
	}
	y, err := x.WithModel(m)
	if err != nil {
		t.Fatal(err)
	}
	text := "In New York, new york is"
	var got []string
	for _, l := range checkLocate(t, y, text) {
		got = append(got, strings.ToLower(text[l.Start:l.End]))
	}
	if !slices.Contains(got, "york, new") && !slices.Contains(got, "new york") && !slices.Contains(got, "york is") {
		t.Errorf("no phrase among %q", got)
	}
}
