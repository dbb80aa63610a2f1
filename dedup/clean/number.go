package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// urlAt returns the length of the address that a text begins with, or 0.
func urlAt(text string) int {
	start := 0
	for _, s := range []string{"https://", "http://", "www.", "ftps://", "ftp://", "wss://", "ws://", "file://"} {
		if len(text) > len(s) && strings.EqualFold(text[:len(s)], s) {
			start = len(s)
			break
		}
	}
	if start == 0 {
		return 0
	}
	end := start
	for i := start; i < len(text); i++ {
		switch c := text[i]; {
		case kinds[c]&(digit|letter) != 0 || strings.IndexByte("-_~/#@$&*+=%", c) >= 0:
			end = i + 1
		case strings.IndexByte(".,;:!?'()[]", c) < 0:
			i = len(text)
		}
	}
	if end == start {
		return 0
	}
	return end
}

// numberAt returns the length of the number at a place, or 0. What stands before it is
// no digit.
func numberAt(text string, at int) int {
	if c := text[at]; kinds[c]&hex != 0 && (at == 0 || kinds[text[at-1]]&(digit|letter) == 0) {
		if n := hexAt(text[at:]); n > 0 {
			return n
		}
	}
	end := at + digits(text[at:])
	if end == at {
		return 0
	}
	for end+1 < len(text) && (text[end] == '.' || text[end] == ',') {
		n := digits(text[end+1:])
		if n == 0 {
			break
		}
		end += 1 + n
	}
	return end - at
}

// hexAt returns the length of the hexadecimal number at the beginning of a word, or 0.
func hexAt(text string) int {
	if n := uuidAt(text); n > 0 {
		return n
	}
	word := wordAt(text)
	body, prefixed := text[:word], false
	if len(body) > 2 && body[0] == '0' && body[1]|0x20 == 'x' {
		body, prefixed = body[2:], true
	}
	var all kind
	for i := range len(body) {
		if kinds[body[i]]&hex == 0 {
			return 0
		}
		all |= kinds[body[i]]
	}
	if prefixed || len(body) >= 8 && all&digit != 0 && all&letter != 0 {
		return word
	}
	return 0
}

// wordAt returns how many ASCII letters and digits a text begins with.
func wordAt(text string) int {
	n := 0
	for n < len(text) && kinds[text[n]]&(digit|letter) != 0 {
		n++
	}
	return n
}

const uuidForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"

// uuidAt returns the length of the UUID at the beginning of a word, or 0.
func uuidAt(text string) int {
	if len(text) < len(uuidForm) || wordAt(text) != 8 {
		return 0
	}
	for i := range len(uuidForm) {
		if uuidForm[i] == '-' && text[i] != '-' || uuidForm[i] == 'x' && kinds[text[i]]&hex == 0 {
			return 0
		}
	}
	if wordAt(text[len(uuidForm):]) > 0 {
		return 0
	}
	return len(uuidForm)
}

// digitBefore reports whether a digit stands before a place, digitAt whether one stands at it.
func digitBefore(text string, at int) bool {
	r, _ := utf8.DecodeLastRuneInString(text[:at])
	return unicode.IsDigit(r)
}

func digitAt(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[at:])
	return unicode.IsDigit(r)
}
