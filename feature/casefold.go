package feature

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
)

// foldTable maps each rune that full case folding changes to its folding. It is
// made from x/text/cases, whose transformer is too slow for hot paths; folding
// does not depend on context, so that a table says it all.
var foldTable = sync.OnceValue(func() map[rune]string {
	t := make(map[rune]string)
	c := cases.Fold()
	var buf [utf8.UTFMax]byte
	for _, rt := range []*unicode.RangeTable{unicode.L, unicode.M, unicode.Nl, unicode.So} {
		each(rt, func(r rune) {
			// Cherokee folds to its capitals (CaseFolding.txt), which x/text
			// would fold to small letters in turn.
			if 0x13a0 <= r && r <= 0x13f5 {
				return
			}
			// Scripts without case make nine tenths of all letters.
			if unicode.In(r, unicode.Han, unicode.Hangul, unicode.Yi, unicode.Tangut, unicode.Arabic) {
				return
			}
			b := buf[:utf8.EncodeRune(buf[:], r)]
			if f := c.Bytes(b); string(f) != string(b) {
				t[r] = string(f)
			}
		})
	}
	return t
})

func each(t *unicode.RangeTable, f func(rune)) {
	for _, q := range t.R16 {
		for r := rune(q.Lo); r <= rune(q.Hi); r += rune(q.Stride) {
			f(r)
		}
	}
	for _, q := range t.R32 {
		for r := rune(q.Lo); r <= rune(q.Hi); r += rune(q.Stride) {
			f(r)
		}
	}
}

// foldRune returns the full case folding of r, "" where that is r itself.
func foldRune(r rune) string { return foldTable()[r] }
