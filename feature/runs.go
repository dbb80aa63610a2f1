package feature

import (
	"slices"
	"unicode/utf8"

	"github.com/alike-go/alike/feature/internal/token"
)

// cjkPunctLen returns the length of the character that starts text if it is
// punctuation, or a space, that separates words whatever the folding, unless it stands between
// two letters or digits; or 0. These make up nearly all of that in Chinese text.
func cjkPunctLen(text string) int {
	if len(text) < 3 {
		return typesetLen(text)
	}
	switch {
	case text[0] == 0xe3 && text[1] == 0x80:
		switch c := text[2]; {
		case 0x80 <= c && c <= 0x82, // ideographic space, 、。
			0x88 <= c && c <= 0x91: // 〈〉《》「」『』【】
			return 3
		}
	case text[0] == 0xef && text[1] == 0xbc:
		switch text[2] {
		case 0x81, 0x88, 0x89, 0x8c, 0x9a, 0x9b, 0x9f: // ！（），：；？
			return 3
		}
	}
	return typesetLen(text)
}

// hanStretch cuts the words of the block at p up to needy, where ideographs or
// punctuation stand, and from there on the bigrams of the runs of ideographs, which
// no folding but their conversion changes. It returns where the fast way may go on;
// ok is false where something else stands at needy or follows.
func (x *Extractor) hanStretch(s *scratch, text string, p, needy int) (next int, ok bool) {
	han, end := apart(text, needy, needy > 0 && token.IsAlnum(s.buf[needy-1]))
	if end == needy {
		return p, false
	}
	c := &s.cut
	if needy > p {
		rest := s.buf[needy : p+token.Block+1]
		copy(rest, asciiPad)
		c.Cut(s.buf, p, needy)
		copy(rest, text[needy:])
	}
	c.Close(needy)
	for at := needy; end > at; {
		if han {
			c.Spans = appendBigrams(c.Spans, at, end)
		}
		for at = end; at < len(text) && isWhite(text[at]); {
			at++
		}
		if at == len(text) || text[at] < utf8.RuneSelf {
			return at, true
		}
		han, end = apart(text, at, false)
		if end == at {
			return at, true
		}
	}
	return end, true
}

// apart returns the end of the run of ideographs, or of the one character of
// punctuation, that starts at i and stands apart from what follows; i where there is none.
// Between two letters or digits punctuation does not, and after says that one stands before it.
func apart(text string, i int, after bool) (han bool, end int) {
	end = i + token.HanRun(text[i:])
	if han = end > i; !han {
		end += cjkPunctLen(text[i:])
		if end == i || after && end < len(text) && token.IsAlnum(text[end]) {
			return false, i
		}
	}
	if end < len(text) && text[end] >= utf8.RuneSelf && !startsApart(text[end:]) {
		return false, i
	}
	return han, end
}

// startsApart reports whether text starts with an ideograph or with punctuation.
func startsApart(text string) bool {
	return cjkPunctLen(text) > 0 || token.HanRun(text[:min(3, len(text))]) > 0
}

// stretchEnd returns where a slow stretch that holds the character at i ends: before
// ASCII white space, unless what follows is slow too, since a block begun for a word or two
// is wasted; or before punctuation that stands apart whatever comes before it.
func (x *Extractor) stretchEnd(text string, i int) int {
	for ; i < len(text); i++ {
		switch stretchBytes[text[i]] {
		case 0:
		case ' ':
			next := i + 1
			for next < len(text) && isWhite(text[next]) {
				next++
			}
			if next+16 > len(text) || (load64(text[next:])|load64(text[next+8:]))&highs == 0 || x.fastHan && startsApart(text[next:]) {
				return i
			}
			i = next - 1
		default:
			if n := cjkPunctLen(text[i:]); n > 0 && x.fastHan && (i+n == len(text) || !token.IsAlnum(text[i+n])) {
				if _, end := apart(text, i, false); end > i {
					return i
				}
			}
		}
	}
	return i
}

// stretchBytes says which bytes may end a slow stretch: ' ' for ASCII white space,
// 1 for the first bytes of punctuation.
var stretchBytes = func() (t [256]byte) {
	for c := range byte(utf8.RuneSelf) {
		if isWhite(c) {
			t[c] = ' '
		}
	}
	t[0xc2], t[0xe2], t[0xe3], t[0xef] = 1, 1, 1, 1
	return t
}()

// appendBigrams appends the overlapping bigrams of the ideographs from at to end, or the
// only one.
func appendBigrams(spans []span, at, end int) []span {
	if end-at == 3 {
		return append(spans, span{Start: uint32(at), End: uint32(end)})
	}
	n := len(spans)
	spans = slices.Grow(spans, (end-at)/3-1)[:n+(end-at)/3-1]
	for i := range spans[n:] {
		from := uint32(at + 3*i)
		spans[n+i] = span{Start: from, End: from + 6}
	}
	return spans
}
