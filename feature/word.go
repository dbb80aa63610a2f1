package feature

import (
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"

	"github.com/alike-go/alike/feature/internal/token"
)

// maxToken is the length in bytes at which a word is cut. It bounds what must be
// held of a text without white space; no word of a language comes near it.
const maxToken = 1024

// cutWords appends the places of the word tokens of folded text, which stands at
// base in its buffer, and returns how many bytes are dealt with: all of them
// where final is set, and otherwise as many as do not depend on what follows.
// single cuts runs of unspaced scripts into units instead of bigrams.
func cutWords(spans []span, buf []byte, base int, single, final bool) ([]span, int) {
	for i := 0; i < len(buf); {
		if buf[i] == ' ' {
			i++
			continue
		}
		r, _ := decodeValid(buf, i)
		if r >= utf8.RuneSelf && classOf(r)&clUnspaced != 0 {
			var next int
			spans, next = cutRun(spans, buf, base, i, single, final)
			if next < 0 {
				return spans, -next - 1
			}
			i = next
			continue
		}
		// The stretch ends before white space or a run; plain says how much of it
		// is letters and digits that join.
		end, plain, joining := i, i, true
		for end < len(buf) && buf[end] != ' ' {
			size, joins := 1, token.IsAlnum(buf[end])
			if buf[end] >= utf8.RuneSelf {
				r, size = decodeValid(buf, end)
				c := classOf(r)
				if c&clUnspaced != 0 {
					break
				}
				joins = c&clJoins != 0
			}
			end += size
			if joining = joining && joins; joining {
				plain = end
			}
		}
		open := end == len(buf) && !final
		for i < end {
			if open && end-i <= maxToken {
				return spans, i
			}
			n, word := plainSegment(buf[i:end], max(0, plain-i))
			if n == 0 {
				rest := buf[i:end]
				if len(rest) > maxToken {
					n := maxToken
					for !utf8.RuneStart(rest[n]) {
						n--
					}
					rest = rest[:n]
				}
				n, _, _ = words.SplitFunc(rest, true)
				word = wordly(rest[:n])
			}
			if word {
				spans = append(spans, span{Start: uint32(base + i), End: uint32(base + i + n)})
			}
			i += n
		}
	}
	return spans, len(buf)
}

// plainSegment returns the length of the first segment of a stretch and whether it
// is a word, or 0 where it takes all of UAX #29 to tell. It knows two cases that
// make up most of all text: letters and digits before the end or before ASCII that
// does not join, and ASCII punctuation before more ASCII or the end. The first n
// bytes are known to be letters and digits that join.
func plainSegment(b []byte, n int) (length int, word bool) {
	for n < len(b) {
		if b[n] < utf8.RuneSelf {
			if !token.IsAlnum(b[n]) {
				break
			}
			n++
			continue
		}
		r, size := decodeValid(b, n)
		if classOf(r)&clJoins == 0 {
			break
		}
		n += size
	}
	switch {
	case n > maxToken-utf8.UTFMax:
		return 0, false
	case n == len(b):
		return n, true
	case b[n] >= utf8.RuneSelf || b[n] == '_' || b[n] == '"':
		return 0, false
	case n == 0:
		if len(b) > 1 && b[1] >= utf8.RuneSelf {
			return 0, false
		}
		return 1, false
	case b[n] == '\'' && b[n-1] >= utf8.RuneSelf:
		return 0, false // it belongs to a Hebrew letter even at the end (WB7a)
	}
	switch b[n] {
	case '\'', '.', ':', ',', ';':
		if n+1 < len(b) {
			return 0, false // what follows decides
		}
	}
	return n, true
}

// wordly reports whether a segment holds a letter, a number or a pictograph.
func wordly(b []byte) bool {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			if token.IsAlnum(b[i]) {
				return true
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if classOf(r)&clWordly != 0 {
			return true
		}
		i += size
	}
	return false
}

// cutRun appends the overlapping bigrams of the run of an unspaced script that starts at
// buf[i], or its only unit, and returns the end of the run. A unit is a rune
// and the combining marks that follow it; single gives the units themselves.
//
// Where the run reaches an end of buf that is not final, the result is negative:
// -next-1, where next is the start of the last unit but one. From there the run goes
// on as if it had not been cut, since of two units at least one bigram comes.
func cutRun(spans []span, buf []byte, base, i int, single, final bool) ([]span, int) {
	before, unit, units := i, i, 0
	least := 2 // units before a token is complete
	if single {
		least = 1
	}
	for i < len(buf) {
		if buf[i]-0xe4 <= 5 && (buf[i] != 0xe4 || buf[i+1] >= 0xb8) { // one of those that hanRune stands for
			if units >= least {
				spans = append(spans, span{Start: uint32(base + before), End: uint32(base + i)})
			}
			if before, unit = unit, i; single {
				before = i
			}
			units++
			i += 3
			continue
		}
		r, size := decodeValid(buf, i)
		c := classOf(r)
		if units > 0 && c&clMark != 0 && i+size-unit <= maxToken {
			i += size
			continue
		}
		if c&clUnspaced == 0 {
			break
		}
		if units >= least {
			spans = append(spans, span{Start: uint32(base + before), End: uint32(base + i)})
		}
		if before, unit = unit, i; single {
			before = i
		}
		units++
		i += size
	}
	if i == len(buf) && !final {
		return spans, -before - 1
	}
	if units > 1 {
		spans = append(spans, span{Start: uint32(base + before), End: uint32(base + i)})
	} else {
		spans = append(spans, span{Start: uint32(base + unit), End: uint32(base + i)})
	}
	return spans, i
}
