package feature

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"

	"github.com/alike-go/alike/feature/internal/token"
)

// The ideographs that the fast paths do not look up are of the class they assume.
func TestHanClass(t *testing.T) {
	for r := rune(hanRune); r <= 0x9fff; r++ {
		if c := computeClass(r); c != hanClass {
			t.Errorf("%U is of class %b, want %b", r, c, hanClass)
		}
	}
	for text, want := range map[string]int{"": 0, "a": 0, "我爱北京": 12, "\u4dff我": 0, "我\u3400": 3, "\u9fff\ua000": 3, "我\xe5\xa5": 3, "\xe5\xa5a": 0} {
		if n := token.HanRun(text); n != want {
			t.Errorf("%q starts with a run of %d bytes, want %d", text, n, want)
		}
	}
}

// The table of foldings misses no rune.
func TestFoldTable(t *testing.T) {
	c := cases.Fold()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) || 0x13a0 <= r && r <= 0x13f5 {
			continue
		}
		want := c.String(string(r))
		if want == string(r) {
			want = ""
		}
		if got := foldRune(r); got != want {
			t.Errorf("%U folds to %+q, want %+q", r, got, want)
		}
	}
}
