package plant

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// hasCase reports whether a unit has a letter in another case.
func hasCase(unit string) bool {
	return strings.IndexFunc(unit, func(c rune) bool {
		return unicode.ToUpper(c) != c || unicode.ToLower(c) != c
	}) >= 0
}

// recase writes the unit in another case: of capitals, small letters and a
// capital first, one that makes a difference.
func (e *editor) recase(unit string) bool {
	first := e.r.Below(3)
	for i := range 3 {
		other := unit
		switch (first + i) % 3 {
		case 0:
			other = strings.Map(unicode.ToUpper, unit)
		case 1:
			other = strings.Map(unicode.ToLower, unit)
		case 2:
			_, size := utf8.DecodeRuneInString(unit)
			other = strings.Map(unicode.ToUpper, unit[:size]) + strings.Map(unicode.ToLower, unit[size:])
		}
		if other != unit {
			e.put(other)
			return true
		}
	}
	e.put(unit)
	return false
}

// otherWidth returns the halfwidth or fullwidth form of a character, whichever it
// is not, or -1 if there is none.
func otherWidth(c rune) rune {
	switch {
	case c > ' ' && c <= '~':
		return c + ('！' - '!')
	case c < utf8.RuneSelf:
		return -1
	case c >= '！' && c <= '～':
		return c - ('！' - '!')
	}
	p := width.LookupRune(c)
	if n := p.Narrow(); n != 0 && n != c {
		return n
	}
	if w := p.Wide(); w != 0 && w != c {
		return w
	}
	return -1
}

func hasWidth(piece string) bool {
	return strings.IndexFunc(piece, func(c rune) bool { return otherWidth(c) >= 0 }) >= 0
}

// pieces yields the units and the single characters between them, in the order of
// the text.
func (e *editor) pieces(yield func(piece string) bool) {
	last := 0
	between := func(end int) bool {
		for last < end {
			_, size := utf8.DecodeRuneInString(e.text[last:])
			last += size
			if !yield(e.text[last-size : last]) {
				return false
			}
		}
		return true
	}
	for start, end := range e.lang.units(e.text) {
		if !between(start) || !yield(e.text[start:end]) {
			return
		}
		last = end
	}
	between(len(e.text))
}

// width changes the share of the pieces that have another width.
func (e *editor) width(share float64) Record {
	var rec Record
	for piece := range e.pieces {
		if hasWidth(piece) {
			rec.Units++
		}
	}
	rec.Touched = e.r.count(rec.Units, share, 1, rec.Units)
	p := picker{rec.Units, rec.Touched}
	for piece := range e.pieces {
		if !hasWidth(piece) || !p.take(e.r) {
			e.out = append(e.out, piece...)
			continue
		}
		for _, c := range piece {
			if other := otherWidth(c); other >= 0 {
				c = other
			}
			e.out = utf8.AppendRune(e.out, c)
		}
	}
	return rec
}
