package rabinkarp

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity/similaritytest"
)

// letters returns a text of few letters, so that windows repeat and collide in places.
func letters(rng *rand.Rand, n, kinds int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('a' + rng.IntN(kinds))
	}
	return string(b)
}

// related returns texts that share pieces with each other.
func related(rng *rand.Rand, n int) []string {
	var pieces []string
	for range 6 {
		pieces = append(pieces, letters(rng, 5+rng.IntN(60), 3+rng.IntN(10)))
	}
	out := make([]string, n)
	for i := range out {
		var b strings.Builder
		for range rng.IntN(5) {
			b.WriteString(letters(rng, rng.IntN(30), 20))
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		out[i] = b.String()
		if i > 2 && rng.IntN(4) == 0 {
			out[i] = out[rng.IntN(i)]
		}
	}
	return out
}

// naiveShared returns the distinct fingerprints that two texts share, without those in skip.
func naiveShared(m Method, a, b string, skip map[uint64]bool) (n int) {
	inB := map[uint64]bool{}
	for _, p := range m.Fingerprints(b) {
		inB[p.Hash] = true
	}
	seen := map[uint64]bool{}
	for _, p := range m.Fingerprints(a) {
		if inB[p.Hash] && !seen[p.Hash] && !skip[p.Hash] {
			n++
		}
		seen[p.Hash] = true
	}
	return n
}

func bothMethods(t testing.TB) map[string]Method {
	return map[string]Method{
		"manber":         newManber(t, ManberOptions{Window: 5, Keep: 2}),
		"manber overlap": newManber(t, ManberOptions{Window: 5, Keep: 1, Overlap: true}),
		"winnow":         newWinnow(t, WinnowOptions{K: 4, Window: 4}),
	}
}

func TestIndex(t *testing.T) {
	for name, m := range bothMethods(t) {
		for _, maxDocs := range []int{-1, 4} {
			for seed := range uint64(6) {
				t.Run(fmt.Sprintf("%s/cap=%d/seed=%d", name, maxDocs, seed), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(seed, 4))
					docs := append(related(rng, 25), "", "ab", "ab", "ba")
					x := NewIndex(m, IndexOptions{MaxDocs: maxDocs})
					df := map[uint64]int{}
					for i, doc := range docs {
						number, err := x.Add(doc)
						if number != i || err != nil {
							t.Fatalf("document %d has number %d, %v", i, number, err)
						}
						for _, p := range m.Sketch(doc).Prints {
							df[p]++
						}
					}
					skip := map[uint64]bool{}
					for p, n := range df {
						if maxDocs > 0 && n > maxDocs {
							skip[p] = true
						}
					}
					for _, q := range append(docs, related(rng, 5)...) {
						checkAnswer(t, m, x.Query(q), q, docs, skip)
					}
				})
			}
		}
	}
}

func folded(m Method, text string) string { return string(m.fold().Normalize(nil, text)) }

func checkAnswer(t *testing.T, m Method, a Answer, q string, docs []string, skip map[uint64]bool) {
	t.Helper()
	sketch := m.Sketch(q)
	if a.Prints != len(sketch.Prints) {
		t.Errorf("%q: %d fingerprints, want %d", q, a.Prints, len(sketch.Prints))
	}
	skipped := 0
	for _, p := range sketch.Prints {
		if skip[p] {
			skipped++
		}
	}
	if len(a.Skipped) != skipped {
		t.Errorf("%q: %d fingerprints skipped, want %d", q, len(a.Skipped), skipped)
	}
	var matches []Match
	for i, doc := range docs {
		s := m.Sketch(doc)
		match := Match{Doc: i, Shared: naiveShared(m, q, doc, skip), Prints: len(s.Prints), Equal: s.Size > 0 && equal(s, sketch)}
		if match.Shared > 0 || match.Equal {
			matches = append(matches, match)
		}
	}
	slices.SortStableFunc(matches, func(x, y Match) int { return y.Shared - x.Shared })
	for i, got := range a.Matches {
		prints := 0
		last := -1
		for _, p := range got.Passages {
			prints += p.Prints
			if p.Text.Start <= last {
				t.Errorf("%q: passages out of order: %v", q, got.Passages)
			}
			last = p.Text.Start
			// A window may cut a character, of which the passage has the whole.
			x, y := folded(m, q[p.Text.Start:p.Text.End]), folded(m, docs[got.Doc][p.Doc.Start:p.Doc.End])
			if p.Prints == 1 && x != y && !strings.ContainsFunc(x+y, func(r rune) bool { return r >= utf8.RuneSelf }) {
				t.Errorf("%q: passage %v of document %q is another", q, p, docs[got.Doc])
			}
		}
		if prints != got.Shared {
			t.Errorf("%q: passages of %d fingerprints, want %d", q, prints, got.Shared)
		}
		a.Matches[i].Passages = nil
	}
	if !reflect.DeepEqual(a.Matches, matches) {
		t.Errorf("%q: matches %+v, want %+v", q, a.Matches, matches)
	}
}

// A copied sentence is one passage, with byte offsets of the texts as they were, and what
// folding takes away does not cut it in two.
func TestIndexPassage(t *testing.T) {
	const copied = "Four score and seven years ago our fathers brought forth"
	doc := "I said: „" + copied + " on this continent.“"
	text := "He wrote " + strings.ReplaceAll(strings.ToUpper(copied), " ", "\n\t ") + ", and so on."
	for _, m := range []Method{newWinnow(t, WinnowOptions{}), newManber(t, ManberOptions{Window: 8, Keep: 1, Overlap: true})} {
		x := NewIndex(m, IndexOptions{})
		if _, err := x.Add("Something else that has nothing in common with it."); err != nil {
			t.Fatal(err)
		}
		if _, err := x.Add(doc); err != nil {
			t.Fatal(err)
		}
		a := x.Query(text)
		if len(a.Matches) != 1 || a.Matches[0].Doc != 1 || len(a.Matches[0].Passages) != 1 {
			t.Fatalf("%s: %+v, want one passage of document 1", m, a)
		}
		p := a.Matches[0].Passages[0]
		inText, inDoc := strings.Fields(strings.ToLower(text[p.Text.Start:p.Text.End])), strings.Fields(strings.ToLower(doc[p.Doc.Start:p.Doc.End]))
		if !slices.Equal(inText, inDoc) || len(inText) < 8 {
			t.Errorf("%s: passages %q and %q", m, inText, inDoc)
		}
	}
}

func FuzzIndex(f *testing.F) {
	f.Add("some text|another text with some text|text", uint8(2))
	f.Add("aaaaaaaaaaaaaaaaaaaaa|aaaaaaaaaaaaaaaaaaaaaaaaaaaa||b", uint8(0))
	f.Fuzz(func(t *testing.T, all string, limit uint8) {
		if len(all) > 2000 {
			t.Skip()
		}
		maxDocs := int(limit%4) - 1
		docs := strings.Split(all, "|")
		bytesAsTheyAre := feature.Fold{Form: feature.NoForm, KeepCase: true, Space: feature.KeepSpace}
		m := newWinnow(t, WinnowOptions{K: 3, Window: 3, Fold: bytesAsTheyAre})
		x := NewIndex(m, IndexOptions{MaxDocs: maxDocs})
		df, skip := map[uint64]int{}, map[uint64]bool{}
		for _, doc := range docs {
			if _, err := x.Add(doc); err != nil {
				t.Fatal(err)
			}
			for _, p := range m.Sketch(doc).Prints {
				if df[p]++; maxDocs > 0 && df[p] > maxDocs {
					skip[p] = true
				}
			}
		}
		for _, q := range docs[:min(len(docs), 20)] {
			checkAnswer(t, m, x.Query(q), q, docs, skip)
		}
	})
}

func BenchmarkIndex(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 8))
	tail := similaritytest.Prose(rng, 100, 1)
	x := NewIndex(newManber(b, ManberOptions{}), IndexOptions{})
	var docs []string
	size := 0
	for range 5000 {
		docs = append(docs, similaritytest.Prose(rng, 400, 1)+tail)
		size += len(docs[len(docs)-1])
	}
	b.Run("add", func(b *testing.B) {
		b.SetBytes(int64(size))
		for b.Loop() {
			x = NewIndex(x.m, IndexOptions{})
			for _, doc := range docs {
				if _, err := x.Add(doc); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("query", func(b *testing.B) {
		i := 0
		for b.Loop() {
			if a := x.Query(docs[i%len(docs)]); len(a.Matches) == 0 {
				b.Fatal("no match")
			}
			i++
		}
	})
}
