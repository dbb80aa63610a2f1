package passages_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/passages"
)

// find returns the passages of texts.
func find(t *testing.T, o passages.Options, texts ...string) ([]passages.Passage, passages.Stats) {
	t.Helper()
	o.Dir = t.TempDir()
	f, err := passages.New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, text := range texts {
		p, err := f.Prepare(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	var all []passages.Passage
	st, err := f.Each(t.Context(), func(p passages.Passage) error { all = append(all, p); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return all, st
}

// brief prints a passage: its length, documents and spans.
func brief(p passages.Passage) string {
	s := fmt.Sprintf("%d in %d:", p.Length, p.Docs)
	for _, o := range p.Occurrences {
		s += fmt.Sprintf(" %d[%d:%d]", o.Doc, o.Bytes.Start, o.Bytes.End)
	}
	return s
}

// naive finds the passages of texts that stand as folded, by looking at all of
// their substrings.
func naive(o passages.Options, texts ...string) []string {
	type place struct{ doc, start int } // in characters
	var chars [][]string
	for _, text := range texts {
		var cs []string
		for _, r := range text {
			// The only marks of the test.
			if len(cs) > 0 && (r == '\u0301' || r == '\u0e31') {
				cs[len(cs)-1] += string(r)
				continue
			}
			cs = append(cs, string(r))
		}
		chars = append(chars, cs)
	}
	at := func(doc, i int) string {
		if i < 0 || i >= len(chars[doc]) {
			return fmt.Sprint("border ", doc, i)
		}
		return chars[doc][i]
	}
	length := map[string]int{}
	places := map[string][]place{}
	for doc, cs := range chars {
		for i := range cs {
			for j := i + o.MinLength; j <= len(cs); j++ {
				s := strings.Join(cs[i:j], "")
				length[s] = j - i
				places[s] = append(places[s], place{doc, i})
			}
		}
	}
	docsOf := func(ps []place) int {
		docs := map[int]bool{}
		for _, p := range ps {
			docs[p.doc] = true
		}
		return len(docs)
	}
	word := func(s string) bool {
		r, _ := utf8.DecodeRuneInString(s)
		return (unicode.IsLetter(r) || r == '\u0301') && !unicode.In(r, unicode.Han, unicode.Thai)
	}
	type passage struct {
		docs, length int
		places       []place
	}
	var all []passage
	for s, ps := range places {
		n := length[s]
		differ := func(by int) bool {
			for _, p := range ps {
				if at(p.doc, p.start+by) != at(ps[0].doc, ps[0].start+by) {
					return true
				}
			}
			return false
		}
		if len(ps) < 2 || docsOf(ps) < max(1, o.Docs) || !differ(-1) || !differ(n) {
			continue
		}
		// Words and spaces at the ends.
		from, to := 0, n
		in := chars[ps[0].doc][ps[0].start : ps[0].start+n]
		cutAt := func(by int) bool {
			for _, p := range ps {
				if word(at(p.doc, p.start+by-1)) && word(at(p.doc, p.start+by)) && p.start+by > 0 && p.start+by < len(chars[p.doc]) {
					return true
				}
			}
			return false
		}
		if cutAt(0) {
			for from < to && word(in[from]) {
				from++
			}
		}
		if cutAt(n) {
			for to > from && word(in[to-1]) {
				to--
			}
		}
		for from < to && in[from] == " " {
			from++
		}
		for to > from && in[to-1] == " " {
			to--
		}
		if to-from < o.MinLength {
			from, to = 0, n
		}
		p := passage{docsOf(ps), to - from, slices.Clone(ps)}
		for i := range p.places {
			p.places[i].start += from
		}
		all = append(all, p)
	}
	var out []string
	for i, p := range all {
		shown := false
		for _, a := range p.places {
			hidden := false
			for j, q := range all {
				for _, b := range q.places {
					if j != i && b.doc == a.doc && b.start <= a.start && b.start+q.length >= a.start+p.length &&
						(q.length > p.length && q.docs >= p.docs || q.length == p.length && (q.docs > p.docs || q.docs == p.docs && len(q.places) > len(p.places))) {
						hidden = true
					}
				}
			}
			shown = shown || !hidden
		}
		if !shown {
			continue
		}
		slices.SortFunc(p.places, func(a, b place) int { return cmp.Or(a.doc-b.doc, a.start-b.start) })
		s := fmt.Sprintf("%d in %d:", p.length, p.docs)
		for _, a := range p.places {
			start := len(strings.Join(chars[a.doc][:a.start], ""))
			s += fmt.Sprintf(" %d[%d:%d]", a.doc, start, start+len(strings.Join(chars[a.doc][a.start:a.start+p.length], "")))
		}
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

// Texts of blocks of random characters, which stand in several of them, give the passages
// that a look at all substrings gives.
func TestAsNaive(t *testing.T) {
	alphabets := map[string]string{
		"two":     "ab",
		"words":   "abcd  ,",
		"chinese": "的一是不了人我在",
		"mixed":   "a é日😀ש.",
		"marks":   "ab\u0301\u0e31ก",
		"hebrew":  "אבגד ",
	}
	for name, letters := range alphabets {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(80) {
				rng := rand.New(rand.NewPCG(seed, 1))
				alphabet := []rune(letters)
				block := func(n int) string {
					var b strings.Builder
					for range n {
						b.WriteRune(alphabet[rng.IntN(len(alphabet))])
					}
					return b.String()
				}
				var blocks []string
				for range 4 {
					blocks = append(blocks, block(6+rng.IntN(14)))
				}
				var texts []string
				for range 2 + rng.IntN(3) {
					s := block(rng.IntN(5))
					for range 1 + rng.IntN(4) {
						s += blocks[rng.IntN(len(blocks))] + block(rng.IntN(4))
					}
					texts = append(texts, strings.TrimLeft(s, "\u0301\u0e31"))
				}
				o := passages.Options{MinLength: 8 + rng.IntN(3), Docs: 1 + rng.IntN(3), Fold: feature.Fold{Form: feature.NoForm, KeepCase: true, Space: feature.KeepSpace}}
				var got []string
				all, st := find(t, o, texts...)
				if st.Runs > 0 {
					continue // TestRuns
				}
				for _, p := range all {
					got = append(got, brief(p))
				}
				slices.Sort(got)
				if want := naive(o, texts...); !slices.Equal(got, want) {
					t.Fatalf("seed %d, length %d, docs %d:\n%q\ngot\n%s\nwant\n%s", seed, o.MinLength, o.Docs, texts, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
		})
	}
}

// Whatever folding does, the original text of an occurrence folds to what that of any
// other occurrence does, and nothing that belongs to it is left outside.
func TestFolding(t *testing.T) {
	shared := []string{
		"The Quick Brown Fox — “jumps” over the lazy dog; naïve Café, ﬁne ½ of it.",
		"Die Straße führt nach Köln, wo der Kölner Dom steht; ŒUVRE Ångström ᾳ ΐ.",
		"漢字かな交じり文、ﾃｽﾄ ガギグ㈱①。繁體中文轉換為簡體：國際標準，電腦與網絡。",
		"שָׁלוֹם עולם, זה טקסט בעברית עם ניקוד. مَرْحَبًا بالعالم، هذا نص عربي.",
		"👩‍👩‍👧 family 👍🏽 ok 🇩🇪 flags é é ẹ́ ก็ น้ำ ประเทศไทย हिन्दी क़",
	}
	var folds []feature.Fold
	for form := feature.NFKC; form <= feature.NoForm; form++ {
		for space := feature.Collapse; space <= feature.DropSpace; space++ {
			for i := range 8 {
				folds = append(folds, feature.Fold{Form: form, Space: space, KeepCase: i&1 != 0, DropMarks: i&2 != 0, DropPunct: i&4 != 0})
			}
		}
	}
	folds = append(folds, feature.Fold{Han: feature.Simplified}, feature.Fold{Han: feature.Traditional})
	for _, fold := range folds {
		t.Run(fold.String(), func(t *testing.T) {
			for _, s := range shared {
				wrapped := strings.ReplaceAll(s, " ", "\r\n \t")
				texts := []string{"xyz\n" + s + "\nQ 1", "  \n" + strings.ToUpper("zz") + " " + s + " ", "私は\n\n" + wrapped + "\n9"}
				if fold.KeepCase {
					texts[1] = "ZZ " + s
				}
				all, _ := find(t, passages.Options{MinLength: 20, Fold: fold}, texts...)
				found := false
				for _, p := range all {
					want := fold.Normalize(nil, p.Text)
					for _, o := range p.Occurrences {
						text := texts[o.Doc]
						got := text[o.Bytes.Start:o.Bytes.End]
						if folded := fold.Normalize(nil, got); string(folded) != string(want) {
							t.Errorf("%q folds to %q, want %q", got, folded, want)
						}
						if !utf8.ValidString(got) {
							t.Errorf("%q is no UTF-8", got)
						}
						if units := len(utf16.Encode([]rune(text[:o.Bytes.Start]))); units != o.UTF16.Start {
							t.Errorf("%q starts at UTF-16 %d, want %d", got, o.UTF16.Start, units)
						}
						if units := len(utf16.Encode([]rune(text[:o.Bytes.End]))); units != o.UTF16.End {
							t.Errorf("%q ends at UTF-16 %d, want %d", got, o.UTF16.End, units)
						}
						if line := 1 + strings.Count(text[:o.Bytes.Start], "\n"); line != o.FirstLine {
							t.Errorf("%q starts in line %d, want %d", got, o.FirstLine, line)
						}
						if line := 1 + strings.Count(text[:o.Bytes.End-1], "\n"); line != o.LastLine {
							t.Errorf("%q ends in line %d, want %d", got, o.LastLine, line)
						}
						found = found || o.Doc == 0 && strings.Contains(got, s[:len(s)-8]) || fold.DropPunct && len(got) > len(s)*2/3
					}
				}
				if !found {
					t.Errorf("%q is not found in %+v", s, all)
				}
			}
		})
	}
}
