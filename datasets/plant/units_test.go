package plant

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// cut returns the units of a text and what stands around them.
func cut(lang Lang, text string) (units, gaps []string) {
	last := 0
	for start, end := range lang.units(text) {
		gaps = append(gaps, text[last:start])
		units = append(units, text[start:end])
		last = end
	}
	return units, append(gaps, text[last:])
}

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		lang Lang
		text string
		want string // units divided by bars
	}{
		{Auto, "", ""},
		{Auto, " .,! ", ""},
		{Auto, "The cat's hat, isn't it?", "The|cat's|hat|isn't|it"},
		{Auto, "'tis the dogs' x_1 3.14", "tis|the|dogs|x_1|3|14"},
		{Auto, "我们2024年用Go。", "我|们|2024|年|用|Go"},
		{Auto, "naïve cafe\u0301 Привет", "naïve|cafe\u0301|Привет"},
		{Auto, "ラーメン 한국어", "ラ|ー|メ|ン|한국어"},
		{Auto, "กำ ｆｕｌｌ", "ก|ำ|ｆｕｌｌ"},
		{English, "我们 are 2", "我们|are|2"},
		{Chinese, "我们 ok 12", "我|们|o|k|1|2"},
		{Auto, "a\x00b\xffc", "a|b|c"},
		{Auto, "it’s ’", "it’s"},
	} {
		units, _ := cut(c.lang, c.text)
		if got := strings.Join(units, "|"); got != c.want {
			t.Errorf("%q as %q: %s, want %s", c.text, c.lang, got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		n          int
		text, want string
	}{
		{2, "the cat sat on the mat.", "the cat\nsat on\nthe mat."},
		{2, "He said:\n\n\"3.14 is a well-known number\"", "He said:\n\"3.14\nis a\nwell-known\nnumber\""},
		{3, "白日依山尽，黄河入海流。", "白日依\n山尽，黄\n河入海\n流。"},
		{2, "用 Go 写 programs", "用 Go\n写 programs"},
		{4, "", ""},
	} {
		if got := Wrap(c.text, c.n, Auto); got != c.want {
			t.Errorf("%q in lines of %d: %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

// naiveUnits is Lang.units on a slice of runes, in the words of its documentation.
func naiveUnits(text string) []string {
	var units []string
	runes := []rune(text)
	alone := func(c rune) bool { // of a script without spaces
		return c >= 0x3040 && c <= 0x30ff && (unicode.IsLetter(c) || unicode.IsNumber(c)) ||
			unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	}
	word := func(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) || c == '_' }
	for i := 0; i < len(runes); {
		c := runes[i]
		if !word(c) {
			i++
			continue
		}
		end := i + 1
		for end < len(runes) {
			n := runes[end]
			apostrophe := (n == '\'' || n == '’') && end+1 < len(runes) && word(runes[end+1]) && !alone(runes[end+1])
			if unicode.IsMark(n) || !alone(c) && (word(n) && !alone(n) || apostrophe) {
				end++
				continue
			}
			break
		}
		units = append(units, string(runes[i:end]))
		i = end
	}
	return units
}

func FuzzUnits(f *testing.F) {
	for _, s := range []string{"The cat's hat", "我们2024年", "a\u0301''b", "ー々〇", "x\xff", "١٢٣ ①Ⅷ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, lang := range []Lang{Auto, English, Chinese} {
			units, gaps := cut(lang, text)
			var all strings.Builder
			for i, g := range gaps {
				all.WriteString(g)
				if i < len(units) {
					all.WriteString(units[i])
					if units[i] == "" {
						t.Fatalf("%q as %q: an empty unit", text, lang)
					}
				}
			}
			if all.String() != text {
				t.Fatalf("%q as %q: the pieces are %q", text, lang, all.String())
			}
			if n, _, _ := lang.census(text, nil); n != len(units) {
				t.Fatalf("%q as %q: a census of %d units, want %d", text, lang, n, len(units))
			}
		}
		if utf8.ValidString(text) {
			got, _ := cut(Auto, text)
			want := naiveUnits(text)
			if strings.Join(got, "\x00") != strings.Join(want, "\x00") {
				t.Fatalf("%q: %q, naive %q", text, got, want)
			}
		}
	})
}
