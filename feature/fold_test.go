package feature

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// naiveFold is Normalize as its documentation reads, over the whole text at once.
func naiveFold(f Fold, text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == utf8.RuneError || unicode.IsSpace(r) || unicode.IsControl(r) {
			r = ' '
		}
		b.WriteRune(r)
	}
	s := b.String()
	form := func(s string) string {
		switch f.Form {
		case NFKC:
			return norm.NFKC.String(s)
		case NFC:
			return norm.NFC.String(s)
		}
		return s
	}
	s = form(s)
	if !f.KeepCase {
		var b strings.Builder
		for _, r := range s {
			if r < 0x80 {
				b.WriteRune(unicode.ToLower(r))
			} else if 0x13a0 <= r && r <= 0x13f5 { // see foldTable
				b.WriteRune(r)
			} else {
				b.WriteString(caseFold(string(r)))
			}
		}
		s = form(b.String())
	}
	if f.DropMarks {
		var b strings.Builder
		for _, r := range norm.NFD.String(s) {
			if !dropped(norm.NFD.PropertiesString(string(r)).CCC()) {
				b.WriteRune(r)
			}
		}
		s = norm.NFC.String(b.String())
	}
	s = naiveHan(f.Han, s)
	if f.DropPunct {
		s = strings.Map(func(r rune) rune {
			if unicode.IsPunct(r) || unicode.IsSymbol(r) {
				return ' '
			}
			return r
		}, s)
	}
	switch f.Space {
	case Collapse:
		words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' })
		s = strings.Join(words, " ")
	case DropSpace:
		s = strings.ReplaceAll(s, " ", "")
		if f.Form != NoForm || f.DropMarks {
			s = norm.NFC.String(s)
		}
	}
	return s
}

var caseFolded sync.Map // remembers cases.Fold, which is slow

func caseFold(s string) string {
	if v, ok := caseFolded.Load(s); ok {
		return v.(string)
	}
	v := cases.Fold().String(s)
	caseFolded.Store(s, v)
	return v
}

func allFolds() []Fold {
	var all []Fold
	for form := NFKC; form <= NoForm; form++ {
		for space := Collapse; space <= DropSpace; space++ {
			for bits := range 8 {
				for han := KeepHan; han <= Traditional; han++ {
					all = append(all, Fold{form, bits&1 != 0, bits&2 != 0, bits&4 != 0, space, han})
				}
			}
		}
	}
	return all
}

// odd holds texts with something in them that is easy to get wrong.
var odd = []string{
	"", " ", "\x00\x01\x7f", "a", "你", "\xff\xfe", "\u0301", "a\u0301\u0327", "\u0301a", " \u0301x", "´a", "a´",
	"Å\u0323 Å e\x00\u0301", "\u1100\u3161 \uac00\u314f\u318e \u1100\uffc2 a\u3161", "각 각 \u1100\u1161\u11a8 가\u11a8 \u1161\u1161", "ﬁne Straße İstanbul ŉ ǰ ΐ ᾳ ᾼ ΆΣ", "α\u0301\u0345 b\u0345\u0301",
	"ｶﾞｷﾞ ＡＢＣ１２３，（）", "が か\u3099 ｶ\u3099", "①②Ⅷ㌀㍿﷼﷽ ½ x² …", "ﾞ", "ประเทศไทย กำ", "नमस्ते क़ क\u093c", "שָׁלוֹם مُحَمَّد",
	"👩‍👩‍👧 🇩🇪🇫🇷 ❤️ 1️⃣", "don't don’t a.b 3,141.5 a_b __ _x U.S.A. x:y 1:2 a.1", "\ufeffbom soft\u00adhyphen zero\u200bwidth",
	"汉字\u3000汉字，汉字。abc汉a", "々〆〇ー", "\u0085 \u2028\u00a0x", strings.Repeat("\u0301", 70), "x" + strings.Repeat("\u0344\u0327", 40) + "y",
	"頭髮發展，皇后在後面。頭发 薴苧苎 㑮𫝈\u0301 \uf90a 说a說", "\U00020000\U0003ffff\U000e0100", "Ⴀ ꭰ Ꭰ ẞ ſ K Å", "\u0dd9\u0dcf\u0dca \u09c7\u09be \u09be\u09be",
}

func TestFoldAgainstNaive(t *testing.T) {
	for _, f := range allFolds() {
		for _, text := range odd {
			checkFold(t, f, text)
		}
		checkFold(t, f, strings.Join(odd, ""))
	}
}

func checkFold(t *testing.T, f Fold, text string) {
	t.Helper()
	want := naiveFold(f, text)
	got := string(f.Normalize(nil, text))
	if got != want {
		t.Errorf("{%s} of %+q is %+q, want %+q", f, text, got, want)
	}
	if again := string(f.Normalize(nil, got)); again != got {
		t.Errorf("{%s} of %+q is %+q, and folded again %+q", f, text, got, again)
	}
	if with := string(f.Normalize([]byte("prefix \u0061"), text)); with != "prefix a"+got {
		t.Errorf("{%s} of %+q behind a prefix is %+q", f, text, with)
	}
	mapped, offsets := f.NormalizeMap(text)
	if string(mapped) != got {
		t.Errorf("{%s} of %+q with a map is %+q, want %+q", f, text, mapped, got)
	}
	if len(offsets) != len(mapped)+1 || offsets[len(mapped)] != len(text) {
		t.Fatalf("{%s} of %+q: %d offsets for %d bytes", f, text, len(offsets), len(mapped))
	}
	for i := 1; i < len(offsets); i++ {
		if offsets[i] < offsets[i-1] {
			t.Errorf("{%s} of %+q: offsets run backwards at %d: %v", f, text, i, offsets)
			break
		}
	}
	_, spans := f.NormalizeSpans(text)
	for i, sp := range spans {
		if sp.Start != offsets[i] || sp.End <= sp.Start || sp.End > len(text) || i > 0 && sp.End < spans[i-1].End {
			t.Errorf("{%s} of %+q: span %d of %v, offsets %v", f, text, i, spans, offsets)
			break
		}
	}
	checkSpansAt(t, f, text)
}

func checkSpansAt(t *testing.T, f Fold, text string) {
	t.Helper()
	_, spans := f.NormalizeSpans(text)
	for _, step := range []int{1, 7} {
		var at []int
		var want []Span
		for i := step - 1; i < len(spans); i += step {
			at, want = append(at, i), append(want, spans[i])
		}
		if got := f.SpansAt(text, at); !slices.Equal(got, want) {
			t.Errorf("{%s} of %d bytes, %+.200q: each %dth span is not the one of all spans", f, len(text), text, step)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, text := range odd {
		f.Add(text, uint8(0))
	}
	folds := allFolds()
	f.Fuzz(func(t *testing.T, text string, n uint8) {
		if len(text) > 4000 {
			t.Skip()
		}
		checkFold(t, folds[int(n)%len(folds)], text)
	})
}

// alphabet holds characters that meet each other badly.
var alphabet = []string{" ", " ", " ", "a", "B", "9", ".", ",", "'", ":", "_", "-", "\n", "\x00", "\xff", "\xe4\xb8", "é", "É", "e\u0301", "\u0301", "\u0327",
	"\u0345", "´", "ß", "İ", "ﬁ", "好", "你", "，", "。", "　", "か", "\u3099", "ｶ", "ﾞ", "ー", "ไ", "\u0e34", "ท", "ព", "ក", "ကို", "가", "\u1100", "\u1161", "\u11a8", "я", "Я", "ש", "\"",
	"👩", "\u200d", "🇩", "\ufe0f", "१", "๑", "\u200b", "\ufeff", "\U00020000", "發", "后", "㑮", "𫝈", "\uf90a", "٣", "’", "½", "①", "…", "$", "+", "Ａ"}

func randomText(rng *rand.Rand, n int) string {
	var b strings.Builder
	// A few letters of the alphabet at a time, so that runs of every kind come up.
	few := make([]string, 1+rng.IntN(8))
	for i := range few {
		few[i] = alphabet[rng.IntN(len(alphabet))]
	}
	for range n {
		if rng.IntN(30) == 0 {
			few[rng.IntN(len(few))] = alphabet[rng.IntN(len(alphabet))]
		}
		b.WriteString(few[rng.IntN(len(few))])
	}
	return b.String()
}

func TestFoldRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	folds := allFolds()
	for range 800 * rounds {
		checkFold(t, folds[rng.IntN(len(folds))], randomText(rng, 1+rng.IntN(60)))
	}
}

// Texts of several pieces, with and without white space to cut at.
func TestFoldLong(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	folds := allFolds()
	for i := range 9 * rounds {
		text := randomText(rng, 40000)
		if i%2 == 0 {
			text = strings.NewReplacer(" ", "", "\n", "", "\x00", "").Replace(text)
		}
		f := folds[i*25%len(folds)]
		checkSpansAt(t, f, text)
		if got, want := string(f.Normalize(nil, text)), naiveFold(f, text); got != want {
			k := 0
			for k < min(len(got), len(want)) && got[k] == want[k] {
				k++
			}
			t.Fatalf("{%s} differs from byte %d on: %+q, want %+q", f, k, got[max(0, k-20):min(len(got), k+20)], want[max(0, k-20):min(len(want), k+20)])
		}
	}
}
