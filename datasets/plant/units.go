package plant

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lang chooses what a unit is to an edit, and the marks and the boilerplate that
// the edit adds.
type Lang string

// The languages.
const (
	// Auto goes by the script. A run of letters and digits is a unit, but every
	// character of a script without spaces between words (Han, kana, Thai, Lao,
	// Khmer, Burmese) is a unit of its own. Marks and boilerplate are Chinese if at
	// least half of the units are such characters.
	Auto Lang = ""
	// English makes a unit of every run of letters and digits.
	English Lang = "en"
	// Chinese makes a unit of every letter and digit.
	Chinese Lang = "zh"
)

// class is what a character is to an edit.
type class uint8

const (
	gap    class = iota // stands between units
	joined              // is part of a unit of several characters
	single              // is a unit
	accent              // continues the unit before it
)

func (l Lang) class(c rune) class {
	if c < utf8.RuneSelf {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' {
			return l.letter(joined)
		}
		return gap
	}
	switch {
	case c >= 0x4e00 && c <= 0x9fff: // most of Han, ahead of the tables
		return l.letter(single)
	case unicode.IsLetter(c) || unicode.IsNumber(c):
		// The kana blocks go as a whole: some of their marks are of no script.
		if c >= 0x3040 && c <= 0x30ff || unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana,
			unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			return l.letter(single)
		}
		return l.letter(joined)
	case unicode.IsMark(c):
		return accent
	}
	return gap
}

func (l Lang) letter(byScript class) class {
	switch l {
	case English:
		return joined
	case Chinese:
		return single
	}
	return byScript
}

// units yields where each unit of a text begins and ends.
func (l Lang) units(text string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for i := 0; i < len(text); {
			c, size := rune(text[i]), 1
			if c >= utf8.RuneSelf {
				c, size = utf8.DecodeRuneInString(text[i:])
			}
			end := i + size
			if cl := l.class(c); cl == joined || cl == single {
				end = l.rest(text, end, cl)
				if !yield(i, end) {
					return
				}
			}
			i = end
		}
	}
}

// Wrap returns the text in lines of n units, or a few more: a line is broken at white
// space, or beside a character of a script without spaces between words.
func Wrap(text string, n int, l Lang) string {
	var out []byte
	last, units, unspaced := 0, 0, false
	for start, end := range l.units(text) {
		gap := text[last:start]
		c, _ := utf8.DecodeRuneInString(text[start:end])
		next := Auto.class(c) == single
		if units >= n {
			from := strings.IndexFunc(gap, unicode.IsSpace)
			switch {
			case from >= 0:
				gap, units = gap[:from]+"\n"+strings.TrimLeftFunc(gap[from:], unicode.IsSpace), 0
			case unspaced || next:
				gap, units = gap+"\n", 0
			}
		}
		out = append(append(out, gap...), text[start:end]...)
		last, unspaced = end, next
		units++
	}
	return string(append(out, text[last:]...))
}

// rest returns where the unit ends that has a character of the class cl before i.
func (l Lang) rest(text string, i int, cl class) int {
	for i < len(text) {
		c, size := rune(text[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(text[i:])
		}
		switch got := l.class(c); {
		case got == accent, got == joined && cl == joined:
		case (c == '\'' || c == '’') && cl == joined && l.joinedAt(text[i+size:]):
			// An apostrophe within a word: "don't" is one unit.
		default:
			return i
		}
		i += size
	}
	return i
}

func (l Lang) joinedAt(text string) bool {
	c, _ := utf8.DecodeRuneInString(text)
	return c != utf8.RuneError && l.class(c) == joined
}

// census counts the units of a text, those that fits accepts, and says whether
// the text is Chinese to the editor. A nil fits accepts none.
func (l Lang) census(text string, fits func(unit string) bool) (units, fit int, chinese bool) {
	singles := 0
	for start, end := range l.units(text) {
		units++
		unit := text[start:end]
		if fits != nil && fits(unit) {
			fit++
		}
		if text[start] >= utf8.RuneSelf {
			if c, _ := utf8.DecodeRuneInString(unit); Auto.class(c) == single {
				singles++
			}
		}
	}
	switch l {
	case English:
		return units, fit, false
	case Chinese:
		return units, fit, true
	}
	return units, fit, units > 0 && 2*singles >= units
}

// glue reports whether two pieces of text would run together into one unit.
func (l Lang) glue(before []byte, after string) bool {
	a, _ := utf8.DecodeLastRune(before)
	b, _ := utf8.DecodeRuneInString(after)
	x, y := l.class(a), l.class(b)
	return (x == joined || x == accent) && y == joined
}
