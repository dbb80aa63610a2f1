package feature

import (
	"unicode/utf8"

	"github.com/alike-go/alike/feature/internal/token"
)

// Most characters of text in alphabets are to words what an ASCII letter or white space is. In
// the copy of a text that words are cut from they can stand as that, a letter until the words are
// handed on, as long as no character follows that may combine with them.

// likeness says as what a character of up to three bytes may stand.
type likeness struct {
	as   byte   // ' ' or 'x', or an apostrophe, which is either; 0 for none
	size int    // in bytes
	fold uint32 // what it folds to, as long, the first byte lowest
}

// typesetLen returns the length of the character that starts text if it is punctuation that
// typeset English has beside ASCII, or a no-break space, or 0. It separates words whatever the folding,
// but a single quotation mark joins what an ASCII apostrophe does.
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
	if len(text) >= 2 && text[0] == 0xc2 && text[1] == 0xa0 {
		return 2
	}
	return 0
}

// likenessOf returns as what the character that starts text may stand.
func (x *Extractor) likenessOf(text string) likeness {
	if n := typesetLen(text); n > 0 {
		if n == 3 && text[2]&^1 == 0x98 && !x.o.Fold.DropPunct {
			return likeness{'\'', n, uint32(text[0]) | uint32(text[1])<<8 | uint32(text[2])<<16}
		}
		return likeness{as: ' ', size: n}
	}
	r, size := decode(text, 0)
	c := classOf(r)
	if c&clLetter == 0 || c&clDrop != 0 && x.o.Fold.DropMarks || size > 3 {
		return likeness{}
	}
	l := likeness{'x', size, uint32(text[0]) | uint32(text[1])<<8}
	if size == 3 {
		l.fold |= uint32(text[2]) << 16
	}
	if c&clFold != 0 && !x.o.Fold.KeepCase {
		q := x.singles.of(x.o.Fold, r)
		if q&0x7f != folded(size) {
			return likeness{}
		}
		l.fold = uint32(q >> 8)
	}
	return l
}

// masked is a place where a character stands as a letter, and what it folds to.
type masked struct{ at, size, fold uint32 }

// mask lets characters stand as ASCII in s.buf from i up to end, as long as there are
// only such, and reports whether there was one.
func (x *Extractor) mask(s *scratch, text string, i, end int) bool {
	found := false
	end = min(end, len(text)-1)
	var l likeness
	for i <= end {
		if text[i] < utf8.RuneSelf {
			i = asciiEnd(text[:end+1], i)
			continue
		}
		if l.as == 0 {
			l = x.likenessOf(text[i:])
		}
		var after likeness
		next := i + l.size
		if l.as == 0 {
			break
		}
		if next < len(text) && text[next] >= utf8.RuneSelf {
			if after = x.likenessOf(text[next:]); after.as == 0 {
				break
			}
		}
		if l.as == '\'' {
			l.as = ' '
			if i > 0 && next < len(text) {
				r := text[next]
				if after.as != 0 {
					r = after.as
				}
				if token.Joins(s.buf[i-1], '\'', r) {
					l.as = 'x'
				}
			}
		}
		if l.as == 'x' {
			s.masked = append(s.masked, masked{uint32(i), uint32(l.size), l.fold})
		}
		for ; i < next; i++ {
			s.buf[i] = l.as
		}
		found, l = true, after
	}
	return found
}

// unmask brings the characters back that stand as letters, folded.
func (s *scratch) unmask() {
	for _, m := range s.masked {
		b := s.buf[m.at : m.at+m.size]
		b[0], b[1] = byte(m.fold), byte(m.fold>>8)
		if len(b) > 2 {
			b[2] = byte(m.fold >> 16)
		}
	}
	s.masked = s.masked[:0]
}
