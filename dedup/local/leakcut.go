package local

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alike-go/alike/dedup/repeats"
)

// cutOut returns what is left of a text without the passages of the test documents that
// occur in it, and the cuts, in memory that the length of the text bounds. Passages of
// fewer features than Least stay if no test document occurs in the rest. There are no
// cuts if a test document would still occur without all passages, or no words would be
// left.
func (t *trainText) cutOut(c *counts) (rest string, cuts []repeats.Cut) {
	for _, least := range []int{t.o.Least, 1} {
		cuts = t.passages(least)
		repeats.Tidy(t.text, cuts, nil)
		cuts = slices.DeleteFunc(cuts, func(c repeats.Cut) bool { return c.Start == c.End })
		var left strings.Builder
		at := 0
		for _, c := range cuts {
			left.WriteString(t.text[at:c.Start])
			at = c.End
		}
		left.WriteString(t.text[at:])
		rest = left.String()
		r := &trainText{leaks: t.leaks, text: rest, closed: closeUp(rest), row: t.row, number: t.number, again: true}
		if empty := t.count(c, r.closed.text); empty {
			return "", nil
		}
		if r.judge(c) == nil {
			return rest, cuts
		}
	}
	return "", nil
}

// passages returns where the text has passages of so many features or more of the test
// documents that occur in it, each with one of those that have it. A passage goes on
// behind an edit of no more words than a feature has, if the test document goes on too.
func (t *trainText) passages(least int) (cuts []repeats.Cut) {
	t.locate()
	enough := 1 << 10
	for _, i := range t.here {
		p := &t.parts[i]
		first := make(map[uint64]int, len(p.seq)) // where it has a feature
		for j, h := range slices.Backward(p.seq) {
			first[h] = j
		}
		goesOn := func(last, next int32) bool {
			on := first[t.seq[next]] - first[t.seq[last]]
			return next == last+1 || int(next-last) <= 2*t.width() && 0 < on && on <= 2*t.width()
		}
		at := t.matches(p)
		for len(at) > 0 {
			n := 1
			for n < len(at) && goesOn(at[n-1], at[n]) {
				n++
			}
			if n >= least {
				// Features of characters begin and end with white space, which
				// Tidy divides.
				s := t.closed.span(t.located[at[0]].Start, t.located[at[n-1]].End)
				start := s[1] - len(strings.TrimLeftFunc(t.text[s[0]:s[1]], unicode.IsSpace))
				end := start + len(strings.TrimRightFunc(t.text[start:s[1]], unicode.IsSpace))
				cuts = append(cuts, repeats.Cut{Start: start, End: sentence(t.text, start, end), Kept: repeats.Kept{Doc: int(p.item)}})
			}
			at = at[n:]
		}
		if len(cuts) > enough {
			cuts = outermost(cuts)
			enough = max(enough, 2*len(cuts))
		}
	}
	return outermost(cuts)
}

// outermost sorts cuts and drops those that lie within another.
func outermost(cuts []repeats.Cut) []repeats.Cut {
	slices.SortFunc(cuts, func(a, b repeats.Cut) int {
		return cmp.Or(a.Start-b.Start, b.End-a.End, a.Kept.Doc-b.Kept.Doc)
	})
	end := 0
	return slices.DeleteFunc(cuts, func(c repeats.Cut) bool {
		within := c.End <= end
		end = max(end, c.End)
		return within
	})
}

// sentence returns the end of a cut together with the full stop behind it, if the
// cut begins a sentence or a line.
func sentence(text string, start, end int) int {
	before := strings.TrimRightFunc(text[:start], unicode.IsSpace)
	last, _ := utf8.DecodeLastRuneInString(before)
	if before == "" || strings.Contains(text[len(before):start], "\n") || repeats.IsStop(last) {
		return len(text) - len(strings.TrimLeftFunc(text[end:], repeats.IsStop))
	}
	return end
}
