package feature

import "unicode/utf8"

const (
	pieceLen = 1 << 15 // bytes of text folded at a time, to stay in the cache
	lookBack = 1 << 12 // how far before the end of a piece a place to cut is sought
)

// cutPiece returns the length of the next piece of a text, and whether white
// space or the end of the text follows it, so that no word goes on behind it.
//
// A piece ends behind ASCII white space: U+0020, which that becomes, is a starter that
// composes with nothing, and case folding reads one rune at a time, so that
// normalisation never looks across it. Where there is none, a piece ends
// before a rune that normalisation never joins with what stands before; only where
// a run of more than lookBack bytes of combining characters leaves no
// such place is it cut inside one.
func cutPiece(text string) (n int, hard bool) {
	if len(text) <= pieceLen {
		return len(text), true
	}
	for n := pieceLen; n > pieceLen-lookBack; n-- {
		if isWhite(text[n-1]) {
			return n, true
		}
	}
	last := 0
	for n := pieceLen; n > pieceLen-lookBack; n-- {
		if !utf8.RuneStart(text[n]) {
			continue
		}
		r, size := utf8.DecodeRuneInString(text[n:])
		if last == 0 {
			last = n
		}
		if r == utf8.RuneError && size == 1 || classOf(r)&clNoBoundary == 0 {
			return n, false
		}
	}
	if last == 0 {
		last = pieceLen
	}
	return last, false
}

// lastBoundary returns the start of the last rune of folded text that
// normalisation never joins with what stands before it.
func lastBoundary(b []byte) int {
	for n := len(b); n > 0 && n > len(b)-lookBack; {
		r, size := utf8.DecodeLastRune(b[:n])
		n -= size
		if classOf(r)&clNoBoundary == 0 {
			return n
		}
	}
	return len(b)
}
