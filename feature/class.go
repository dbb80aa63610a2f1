package feature

import (
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/unicode/norm"
)

// class is what the fast paths need to know about a rune, one bit each.
type class uint16

const (
	clSpace      class = 1 << iota // white space, control, U+FFFD: becomes a space
	clPunct                        // punctuation or symbol
	clNotNormal                    // NFKC changes it, or it is a combining mark
	clNoBoundary                   // normalisation may join it with the rune before it
	clFold                         // case folding changes it
	clDrop                         // is, or decomposes to something with, a mark that DropMarks drops
	clMark                         // category M
	clUnspaced                     // a letter or mark of a script written without spaces
	clAlnum                        // a letter or number
	clPicture                      // a symbol of category So, emoji among them
	clJoins                        // a letter or digit that UAX #29 joins with its likes
	clLetter                       // a letter that is to words what an ASCII letter is, and no folding but that of case and marks changes it
)

// A token of words must hold one of these.
const clWordly = clAlnum | clPicture

// classPages holds the classes of all runes in pages of 256, each made when a
// text first needs it: a page costs some 30 microseconds, and most texts touch few.
var classPages [(unicode.MaxRune + 1) / 256]atomic.Pointer[[256]class]

// classOf returns the class of a rune, which must be valid.
func classOf(r rune) class {
	if p := classPages[uint32(r)>>8].Load(); p != nil {
		return p[uint8(r)]
	}
	return makePage(r >> 8)[uint8(r)]
}

func makePage(n rune) *[256]class {
	p := new([256]class)
	for i := range p {
		if 0x4e <= n && n <= 0x9f { // alike, and the pages that Chinese text needs
			p[i] = hanClass
		} else {
			p[i] = computeClass(n<<8 | rune(i))
		}
	}
	// Two goroutines may both get here; their pages are equal.
	classPages[n].Store(p)
	return p
}

func computeClass(r rune) class {
	var c class
	if unicode.IsSpace(r) || unicode.IsControl(r) || r == utf8.RuneError || !utf8.ValidRune(r) {
		return clSpace
	}
	if unicode.IsPunct(r) || unicode.IsSymbol(r) {
		c |= clPunct
	}
	var buf [utf8.UTFMax]byte
	b := buf[:utf8.EncodeRune(buf[:], r)]
	prop := norm.NFKC.Properties(b)
	if !norm.NFKC.IsNormal(b) || prop.CCC() != 0 {
		c |= clNotNormal
	}
	// A compatibility vowel of Hangul decomposes to one that joins the consonant before it,
	// which its own properties do not tell.
	first := norm.NFKC.Properties(norm.NFKD.Bytes(b))
	if !prop.BoundaryBefore() || prop.CCC() != 0 || !first.BoundaryBefore() {
		c |= clNoBoundary
	}
	if foldRune(r) != "" {
		c |= clFold
	}
	for i, d := 0, norm.NFD.Bytes(b); i < len(d); {
		q := norm.NFD.Properties(d[i:])
		if dropped(q.CCC()) {
			c |= clDrop
		}
		i += q.Size()
	}
	if unicode.Is(unicode.M, r) {
		c |= clMark
	}
	if Unspaced(r) {
		c |= clUnspaced
	}
	if unicode.IsLetter(r) || unicode.IsNumber(r) {
		c |= clAlnum
	}
	if unicode.Is(unicode.So, r) {
		c |= clPicture
	}
	if (unicode.IsLetter(r) || unicode.IsDigit(r)) && c&clUnspaced == 0 && joined("a", r) && joined("1", r) {
		c |= clJoins
		// A Hebrew letter joins with quotation marks as no other does.
		if c&(clNotNormal|clNoBoundary) == 0 && unicode.IsLetter(r) && !unicode.Is(unicode.Hebrew, r) {
			c |= clLetter
		}
	}
	return c
}

// joined reports whether r and the letter or digit s stand in one word whatever
// their order.
func joined(s string, r rune) bool {
	b := []byte(s + string(r) + s + string(r) + string(r) + s)
	n, _, _ := words.SplitFunc(b, true)
	return n == len(b)
}

// dropped says which canonical combining classes DropMarks drops. The classes 7
// to 9 (nukta, kana voicing, virama) and 84 to 132 (vowel signs and tones of Indic
// scripts, Thai, Lao and Tibetan) tell letters or syllables apart.
func dropped(ccc uint8) bool {
	return ccc == 1 || 10 <= ccc && ccc <= 36 || ccc >= 200
}

// Unspaced reports whether r belongs to a run of a script written without spaces
// between words. Digits and punctuation of those scripts do not: they end
// a run, as other digits and punctuation do.
func Unspaced(r rune) bool {
	switch {
	case r == 'ー' || r == 'ｰ' || r == 'ﾞ' || r == 'ﾟ' || r == '〆' || r == '〼' || 0x3031 <= r && r <= 0x3035:
		return true // shared by several scripts, so Unicode gives them none
	case 0x20000 <= r && r <= 0x3fffd:
		return true // the planes of ideographs, unassigned ones included: newer Unicode fills them
	}
	if !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.Is(unicode.Nl, r)
}

// InWord reports whether r is part of a word of a script written with spaces:
// a letter, a digit, a mark, or a joiner.
func InWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsNumber(r) || Joins(r)) && !Unspaced(r)
}

// Joins reports whether r belongs to the character before it: a mark, a joiner,
// or the skin tone of an emoji.
func Joins(r rune) bool {
	return unicode.Is(unicode.M, r) || r == '\u200c' || r == '\u200d' || 0x1f3fb <= r && r <= 0x1f3ff
}
