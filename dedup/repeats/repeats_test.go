package repeats

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/passages"
)

// corpus is some documents over a small alphabet, and the places of some of their
// substrings in all of them.
func corpus(r *rand.Rand, alphabet string) (docs []string, places [][]Place) {
	letters := []rune(alphabet)
	for range 1 + r.IntN(5) {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteRune(letters[r.IntN(len(letters))])
		}
		docs = append(docs, b.String())
	}
	places = make([][]Place, len(docs))
	seen := map[string]bool{}
	for part := 0; part < 12; {
		d := docs[r.IntN(len(docs))]
		from := r.IntN(len(d) + 1)
		to := min(len(d), from+3+r.IntN(12))
		part++
		if s := d[from:to]; len(s) >= 3 && !seen[s] && strings.ToValidUTF8(s, "") == s {
			seen[s] = true
			for i, d := range docs {
				for at := range d {
					if strings.HasPrefix(d[at:], s) {
						places[i] = append(places[i], Place{at, at + len(s), part - 1})
					}
				}
			}
		}
	}
	for _, p := range places {
		slices.SortStableFunc(p, func(a, b Place) int {
			if a.Start != b.Start {
				return a.Start - b.Start
			}
			return b.End - a.End
		})
	}
	return docs, places
}

// naive decides byte by byte: a byte of a place goes if the byte that it is a copy of
// stands, in the first place of the part in an earlier document that stays, or further
// to the left in the same document.
func naive(docs []string, all [][]Place, o Options) (stands [][]bool, fates []Fate) {
	type place struct{ doc, at int }
	first := map[int]place{}
	for doc, text := range docs {
		here, own := make([]bool, len(text)), map[int]int{}
		for i := range here {
			here[i] = true
		}
		gone := 0
		for _, p := range all[doc] {
			f, known := first[p.Part]
			at, again := own[p.Part]
			if !known && !again && !o.None {
				own[p.Part] = p.Start
				continue
			}
			for k := range p.End - p.Start {
				there := o.None
				if known && !o.None {
					there = stands[f.doc][f.at+k]
				} else if again {
					there = at+k < p.Start && here[at+k]
				}
				if there && here[p.Start+k] {
					here[p.Start+k] = false
					gone++
				}
			}
		}
		for i := 0; i < len(here); { // too little in one place stays
			n := 0
			for i+n < len(here) && !here[i+n] {
				n++
			}
			if n < o.MinLength {
				for k := range n {
					here[i+k] = true
				}
				gone -= n
			}
			i += n + 1
		}
		fate := Shortened
		switch {
		case gone == 0:
			fate = Whole
		case o.MaxShare > 0 && float64(gone) > o.MaxShare*float64(len(text)):
			fate = Alone
		case len(text)-gone < o.MinLeft:
			fate = Dropped
		}
		for i := range here {
			here[i] = here[i] && fate != Dropped || fate == Alone
		}
		for part, at := range own {
			i := slices.IndexFunc(all[doc], func(p Place) bool { return p.Part == part })
			if slices.Contains(here[at:all[doc][i].End], true) {
				first[part] = place{doc, at}
			}
		}
		stands, fates = append(stands, here), append(fates, fate)
	}
	return stands, fates
}

func TestCutterEqualsOracle(t *testing.T) {
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 1))
		docs, places := corpus(r, "ab")
		o := Options{None: r.IntN(5) == 0}
		if r.IntN(2) == 0 {
			o.MinLeft = r.IntN(10)
		}
		if r.IntN(2) == 0 {
			o.MinLength = r.IntN(8)
		}
		if r.IntN(3) == 0 {
			o.MaxShare = float64(1+r.IntN(9)) / 10
		}
		want, fates := naive(docs, places, o)
		c := New(12, o)
		for doc, text := range docs {
			cuts, fate := c.Document(doc, []byte(text), places[doc])
			got := make([]bool, len(text))
			for i := range got {
				got[i] = fate != Dropped
			}
			for _, cut := range cuts {
				for i := cut.Start; i < cut.End; i++ {
					got[i] = false
				}
			}
			if fate != fates[doc] || !slices.Equal(got, want[doc]) {
				t.Fatalf("seed %d, %+v, documents %q, places %v:\ndocument %d is %v, %v, want %v, %v", seed, o, docs, places, doc, fate, got, fates[doc], want[doc])
			}
		}
	}
}

// What a cut names is the same text, and stands.
func TestWhatIsNamedStands(t *testing.T) {
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 2))
		docs, places := corpus(r, "ab é")
		c := New(12, Options{MinLeft: r.IntN(6), MinLength: r.IntN(5)})
		all, gone := make([][]Cut, len(docs)), make([]bool, len(docs))
		for doc, text := range docs {
			var fate Fate
			all[doc], fate = c.Document(doc, []byte(text), places[doc])
			gone[doc] = fate == Dropped
		}
		for doc, cuts := range all {
			for i, cut := range cuts {
				k := cut.Kept
				if k.Doc < 0 && gone[doc] {
					continue // its only copies are in the document
				}
				at := fmt.Sprintf("seed %d, documents %q: the cut %+v of document %d", seed, docs, cut, doc)
				if i > 0 && cut.Start < cuts[i-1].End || cut.Start >= cut.End {
					t.Fatalf("%s is not behind the one before, or empty", at)
				}
				if docs[doc][cut.Start:cut.End] != docs[k.Doc][k.Start:k.End] {
					t.Fatalf("%s names other text", at)
				}
				if gone[k.Doc] || slices.ContainsFunc(all[k.Doc], func(c Cut) bool { return c.Start < k.End && k.Start < c.End }) {
					t.Fatalf("%s names text that goes", at)
				}
			}
		}
	}
}

func TestTidy(t *testing.T) {
	for _, c := range []struct{ text, want string }{ // a cut in brackets, kept text in braces
		{"one\n[two]\nthree", "one\nthree"},
		{"[one]\ntwo", "two"},
		{"one\n[two]", "one"},
		{"one\n[two]\n", "one\n"},
		{"one\n\n[two]\n\nthree", "one\n\nthree"},
		{"one\n\n[two]\nthree", "one\n\nthree"},
		{"one\n[two]\n\nthree", "one\n\nthree"},
		{"if {\n\t[two]\n\tthree", "if {\n\t\tthree"},
		{"if {\n[\ttwo]\n\tthree", "if {\n\tthree"},
		{"one [two] three", "one three"},
		{"one\n[two] three", "one\nthree"},
		{"one [two]\nthree", "one\nthree"},
		{"one [two] [three] four", "one four"},
		{"one [two] {three} four", "one three four"},
		{"one t[wo thr]ee", "one two three"},
		{"one t[wo three fo]ur", "one two four"},
		{"one[. Two three.] Four", "one. Four"},
		{"他说[。这里有很多字]。", "他说。。"},
		{"他说[这里有很多字]了", "他说了"},
		{"cafe[\u0301 is] open", "cafe\u0301 open"},
		{"“[a whole quotation]”, he said", "“”, he said"},
		{"[all of it]", ""},
		{" \n[all of it]\n ", " \n "},
	} {
		var text strings.Builder
		var cuts []Cut
		var kept []feature.Span
		for _, r := range c.text {
			switch r {
			case '[':
				cuts = append(cuts, Cut{Start: text.Len()})
			case ']':
				cuts[len(cuts)-1].End = text.Len()
			case '{':
				if strings.Contains(c.text, "}") {
					kept = append(kept, feature.Span{Start: text.Len()})
				} else {
					text.WriteRune(r)
				}
			case '}':
				kept[len(kept)-1].End = text.Len()
			default:
				text.WriteRune(r)
			}
		}
		Tidy(text.String(), cuts, kept)
		if got := left(text.String(), cuts); got != c.want {
			t.Errorf("of %q %q is left, want %q", c.text, got, c.want)
		}
	}
}

func left(text string, cuts []Cut) string {
	var b strings.Builder
	at := 0
	for _, c := range cuts {
		b.WriteString(text[at:c.Start])
		at = c.End
	}
	return b.String() + text[at:]
}

// Whatever is asked for, no character, word or kept text is divided, and what goes
// besides is white space.
func FuzzTidy(f *testing.F) {
	f.Add("one two three, four five", uint64(1))
	f.Add("a\u0301b \n\n他说。這 x\r\ny", uint64(7))
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		text = strings.ToValidUTF8(text, "")
		r := rand.New(rand.NewPCG(seed, 3))
		var cuts []Cut
		var kept []feature.Span
		for at := r.IntN(8); at < len(text); at += r.IntN(8) {
			end := min(len(text), at+1+r.IntN(8))
			if r.IntN(3) == 0 {
				kept = append(kept, feature.Span{Start: at, End: end})
			} else {
				cuts = append(cuts, Cut{Start: at, End: end})
			}
			if at = end; r.IntN(4) == 0 {
				at--
			}
		}
		asked := slices.Clone(cuts)
		Tidy(text, cuts, kept)
		end := 0
		for i, c := range cuts {
			if c.Start < end || c.End < c.Start || c.End > len(text) {
				t.Fatalf("%q: the cut %+v after byte %d", text, c, end)
			}
			if c.Start == c.End {
				continue
			}
			borders := func(at int) bool { // whether another span may be the reason
				return slices.ContainsFunc(kept, func(k feature.Span) bool { return k.Start == at || k.End == at })
			}
			for _, k := range kept {
				if k.Start < c.End && c.Start < k.End {
					t.Fatalf("%q: %+v touches the kept %+v", text, c, k)
				}
			}
			if passages.Within(text, c.Start) && c.Start != end && !borders(c.Start) {
				t.Fatalf("%q: %+v starts within a word", text, c)
			}
			joined := i+1 < len(cuts) && slices.ContainsFunc(cuts[i+1:], func(n Cut) bool { return n.Start == c.End && n.End > n.Start })
			if passages.Within(text, c.End) && !joined && !borders(c.End) {
				t.Fatalf("%q: %+v ends within a word", text, c)
			}
			for at := c.Start; at < c.End; at++ {
				if !slices.ContainsFunc(asked, func(a Cut) bool { return a.Start <= at && at < a.End }) && !unicode.IsSpace(rune(text[at])) && text[at] < 0x80 {
					t.Fatalf("%q: %+v has byte %d, which nobody asked for", text, c, at)
				}
			}
			end = c.End
		}
	})
}
