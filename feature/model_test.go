package feature

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

var corpus = []string{"the cat sat", "the dog sat", "the the the", "", "a cat and a dog"}

func fit(t testing.TB, o Options, docs []string) (*Extractor, *Model) {
	t.Helper()
	x := extractor(t, o)
	m, err := x.Fit(slices.Values(docs))
	if err != nil {
		t.Fatal(err)
	}
	y, err := x.WithModel(m)
	if err != nil {
		t.Fatal(err)
	}
	return y, m
}

func TestFitDF(t *testing.T) {
	x, m := fit(t, Options{Weights: FitIDF}, corpus)
	if m.Docs() != 5 || m.Len() != 6 {
		t.Errorf("%d documents and %d features, want 5 and 6", m.Docs(), m.Len())
	}
	for w, want := range map[string]int{"the": 3, "cat": 2, "dog": 2, "sat": 2, "a": 1, "and": 1, "bird": 0} {
		if got := m.DF(x.sum([]byte(w))); got != want {
			t.Errorf("%q is in %d documents, want %d", w, got, want)
		}
	}
	// Smooth idf as scikit-learn defines it: ln((1+N)/(1+df)) + 1.
	want := map[string]float64{"the": 2 * (math.Log(6.0/4) + 1), "bird": math.Log(6.0/1) + 1}
	for w, got := range weightsOf(t, x, "the the bird") {
		if math.Abs(got-want[w]) > 1e-12 {
			t.Errorf("%q weighs %v, want %v", w, got, want[w])
		}
	}
	if !x.Complete() || x.Unit() || !x.NeedsFit() || x.Model() != m {
		t.Error("a fitted extractor does not say what it is")
	}
}

// Scikit-learn's documented smooth idf for its six documents over three terms:
// 1, 2.25276297, 1.84729786.
func TestFitScikit(t *testing.T) {
	docs := []string{"a a a c", "a a", "a a a", "a a a a", "a a a b b", "a a a c c"}
	x, _ := fit(t, Options{Weights: FitIDF}, docs)
	for w, want := range map[string]float64{"a": 1, "b": 2.25276297, "c": 1.84729786} {
		if got := weightsOf(t, x, w)[w]; math.Abs(got-want) > 5e-9 {
			t.Errorf("idf of %q is %.8f, want %.8f", w, got, want)
		}
	}
}

// Mutual information worked out by hand. "new york" occurs 5 times in 15 tokens and
// 10 pairs; p(ab) = 5/10, p(a) = p(b) = 5/15: log2(4.5) = 2.17 bits.
func TestPhrases(t *testing.T) {
	docs := slices.Repeat([]string{"new york rain"}, 5)
	for _, q := range []struct {
		bits float64
		want []string // the tokens that the text has then
	}{
		{2.1, []string{"new+york", "rain", "york"}},
		{2.2, []string{"new", "rain", "york", "york"}},
	} {
		x, m := fit(t, Options{Phrases: q.bits}, docs)
		sum := func(w string) uint64 {
			if a, b, ok := strings.Cut(w, "+"); ok {
				return pairKey(x.sum([]byte(a)), x.sum([]byte(b)))
			}
			return x.sum([]byte(w))
		}
		var want []uint64
		for _, w := range q.want {
			want = append(want, sum(w))
		}
		slices.Sort(want)
		got := x.AppendHashes(nil, "York New York rain")
		slices.Sort(got)
		// "york rain" has the same information as "new york", but merging goes from the left.
		if !slices.Equal(got, want) {
			t.Errorf("%v bits: features %x, want %x (%d phrases)", q.bits, got, want, m.Phrases())
		}
	}
	// Four times is too seldom, whatever the information.
	if _, m := fit(t, Options{Phrases: 1}, docs[:4]); m.Phrases() != 0 {
		t.Errorf("%d phrases of pairs that occur 4 times, want none", m.Phrases())
	}
	// Without a model nothing merges.
	if got := extractor(t, Options{Phrases: 1}).AppendHashes(nil, "new york"); len(got) != 2 {
		t.Errorf("%d features without a model, want 2", len(got))
	}
	// A phrase across two pieces, and one that waits at the end.
	x, _ := fit(t, Options{Phrases: 2.1, MinWidth: 2}, docs)
	checkLocate(t, x, strings.Repeat("new york rain new new york ", 5000)+"new york")
}

func TestModelRoundTrip(t *testing.T) {
	for _, o := range []Options{{}, {Weights: FitIDF, MinWidth: 1, MaxWidth: 2}, {Phrases: 1}} {
		x, m := fit(t, o, slices.Repeat(corpus, 6))
		var a, b bytes.Buffer
		n, err := m.WriteTo(&a)
		if err != nil || n != int64(a.Len()) {
			t.Fatalf("{%s}: wrote %d bytes of %d, error %v", x, n, a.Len(), err)
		}
		a.WriteString("more")
		got, err := ReadModel(&a)
		if err != nil {
			t.Fatalf("{%s}: %v", x, err)
		}
		if rest, _ := io.ReadAll(&a); string(rest) != "more" {
			t.Errorf("{%s}: %q left behind the model, want %q", x, rest, "more")
		}
		if got.Sum() != m.Sum() || got.Docs() != m.Docs() || got.Phrases() != m.Phrases() || len(got.Sum()) != 16 {
			t.Errorf("{%s}: model comes back as another", x)
		}
		y, err := x.WithModel(got)
		if err != nil {
			t.Fatal(err)
		}
		if y.Settings() != x.Settings() {
			t.Errorf("settings %q, want %q", y.Settings(), x.Settings())
		}
		if !slices.Equal(y.Append(nil, corpus[0]), x.Append(nil, corpus[0])) {
			t.Errorf("{%s}: other features under the model read back", x)
		}
		got.WriteTo(&b)
		again, _ := x.Fit(slices.Values(slices.Repeat(corpus, 6)))
		var c bytes.Buffer
		again.WriteTo(&c)
		if !bytes.Equal(b.Bytes(), c.Bytes()) {
			t.Errorf("{%s}: fitting again gives other bytes", x)
		}
	}
}

func TestModelSettings(t *testing.T) {
	_, m := fit(t, Options{}, corpus)
	for _, o := range []Options{{MinWidth: 2}, {Seed: 1}, {Hash: MD5}, {Stop: []string{"en"}}, {Tokens: Rune}, {Fold: Fold{KeepCase: true}}, {Phrases: 1},
		{Tokens: Segmented, Segmenter: halves{}}} {
		if _, err := extractor(t, o).WithModel(m); !errors.Is(err, ErrSettings) {
			t.Errorf("%+v takes the model of other settings: error %v", o, err)
		}
	}
	// Weights do not change which features there are.
	if _, err := extractor(t, Options{Weights: FitIDF, Levels: 5, Top: 3}).WithModel(m); err != nil {
		t.Error(err)
	}
	x := extractor(t, Options{Weights: FitIDF})
	y, _ := x.WithModel(m)
	if x.Settings() == y.Settings() || x.String() != y.String() {
		t.Errorf("settings %q and %q, specs %q and %q", x.Settings(), y.Settings(), x, y)
	}
	if z, err := y.WithModel(nil); err != nil || z.Settings() != x.Settings() {
		t.Errorf("taking the model away gives %q, error %v", z.Settings(), err)
	}
}

func modelBytes(t testing.TB) []byte {
	_, m := fit(t, Options{Phrases: 1}, slices.Repeat(corpus, 6))
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestModelDamaged(t *testing.T) {
	data := modelBytes(t)
	for cut := range data {
		if _, err := ReadModel(bytes.NewReader(data[:cut])); !errors.Is(err, ErrFormat) {
			t.Fatalf("cut to %d of %d bytes: error %v", cut, len(data), err)
		}
	}
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 0x40
		if _, err := ReadModel(bytes.NewReader(bad)); !errors.Is(err, ErrFormat) {
			t.Fatalf("byte %d changed: error %v", i, err)
		}
	}
}

// The checksum keeps chance damage out; what is behind it must stand on its own.
func FuzzModelBody(f *testing.F) {
	data := modelBytes(f)
	f.Add(data[len(modelMagic)+1+16:])
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := decodeModel(body)
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Fatalf("error %v", err)
			}
			return
		}
		again, err := decodeModel(m.appendBody(nil))
		if err != nil || again.Sum() != m.Sum() {
			t.Fatalf("a model read from %x does not survive: %v", body, err)
		}
	})
}

func FuzzReadModel(f *testing.F) {
	f.Add(modelBytes(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := ReadModel(bytes.NewReader(data)); err == nil {
			var b bytes.Buffer
			m.WriteTo(&b)
		} else if !errors.Is(err, ErrFormat) {
			t.Fatalf("error %v", err)
		}
	})
}
