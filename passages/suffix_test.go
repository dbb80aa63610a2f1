package passages_test

import (
	"fmt"
	"index/suffixarray"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alike-go/alike/passages"
)

// repeats returns the maximal repeats of texts that have at least a number of
// characters, by their places, from a suffix array of all texts.
func repeats(least int, texts []string) map[string]bool {
	const border = "\x00"
	data := []byte(border + strings.Join(texts, border) + border)
	index := suffixarray.New(data)
	var docs []int // where each starts
	for at, i := 1, 0; i < len(texts); i++ {
		docs = append(docs, at)
		at += len(texts[i]) + 1
	}
	out := map[string]bool{}
	seen := map[string]bool{}
	for start := 1; start < len(data); start++ {
		end, n := start, 0
		for end < len(data) && data[end] != border[0] && utf8.RuneStart(data[start]) {
			_, size := utf8.DecodeRune(data[end:])
			end += size
			if n++; n < least {
				continue
			}
			s := string(data[start:end])
			places := index.Lookup([]byte(s), -1)
			if len(places) < 2 {
				break
			}
			if seen[s] {
				continue
			}
			seen[s] = true
			differ := func(of func(place int) string) bool {
				return slices.ContainsFunc(places, func(p int) bool { return of(p) == border || of(p) != of(places[0]) })
			}
			before := func(p int) string {
				r, _ := utf8.DecodeLastRune(data[:p])
				return string(r)
			}
			after := func(p int) string {
				r, _ := utf8.DecodeRune(data[p+len(s):])
				return string(r)
			}
			if differ(before) && differ(after) {
				slices.Sort(places)
				key := ""
				for _, p := range places {
					doc, exact := slices.BinarySearch(docs, p)
					if !exact {
						doc--
					}
					key += fmt.Sprintf(" %d:%d", doc, p-docs[doc])
				}
				out[fmt.Sprint(len(s), key)] = true
			}
		}
	}
	return out
}

// The passages that grow from windows are the maximal repeats that a suffix array
// of all documents has.
func TestAsSuffixArray(t *testing.T) {
	for _, letters := range []string{"abcdefghij", "的一是不了人我在有他这中大来上个国", "aé日😀b"} {
		for seed := range uint64(4) {
			rng := rand.New(rand.NewPCG(seed, 5))
			alphabet := []rune(letters)
			random := func(n int) (out []rune) {
				for range n {
					out = append(out, alphabet[rng.IntN(len(alphabet))])
				}
				return out
			}
			var pool [][]rune // of paragraphs, and of parts and edited copies of them
			for range 12 {
				pool = append(pool, random(40+rng.IntN(80)))
			}
			for range 24 {
				p := slices.Clone(pool[rng.IntN(len(pool))])
				p[rng.IntN(len(p))] = alphabet[rng.IntN(len(alphabet))]
				from := rng.IntN(len(p) / 2)
				pool = append(pool, p[from:from+len(p)/2])
			}
			var texts []string
			for range 40 {
				text := random(rng.IntN(50))
				for range 1 + rng.IntN(5) {
					text = slices.Concat(text, pool[rng.IntN(len(pool))], random(rng.IntN(20)))
				}
				texts = append(texts, string(text))
			}
			const length = 12
			f := added(t, passages.Options{MinLength: length, Docs: 1, Fold: asIs}, len(texts), texts...)
			all, err := f.Candidates(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			want := repeats(length, texts)
			n := 0
			for _, places := range all {
				key := ""
				for _, p := range places {
					key += fmt.Sprintf(" %d:%d", p[0], p[1])
				}
				size := common(texts, places)
				if n++; !want[fmt.Sprint(size, key)] {
					t.Errorf("letters %q, seed %d: no maximal repeat of %d bytes at%s", letters, seed, size, key)
				}
			}
			if n != len(want) || n < 40 {
				t.Errorf("letters %q, seed %d: %d passages, want %d", letters, seed, n, len(want))
			}
		}
	}
}

// common returns how many bytes texts have in common from places on.
func common(texts []string, places [][2]int) (n int) {
	first := texts[places[0][0]][places[0][1]:]
	for n < len(first) {
		_, size := utf8.DecodeRuneInString(first[n:])
		for _, p := range places[1:] {
			if !strings.HasPrefix(texts[p[0]][p[1]:], first[:n+size]) {
				return n
			}
		}
		n += size
	}
	return n
}
