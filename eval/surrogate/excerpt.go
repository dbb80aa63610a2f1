package surrogate

import "strings"

// Excerpt returns about most bytes of a text, on one line, from a little before
// the place where it first differs from another one.
func Excerpt(text, other string, most int) string {
	text, other = strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(other), " ")
	from := 0
	for from < len(text) && from < len(other) && text[from] == other[from] {
		from++
	}
	from = max(0, min(from-most/4, len(text)-most))
	cut := strings.ToValidUTF8(text[from:min(len(text), from+most)], "")
	if from > 0 {
		cut = "…" + cut
	}
	if from+most < len(text) {
		cut += "…"
	}
	return cut
}
