package simhash

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/similaritytest"
)

func method(t testing.TB, o Options) *Method {
	t.Helper()
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestLaws(t *testing.T) {
	fitted, err := method(t, Options{Features: feature.Options{Weights: feature.FitIDF}}).Fit(slices.Values([]string{
		"the cat sat on the mat", "we all scream for ice cream", "the dog ran past it"}))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*Method{
		method(t, Options{}),
		method(t, Options{Bits: 32, Score: Linear}),
		method(t, Options{Bits: 128, Tie: TieZero}),
		method(t, Options{Bits: 128, Features: feature.Options{Tokens: feature.Rune, MinWidth: 4}}),
		method(t, Options{Features: feature.Options{MinWidth: 1, MaxWidth: 3, Hash: feature.Murmur3}}),
		method(t, Options{Features: feature.Options{Weights: feature.LogTF}, Score: Linear}),
		method(t, Options{Features: feature.Options{Weights: feature.Binary}}),
		method(t, Options{Bits: 128, Features: feature.Options{Top: 20, Levels: 5, Stop: []string{"en"}, Stem: "en"}}),
		method(t, Options{Features: feature.Options{Tokens: feature.Overlap, Hash: feature.FNV1a}}),
		method(t, Options{Features: feature.Options{Weights: feature.FitIDF}}),
		fitted,
	} {
		t.Run(m.Settings(), func(t *testing.T) { similaritytest.Run(t, m) })
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Bits: 7}, "simhash: Bits is 7, want 32, 64 or 128"},
		{Options{Bits: -64}, "simhash: Bits is -64, want 32, 64 or 128"},
		{Options{Tie: 2}, "simhash: Tie is 2, want TieSalt or TieZero"},
		{Options{Score: -1}, "simhash: Score is -1, want Cosine or Linear"},
		{Options{Features: feature.Options{MinWidth: 65}}, "simhash: feature: "},
	} {
		if _, err := New(c.o); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("New(%+v): %v, want %s", c.o, err, c.want)
		}
	}
}

func TestSpec(t *testing.T) {
	for _, c := range []struct {
		o              Options
		spec, settings string
	}{
		{Options{}, "simhash", "simhash:bits=64,tie=salt,"},
		{Options{Bits: 64, Score: Linear}, "simhash:score=linear", "simhash:bits=64,tie=salt,"},
		{Options{Bits: 128, Tie: TieZero, Features: feature.Options{MinWidth: 3}},
			"simhash:bits=128,tie=zero,width=3", "simhash:bits=128,tie=zero,"},
	} {
		m := method(t, c.o)
		if m.String() != c.spec {
			t.Errorf("%+v: spec %s, want %s", c.o, m, c.spec)
		}
		if want := c.settings + m.Features().Settings(); m.Settings() != want {
			t.Errorf("%+v: settings %s, want %s", c.o, m.Settings(), want)
		}
		if again := method(t, m.Options()); again.String() != c.spec {
			t.Errorf("%+v: options give back %s, want %s", c.o, again, c.spec)
		}
	}
}

func TestScore(t *testing.T) {
	three := Fingerprint{Lo: 0xf0f0 ^ 0b111}
	for _, c := range []struct {
		o    Options
		a, b Fingerprint
		want float64
	}{
		{Options{}, Fingerprint{Lo: 0xf0f0}, three, .9892},                  // cos(3π/64)
		{Options{Score: Linear}, Fingerprint{Lo: 0xf0f0}, three, .9531},     // 61/64
		{Options{Bits: 32}, Fingerprint{Lo: 0xf0f0}, three, .9569},          // cos(3π/32)
		{Options{}, Fingerprint{Lo: 1}, Fingerprint{Lo: ^uint64(1)}, 0},     // cos π is negative
		{Options{Score: Linear}, Fingerprint{Lo: 1}, Fingerprint{}, 0},      // no features
		{Options{Score: Linear}, Fingerprint{}, Fingerprint{}, 0},           // no features
		{Options{Bits: 128}, Fingerprint{Hi: 7}, Fingerprint{Lo: 1}, .9952}, // cos(4π/128)
	} {
		m := method(t, c.o)
		if got := m.Score(c.a, c.b); got < c.want-.00005 || got > c.want+.00005 {
			t.Errorf("%s: score of %v and %v is %v, want %v", m, c.a, c.b, got, c.want)
		}
	}
}

func TestEncoding(t *testing.T) {
	for _, c := range []struct {
		bits int
		s    Fingerprint
		want string
	}{
		{32, Fingerprint{Lo: 0x01020304}, "\x01\x02\x03\x04"},
		{64, Fingerprint{Lo: 0x0102030405060708}, "\x01\x02\x03\x04\x05\x06\x07\x08"},
		{128, Fingerprint{Hi: 0x0102030405060708, Lo: 0x090a0b0c0d0e0f10},
			"\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10"},
	} {
		m := method(t, Options{Bits: c.bits})
		if got := string(m.AppendSketch([]byte("x"), c.s)); got != "x"+c.want {
			t.Errorf("%d bits: %q, want %q", c.bits, got, "x"+c.want)
		}
		s, n, err := m.DecodeSketch([]byte(c.want + "more"))
		if s != c.s || n != c.bits/8 || err != nil {
			t.Errorf("%d bits: decoded %v of %d bytes, %v; want %v", c.bits, s, n, err, c.s)
		}
		if _, _, err := m.DecodeSketch([]byte(c.want[1:])); !errors.Is(err, similarity.ErrFormat) {
			t.Errorf("%d bits: error for a byte too few is %v, want ErrFormat", c.bits, err)
		}
	}
	// A sketch of one tie rule is not one of the other.
	data := similarity.Marshal(method(t, Options{}), Fingerprint{Lo: 5})
	if _, err := similarity.Unmarshal(method(t, Options{Tie: TieZero}), data); !errors.Is(err, similarity.ErrSettings) {
		t.Errorf("error for a sketch of the other tie rule is %v, want ErrSettings", err)
	}
	// Either scale scores what is stored.
	if s, err := similarity.Unmarshal(method(t, Options{Score: Linear}), data); s.Lo != 5 || err != nil {
		t.Errorf("under the other scale: %v, %v", s, err)
	}
}

func TestFingerprintString(t *testing.T) {
	for want, s := range map[string]Fingerprint{
		"0000000000000000": {}, "00000000000000ff": {Lo: 255},
		"0000000000000001000000000000000f": {Hi: 1, Lo: 15},
	} {
		if s.String() != want {
			t.Errorf("%+v prints %s, want %s", s.Lo, s, want)
		}
	}
}

func TestFit(t *testing.T) {
	plain := method(t, Options{})
	if plain.FitState() != similarity.FitUseless {
		t.Errorf("%s: fit state %d, want useless", plain, plain.FitState())
	}
	m := method(t, Options{Bits: 128, Features: feature.Options{Weights: feature.FitIDF}})
	if m.FitState() != similarity.FitNone {
		t.Errorf("%s: fit state %d, want none", m, m.FitState())
	}
	if err := m.WriteFit(new(bytes.Buffer)); err == nil {
		t.Error("an unfitted method saved a fit")
	}
	docs := []string{"one two three four", "one two five", "one six"}
	fitted, err := m.Fit(slices.Values(docs))
	if err != nil || fitted.FitState() != similarity.Fitted || m.FitState() != similarity.FitNone {
		t.Fatalf("fit: state %d, before %d, %v", fitted.FitState(), m.FitState(), err)
	}
	var buf bytes.Buffer
	if err := fitted.WriteFit(&buf); err != nil {
		t.Fatal(err)
	}
	read, err := m.ReadFit(bytes.NewReader(buf.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if read.Settings() != fitted.Settings() || read.Settings() == m.Settings() {
		t.Errorf("settings %s after reading, %s before saving, %s unfitted", read.Settings(), fitted.Settings(), m.Settings())
	}
	if spec := fitted.String(); !strings.HasPrefix(m.String(), "simhash:bits=128,fit=none,") ||
		similarity.WithoutFit(spec) != similarity.WithoutFit(m.String()) || spec == similarity.WithoutFit(spec) || strings.Contains(spec, "fit=none") {
		t.Errorf("spec %s under a fit, %s without", spec, m)
	}
	const text = "one two three four five six seven"
	if a, b := read.Sketch(text), fitted.Sketch(text); a != b {
		t.Errorf("sketch %v after reading, %v before", a, b)
	}
	if _, err := m.ReadFit(bytes.NewReader(buf.Bytes()[:buf.Len()/2])); err == nil {
		t.Error("half a fit was read")
	}
}

func TestSketchAllocatesNothing(t *testing.T) {
	text := similaritytest.Prose(rand.New(rand.NewPCG(1, 1)), 1000, 0)
	for _, o := range []Options{{}, {Bits: 128}, {Features: feature.Options{MinWidth: 3}},
		{Features: feature.Options{Weights: feature.LogTF}}} {
		m := method(t, o)
		if n := testing.AllocsPerRun(100, func() { m.Sketch(text) }); n > 0 && !raced {
			t.Errorf("%s: %v allocations a text, want 0", m, n)
		}
	}
}

func TestExplain(t *testing.T) {
	m := method(t, Options{})
	e := m.Explain("The cat, the DOG and a fox.", "A dog; the dog. No fox!")
	h := Distance(m.Sketch("The cat, the DOG and a fox."), m.Sketch("A dog; the dog. No fox!"))
	if !strings.HasPrefix(e.Note, fmt.Sprintf("h=%d of 64 bits (", h)) || !strings.Contains(e.Note, "), cos about ") || e.Score != m.scores[h] {
		t.Errorf("note %q, score %v, want h=%d and %v", e.Note, e.Score, h, m.scores[h])
	}
	if e, want := m.Explain("a dog", "dog; a!"), "h=0 of 64 bits, cos about 1.00"; e.Note != want || e.Score != 1 {
		t.Errorf("the same words: note %q, score %v, want %q", e.Note, e.Score, want)
	}
	// Shares of 7 and 6 words: the is 2/7 and 1/6; dog, a and fox 1/7 and 2/6, 1/6, 1/6.
	want := []similarity.Evidence{
		{Kind: "feature", Text: "The", Weight: 1. / 6, A: []feature.Span{{Start: 0, End: 3}, {Start: 9, End: 12}}, B: []feature.Span{{Start: 7, End: 10}}},
		{Kind: "feature", Text: "DOG", Weight: 1. / 7, A: []feature.Span{{Start: 13, End: 16}}, B: []feature.Span{{Start: 2, End: 5}, {Start: 11, End: 14}}},
		{Kind: "feature", Text: "a", Weight: 1. / 7, A: []feature.Span{{Start: 21, End: 22}}, B: []feature.Span{{Start: 0, End: 1}}},
		{Kind: "feature", Text: "fox", Weight: 1. / 7, A: []feature.Span{{Start: 23, End: 26}}, B: []feature.Span{{Start: 19, End: 22}}},
	}
	if len(e.Evidence) != len(want) {
		t.Fatalf("%d features, want %d: %+v", len(e.Evidence), len(want), e.Evidence)
	}
	for i, w := range want {
		g := e.Evidence[i]
		if g.Text != w.Text || g.Weight != w.Weight || !slices.Equal(g.A, w.A) || !slices.Equal(g.B, w.B) || g.Hash == 0 {
			t.Errorf("feature %d: %+v, want %+v", i, g, w)
		}
	}
	if e := m.Explain("some words", " "); e.Score != 0 || e.Note != "no features in one of the texts" || e.Evidence != nil {
		t.Errorf("against an empty text: %+v", e)
	}
}

func TestDiffering(t *testing.T) {
	for _, c := range []struct {
		a, b Fingerprint
		want string
	}{
		// seomoz/simhash-cpp names the bits of this pair.
		{Fingerprint{Lo: 0x4bbb22fbbc29d9b5}, Fingerprint{Lo: 0x4bbb62fb9c29c9b5}, " (12, 29, 46)"},
		{Fingerprint{Lo: 5}, Fingerprint{Lo: 5}, ""},
		{Fingerprint{Hi: 1 << 63}, Fingerprint{Hi: 1, Lo: 1 << 63}, " (63, 64, 127)"},
		{Fingerprint{Lo: 0xfff}, Fingerprint{}, " (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)"},
		{Fingerprint{Lo: 0xfff}, Fingerprint{Hi: 1}, " (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ...)"},
	} {
		if got := differing(c.a, c.b); got != c.want {
			t.Errorf("%v and %v differ in%s, want%s", c.a, c.b, got, c.want)
		}
	}
}

// A sketch of any text and any bytes obeys the laws that need no second text.
func FuzzSketch(f *testing.F) {
	f.Add("the cat sat on the mat", []byte("01234567"))
	f.Add("\xff\x00你妈妈喊你回家吃饭哦", []byte{})
	var methods []*Method
	for _, o := range []Options{{}, {Bits: 32, Tie: TieZero}, {Bits: 128, Features: feature.Options{Weights: feature.LogTF}}} {
		methods = append(methods, method(f, o))
	}
	f.Fuzz(func(t *testing.T, text string, data []byte) {
		for _, m := range methods {
			s := m.Sketch(text)
			fs := m.Features().Append(nil, text)
			if want := naiveSum(m.o.Bits, m.o.Tie, fs); s != want {
				t.Errorf("%s of %q: %v, want %v", m, text, s, want)
			}
			if m.Empty(s) != (len(fs) == 0) {
				t.Errorf("%s of %q: empty is %v with %d features", m, text, m.Empty(s), len(fs))
			}
			got, n, err := m.DecodeSketch(data)
			if err != nil {
				if !errors.Is(err, similarity.ErrFormat) || len(data) >= m.Bytes(s) {
					t.Errorf("%s of %x: %v", m, data, err)
				}
				continue
			}
			if again := m.AppendSketch(nil, got); !bytes.Equal(again, data[:n]) {
				t.Errorf("%s: %x decodes and encodes to %x", m, data[:n], again)
			}
		}
	})
}
