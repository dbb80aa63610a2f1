package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/feature"
)

// pair is two texts side by side.
type pair struct {
	Head     text
	Verdicts []verdict
	A, B     side
}

// verdict is what a method says of a pair: its class is right or wrong.
type verdict struct{ Class, Name string }

// side is one text in parts, of which some are marked.
type side struct {
	What  text // it is; may be empty
	Name  string
	Parts []part
}

type part struct {
	Text string
	Mark bool
}

// extract returns an extractor of runs of so many words; where a script has no spaces, of so
// many overlapping pairs of characters.
func extract(width int) *feature.Extractor {
	x, err := feature.New(feature.Options{MinWidth: width})
	if err != nil {
		panic("report: " + err.Error())
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
func parts(text string, spans []feature.Span, differ bool) []part {
	var out []part
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
		out = append(out, part{s, mark})
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

// sides marks what two texts share, or with differ what they do not.
func sides(nameA, a, nameB, b string, differ bool) (side, side) {
	inA, inB := shared(a, b)
	return side{Name: nameA, Parts: parts(a, inA, differ)}, side{Name: nameB, Parts: parts(b, inB, differ)}
}

// disagreements returns the examples of a group that methods judge differently, those
// that divide them most evenly first.
func (g *group) disagreements() []pair {
	type key struct{ a, b string }
	type found struct {
		example      eval.Example
		verdicts     []verdict
		right, wrong int
	}
	at := map[key]*found{}
	var all []*found
	for _, r := range g.records {
		if r.Details == nil {
			continue
		}
		for _, x := range r.Details.Examples {
			k := key{x.A, x.B}
			f := at[k]
			if f == nil {
				f = &found{example: x}
				at[k] = f
				all = append(all, f)
			}
			v := verdict{"wrong", fmt.Sprintf("%s %.3f", r.Method, x.Score)}
			if (x.Score >= float64(r.Threshold)) == x.Alike {
				v.Class = "right"
				f.right++
			} else {
				f.wrong++
			}
			f.verdicts = append(f.verdicts, v)
		}
	}
	all = slices.DeleteFunc(all, func(f *found) bool { return f.right == 0 || f.wrong == 0 })
	slices.SortStableFunc(all, func(a, b *found) int {
		return cmp.Compare(min(b.right, b.wrong), min(a.right, a.wrong))
	})
	var out []pair
	for _, f := range all {
		p := pair{Verdicts: f.verdicts, Head: text{"Not alike, says the truth.", "标注：不相似。"}}
		if f.example.Alike {
			p.Head = text{"Alike, says the truth.", "标注：相似。"}
		}
		p.A, p.B = sides(f.example.A, f.example.TextA, f.example.B, f.example.TextB, false)
		out = append(out, p)
	}
	return out
}

// Part is a part of a text. Mark says that the other text has other words there.
type Part = part

// Differences cuts two texts at the borders of what differs between them.
func Differences(a, b string) (inA, inB []Part) {
	x, y := sides("", a, "", b, true)
	return x.Parts, y.Parts
}
