package feature

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// One byte of a word of eight, repeated.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

const (
	blockLen  = 64  // bytes looked at together
	spanBatch = 512 // tokens handed on together, so that they stay in the cache
)

// asciiPad stands behind a copied text, so that blocks need no end.
const asciiPad = "                                                                        "

// fastWords cuts a text that starts and ends at white space or its ends into
// words, as fold and cutWords would. ASCII is cut 64 bytes at a time by bit masks; the
// stretches around other characters go the slow way.
//
// Among ASCII characters, UAX #29 comes down to this: letters, digits and
// underscores go together (WB5, 8 to 10, 13a, 13b); one of ' . : between two letters joins them
// (WB6, WB7) and one of ' . , ; two digits (WB11, WB12); everything else stands alone.
func (x *Extractor) fastWords(s *scratch, text string, emit func([]span)) {
	var (
		n      = len(text)
		start  = 0         // of the token that is open
		open   = false     // whether there is one
		before = uint64(0) // 1 if the byte before the block belongs to a word
		under  = false     // whether a token may be nothing but underscores
		fold   = &x.o.Fold
		upper  = uint64(highs)
	)
	if fold.KeepCase {
		upper = 0
	}
	// Words are folded in place in a copy of the text; what slow stretches fold
	// to stands behind it.
	s.buf = append(append(s.buf[:0], text...), asciiPad...)
	s.spans = s.spans[:0]
	for p := 0; p < n; {
		block := (*[blockLen]byte)(s.buf[p:])
		var word, other, unders uint64
		limit := blockLen
		for i := 0; i < blockLen; i += 8 {
			raw := binary.LittleEndian.Uint64(block[i:])
			w := raw
			if w&highs != 0 {
				limit = i + bits.TrailingZeros64(w&highs)/8
				// The bytes before it count.
				w = w&(1<<(8*(limit&7))-1) | ' '*ones<<(8*(limit&7))
			}
			// Bytes are below 0x80: adding to them sets their high bit where they
			// reach a bound, and carries nothing into the next.
			l := w | 0x20*ones
			letter := (l + (0x80-'a')*ones) &^ (l + (0x7f-'z')*ones) & highs
			digit := (w + (0x80-'0')*ones) &^ (w + (0x7f-'9')*ones) & highs
			alnum := letter | digit
			printing := (w + (0x7f-' ')*ones) & highs
			u := w ^ '_'*ones
			unders |= (u - ones) &^ u & highs
			word |= moveMask(alnum) << i
			other |= moveMask(printing&^alnum) << i
			binary.LittleEndian.PutUint64(block[i:], raw|letter&upper&^(w<<2)>>2)
			if limit < blockLen {
				break
			}
		}
		next := s.buf[p+blockLen]
		if limit < blockLen || next >= utf8.RuneSelf {
			// A stretch starts behind the last white space, or where an open token
			// does, or here: segments are cut from left to right, so that any
			// border of two is as good a start as white space. The byte before the
			// block is no matter, since this byte was ASCII when that was cut.
			from := p + limit
			for from > p && !isWhite(text[from-1]) {
				from--
			}
			if from == p && open {
				from = start
			}
			if from > p {
				keep := uint64(1)<<(from-p) - 1
				if from-p == blockLen {
					keep = ^uint64(0)
				}
				word, other = word&keep, other&keep
				x.asciiSpans(s, p, start, open, &before, word, other, unders != 0, &under, ' ') // white space follows: none stays open
			}
			// Where the next 16 bytes are not all ASCII either it goes on: a block
			// begun for a word or two is wasted.
			to := whiteFrom(text, min(p+limit, n))
			for to+16 <= n && (load64(text[to:])|load64(text[to+8:]))&highs != 0 {
				to = whiteFrom(text, asciiEnd(text, to))
			}
			at := len(s.buf)
			var st foldState
			s.buf = fold.appendRaw(s.buf, text[from:to], &st, &s.fold)
			s.spans, _ = cutWords(s.spans, s.buf[at:], at, true)
			p, before, open = to, 0, false
		} else {
			start, open = x.asciiSpans(s, p, start, open, &before, word, other, unders != 0, &under, next)
			p += blockLen
		}
		if len(s.spans) >= spanBatch {
			emit(s.spans)
			s.spans = s.spans[:0]
		}
	}
	if open {
		s.asciiSpan(start, n, under)
	}
	emit(s.spans)
}

// asciiSpans appends the tokens that the masks of the block at p delimit: word has
// the letters and digits, other the rest but white space. It returns the token
// that stays open.
func (x *Extractor) asciiSpans(s *scratch, p, start int, open bool, before *uint64, word, other uint64, unders bool, under *bool, next byte) (int, bool) {
	block := (*[blockLen]byte)(s.buf[p:])
	if !x.o.Fold.DropPunct {
		if unders {
			*under = true
			for m := other; m != 0; m &= m - 1 {
				if i := bits.TrailingZeros64(m); block[i] == '_' {
					word |= 1 << i
				}
			}
		}
		after := word >> 1
		if isAlnum(next) {
			after |= 1 << 63
		}
		for m := other & (word<<1 | *before) & after; m != 0; m &= m - 1 {
			i := bits.TrailingZeros64(m)
			r := next
			if i < blockLen-1 {
				r = block[i+1]
			}
			if joins(s.buf[p+i-1], block[i], r) {
				word |= 1 << i
			}
		}
	}
	edges := word ^ (word<<1 | *before)
	*before = word >> 63
	if open && edges != 0 {
		s.asciiSpan(start, p+bits.TrailingZeros64(edges), *under)
		edges &= edges - 1
		open = false
	}
	if *under {
		for ; edges != 0; edges &= edges - 1 {
			at := p + bits.TrailingZeros64(edges)
			if open {
				s.asciiSpan(start, at, true)
			}
			start, open = at, !open
		}
		return start, open
	}
	// Tokens within the block are short, and there are 32 at most.
	spans := slices.Grow(s.spans, blockLen/2)
	for edges != 0 {
		start = p + bits.TrailingZeros64(edges)
		edges &= edges - 1
		if edges == 0 {
			open = true
			break
		}
		spans = append(spans, span{uint32(start), uint32(p + bits.TrailingZeros64(edges))})
		edges &= edges - 1
	}
	s.spans = spans
	return start, open
}

// asciiSpan appends a token. One that is too long is cut as cutWords cuts it.
func (s *scratch) asciiSpan(start, end int, under bool) {
	if end-start > maxToken-2 || under {
		s.spans, _ = cutWords(s.spans, s.buf[start:end], start, true)
		return
	}
	s.spans = append(s.spans, span{uint32(start), uint32(end)})
}

// moveMask gathers the high bits of the bytes of a word.
func moveMask(w uint64) uint64 { return w >> 7 * 0x0102040810204080 >> 56 }

// joins reports whether c joins the ASCII characters l and r to one word.
func joins(l, c, r byte) bool {
	switch c {
	case '\'', '.':
		return isLetter(l) && isLetter(r) || isDigit(l) && isDigit(r)
	case ':':
		return isLetter(l) && isLetter(r)
	case ',', ';':
		return isDigit(l) && isDigit(r)
	}
	return false
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isAlnum(c byte) bool  { return isLetter(c) || isDigit(c) }

// isWhite reports whether an ASCII byte counts as white space.
func isWhite(c byte) bool { return c <= ' ' || c == 0x7f }

// whiteFrom returns the place of the first ASCII white space at or after i, or the length.
func whiteFrom(text string, i int) int {
	for ; i+8 <= len(text); i += 8 {
		w := load64(text[i:])
		if (w-0x21*ones)&^w&highs != 0 || ((w^0x7f*ones)-ones)&^(w^0x7f*ones)&highs != 0 {
			break
		}
	}
	for i < len(text) && !isWhite(text[i]) {
		i++
	}
	return i
}

func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
