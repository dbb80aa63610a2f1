package plant

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// distance is the edit distance (Levenshtein 1966) and common the length of the
// longest common subsequence, by the textbook tables.
func distance(a, b []string) (distance, common int) {
	edits, shared := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range edits {
		edits[j] = j
	}
	for i := range a {
		diagonal, up := i, 0
		edits[0] = i + 1
		for j := range b {
			cost, longer := 1, max(shared[j], shared[j+1])
			if a[i] == b[j] {
				cost, longer = 0, up+1
			}
			diagonal, edits[j+1] = edits[j+1], min(diagonal+cost, edits[j]+1, edits[j+1]+1)
			up, shared[j+1] = shared[j+1], longer
		}
	}
	return edits[len(b)], shared[len(b)]
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b       string
		edits, lcs int
	}{{"kitten", "sitting", 3, 4}, {"ABCBDAB", "BDCABA", -1, 4}, {"Saturday", "Sunday", 3, -1}} {
		d, l := distance(strings.Split(c.a, ""), strings.Split(c.b, ""))
		if c.edits >= 0 && d != c.edits || c.lcs >= 0 && l != c.lcs {
			t.Errorf("%s, %s: %d and %d, want %d and %d", c.a, c.b, d, l, c.edits, c.lcs)
		}
	}
}

// measure counts the units touched by what only this kind of edit does, and fails
// if something else was done.
func measure(t *testing.T, kind Kind, s sample, old []string, text string) int {
	t.Helper()
	got := s.units(text)
	edits, common := distance(old, got)
	switch kind {
	case Insert:
		if common != len(old) {
			t.Errorf("%d of %d units are left in order", common, len(old))
		}
		return len(got) - len(old)
	case Delete:
		if common != len(got) {
			t.Errorf("%d of %d units are old ones in order", common, len(got))
		}
		if strings.Contains(text, "  ") || strings.Contains(text, " .") || strings.Contains(text, " ,") {
			t.Errorf("a blank too many: %q", text)
		}
		return len(old) - len(got)
	case Substitute, Case:
		if len(got) != len(old) {
			t.Fatalf("%d units, want %d", len(got), len(old))
		}
		if kind == Case && !strings.EqualFold(text, s.text) {
			t.Errorf("more than the case has changed")
		}
		n := 0
		for i := range old {
			if old[i] != got[i] {
				n++
			}
		}
		return n
	case Move:
		x, y := slices.Clone(old), slices.Clone(got)
		slices.Sort(x)
		slices.Sort(y)
		if !slices.Equal(x, y) {
			t.Fatal("units have changed")
		}
		return len(rotated(t, old, got))
	case Width:
		if norm.NFKC.String(text) != norm.NFKC.String(s.text) {
			t.Errorf("more than the width has changed")
		}
		return widths(s, text)
	case Punct:
		if edits != 0 {
			t.Errorf("%d units have changed", edits)
		}
		return marks(t, s.text, text)
	case Boilerplate, Quote:
		if !strings.Contains(text, s.text) || kind == Boilerplate && !strings.HasSuffix(text, s.text) {
			t.Errorf("the text is not whole")
		}
		return len(got) - len(old)
	case Truncate:
		if !strings.HasPrefix(s.text, text) {
			t.Errorf("the text is not a beginning")
		}
		return len(old) - len(got)
	}
	return edits // Mixed, OCR
}

// rotated returns the smaller one of two neighbouring blocks that have changed
// places.
func rotated(t *testing.T, old, got []string) []string {
	t.Helper()
	from, to := 0, len(old)
	for from < to && old[from] == got[from] {
		from++
	}
	for to > from && old[to-1] == got[to-1] {
		to--
	}
	for n := 1; n < to-from; n++ {
		if slices.Equal(got[from:to], slices.Concat(old[from+n:to], old[from:from+n])) {
			return old[from : from+min(n, to-from-n)]
		}
	}
	t.Fatal("no block has moved")
	return nil
}

// widths counts the pieces, words or single characters, that have changed.
func widths(s sample, text string) int {
	x, y := []rune(s.text), []rune(text)
	n := 0
	inWord := false
	for i := range x {
		changed := x[i] != y[i]
		word := unicode.IsLetter(x[i])
		if changed && (!word || !inWord) {
			n++
		}
		inWord = word && changed
	}
	return n
}

// marks counts the units behind which the marks have changed.
func marks(t *testing.T, old, text string) int {
	t.Helper()
	_, x := cut(Auto, old)
	_, y := cut(Auto, text)
	if len(x) != len(y) {
		t.Fatal("units have run together")
	}
	n := 0
	for i := range x {
		if x[i] != y[i] {
			n++
		}
	}
	return n
}
