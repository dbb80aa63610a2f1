package feature

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/alike-go/alike/internal/settings"
)

// parse sets options from a spec as String prints them.
func parse(t *testing.T, spec string) Options {
	t.Helper()
	pairs, err := settings.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	var o Options
	if err := Keys.Apply(&o, pairs); err != nil {
		t.Fatalf("%q: %v", spec, err)
	}
	return o
}

func TestString(t *testing.T) {
	for _, q := range []struct {
		o    Options
		want string
	}{
		{Options{}, ""},
		{Options{Tokens: Rune, MinWidth: 2}, "tokens=rune,width=2"},
		{Options{MinWidth: 1, MaxWidth: 2}, "width=1-2"},
		{Options{Tokens: Overlap}, "tokens=dotnet"},
		{Options{Tokens: Overlap, MinWidth: 1}, "tokens=dotnet,width=1"},
		{Options{Tokens: Overlap, MinWidth: 4}, "tokens=dotnet,width=4"},
		{Options{Weights: FitIDF, Levels: 5, Top: 200, Hash: Lookup3, Seed: 7, Stop: []string{"zh", "en"}, Stem: "en", Phrases: 4.5,
			Fold: Fold{NFC, true, true, true, DropSpace, Simplified}},
			"weights=idf,levels=5,top=200,hash=lookup3,seed=7,stop=en+zh,stem=en,phrases=4.5,norm=nfc,case=keep,marks=drop,punct=drop,space=drop,han=simplified"},
		{Options{Fold: Fold{Han: Traditional}}, "han=traditional"},
	} {
		x, err := New(q.o)
		if err != nil {
			t.Fatal(err)
		}
		if x.String() != q.want {
			t.Errorf("%+v prints %q, want %q", q.o, x, q.want)
		}
	}
}

func TestStringRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	folds := allFolds()
	for range 1000 * rounds {
		o := Options{Fold: folds[rng.IntN(len(folds))], Tokens: []Tokens{Word, Rune, Byte, Overlap, Single}[rng.IntN(5)],
			Weights: Weights(rng.IntN(int(TableIDF))), Levels: rng.IntN(3) * 5, Top: rng.IntN(2) * 100,
			Hash: Hash(rng.IntN(6)), Seed: rng.Uint64() >> (rng.IntN(5) * 16)}
		if rng.IntN(2) == 0 {
			o.MinWidth = 1 + rng.IntN(3)
			o.MaxWidth = o.MinWidth + rng.IntN(3)
		}
		if o.Tokens == Word {
			o.Stop = [][]string{nil, {"en"}, {"zh"}, {"en", "zh"}}[rng.IntN(4)]
			o.Stem = []string{"", "en"}[rng.IntN(2)]
			o.Phrases = float64(rng.IntN(3)) * 1.5
		}
		x, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		y, err := New(parse(t, x.String()))
		if err != nil {
			t.Fatalf("%q: %v", x, err)
		}
		if y.String() != x.String() || y.Settings() != x.Settings() {
			t.Errorf("%q comes back as %q; settings %q and %q", x, y, x.Settings(), y.Settings())
		}
		var f Fold
		pairs, err := settings.Parse(o.Fold.String())
		if err != nil {
			t.Fatal(err)
		}
		if err := FoldKeys.Apply(&f, pairs); err != nil {
			t.Fatal(err)
		}
		if f != o.Fold {
			t.Errorf("fold %q comes back as %q", o.Fold, f)
		}
	}
}

// The defaults in the table are those of the zero value, each key refuses
// nonsense, and its error says what is allowed.
func TestKeys(t *testing.T) {
	zero, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := zero.Options()
	for _, k := range Keys {
		if got := k.Get(&o); got != k.Default {
			t.Errorf("%s is %q by default, the table says %q", k.Name, got, k.Default)
		}
		if err := k.Set(&o, k.Default); err != nil {
			t.Errorf("default of %s: %v", k.Name, err)
		}
		for _, bad := range []string{"", "nonsense", "-1", "1e999", "word,rune"} {
			if err := k.Set(&o, bad); err == nil || !strings.Contains(err.Error(), k.Name) || !strings.Contains(err.Error(), "want") {
				t.Errorf("%s=%s: error %v", k.Name, bad, err)
			}
		}
		if k.Doc == "" || k.Allowed == "" {
			t.Errorf("%s is not documented", k.Name)
		}
	}
}

func TestNewErrors(t *testing.T) {
	for _, q := range []struct {
		o    Options
		want string
	}{
		{Options{MinWidth: -1}, "feature: MinWidth is -1, want 1 to 64"},
		{Options{MinWidth: 65}, "feature: MinWidth is 65, want 1 to 64"},
		{Options{MinWidth: 3, MaxWidth: 2}, "feature: MaxWidth is 2, want 3 (MinWidth) to 64"},
		{Options{Tokens: 9}, "feature: Tokens is 9, want"},
		{Options{Tokens: Segmented}, "feature: Tokens is Segmented, want a Segmenter too"},
		{Options{Segmenter: halves{}}, "feature: Segmenter is set, want Tokens to be Segmented"},
		{Options{Weights: TableIDF}, "feature: Weights is TableIDF, want an IDF table too"},
		{Options{IDF: lengths{}}, "feature: IDF is set, want Weights to be TableIDF"},
		{Options{IDF: lengths{}, Weights: TableIDF, MinWidth: 2}, "feature: MaxWidth is 2, want 1 with TableIDF"},
		{Options{IDF: lengths{}, Weights: TableIDF, Phrases: 2}, "feature: Phrases is set, want none with TableIDF"},
		{Options{Stop: []string{"fr"}}, `feature: Stop has "fr", want "en" or "zh"`},
		{Options{Stop: []string{"en"}, Tokens: Rune}, "feature: Stop is set, want Tokens to be Word, Segmented or Single"},
		{Options{Stem: "de"}, `feature: Stem is "de", want "en" or none`},
		{Options{Stem: "en", Tokens: Byte}, "feature: Stem is set"},
		{Options{Phrases: math.NaN()}, "feature: Phrases is NaN, want 0 to 64 bits"},
		{Options{Phrases: 1, Tokens: Rune}, "feature: Phrases is set"},
		{Options{Levels: 256}, "feature: Levels is 256, want 0 to 255"},
		{Options{Top: -1}, "feature: Top is -1, want 0 or more"},
		{Options{Hash: 6}, "feature: Hash is 6, want"},
		{Options{Weights: 5}, "feature: Weights is 5, want"},
		{Options{Fold: Fold{Form: 3}}, "feature: Fold.Form is 3, want NFKC, NFC or NoForm"},
		{Options{Fold: Fold{Space: -1}}, "feature: Fold.Space is -1, want Collapse, KeepSpace or DropSpace"},
		{Options{Fold: Fold{Han: 3}}, "feature: Fold.Han is 3, want KeepHan, Simplified or Traditional"},
	} {
		if _, err := New(q.o); err == nil || !strings.HasPrefix(err.Error(), q.want) {
			t.Errorf("%+v: error %v, want %s", q.o, err, q.want)
		}
	}
}

// halves is a segmenter that halves each run of letters.
type halves struct{}

func (halves) ID() string   { return "halves:1" }
func (halves) Name() string { return "halves" }
func (halves) Segment(text []byte, yield func(start, end int)) {
	for i := 0; i < len(text); {
		for i < len(text) && text[i] == ' ' {
			i++
		}
		j := i
		for j < len(text) && text[j] != ' ' {
			j++
		}
		if r := []rune(string(text[i:j])); len(r) > 1 {
			mid := i + len(string(r[:len(r)/2]))
			yield(i, mid)
			yield(mid, j)
		} else if j > i {
			yield(i, j)
		}
		i = j
	}
	yield(-1, 3) // slips that must not matter
	yield(2, 1<<40)
	yield(3, 2)
}

// lengths is an IDF table that values a term by its length, and "zero" by 0.
type lengths struct{}

func (lengths) ID() string   { return "lengths:1" }
func (lengths) Name() string { return "lengths" }
func (lengths) Value(term []byte) float64 {
	switch string(term) {
	case "zero":
		return 0
	case "nan":
		return math.NaN()
	}
	return float64(len(term))
}
