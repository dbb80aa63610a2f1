package feature

import "unicode/utf8"

// hanRune stands for the ideographs from U+4E00 to U+9FFF, which are alike in all
// that folding and cutting ask: no folding changes them, and they are of class hanClass.
const (
	hanRune  = 0x4e00
	hanClass = clUnspaced | clAlnum
)

// decode is utf8.DecodeRuneInString(text[i:]), quick for runes of two and three bytes.
func decode(text string, i int) (rune, int) {
	if i+1 < len(text) && 0xc2 <= text[i] && text[i] < 0xe0 && text[i+1]&0xc0 == 0x80 {
		return rune(text[i]&0x1f)<<6 | rune(text[i+1]&0x3f), 2
	}
	if i+2 < len(text) {
		a, b, c := text[i], text[i+1], text[i+2]
		// E0 and ED have forbidden continuations, which the library sorts out.
		if a > 0xe0 && a < 0xf0 && a != 0xed && b&0xc0 == 0x80 && c&0xc0 == 0x80 {
			return rune(a&0xf)<<12 | rune(b&0x3f)<<6 | rune(c&0x3f), 3
		}
	}
	return utf8.DecodeRuneInString(text[i:])
}

// leadClass returns the class of the first rune of text.
func leadClass(text string) class {
	r, _ := utf8.DecodeRuneInString(text)
	return classOf(r)
}

// decodeValid decodes the rune at b[i] of valid UTF-8, quick for two and three bytes.
func decodeValid(b []byte, i int) (rune, int) {
	switch c := b[i]; {
	case c&0xe0 == 0xc0 && i+1 < len(b):
		return rune(c&0x1f)<<6 | rune(b[i+1]&0x3f), 2
	case c&0xf0 == 0xe0 && i+2 < len(b):
		return rune(c&0xf)<<12 | rune(b[i+1]&0x3f)<<6 | rune(b[i+2]&0x3f), 3
	}
	return utf8.DecodeRune(b[i:])
}
