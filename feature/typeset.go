package feature

import (
	"unicode/utf8"

	"github.com/alike-go/alike/feature/internal/token"
)

// Typeset English is ASCII but for a few characters. Those below are to words what
// white space is, whatever the folding, as long as no character follows that may combine
// with them; the single quotation marks also join what an ASCII apostrophe joins.
// In a copy of the text they can stand as ASCII that does the same.

// typesetLen returns the length of the character that starts text if it is one of those, or 0.
func typesetLen(text string) int {
	if len(text) >= 3 && text[0] == 0xe2 && text[1] == 0x80 {
		switch text[2] {
		case 0x93, 0x94, // – —
			0x98, 0x99, // ‘ ’
			0x9c, 0x9d, // “ ”
			0xa2, 0xa6: // • …
			return 3
		}
	}
	if len(text) >= 2 && text[0] == 0xc2 && text[1] == 0xa0 { // no-break space
		return 2
	}
	return 0
}

// mask replaces such characters in s.buf from i up to end, as long as there are no others but
// ASCII, and reports whether there was one.
func (x *Extractor) mask(s *scratch, text string, i, end int) bool {
	found := false
	for end = min(end, len(text)-1); i <= end; {
		if text[i] < utf8.RuneSelf {
			i = asciiEnd(text[:end+1], i)
			continue
		}
		size := typesetLen(text[i:])
		next := i + size
		if size == 0 || next < len(text) && text[next] >= utf8.RuneSelf && typesetLen(text[next:]) == 0 {
			break
		}
		by := "   "
		if quote := text[i : i+size]; (quote == "‘" || quote == "’") && !x.o.Fold.DropPunct &&
			i > 0 && next < len(text) && token.Joins(text[i-1], '\'', text[next]) {
			by = "xxx"
			s.masked = append(s.masked, i)
		}
		copy(s.buf[i:next], by)
		i, found = next, true
	}
	return found
}

// unmask brings back the single quotation marks in words.
func (s *scratch) unmask(text string) {
	for _, i := range s.masked {
		copy(s.buf[i:i+3], text[i:])
	}
	s.masked = s.masked[:0]
}
