package datasets

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

// validPrefix returns how many bytes of a text are UTF-8 before the first that
// is not.
func validPrefix(b []byte) int {
	at := 0
	for at < len(b) {
		r, n := utf8.DecodeRune(b[at:])
		if r == utf8.RuneError && n < 2 {
			break
		}
		at += n
	}
	return at
}

// notUTF8 says where a text is no UTF-8.
func notUTF8(b []byte) error {
	at := validPrefix(b)
	return fmt.Errorf("byte %d is no UTF-8 (%q)", at+1, b[at:min(at+4, len(b))])
}

// valid replaces what is no UTF-8 as the Unicode standard recommends: one U+FFFD
// for each beginning of a sequence that is not completed.
func valid(s string) string {
	text, err := unicode.UTF8.NewDecoder().String(s)
	if err != nil {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	return text
}
