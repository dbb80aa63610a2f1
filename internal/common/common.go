// Package common finds what two texts have in common, and cuts them into parts
// that a page or a terminal can mark.
//
// Package eval/report and eval/review use it. How a part looks is their matter.
package common

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

func extract(o feature.Options) *feature.Extractor {
	x, err := feature.New(o)
	if err != nil {
		panic("common: " + err.Error())
	}
	return x
}

// runs find what two texts have in common. A word at the beginning or end of both, which
// has a neighbour on one side only, is in common by itself.
var runs, singles = extract(feature.Options{MinWidth: 2}), extract(feature.Options{})

// words are single words, and single characters where a script has no spaces.
var words = extract(feature.Options{Tokens: feature.Single})

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
	return joined(text, slices.DeleteFunc(slices.Clone(of), func(l feature.Located) bool { return !has[l.Hash] }))
}

// joined returns the places of features. Places with only white space or
// punctuation between them become one.
func joined(text string, features []feature.Located) []feature.Span {
	var out []feature.Span
	for _, l := range features {
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

// parts cuts a text at the borders of spans. It marks what lies within them, or with
// differ what lies between them and has a word.
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
// differ what they do not share. What differs is a word diff: the words outside of
// a longest common subsequence. Texts that differ in thousands of words are
// compared by runs of two words instead.
func Of(a, b string, differ bool) (inA, inB []Part) {
	if differ {
		if x, y, ok := subsequence(words.Locate(a), words.Locate(b)); ok {
			return parts(a, joined(a, x), true), parts(b, joined(b, y), true)
		}
	}
	sharedA, sharedB := shared(a, b)
	return parts(a, sharedA, differ), parts(b, sharedB, differ)
}

// mostCells bounds the table of subsequence.
const mostCells = 4 << 20

// subsequence returns the words of a longest common subsequence, in both texts. ok
// is false if its table would have too many cells.
func subsequence(a, b []feature.Located) (inA, inB []feature.Located, ok bool) {
	from := 0
	for from < min(len(a), len(b)) && a[from].Hash == b[from].Hash {
		from++
	}
	tail := 0
	for tail < min(len(a), len(b))-from && a[len(a)-1-tail].Hash == b[len(b)-1-tail].Hash {
		tail++
	}
	inA, inB = slices.Clone(a[:from]), slices.Clone(b[:from])
	x, y := a[from:len(a)-tail], b[from:len(b)-tail]
	if (len(x)+1)*(len(y)+1) > mostCells {
		return nil, nil, false
	}
	width := len(y) + 1
	length := make([]int32, (len(x)+1)*width) // of the rests that begin at two words
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i].Hash == y[j].Hash {
				length[i*width+j] = length[(i+1)*width+j+1] + 1
			} else {
				length[i*width+j] = max(length[(i+1)*width+j], length[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i].Hash == y[j].Hash:
			inA, inB = append(inA, x[i]), append(inB, y[j])
			i, j = i+1, j+1
		case length[(i+1)*width+j] >= length[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return append(inA, a[len(a)-tail:]...), append(inB, b[len(b)-tail:]...), true
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
