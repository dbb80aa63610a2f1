package local

import (
	"slices"
	"sort"
	"unicode"
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
)

// commonRun is n features in a row that two sequences have, from a on in the
// one and from b on in the other.
type commonRun struct{ a, b, n int }

// longestRun returns a longest run that a and b have, if it has least features or
// more. It looks for at most most. In b it lies where at, ascending, says that a
// feature of a is. Of several runs it is the first in b, and then in a. Time grows
// with the lengths of a and at, times the logarithm of most, however often either
// sequence repeats itself.
func longestRun(a, b []uint64, at []int32, least, most int) commonRun {
	row, longest := 0, 0 // of places in a row
	for i, p := range at {
		if row++; i > 0 && at[i-1]+1 != p {
			row = 1
		}
		longest = max(longest, row)
	}
	most = min(most, longest, len(a))
	var best commonRun
	// A run of n has one of n-1, so the longest is found by halving.
	sort.Search(max(0, most-least+1), func(i int) bool {
		r := runOf(a, b, at, least+i)
		if r.n > 0 {
			best = r
		}
		return r.n == 0
	})
	return best
}

// runOf returns the first run of n features.
func runOf(a, b []uint64, at []int32, n int) commonRun {
	const base = 0x9e3779b97f4a7c15 // odd; the features are hashes already
	power := uint64(1)
	for range n {
		power *= base
	}
	var h uint64
	first := make(map[uint64]int, max(0, len(a)-n+1)) // by hash of a window
	for i, f := range a {
		if h = h*base + f; i >= n {
			h -= power * a[i-n]
		}
		if i >= n-1 {
			if _, ok := first[h]; !ok {
				first[h] = i - n + 1
			}
		}
	}
	h = 0
	row := 0
	for i, p := range at {
		if row++; i > 0 && at[i-1]+1 != p {
			h, row = 0, 1
		}
		if h = h*base + b[p]; row > n {
			h -= power * b[int(p)-n]
		}
		if row < n {
			continue
		}
		from := int(p) - n + 1
		if j, ok := first[h]; ok && slices.Equal(a[j:j+n], b[from:from+n]) {
			return commonRun{j, from, n}
		}
	}
	return commonRun{}
}

// closed is a text without what stands between two characters of scripts that put no
// white space between words: white space, punctuation, symbols and invisible
// characters. Lines of such a script are broken anywhere, and pairs of characters
// would be lost at each break and each mark. In other scripts the first three never
// count. Invisible characters are left out within or after a word of any script, which
// they would divide or change.
type closed struct {
	text string
	at   []int // in text, where bytes were left out
	gone []int // how many, up to there
}

// closeUp returns the text as closed.
func closeUp(text string) closed {
	c := closed{text: text}
	var out []byte
	last, gone := 0, 0
	for i := 0; i < len(text); {
		b := text[i]
		if 0xe5 <= b && b <= 0xe9 && i+2 < len(text) && text[i+1]&0xc0 == 0x80 && text[i+2]&0xc0 == 0x80 {
			i += 3 // nearly all ideographs, without decoding them
			continue
		}
		if b < utf8.RuneSelf && (i == 0 || text[i-1] < utf8.RuneSelf) {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !gap(r) {
			i += size
			continue
		}
		end, unseen := i, i // the invisible ones at its beginning end at unseen
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			if !gap(r) {
				break
			}
			if unseen == end && invisible(r) {
				unseen += size
			}
			end += size
		}
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[end:])
		left := 0 // out
		switch {
		case feature.Unspaced(before) && feature.Unspaced(after):
			left = end - i
		case inWord(before):
			left = unseen - i
		}
		if left > 0 {
			out = append(out, text[last:i]...)
			gone += left
			c.at, c.gone = append(c.at, len(out)), append(c.gone, gone)
			last = i + left
		}
		i = end
	}
	if last > 0 {
		c.text = string(append(out, text[last:]...))
	}
	return c
}

// gap reports whether a character may be left out.
func gap(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsSymbol(r) || invisible(r)
}

// invisible reports whether a character says only how text is laid out, such as a soft
// hyphen, a byte order mark or a space without width. Joiners belong to the letters or
// emoji that they join, and the marks of numbers in Arabic are seen.
func invisible(r rune) bool {
	return unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d' && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// inWord reports whether a character is part of a word of any script.
func inWord(r rune) bool { return feature.InWord(r) || feature.Unspaced(r) }

// span returns where bytes of the text, at least one, were before it was closed up.
func (c *closed) span(start, end int) [2]int {
	return [2]int{start + c.before(start), end + c.before(end-1)}
}

// before returns how many bytes were left out up to a byte.
func (c *closed) before(i int) int {
	n, found := slices.BinarySearch(c.at, i)
	if found {
		n++
	}
	if n == 0 {
		return 0
	}
	return c.gone[n-1]
}
