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

// distance is the edit distance (Levenshtein 1966) and common the length of the
// longest common subsequence, by the textbook tables.
func distance(a, b []string) (distance, common int) {
	edits, shared := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range edits {
		edits[j] = j
	}
	for i := range a {
		diagonal, up := i, 0
		edits[0] = i + 1
		for j := range b {
			cost, longer := 1, max(shared[j], shared[j+1])
			if a[i] == b[j] {
				cost, longer = 0, up+1
			}
			diagonal, edits[j+1] = edits[j+1], min(diagonal+cost, edits[j]+1, edits[j+1]+1)
			up, shared[j+1] = shared[j+1], longer
		}
	}
	return edits[len(b)], shared[len(b)]
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b       string
		edits, lcs int
	}{{"kitten", "sitting", 3, 4}, {"ABCBDAB", "BDCABA", -1, 4}, {"Saturday", "Sunday", 3, -1}} {
		d, l := distance(strings.Split(c.a, ""), strings.Split(c.b, ""))
		if c.edits >= 0 && d != c.edits || c.lcs >= 0 && l != c.lcs {
			t.Errorf("%s, %s: %d and %d, want %d and %d", c.a, c.b, d, l, c.edits, c.lcs)
		}
	}
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

// measure counts the units touched by what only this kind of edit does, and fails
// if something else was done.
func measure(t *testing.T, kind Kind, s sample, old []string, text string) int {
	t.Helper()
	got := s.units(text)
	edits, common := distance(old, got)
	switch kind {
	case Insert:
		if common != len(old) {
			t.Errorf("%d of %d units are left in order", common, len(old))
		}
		return len(got) - len(old)
	case Delete:
		if common != len(got) {
			t.Errorf("%d of %d units are old ones in order", common, len(got))
		}
		if strings.Contains(text, "  ") || strings.Contains(text, " .") || strings.Contains(text, " ,") {
			t.Errorf("a blank too many: %q", text)
		}
		return len(old) - len(got)
	case Substitute, Case:
		if len(got) != len(old) {
			t.Fatalf("%d units, want %d", len(got), len(old))
		}
		if kind == Case && !strings.EqualFold(text, s.text) {
			t.Errorf("more than the case has changed")
		}
		n := 0
		for i := range old {
			if old[i] != got[i] {
				n++
			}
		}
		return n
	case Move:
		x, y := slices.Clone(old), slices.Clone(got)
		slices.Sort(x)
		slices.Sort(y)
		if !slices.Equal(x, y) {
			t.Fatal("units have changed")
		}
		return len(rotated(t, old, got))
	case Width:
		if norm.NFKC.String(text) != norm.NFKC.String(s.text) {
			t.Errorf("more than the width has changed")
		}
		return widths(s, text)
	case Punct:
		if edits != 0 {
			t.Errorf("%d units have changed", edits)
		}
		return marks(t, s.text, text)
	case Boilerplate, Quote:
		if !strings.Contains(text, s.text) || kind == Boilerplate && !strings.HasSuffix(text, s.text) {
			t.Errorf("the text is not whole")
		}
		return len(got) - len(old)
	case Truncate:
		if !strings.HasPrefix(s.text, text) {
			t.Errorf("the text is not a beginning")
		}
		return len(old) - len(got)
	}
	return edits // Mixed, OCR
}

// rotated returns the smaller one of two neighbouring blocks that have changed
// places.
func rotated(t *testing.T, old, got []string) []string {
	t.Helper()
	from, to := 0, len(old)
	for from < to && old[from] == got[from] {
		from++
	}
	for to > from && old[to-1] == got[to-1] {
		to--
	}
	for n := 1; n < to-from; n++ {
		if slices.Equal(got[from:to], slices.Concat(old[from+n:to], old[from:from+n])) {
			return old[from : from+min(n, to-from-n)]
		}
	}
	t.Fatal("no block has moved")
	return nil
}

// widths counts the pieces, words or single characters, that have changed.
func widths(s sample, text string) int {
	x, y := []rune(s.text), []rune(text)
	n := 0
	inWord := false
	for i := range x {
		changed := x[i] != y[i]
		word := unicode.IsLetter(x[i])
		if changed && (!word || !inWord) {
			n++
		}
		inWord = word && changed
	}
	return n
}

// marks counts the units behind which the marks have changed.
func marks(t *testing.T, old, text string) int {
	t.Helper()
	_, x := cut(Auto, old)
	_, y := cut(Auto, text)
	if len(x) != len(y) {
		t.Fatal("units have run together")
	}
	n := 0
	for i := range x {
		if x[i] != y[i] {
			n++
		}
	}
	return n
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

func TestParse(t *testing.T) {
	for _, s := range []string{"mixed:0.05", "quote:3", "mixed:0.05*3,move:0.2", FormatMix(DefaultMix())} {
		mix, err := ParseMix(s)
		if err != nil {
			t.Errorf("%s: %v", s, err)
		} else if got := FormatMix(mix); got != s {
			t.Errorf("%s comes back as %s", s, got)
		}
	}
	for s, want := range map[string]string{
		"":                `plant: the edit is "", want a kind and a rate as in mixed:0.05`,
		"mixed":           `plant: the edit is "mixed", want a kind and a rate as in mixed:0.05`,
		"mixed:x":         `plant: the edit is "mixed:x", want a kind and a rate as in mixed:0.05`,
		"blur:0.1":        `plant: no edit is called "blur", want one of insert, delete, substitute, mixed, move, case, width, punct, ocr, boilerplate, truncate, quote`,
		"mixed:0":         "plant: the rate of mixed is 0, want above 0 and at most 1",
		"mixed:NaN":       "plant: the rate of mixed is NaN, want above 0 and at most 1",
		"move:0.6":        "plant: the rate of move is 0.6, want above 0 and at most 0.5",
		"mixed:0.1*x":     `plant: the weight of mixed:0.1 is "x", want a number above 0`,
		"mixed:0.1*-1":    "plant: the weight of mixed:0.1 is -1, want a number above 0",
		"mixed:0.1,":      `plant: the edit is "", want a kind and a rate as in mixed:0.05`,
		"mixed:0.1*1*2":   `plant: the weight of mixed:0.1 is "1*2", want a number above 0`,
		"mixed:0.1*+Inf":  "plant: the weight of mixed:0.1 is +Inf, want a number above 0",
		"boilerplate:101": "plant: the rate of boilerplate is 101, want above 0 and at most 100",
	} {
		if _, err := ParseMix(s); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", s, err, want)
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
