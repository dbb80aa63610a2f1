package passages

import (
	"unicode"
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
)

// A character is a rune with the marks behind it, so that no passage ends
// between a letter and its accent. Whether one starts at a place depends only
// on the rune there, and is therefore the same in every occurrence.

// joins reports whether a rune belongs to the character before it: a mark, a
// joiner, or the skin tone of an emoji.
func joins(r rune) bool {
	return unicode.Is(unicode.M, r) || r == '\u200c' || r == '\u200d' || 0x1f3fb <= r && r <= 0x1f3ff
}

// border reports whether a character starts at text[i:], or the text ends
// there.
func border(text []byte, i int) bool {
	if i >= len(text) || text[i] < utf8.RuneSelf {
		return true
	}
	if !utf8.RuneStart(text[i]) {
		return false
	}
	r, _ := utf8.DecodeRune(text[i:])
	return !joins(r)
}

// next returns the first border behind i, at most the end of the text.
func next(text []byte, i int) int {
	for i++; i < len(text) && !border(text, i); i++ {
	}
	return min(i, len(text))
}

// last returns the last border before i, or -1 if there is none.
func last(text []byte, i int) int {
	for i--; i >= 0 && !border(text, i); i-- {
	}
	return i
}

// inWord reports whether a rune is part of a word that a border of words must
// not cut.
func inWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsNumber(r) || joins(r)) && !feature.Unspaced(r)
}

// wordAt reports whether the character at text[i:] is part of a word.
func wordAt(text []byte, i int) bool {
	r, _ := utf8.DecodeRune(text[i:])
	return inWord(r)
}

// count returns the length of a text: its characters, or its words.
func (o *Options) count(text []byte) int {
	if o.MinWords == 0 {
		n := 0
		for i, b := range text {
			if b < utf8.RuneSelf || border(text, i) {
				n++
			}
		}
		return n
	}
	n, within := 0, false
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		i += size
		if joins(r) { // of a letter or of an emoji
			continue
		}
		switch {
		case feature.Unspaced(r):
			n++
			within = false
		case !inWord(r):
			within = false
		case !within:
			within = true
			n++
		}
	}
	return n
}
