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
	// These are all that have a folding; a test looks at every rune.
	for _, rt := range []*unicode.RangeTable{unicode.Lu, unicode.Lt, unicode.Ll, unicode.Nl, circled, ypogegrammeni} {
		each(rt, func(r rune) {
			// Cherokee folds to its capitals (CaseFolding.txt), which x/text
			// would fold to small letters in turn.
			if 0x13a0 <= r && r <= 0x13f5 {
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

// The characters with case that are not letters or numbers.
var (
	circled       = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 'Ⓐ', Hi: 'ⓩ', Stride: 1}}}
	ypogegrammeni = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x345, Hi: 0x345, Stride: 1}}}
)

// each calls f with every rune of t.
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
