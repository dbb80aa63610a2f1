package passages

import (
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
)

// A character is a rune with the marks behind it, so that no passage ends
// between a letter and its accent. Whether one starts at a place depends only
// on the rune there, and is therefore the same in every occurrence.

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
	return !feature.Joins(r)
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

// wordAt reports whether the character at text[i:] is part of a word.
func wordAt(text []byte, i int) bool {
	r, _ := utf8.DecodeRune(text[i:])
	return feature.InWord(r)
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
		if feature.Joins(r) { // of a letter or of an emoji
			continue
		}
		switch {
		case feature.Unspaced(r):
			n++
			within = false
		case !feature.InWord(r):
			within = false
		case !within:
			within = true
			n++
		}
	}
	return n
}
