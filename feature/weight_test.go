package feature

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func extractor(t testing.TB, o Options) *Extractor {
	t.Helper()
	x, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// weightsOf returns the features of a text by word; each must be a word of the text.
func weightsOf(t *testing.T, x *Extractor, text string) map[string]float64 {
	t.Helper()
	names := make(map[uint64]string)
	for w := range strings.FieldsSeq(text) {
		names[x.sum([]byte(w))] = w
	}
	out := make(map[string]float64)
	var last uint64
	for _, f := range x.Append(nil, text) {
		w, ok := names[f.Hash]
		if !ok {
			t.Errorf("%s: feature %#x of %q is none of its words", x, f.Hash, text)
		}
		if !x.Unit() && f.Hash <= last {
			t.Errorf("%s: hashes of %q do not ascend", x, text)
		}
		last = f.Hash
		out[w] += f.Weight
	}
	return out
}

func TestWeights(t *testing.T) {
	const text = "a a a a b b c zero nan"
	for _, q := range []struct {
		o    Options
		want map[string]float64
	}{
		{Options{}, map[string]float64{"a": 4, "b": 2, "c": 1, "zero": 1, "nan": 1}},
		{Options{Weights: Binary}, map[string]float64{"a": 1, "b": 1, "c": 1, "zero": 1, "nan": 1}},
		{Options{Weights: LogTF}, map[string]float64{"a": 1 + math.Log(4), "b": 1 + math.Log(2), "c": 1, "zero": 1, "nan": 1}},
		{Options{Weights: FitIDF}, map[string]float64{"a": 4, "b": 2, "c": 1, "zero": 1, "nan": 1}},
		{Options{Weights: TableIDF, IDF: lengths{}}, map[string]float64{"a": 4, "b": 2, "c": 1, "zero": 0, "nan": 0}},
		{Options{Levels: 5}, map[string]float64{"a": 5, "b": 3, "c": 1, "zero": 1, "nan": 1}}, // 2.5 rounds up
		{Options{Levels: 2}, map[string]float64{"a": 2, "b": 1, "c": 1, "zero": 1, "nan": 1}},
		{Options{Levels: 5, Weights: TableIDF, IDF: lengths{}}, map[string]float64{"a": 5, "b": 3, "c": 1, "zero": 0, "nan": 0}},
		{Options{Top: 2}, map[string]float64{"a": 4, "b": 2}},
		{Options{Top: 9}, map[string]float64{"a": 4, "b": 2, "c": 1, "zero": 1, "nan": 1}},
	} {
		x := extractor(t, q.o)
		if got := weightsOf(t, x, text); !maps.Equal(got, q.want) {
			t.Errorf("%s: %v, want %v", x, got, q.want)
		}
		hasZero := false
		for _, f := range x.Append(nil, text) {
			hasZero = hasZero || f.Weight == 0
		}
		if x.Complete() && (hasZero || len(x.Append(nil, text)) < 5) {
			t.Errorf("%s calls itself complete", x)
		}
	}
}

func TestTopTies(t *testing.T) {
	x := extractor(t, Options{Top: 3})
	all := extractor(t, Options{Weights: Binary}).Append(nil, "one two three four five six seven")
	got := x.Append(nil, "one two three four five six seven")
	if !slices.Equal(got, all[:3]) {
		t.Errorf("of equal weights %v are kept, want those of lowest hash %v", got, all[:3])
	}
}

// A text with more features than a counter's buffer holds.
func TestWeightsLong(t *testing.T) {
	text := strings.Repeat("abc ", counterBuf+counterBuf/2)
	x := extractor(t, Options{Weights: FitIDF})
	if got := x.Append(nil, text); len(got) != 1 || got[0].Weight != counterBuf+counterBuf/2 {
		t.Errorf("%v, want one feature of weight %d", got, counterBuf+counterBuf/2)
	}
	x = extractor(t, Options{Weights: TableIDF, IDF: lengths{}})
	if got := x.Append(nil, text); len(got) != 1 || got[0].Weight != 3*(counterBuf+counterBuf/2) {
		t.Errorf("%v, want one feature of weight %d", got, 3*(counterBuf+counterBuf/2))
	}
}

func TestStopAndStem(t *testing.T) {
	for _, q := range []struct {
		o          Options
		text, want string // want: the same features without stop words and stemming
	}{
		{Options{Stop: []string{"en"}}, "The cat is on THE mat, isn't it? It isn’t.", "cat mat"},
		{Options{Stem: "en"}, "running dogs generously hopping", "run dog generous hop"}, // Snowball's own vocabulary
		{Options{Stop: []string{"en"}, Stem: "en"}, "the connections of doing", "connect"},
		{Options{Stop: []string{"zh"}}, "我们 喜欢 但是", "喜欢"},
		{Options{Stop: []string{"en", "zh"}}, "the 我们 cat", "cat"},
		{Options{Stem: "en"}, "кошками 東京都 " + strings.Repeat("s", 65), "кошками 東京都 " + strings.Repeat("s", 65)},
	} {
		x := extractor(t, q.o)
		got, want := x.AppendHashes(nil, q.text), extractor(t, Options{}).AppendHashes(nil, q.want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q gives other features than %q", x, q.text, q.want)
		}
	}
	both := extractor(t, Options{Stop: []string{"zh", "en", "zh"}})
	for name, list := range stopLists {
		n := 0
		stopWords(*list, func(w string) {
			n++
			// Words of more than two ideographs are cut into bigrams.
			if (name == "en" || utf8.RuneCountInString(w) < 3) && len(both.AppendHashes(nil, w)) > 0 {
				t.Errorf("%q comes through", w)
			}
		})
		if want := map[string]int{"en": 174, "zh": 722}[name]; n != want {
			t.Errorf("%d stop words for %s, want %d", n, name, want)
		}
	}
}

// The tokens of a segmenter, with its overlaps and slips.
func TestSegmented(t *testing.T) {
	x := extractor(t, Options{Tokens: Segmented, Segmenter: halves{}})
	if got, want := x.String(), "tokens=halves"; got != want {
		t.Errorf("spec %q, want %q", got, want)
	}
	if !strings.Contains(x.Settings(), "tokens=halves[halves:1]") {
		t.Errorf("settings %q do not hold the segmenter's identity", x.Settings())
	}
	want := extractor(t, Options{}).AppendHashes(nil, "ab cd x 我 们")
	if got := x.AppendHashes(nil, "ABCD x -- 我们"); !slices.Equal(got, want) {
		t.Errorf("hashes %x, want %x", got, want)
	}
	long := strings.Repeat("好。", segmentLen) + strings.Repeat("abcd ", segmentLen) + strings.Repeat("好", segmentLen)
	checkLocate(t, x, long)
}

func TestAppendUnit(t *testing.T) {
	for _, text := range append(odd, "a rose is a rose") {
		x := extractor(t, Options{MinWidth: 2})
		var want []Feature
		for _, h := range x.AppendHashes(nil, text) {
			want = append(want, Feature{h, 1})
		}
		if got := x.Append(nil, text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		sum := make(map[uint64]float64)
		for _, f := range want {
			sum[f.Hash]++
		}
		var counted []Feature
		for h, n := range sum {
			counted = append(counted, Feature{h, n})
		}
		slices.SortFunc(counted, func(a, b Feature) int { return cmp.Compare(a.Hash, b.Hash) })
		if got := extractor(t, Options{MinWidth: 2, Weights: FitIDF}).Append(nil, text); !slices.Equal(got, counted) {
			t.Errorf("%q weighted: %v, want %v", text, got, counted)
		}
	}
}
