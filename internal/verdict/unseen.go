package verdict

import (
	"bytes"
	"cmp"
	"strings"
	"unicode"

	"github.com/alike-go/alike/feature"
)

// unseen names what tells two texts of the same words apart.
func unseen(a, b string) string {
	apart := func(f feature.Fold) bool {
		return !bytes.Equal(f.Normalize(nil, a), f.Normalize(nil, b))
	}
	invisible := apart(feature.Fold{DropPunct: true, Space: feature.DropSpace})
	punct := !invisible && apart(feature.Fold{Space: feature.DropSpace})
	space := feature.KeepSpace
	var names []string
	add := func(name string, is bool) {
		if is && !invisible {
			names = append(names, name)
		}
	}
	if punct { // the rest is judged without it
		add("punctuation or symbols", true)
		a, b, space = strip(a), strip(b), feature.Collapse
	}
	add("case", apart(feature.Fold{KeepCase: true, Space: feature.DropSpace}))
	add("the form of characters, such as full width", apart(feature.Fold{Form: feature.NoForm, Space: feature.DropSpace}))
	add("spacing", apart(feature.Fold{Space: space}))
	return cmp.Or(strings.Join(names, " and "), "spacing or characters of no word")
}

// strip drops punctuation and symbols.
func strip(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) || unicode.IsSymbol(r) {
			return -1
		}
		return r
	}, text)
}
