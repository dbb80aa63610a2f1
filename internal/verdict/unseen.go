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
	if punct { // the rest is judged without it
		a, b, space = strip(a), strip(b), feature.Collapse
	}
	var names []string
	for _, n := range []struct {
		name string
		is   bool
	}{
		{"punctuation or symbols", punct},
		{"case", !invisible && apart(feature.Fold{KeepCase: true, Space: feature.DropSpace})},
		{"the form of characters, such as full width", !invisible && apart(feature.Fold{Form: feature.NoForm, Space: feature.DropSpace})},
		{"spacing", !invisible && apart(feature.Fold{Space: space})},
	} {
		if n.is {
			names = append(names, n.name)
		}
	}
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
