// Package passages finds what two texts have in common, and cuts them into parts
// that a page or a terminal can mark.
//
// Package eval/report and eval/review use it. How a part looks is their matter.
package passages

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
)

// Part is a part of a text. Mark says that it is to be marked.
type Part struct {
	Text string
	Mark bool
}

// extract returns an extractor of runs of so many words; where a script has no spaces, of so
// many overlapping pairs of characters.
func extract(width int) *feature.Extractor {
	x, err := feature.New(feature.Options{MinWidth: width})
	if err != nil {
		panic("passages: " + err.Error())
	}
	return x
}

// runs find what two texts have in common. A word at the beginning or end of both, which
// has a neighbour on one side only, is in common by itself.
var runs, singles = extract(2), extract(1)

// shared returns the places in each text that the other one has too, ascending and apart.
// Those that only white space and punctuation part are one.
func shared(a, b string) (inA, inB []feature.Span) {
	la, lb := runs.Locate(a), runs.Locate(b)
	wa, wb := singles.Locate(a), singles.Locate(b)
	if len(wa) > 0 && len(wb) > 0 {
		if x, y := wa[0], wb[0]; x.Hash == y.Hash {
			la, lb = slices.Insert(la, 0, x), slices.Insert(lb, 0, y)
		}
		if x, y := wa[len(wa)-1], wb[len(wb)-1]; x.Hash == y.Hash {
			la, lb = append(la, x), append(lb, y)
		}
	}
	return covered(a, la, lb), covered(b, lb, la)
}

func covered(text string, of, other []feature.Located) []feature.Span {
	has := make(map[uint64]bool, len(other))
	for _, l := range other {
		has[l.Hash] = true
	}
	var out []feature.Span
	for _, l := range of {
		if !has[l.Hash] {
			continue
		}
		if n := len(out); n > 0 && (l.Start <= out[n-1].End || !hasWord(text[out[n-1].End:l.Start])) {
			out[n-1].End = max(out[n-1].End, l.End)
			continue
		}
		out = append(out, l.Span)
	}
	return out
}

func hasWord(s string) bool { return strings.ContainsFunc(s, wordRune) }

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// parts cuts a text at the borders of spans; those within are marked, or with differ those
// between that have a word.
func parts(text string, spans []feature.Span, differ bool) []Part {
	var out []Part
	add := func(s string, in bool) {
		if s == "" {
			return
		}
		mark := in != differ && hasWord(s)
		s = strings.ToValidUTF8(s, "\uFFFD")
		if n := len(out); n > 0 && out[n-1].Mark == mark {
			out[n-1].Text += s
			return
		}
		out = append(out, Part{s, mark})
	}
	// What differs begins and ends with a word.
	between := func(s string) {
		start, end := strings.IndexFunc(s, wordRune), strings.LastIndexFunc(s, wordRune)
		if !differ || start < 0 {
			add(s, false)
			return
		}
		_, size := utf8.DecodeRuneInString(s[end:])
		add(s[:start], true)
		add(s[start:end+size], false)
		add(s[end+size:], true)
	}
	at := 0
	for _, s := range spans {
		between(text[at:s.Start])
		add(text[s.Start:s.End], true)
		at = s.End
	}
	between(text[at:])
	return out
}

// Of cuts two texts at the borders of what they share. It marks that, or with
// differ what they do not share.
func Of(a, b string, differ bool) (inA, inB []Part) {
	sharedA, sharedB := shared(a, b)
	return parts(a, sharedA, differ), parts(b, sharedB, differ)
}

// Condense leaves out of long texts the middles of what is not marked, and the end.
// It keeps around bytes beside a mark, and about most bytes in all.
func Condense(parts []Part, around, most int) []Part {
	total := 0
	var out []Part
	for _, p := range parts {
		if !p.Mark && len(p.Text) > 3*around {
			p.Text = strings.ToValidUTF8(p.Text[:around], "") + " … " + strings.ToValidUTF8(p.Text[len(p.Text)-around:], "")
		}
		if p.Mark && len(p.Text) > most {
			p.Text = strings.ToValidUTF8(p.Text[:most], "") + " …"
		}
		if total += len(p.Text); total > most && len(out) > 0 {
			return append(out, Part{Text: " …"})
		}
		out = append(out, p)
	}
	return out
}
