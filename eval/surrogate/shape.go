package surrogate

import (
	"slices"
	"strings"
	"unicode"

	"github.com/zeebo/xxh3"
)

// Shape is what of a collection misleads methods that compare words.
type Shape struct {
	Words  int     `json:"median_words"` // of a document
	Quotes float64 `json:"quotes"`       // share of documents with lines that quote
	Shared float64 `json:"shared"`       // share of the text that stands in lines of many documents
	Han    float64 `json:"han"`          // share of documents that are written without spaces
	Code   float64 `json:"code"`         // share of documents that look like programs
}

// A line is shared if at least sharedDocs documents, and sharedShare of all, have it.
const (
	sharedDocs  = 5
	sharedShare = 0.002
)

// Shares from which on a shape is worth a sentence.
const (
	manyQuotes = 0.05
	manyShared = 0.1
	manyMixed  = 0.1
	manyCode   = 0.5
)

// quoteMarks begin lines that quote, and quoteWords stand in lines that introduce a quote.
var (
	quoteMarks = []string{">", "＞", "》"}
	quoteWords = []string{" wrote:", " writes:", "Original Message", "Forwarded message", "原始邮件", "转发邮件", "写道", "的大作中提到", "原帖", "回复 "}
)

// quotes reports whether a text quotes.
func quotes(text string) bool {
	_, quoted := own(text)
	return quoted
}

// own returns a text without what it quotes: marked lines, and what stands below a line
// that introduces a quote without marks.
func own(text string) (rest string, quoted bool) {
	var kept []string
	introduced := false // and no line has come since
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		if bare == "" {
			continue
		}
		if slices.ContainsFunc(quoteMarks, func(m string) bool { return strings.HasPrefix(bare, m) && len(bare) > len(m)+3 }) {
			quoted, introduced = true, false
			continue
		}
		if introduced {
			return strings.Join(kept, "\n"), true
		}
		if len(bare) < 200 && slices.ContainsFunc(quoteWords, func(w string) bool { return strings.Contains(bare, w) }) {
			quoted, introduced = true, true
			continue
		}
		kept = append(kept, bare)
	}
	return strings.Join(kept, "\n"), quoted
}

// mostOwn is the share of their own words, without quotes, up to which two texts can
// differ and still be copies.
const mostOwn = 0.3

// replies reports whether two texts have little in common but what they quote. Two texts
// without words of their own are no replies: forwarded twice, a mail is a copy.
func replies(a, b string) bool {
	x, quotedA := own(a)
	y, quotedB := own(b)
	if !quotedA && !quotedB {
		return false
	}
	ownA, ownB := words.Sketch(x), words.Sketch(y)
	_, ok := words.Differ(ownA, ownB, mostOwn)
	return !ok && len(ownA)+len(ownB) > 0
}

// shape looks at all documents that queries are scored against.
func (t *Truth) shape() Shape {
	n := float64(len(t.Docs))
	var s Shape
	lengths := make([]int, len(t.Docs))
	count := map[uint64]int32{}
	lines := func(text string, do func(hash uint64, line string)) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				do(xxh3.HashString(line), line)
			}
		}
	}
	for i, d := range t.Docs {
		lengths[i] = len(t.words[i])
		if quotes(d.Text) {
			s.Quotes += 1 / n
		}
		han, code, letters := 0, 0, 0
		for _, r := range d.Text[:min(len(d.Text), 4096)] {
			switch {
			case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
				han++
				letters++
			case unicode.IsLetter(r):
				letters++
			case strings.ContainsRune("{}();=<>[]", r):
				code++
			}
		}
		if 2*han > letters {
			s.Han += 1 / n
		}
		if 12*code > letters {
			s.Code += 1 / n
		}
		seen := map[uint64]bool{}
		lines(d.Text, func(h uint64, _ string) {
			if !seen[h] {
				seen[h] = true
				count[h]++
			}
		})
	}
	slices.Sort(lengths)
	s.Words = lengths[len(lengths)/2]
	many := int32(max(sharedDocs, sharedShare*n))
	shared, all := 0, 0
	for _, d := range t.Docs {
		lines(d.Text, func(h uint64, line string) {
			all += len(line)
			if count[h] >= many {
				shared += len(line)
			}
		})
	}
	if all > 0 {
		s.Shared = float64(shared) / float64(all)
	}
	return s
}
