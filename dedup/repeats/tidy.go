package repeats

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/passages"
)

// Tidy fits the cuts of a text, which are ascending, to it. They never divide a
// character or a word, nor touch spans that are kept. White space is not doubled
// where something was cut out: only the side of the cut with more line ends stays,
// the one before the cut in a tie. At the end of a text the one behind it stays. A
// cut that nothing is left of is empty.
func Tidy(text string, cuts []Cut, kept []feature.Span) {
	kept = union(kept)
	clip(cuts, kept)
	end := 0 // of the last cut
	for from := 0; from < len(cuts); {
		to := from + 1
		for to < len(cuts) && joined(text, cuts[to-1].End, cuts[to].Start, kept) {
			cuts[to-1].End = cuts[to].Start
			to++
		}
		fit(text, cuts[from:to], end, kept)
		for _, c := range cuts[from:to] {
			if c.End > c.Start {
				end = c.End
			}
		}
		from = to
	}
	clip(cuts, kept)
}

// union returns ascending spans apart from each other that have the bytes of all.
func union(spans []feature.Span) []feature.Span {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b feature.Span) int { return a.Start - b.Start })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// clip takes off cuts what is kept, and what the cut before has. Folding may have
// widened two spans to the same character.
func clip(cuts []Cut, kept []feature.Span) {
	end := 0
	for i := range cuts {
		c := &cuts[i]
		c.Start = max(c.Start, end)
		k := sort.Search(len(kept), func(k int) bool { return kept[k].End > c.Start })
		if k < len(kept) && kept[k].Start <= c.Start {
			c.Start = kept[k].End
			k++
		}
		if k < len(kept) {
			c.End = min(c.End, kept[k].Start)
		}
		if c.End = max(c.End, c.Start); c.End > c.Start {
			end = c.End
		}
	}
}

// joined reports whether nothing but white space that is not kept stands between
// two cuts.
func joined(text string, end, start int, kept []feature.Span) bool {
	k := sort.Search(len(kept), func(k int) bool { return kept[k].End > end })
	return strings.TrimSpace(text[end:start]) == "" && (k == len(kept) || kept[k].Start >= start)
}

// fit fits the ends of cuts that follow each other without a gap, given the end of
// the cut before.
func fit(text string, cuts []Cut, end int, kept []feature.Span) {
	for i := range cuts { // the cut before may have taken their white space
		cuts[i].Start = max(cuts[i].Start, end)
		cuts[i].End = max(cuts[i].End, end)
	}
	for len(cuts) > 0 && shrinkStart(text, &cuts[0]) {
		cuts = cuts[1:]
	}
	for len(cuts) > 0 && shrinkEnd(text, &cuts[len(cuts)-1]) {
		cuts = cuts[:len(cuts)-1]
	}
	if len(cuts) == 0 {
		return
	}
	first, last := &cuts[0], &cuts[len(cuts)-1]
	left := max(end, len(strings.TrimRightFunc(text[:first.Start], unicode.IsSpace)))
	right := len(text) - len(strings.TrimLeftFunc(text[last.End:], unicode.IsSpace))
	k := sort.Search(len(kept), func(k int) bool { return kept[k].Start >= first.Start })
	if k > 0 {
		left = max(left, min(kept[k-1].End, first.Start))
	}
	if k = sort.Search(len(kept), func(k int) bool { return kept[k].Start >= last.End }); k < len(kept) {
		right = min(right, kept[k].Start)
	}
	before, behind := text[left:first.Start], text[last.End:right]
	switch {
	case left == 0: // nothing is left before the cut
	case right == len(text) || strings.Count(behind, "\n") > strings.Count(before, "\n"):
		first.Start = left
		return
	case before == "":
		return
	}
	if i := strings.LastIndexByte(behind, '\n'); i >= 0 { // the rest indents the next line
		right = last.End + i + 1
	}
	for right > last.End && passages.Within(text, right) { // a mark on a space
		right--
	}
	last.End = right
}

// shrinkStart takes off a cut the character or word that its start divides, and
// what ends a sentence that stays, with the white space behind. It reports whether
// nothing is left.
func shrinkStart(text string, c *Cut) (empty bool) {
	start := c.Start
	for c.Start < c.End && passages.Within(text, c.Start) {
		c.Start++
	}
	if before, _ := utf8.DecodeLastRuneInString(text[:c.Start]); c.Start > 0 && !unicode.IsSpace(before) {
		c.Start = c.End - len(strings.TrimLeftFunc(text[c.Start:c.End], IsStop))
	}
	if c.Start > start {
		c.Start = c.End - len(strings.TrimLeftFunc(text[c.Start:c.End], unicode.IsSpace))
	}
	for c.Start < c.End && passages.Within(text, c.Start) { // a mark
		c.Start++
	}
	return c.Start >= c.End
}

// IsStop reports whether a character belongs to what stands before it: a full
// stop, another mark, or what closes a bracket or a quotation.
func IsStop(r rune) bool {
	return strings.ContainsRune(".,;:!?…。，、；：！？", r) || unicode.In(r, unicode.Pe, unicode.Pf)
}

// shrinkEnd takes off a cut the character or word that its end divides, with the
// white space before. It reports whether nothing is left.
func shrinkEnd(text string, c *Cut) (empty bool) {
	end := c.End
	for c.Start < c.End && passages.Within(text, c.End) {
		c.End--
	}
	if c.End < end {
		c.End = c.Start + len(strings.TrimRightFunc(text[c.Start:c.End], unicode.IsSpace))
	}
	return c.Start >= c.End
}
