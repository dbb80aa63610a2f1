package passages_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
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
func find(t *testing.T, o passages.Options, texts ...string) (all []passages.Passage, st passages.Stats) {
	t.Helper()
	f := added(t, o, len(texts), texts...)
	st, err := f.Each(t.Context(), func(p passages.Passage) error { all = append(all, p); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return all, st
}

// least is a memory for which added makes finders spill.
const least = 64 << 20

// added returns a finder with texts, of which those from number old on are old.
func added(t *testing.T, o passages.Options, old int, texts ...string) *passages.Finder {
	t.Helper()
	o.Dir = t.TempDir()
	f, err := passages.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if left, _ := os.ReadDir(o.Dir); len(left) > 0 {
			t.Errorf("%d files are left", len(left))
		}
	})
	if o.Memory == least {
		f.Spill()
	}
	for i, text := range texts {
		if i == old {
			f.BeginOld()
		}
		p, err := f.Prepare(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// brief prints a passage: its length, documents and spans.
func brief(p passages.Passage) string {
	s := fmt.Sprintf("%d in %d:", p.Length, p.Docs)
	for _, o := range p.Occurrences {
		s += fmt.Sprintf(" %d[%d:%d]", o.Doc, o.Bytes.Start, o.Bytes.End)
	}
	return s
}

func briefs(all []passages.Passage) (out []string) {
	for _, p := range all {
		out = append(out, brief(p))
	}
	return out
}

// naive finds the passages of texts, of which nothing but runs is folded, by
// looking at all of their substrings.
func naive(t *testing.T, o passages.Options, texts ...string) []string {
	f := added(t, o, len(texts))
	var made []*passages.Prepared
	type place struct{ doc, start int } // in characters
	var chars [][]string
	for _, text := range texts {
		p, err := f.Prepare(text)
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, p)
		var cs []string
		for _, r := range p.Folded() {
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
			start, end := made[a.doc].Uncut(start, start+len(strings.Join(chars[a.doc][a.start:a.start+p.length], "")))
			s += fmt.Sprintf(" %d[%d:%d]", a.doc, start, end)
		}
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

// Texts of blocks of random characters, which stand in several of them, give
// the passages that a look at all substrings gives.
func TestAsNaive(t *testing.T) {
	alphabets := map[string]string{
		"two":     "ab",
		"words":   "abcd  ,",
		"chinese": "的一是不了人我在",
		"mixed":   "a é日😀ש.",
		"marks":   "ab\u0301\u0e31ก",
		"hebrew":  "אבגד ",
		"dull":    "aaaaaaaaab", // whose windows are often equal
	}
	runs := 0
	for name, letters := range alphabets {
		t.Run(name, func(t *testing.T) {
			most := 0
			for seed := range uint64(56) {
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
				docs, of := 2+rng.IntN(3), 1+rng.IntN(4)
				if seed%8 == 0 { // many occurrences
					docs, of = 6, 6
					blocks = blocks[:2]
				}
				for range docs {
					s := block(rng.IntN(5))
					for range of {
						s += blocks[rng.IntN(len(blocks))] + block(rng.IntN(4))
					}
					texts = append(texts, strings.TrimLeft(s, "\u0301\u0e31"))
				}
				o := passages.Options{MinLength: 8 + rng.IntN(3), Docs: 1 + rng.IntN(3), Fold: feature.Fold{Form: feature.NoForm, KeepCase: true, Space: feature.KeepSpace}}
				var got []string
				all, st := find(t, o, texts...)
				runs += st.Runs
				for _, p := range all {
					got = append(got, brief(p))
					most = max(most, len(p.Occurrences))
				}
				slices.Sort(got)
				if want := naive(t, o, texts...); !slices.Equal(got, want) {
					t.Fatalf("seed %d, length %d, docs %d:\n%q\ngot\n%s\nwant\n%s", seed, o.MinLength, o.Docs, texts, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
			if most < 16 {
				t.Errorf("at most %d occurrences of a passage", most)
			}
		})
	}
	if runs < 20 {
		t.Errorf("only %d runs were made shorter", runs)
	}
}

// Whatever folding does, the original text of an occurrence folds to what that
// of any other occurrence does, and nothing that belongs to it is left outside.
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

// No run hides a common string: of the texts as they are, each occurrence of a
// string of the shortest length that stands in both lies in a span that is
// reported, in either text.
func TestRuns(t *testing.T) {
	chars := passages.Options{MinLength: 10, Fold: feature.Fold{Form: feature.NoForm, KeepCase: true, Space: feature.DropSpace}} // no words are cut
	words := passages.Options{MinWords: 6, Fold: feature.Fold{Form: feature.NoForm, KeepCase: true, Space: feature.KeepSpace}}
	for _, c := range []struct {
		letters string
		period  int // the longest, in letters
		o       passages.Options
	}{
		{"a", 12, chars}, {"ab", 12, chars}, {"-=x", 12, chars}, {"日本", 12, chars}, {"é.", 12, chars},
		{"abc", 40, chars}, {"日本語", 30, chars},
		{"-", 3, words}, {"- =", 5, words}, {"-a ", 8, words}, {"日-", 12, words},
	} {
		runs := 0
		for seed := range uint64(60) {
			rng := rand.New(rand.NewPCG(seed, 2))
			alphabet := []rune(c.letters)
			between := func() (s string) {
				for range rng.IntN(8) {
					s += string(rune('α' + rng.IntN(20)))
					if c.o.MinWords > 0 {
						s += " " // one letter a word, so that none is cut
					}
				}
				return s
			}
			var periods, pieces []string
			for range 2 {
				var b strings.Builder
				for range 1 + rng.IntN(c.period) {
					b.WriteRune(alphabet[rng.IntN(len(alphabet))])
				}
				periods = append(periods, b.String())
				pieces = append(pieces, between(), between()+strings.Repeat(b.String(), 1+rng.IntN(30))+between())
			}
			var texts []string
			for range 2 {
				s := between()
				for range 3 {
					s += pieces[rng.IntN(len(pieces))] + between() + strings.Repeat(periods[rng.IntN(2)], rng.IntN(8))
				}
				if c.o.MinWords > 0 {
					s = apart(s)
				}
				texts = append(texts, s)
			}
			all, st := find(t, c.o, texts...)
			runs += st.Runs
			lies := func(doc, start, end int) bool {
				return slices.ContainsFunc(all, func(p passages.Passage) bool {
					return slices.ContainsFunc(p.Occurrences, func(o passages.Occurrence) bool {
						return o.Doc == doc && o.Bytes.Start <= start && end <= o.Bytes.End
					})
				})
			}
			a, b := texts[0], texts[1]
			for i := range a {
				n := shortest(c.o, a[i:])
				for at := 0; n > 0; {
					j := strings.Index(b[at:], a[i:i+n])
					if j < 0 {
						break
					}
					at += j
					if !lies(0, i, i+n) || !lies(1, at, at+n) {
						t.Fatalf("letters %q, seed %d: %q in %q at %d and in %q at %d lies in no span: %v", c.letters, seed, a[i:i+n], a, i, b, at, briefs(all))
					}
					at++
				}
			}
		}
		if runs == 0 {
			t.Errorf("letters %q: no run was made shorter", c.letters)
		}
	}
}

// apart puts spaces between letters that follow each other.
func apart(s string) string {
	var b strings.Builder
	letter := false
	for _, r := range s {
		if letter && unicode.IsLetter(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		letter = unicode.IsLetter(r)
	}
	return b.String()
}

// shortest returns the length in bytes of the shortest passage that a text may
// start with, or 0 if there is none. Words are single letters.
func shortest(o passages.Options, text string) int {
	if r, _ := utf8.DecodeRuneInString(text); r == utf8.RuneError || o.MinWords > 0 && !unicode.IsLetter(r) {
		return 0
	}
	n := 0
	for i, r := range text {
		if o.MinWords == 0 || unicode.IsLetter(r) {
			n++
		}
		if n == o.MinWords+o.MinLength {
			return i + utf8.RuneLen(r)
		}
	}
	return 0
}

// A run has a span as a whole, however long it is, and costs no more than a
// short one.
func TestLongRuns(t *testing.T) {
	line := "INFO 200 GET /index.html served without a fault in no time whatsoever\n"
	a := "Before it." + strings.Repeat(line, 20000)
	b := "Another start." + strings.Repeat(line, 9000) + "And an end."
	all, st := find(t, passages.Options{}, a, b)
	if st.Runs != 2 || len(all) > 2 {
		t.Fatalf("%d runs, %q", st.Runs, briefs(all))
	}
	for _, p := range all {
		if first, last := p.Occurrences[0], p.Occurrences[len(p.Occurrences)-1]; first.Bytes.Start > 20 || first.LastLine < 19990 || last.Doc != 1 || last.LastLine < 8990 {
			t.Errorf("occurrences %q", brief(p))
		}
	}
	ruler := strings.Repeat("=", 5000)
	all, _ = find(t, passages.Options{}, "x "+ruler, ruler+" y", ruler[:300])
	if len(all) != 1 || brief(all[0]) != "101 in 3: 0[2:5002] 1[0:5000] 2[0:300]" {
		t.Errorf("rulers: %v", briefs(all))
	}
}

// many returns texts that share paragraphs.
func many(n int) (texts []string) {
	rng := rand.New(rand.NewPCG(7, 7))
	paragraph := func() string {
		var b strings.Builder
		for range 25 {
			fmt.Fprintf(&b, "%s ", strings.Repeat(string(rune('a'+rng.IntN(26))), 1+rng.IntN(3))+fmt.Sprint(rng.IntN(500)))
		}
		return b.String()
	}
	var shared []string
	for range 50 {
		shared = append(shared, paragraph())
	}
	for range n {
		s := paragraph()
		for range rng.IntN(4) {
			s += "\n" + shared[rng.IntN(len(shared))] + paragraph()
		}
		texts = append(texts, s)
	}
	return texts
}

// The passages are the same for any number of workers and any memory, and stand
// in order.
func TestWorkers(t *testing.T) {
	texts := many(600)
	want, st := find(t, passages.Options{Workers: 1}, texts...)
	if st.Passages < 50 || st.Passages != int64(len(want)) {
		t.Fatalf("%+v, %d passages", st, len(want))
	}
	for workers, memory := range map[int]int64{2: 0, 3: least, 7: 0} {
		got, same := find(t, passages.Options{Workers: workers, Memory: memory}, texts...)
		if !slices.EqualFunc(got, want, func(a, b passages.Passage) bool { return a.ID == b.ID && a.Text == b.Text && brief(a) == brief(b) }) || same != st {
			t.Errorf("%d workers with a memory of %d find other passages", workers, memory)
		}
	}
	less := func(a, b passages.Passage) int {
		return cmp.Or(a.Occurrences[0].Doc-b.Occurrences[0].Doc, a.Occurrences[0].Bytes.Start-b.Occurrences[0].Bytes.Start, b.Occurrences[0].Bytes.End-a.Occurrences[0].Bytes.End)
	}
	if !slices.IsSortedFunc(want, less) {
		t.Error("passages are not in the order of their first occurrences")
	}
}

// Wherever the text of a passage stands, it lies in a passage that stands in all
// documents where it does, and each occurrence that is listed has that text.
func TestAllOccurrences(t *testing.T) {
	texts := many(400)
	all, _ := find(t, passages.Options{}, texts...)
	var fold feature.Fold
	type doc struct {
		folded string
		spans  []feature.Span
	}
	var docs []doc
	for _, text := range texts {
		folded, spans := fold.NormalizeSpans(text)
		docs = append(docs, doc{string(folded), spans})
	}
	type lies struct{ start, end, docs int }
	in := make([][]lies, len(texts)) // by document
	for _, p := range all {
		for _, o := range p.Occurrences {
			in[o.Doc] = append(in[o.Doc], lies{o.Bytes.Start, o.Bytes.End, p.Docs})
		}
	}
	for _, p := range all {
		want := string(fold.Normalize(nil, p.Text))
		for _, o := range p.Occurrences {
			if got := string(fold.Normalize(nil, texts[o.Doc][o.Bytes.Start:o.Bytes.End])); got != want {
				t.Fatalf("%s: %q, want %q", brief(p), got, want)
			}
		}
		stands := 0
		for _, d := range docs {
			if strings.Contains(d.folded, want) {
				stands++
			}
		}
		for i, d := range docs {
			for at := strings.Index(d.folded, want); at >= 0; {
				start, end := d.spans[at].Start, d.spans[at+len(want)-1].End
				if !slices.ContainsFunc(in[i], func(l lies) bool { return l.start <= start && l.end >= end && l.docs >= stands }) {
					t.Fatalf("%s: document %d has it at %d, which is in no passage", brief(p), i, start)
				}
				more := strings.Index(d.folded[at+1:], want)
				if more < 0 {
					break
				}
				at += 1 + more
			}
		}
	}
}

// Top keeps the passages of most documents.
func TestTop(t *testing.T) {
	texts := many(300)
	all, _ := find(t, passages.Options{}, texts...)
	slices.SortStableFunc(all, func(a, b passages.Passage) int {
		return cmp.Or(b.Docs-a.Docs, len(b.Occurrences)-len(a.Occurrences), b.Length-a.Length)
	})
	got, st := find(t, passages.Options{Top: 7}, texts...)
	if st.Passages != 7 || !slices.EqualFunc(got, all[:7], func(a, b passages.Passage) bool { return brief(a) == brief(b) }) {
		t.Errorf("top 7 is %v, want %v", got, all[:7])
	}
}

// Passages of old and new documents stand on both sides.
func TestOld(t *testing.T) {
	texts := many(300)
	const old = 200 // and those behind it
	f := added(t, passages.Options{}, old, texts...)
	var got, want []string
	if _, err := f.Each(t.Context(), func(p passages.Passage) error { got = append(got, brief(p)); return nil }); err != nil {
		t.Fatal(err)
	}
	all, _ := find(t, passages.Options{}, texts...)
	for _, p := range all {
		if p.Occurrences[0].Doc < old && p.Occurrences[len(p.Occurrences)-1].Doc >= old {
			want = append(want, brief(p))
		}
	}
	if len(want) < 20 || !slices.Equal(got, want) {
		t.Errorf("%d passages, want %d", len(got), len(want))
	}
}

// What two documents share is what lies in the passages of both.
func TestPairs(t *testing.T) {
	texts := many(120)
	for _, old := range []int{60, len(texts)} {
		f := added(t, passages.Options{Pairs: true, MaxDocs: 9}, old, texts...)
		type key struct{ a, b int }
		type shared struct {
			passages int
			in       [2][]bool // by byte
		}
		want := map[key]*shared{}
		_, err := f.Each(t.Context(), func(p passages.Passage) error {
			if p.Docs > 9 {
				t.Errorf("a passage in %d documents", p.Docs)
			}
			seen := map[key]bool{}
			for _, x := range p.Occurrences {
				for _, y := range p.Occurrences {
					k := key{x.Doc, y.Doc}
					if k.a >= k.b || (k.a < old) == (k.b < old) && old < len(texts) {
						continue
					}
					if want[k] == nil {
						want[k] = &shared{in: [2][]bool{make([]bool, len(texts[k.a])), make([]bool, len(texts[k.b]))}}
					}
					if !seen[k] {
						seen[k] = true
						want[k].passages++
					}
					for side, o := range []passages.Occurrence{x, y} {
						for i := o.Bytes.Start; i < o.Bytes.End; i++ {
							want[k].in[side][i] = true
						}
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		last := key{-1, -1}
		err = f.EachPair(t.Context(), func(p passages.Pair) error {
			k := key{p.A, p.B}
			if k.a < last.a || k.a == last.a && k.b <= last.b {
				t.Errorf("pair %v after %v", k, last)
			}
			last = k
			w := want[k]
			if w == nil || w.passages != p.Passages {
				t.Fatalf("pair %+v, want %+v", p, w)
			}
			delete(want, k)
			for side, spans := range [][]feature.Span{p.InA, p.InB} {
				n, whole := 0, 0
				text := texts[[]int{k.a, k.b}[side]]
				for i, in := range w.in[side] {
					if got := slices.ContainsFunc(spans, func(s feature.Span) bool { return s.Start <= i && i < s.End }); got != in {
						t.Fatalf("pair %v, side %d: byte %d lies in spans %v: %t", k, side, i, spans, got)
					}
					if text[i] == ' ' || text[i] == '\n' {
						continue
					}
					whole++
					if in {
						n++
					}
				}
				if share := []float64{p.ShareA, p.ShareB}[side]; share != float64(n)/float64(whole) {
					t.Errorf("pair %v, side %d: share %v", k, side, share)
				}
				if !slices.IsSortedFunc(spans, func(s, u feature.Span) int { return cmp.Compare(s.End+1, u.Start) }) {
					t.Errorf("spans %v", spans)
				}
			}
			return nil
		})
		if err != nil || len(want) > 0 || last.a < 0 {
			t.Errorf("error %v, %d pairs are missing", err, len(want))
		}
	}
	f := added(t, passages.Options{Pairs: true, MaxRows: 400}, len(texts), texts...)
	if _, err := f.Each(t.Context(), func(passages.Passage) error { return nil }); err == nil || !strings.Contains(err.Error(), "in pairs of documents, want at most 400") {
		t.Errorf("error %v", err)
	}
}

// Against old documents, only pairs of a new and an old one count as rows.
func TestPairsLimit(t *testing.T) {
	text := strings.Repeat("one passage of all documents ", 4)[:110]
	var texts []string
	for i := range 21 {
		texts = append(texts, fmt.Sprint(i, " ", text, " ", i))
	}
	texts[3] += " and again: " + text + "."
	// 20 pairs, and their occurrences: 19 pairs have two, and one has three.
	const rows = 20 + 19*2 + 3
	for _, most := range []int64{rows, rows - 1} {
		f := added(t, passages.Options{Pairs: true, MaxRows: most}, 20, texts...)
		_, err := f.Each(t.Context(), func(passages.Passage) error { return nil })
		pairs := 0
		if err == nil {
			err = f.EachPair(t.Context(), func(passages.Pair) error { pairs++; return nil })
		}
		if most == rows && (err != nil || pairs != 20) || most < rows && (err == nil || !strings.Contains(err.Error(), "want at most 60")) {
			t.Errorf("MaxRows %d: error %v, %d pairs", most, err, pairs)
		}
	}
}

// Passages of ever longer beginnings have far more occurrences than their windows
// have places, and are the same however little memory there is.
func TestNestedPassages(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	long := make([]byte, 1800)
	for i := range long {
		long[i] = byte('a' + rng.IntN(26))
	}
	var texts []string
	for i := range 400 { // passages of 2 to 399 documents
		texts = append(texts, string(long[:100+4*i])+fmt.Sprint("|", i))
	}
	// Text i begins as all later ones do, and has no other passage.
	want := []string{}
	for i := range len(texts) - 1 {
		want = append(want, fmt.Sprint(100+4*i, " in ", len(texts)-i))
	}
	slices.Sort(want)
	for _, memory := range []int64{0, least} {
		all, st := find(t, passages.Options{Memory: memory}, texts...)
		got := []string{}
		for _, p := range all {
			got = append(got, fmt.Sprint(p.Length, " in ", p.Docs))
		}
		if slices.Sort(got); st.Passages != int64(len(want)) || !slices.Equal(got, want) {
			t.Errorf("memory %d: %d passages %v, want the %d beginnings", memory, st.Passages, got, len(want))
		}
	}
}

// Lengths in words are those of runs of letters and digits, and of single
// characters of scripts without spaces.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		a, b, want string
	}{
		{"one two three four five x", "one two three four five y", "one two three four five"},
		{"one two three four x", "one two three four y", ""},
		{"- - one, two; three... four? (five)! é", "= - one, two; three... four? (five)! ö", "- one, two; three... four? (five)!"},
		{"我们在这里", "他我们在这里", "我们在这里"},
		{"我们在这", "他我们在这", ""},
		{"ab 我们 12 cd", "xb 我们 12 cx", ""},
		{"ab 我们 12 cd ef", "ab 我们 12 cx ef", ""},
		{"ab 我们 12 cd", "ab 我们 12 cd", "ab 我们 12 cd"},
		{"👍 👍🏽 👩‍👩‍👧 x ✌️ 😀 👍🏿 👋🏽", "👍 👍🏽 👩‍👩‍👧 x ✌️ 😀 👍🏿 👋🏽", ""},
		{"q\u0301bc\u0301 q\u0301 xq\u0323\u0301x d e1 😀 A", "q\u0301bc\u0301 q\u0301 xq\u0323\u0301x d e1 😀 B", "q\u0301bc\u0301 q\u0301 xq\u0323\u0301x d e1 😀"},
	} {
		all, _ := find(t, passages.Options{MinWords: 5}, c.a, c.b)
		got := ""
		if len(all) > 0 {
			got = all[0].Text
		}
		if got != c.want || len(all) > 1 {
			t.Errorf("%q and %q share %q, want %q", c.a, c.b, got, c.want)
		}
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		o    passages.Options
		want string
	}{
		{passages.Options{MinLength: 7}, "MinLength is 7"},
		{passages.Options{MinWords: 3}, "MinWords is 3"},
		{passages.Options{MinWords: 5, MinLength: 20}, "want one of them"},
		{passages.Options{Docs: -1}, "Docs is -1"},
		{passages.Options{Memory: 1 << 20}, "Memory"},
		{passages.Options{MinWords: 5, Fold: feature.Fold{Space: feature.DropSpace}}, "MinWords"},
		{passages.Options{Fold: feature.Fold{Form: 9}}, "Form"},
	} {
		if _, err := passages.New(c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.o, err, c.want)
		}
	}
	texts := many(300)
	f := added(t, passages.Options{MaxRows: 100}, len(texts), texts...)
	_, err := f.Each(t.Context(), func(passages.Passage) error { t.Fatal("a passage is reported"); return nil })
	if err == nil || !strings.Contains(err.Error(), "more than 100 passages and occurrences") {
		t.Errorf("error %v", err)
	}
}

// Nothing, and texts of nothing, give no passages.
func TestEmpty(t *testing.T) {
	for _, texts := range [][]string{nil, {""}, {"", "\xff\xfe", " \n "}, {"short", "short"}} {
		if all, st := find(t, passages.Options{}, texts...); len(all) > 0 || st.Docs != len(texts) || st.Short != len(texts) {
			t.Errorf("%q: %v, %+v", texts, all, st)
		}
	}
}

// A process that is killed while it reads leaves no texts.
func TestKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the names of open files stay")
	}
	o := passages.Options{Dir: t.TempDir()}
	f, err := passages.New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if left, err := os.ReadDir(o.Dir); err != nil || len(left) > 0 {
		t.Errorf("%v, error %v", left, err)
	}
}

// Whatever the bytes are, nothing panics, and spans are of the text.
func FuzzFind(f *testing.F) {
	f.Add("the same thing here", "not the same thing here", uint8(0))
	f.Add(strings.Repeat("ab", 40)+"\u0301c", strings.Repeat("ba", 30)+"\xffc", uint8(5))
	f.Add(strings.Repeat("=", 90), "one two three four "+strings.Repeat("=", 90), uint8(128))
	f.Add("👩‍👩‍👧 family 👍🏽 ok", "x 👩‍👩‍👧 family 👍🏽 ok", uint8(14))
	f.Fuzz(func(t *testing.T, a, b string, fold uint8) {
		o := passages.Options{MinLength: 8, Docs: 1 + int(fold>>5&1), Fold: feature.Fold{
			Form: feature.Form(fold % 3), Space: feature.Space(fold / 4 % 3), KeepCase: fold&1 != 0, DropMarks: fold&16 != 0,
		}}
		if fold&128 != 0 && o.Fold.Space != feature.DropSpace {
			o.MinLength, o.MinWords = 0, 4
		}
		all, _ := find(t, o, a, b, a+b)
		for _, p := range all {
			for _, x := range p.Occurrences {
				text := []string{a, b, a + b}[x.Doc]
				if x.Bytes.Start < 0 || x.Bytes.End > len(text) || x.Bytes.Start >= x.Bytes.End {
					t.Fatalf("span %v of %q", x.Bytes, text)
				}
			}
		}
	})
}
