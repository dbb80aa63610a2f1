package local

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

const (
	mostPassages = 3
	mostPassage  = 240 // bytes shown of one
)

// longest returns the longest passages of evidence in a text.
func longest(text string, evidence []similarity.Evidence) []string {
	var spans []feature.Span
	for _, e := range evidence {
		spans = append(spans, e.A...)
	}
	return longestParts(text, spans)
}

// longestParts joins spans of a text to passages and returns the longest, in
// the order of the text. Spans that only white space and punctuation part
// belong together. Of equal passages the first counts.
func longestParts(text string, spans []feature.Span) []string {
	slices.SortFunc(spans, func(a, b feature.Span) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	var joined []feature.Span
	for _, s := range spans {
		if n := len(joined); n > 0 && (s.Start <= joined[n-1].End || !hasWord(text[joined[n-1].End:s.Start])) {
			joined[n-1].End = max(joined[n-1].End, s.End)
			continue
		}
		joined = append(joined, s)
	}
	slices.SortStableFunc(joined, func(a, b feature.Span) int { return cmp.Compare(b.End-b.Start, a.End-a.Start) })
	seen := make(map[string]bool, mostPassages)
	joined = slices.DeleteFunc(joined, func(s feature.Span) bool {
		p := text[s.Start:s.End]
		again := len(seen) == mostPassages || seen[p]
		seen[p] = true
		return again
	})
	slices.SortFunc(joined, func(a, b feature.Span) int { return cmp.Compare(a.Start, b.Start) })
	var out []string
	for _, s := range joined {
		p := text[s.Start:s.End]
		if len(p) > mostPassage {
			end := mostPassage
			for !utf8.RuneStart(p[end]) {
				end--
			}
			p = p[:end] + "…"
		}
		out = append(out, strings.ToValidUTF8(p, "\uFFFD"))
	}
	return out
}

func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}
