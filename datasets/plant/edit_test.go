package plant

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The texts that edits are measured on, and words of another one. Units are cut
// here in the simplest way that fits the two.
type sample struct {
	name, text string
	words      []string
	units      func(string) []string
}

func samples(t testing.TB) []sample {
	t.Helper()
	var out []sample
	for _, lang := range []Lang{English, Chinese} {
		m, err := NewMaker(MakeOptions{Lang: lang, Mean: 250, OneLength: true, Seed: 7})
		if err != nil {
			t.Fatal(err)
		}
		letter := func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }
		units := func(s string) []string { return strings.FieldsFunc(s, func(c rune) bool { return !letter(c) }) }
		if lang == Chinese {
			units = func(s string) []string {
				return strings.Split(strings.Map(func(c rune) rune {
					if letter(c) {
						return c
					}
					return -1
				}, s), "")
			}
		}
		out = append(out, sample{string(lang), m.Doc(1).Text, units(m.Doc(2).Text), units})
	}
	return out
}

// What every edit claims to have done is measured on the texts.
func TestEditsDoWhatTheyRecord(t *testing.T) {
	for _, s := range samples(t) {
		old := s.units(s.text)
		for _, kind := range Kinds() {
			for _, rate := range []float64{0.01, 0.05, 0.1, 0.3} {
				t.Run(fmt.Sprintf("lang=%s/edit=%s/rate=%v", s.name, kind, rate), func(t *testing.T) {
					text, rec := Apply(NewRand(1, uint64(rate*100)), Edit{kind, rate}, s.text, s.words, Auto)
					if kind == Case && s.name == "zh" {
						if text != s.text || rec.Touched+rec.Units != 0 {
							t.Fatalf("Chinese has no case: %+v", rec)
						}
						return
					}
					if kind != Width && kind != Case && rec.Units != len(old) {
						t.Fatalf("%d units, want %d", rec.Units, len(old))
					}
					if d := math.Abs(float64(rec.Touched) - rate*float64(rec.Units)); d >= 1 {
						t.Fatalf("%+v at a rate of %v", rec, rate)
					}
					if got := measure(t, kind, s, old, text); got != rec.Touched && (kind != Mixed && kind != OCR && kind != Insert || !near(got, rec.Touched)) {
						t.Fatalf("%d units were touched, recorded are %d:\n%s\n%s", got, rec.Touched, s.text, text)
					}
				})
			}
		}
	}
}

// near allows for neighbouring edits that cancel each other, as an insertion next
// to a deletion does, which is one substitution.
func near(distance, edits int) bool {
	return distance <= edits && float64(distance) >= 0.85*float64(edits)-2
}

// Short and strange texts have the outcomes that the comment of Apply states.
func TestEditsOfSmallTexts(t *testing.T) {
	for _, text := range []string{"", " ", "...", "\x00\x00", "\xff\xfe", "😀"} {
		for _, k := range Kinds() {
			if got, rec := Apply(NewRand(1), Edit{k, 0.5}, text, nil, Auto); got != text || rec != (Record{}) {
				t.Errorf("%s of %q: %q, %+v", k, text, got, rec)
			}
		}
	}
	for _, text := range []string{"word", "字", "Word."} {
		for _, k := range Kinds() {
			got, rec := Apply(NewRand(1), Edit{k, 0.01}, text, []string{"other"}, Auto)
			still := k == Move || k == Truncate || text == "字" && (k == Case || k == Width)
			if (got == text) != still || (rec.Touched == 0) != still {
				t.Errorf("%s of %q: %q, %+v", k, text, got, rec)
			}
		}
	}
	if got, rec := Apply(NewRand(1), Edit{Substitute, 1}, "same same same", []string{"same"}, Auto); got != "same same same" || rec.Touched != 0 || rec.Units != 3 {
		t.Errorf("there is no other word: %q, %+v", got, rec)
	}
	if got, rec := Apply(NewRand(1), Edit{Delete, 1}, "All of it.", nil, Auto); strings.TrimSpace(got) != "." || rec.Rate() != 1 {
		t.Errorf("all deleted: %q, %+v", got, rec)
	}
	ones := strings.Repeat("a ", 1000)
	if got, rec := Apply(NewRand(1), Edit{Move, 0.3}, ones, nil, Auto); got != ones || rec.Touched != 0 {
		t.Errorf("a block moved among its like is recorded: %+v", rec)
	}
}

func TestLangIsObeyed(t *testing.T) {
	const text = "我们 and 他们 have come"
	for lang, want := range map[Lang]int{Auto: 7, English: 5, Chinese: 15} {
		if _, rec := Apply(NewRand(1), Edit{Delete, 0.2}, text, nil, lang); rec.Units != want {
			t.Errorf("as %q it has %d units, want %d", lang, rec.Units, want)
		}
	}
	if got, _ := Apply(NewRand(1), Edit{Boilerplate, 0.5}, text, nil, Chinese); !strings.HasPrefix(got, "首页") {
		t.Errorf("the boilerplate is not Chinese: %q", got)
	}
}

// The lookalikes are what their comments say.
func TestLookalikes(t *testing.T) {
	seen := map[string]bool{}
	for _, group := range strings.Fields(chineseLookalikes) {
		if n := utf8.RuneCountInString(group); n < 2 || seen[group] {
			t.Errorf("the group %s is of one, or stands twice", group)
		}
		seen[group] = true
		for i, c := range group {
			if !unicode.Is(unicode.Han, c) || strings.ContainsRune(group[:i], c) {
				t.Errorf("%q in %s is no character, or stands there twice", c, group)
			}
		}
	}
	l := confusions()
	for c := 'a'; c <= 'z'; c++ {
		for _, s := range []string{string(c), strings.ToUpper(string(c))} {
			if len(l.latin[s]) == 0 && len(l.latin[s+s]) == 0 {
				t.Errorf("%s is like nothing", s)
			}
		}
	}
	for from, to := range l.latin {
		if len(from) > 2 || slices.Contains(to, from) {
			t.Errorf("%s is read as %v", from, to)
		}
	}
}

func FuzzApply(f *testing.F) {
	f.Add("The cat's hat, isn't it? No, it is not.", "one two", uint64(1), 0.3)
	f.Add("我们2024年用Go语言，写了很多程序。", "字 词", uint64(2), 0.9)
	f.Add("a\x00b\xff c\u0301 中abc文 Привет,мир ｶﾞ", "", uint64(3), 0.01)
	f.Fuzz(func(t *testing.T, text, words string, seed uint64, rate float64) {
		if !(rate > 0 && rate <= 1) || !utf8.ValidString(words) {
			t.Skip()
		}
		for _, lang := range []Lang{Auto, English, Chinese} {
			for _, k := range Kinds() {
				rate := min(rate, k.most())
				got, rec := Apply(NewRand(seed), Edit{k, rate}, text, strings.Fields(words), lang)
				if utf8.ValidString(text) && !utf8.ValidString(got) {
					t.Fatalf("%s: %q is not valid any more: %q", k, text, got)
				}
				if rec.Touched < 0 || rec.Units < 0 || rec.Touched > rec.Units || (rec.Touched == 0) != (got == text) {
					t.Fatalf("%s: %q to %q, %+v", k, text, got, rec)
				}
				again, rec2 := Apply(NewRand(seed), Edit{k, rate}, text, strings.Fields(words), lang)
				if again != got || rec2 != rec {
					t.Fatalf("%s: %q gives %q and %q", k, text, got, again)
				}
				if k == Width && utf8.ValidString(text) && norm.NFKC.String(text) != norm.NFKC.String(got) {
					t.Fatalf("width: %q is another text after NFKC: %q", text, got)
				}
			}
		}
	})
}
