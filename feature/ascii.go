package feature

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"github.com/alike-go/alike/feature/internal/token"
)

// One byte of a word of eight, repeated.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// span is the place of a token in a scratch buffer.
type span = token.Span

// asciiPad stands behind a copied text, so that blocks need no end.
const asciiPad = "                                                                        "

// fastWords cuts a text that starts and ends at white space or its ends into
// words, as fold and cutWords would. Blocks of ASCII are cut by package token, the
// stretches around what that leaves out go the slow way.
func (x *Extractor) fastWords(s *scratch, text string, emit func([]span)) {
	fold, n := &x.o.Fold, len(text)
	c := &s.cut
	c.KeepCase, c.DropPunct, c.Open = fold.KeepCase, fold.DropPunct, false
	c.Reset()
	// Words are folded in place in a copy of the text; what slow stretches fold
	// to stands behind it.
	s.buf = append(append(s.buf[:0], text...), asciiPad...)
	hand := func() {
		s.unmask()
		emit(c.Spans)
		c.Reset()
	}
	for p, care := 0, false; p < n; {
		p, care = c.Cut(s.buf, p, n)
		if care {
			needy := p + needsCare(s.buf[p:], c.Open)
			p = x.careful(s, text, p, needy)
		}
		if len(c.Spans) >= token.Batch {
			hand()
		}
	}
	c.Close(n)
	hand()
}

// careful deals with what stands at needy, in the block at p or behind it. It returns where
// the fast way may go on.
func (x *Extractor) careful(s *scratch, text string, p, needy int) int {
	if s.buf[needy] >= utf8.RuneSelf {
		if x.mask(s, text, needy, p+token.Block) {
			return p
		}
		if x.fastHan {
			if next, ok := x.hanStretch(s, text, p, needy); ok {
				return next
			}
		}
	}
	return x.slowStretch(s, text, p, needy)
}

// slowStretch cuts the words of the block at p up to what is needy of care, and that the
// slow way. It returns where the fast way may go on.
//
// The slow stretch starts behind the last white space, or where an open word
// does, or with the block: segments are cut from left to right, so that any
// border of two is as good a start as white space.
func (x *Extractor) slowStretch(s *scratch, text string, p, needy int) int {
	c := &s.cut
	from := needy
	for from > p && !isWhite(text[from-1]) {
		from--
	}
	switch {
	case from > p:
		// A blank instead of the stretch makes it a block like others.
		rest := s.buf[from : p+token.Block+1]
		copy(rest, asciiPad)
		c.Cut(s.buf, p, from)
		copy(rest, text[from:])
	case c.Open:
		from = c.Start()
		c.Open = false
	}
	to := x.stretchEnd(text, needy)
	at := len(s.buf)
	var st foldState
	s.buf = x.o.Fold.appendRaw(s.buf, text[from:to], &st, &s.fold)
	c.Spans, _ = cutWords(c.Spans, s.buf[at:], at, false, true)
	return to
}

// needsCare returns where in the block, or behind it, is the first thing that the
// cutter stopped for: a byte that is not ASCII, or an underscore that starts a
// word; 0 where there is none, so that the block lies in a word.
func needsCare(b []byte, open bool) int {
	limit := 0
	for limit < token.Block && binary.LittleEndian.Uint64(b[limit:])&highs == 0 {
		limit += 8
	}
	for limit < token.Block && b[limit] < utf8.RuneSelf {
		limit++
	}
	if bytes.IndexByte(b[:limit], '_') >= 0 {
		inside := open
		for i, c := range b[:limit] {
			if c == '_' && !inside {
				return i
			}
			inside = c == '_' || token.IsAlnum(c)
		}
	}
	if limit == token.Block && b[limit] < utf8.RuneSelf {
		return 0
	}
	return limit
}

// isWhite reports whether an ASCII byte counts as white space.
func isWhite(c byte) bool { return c <= ' ' || c == 0x7f }

func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
