package passages_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/passages"
)

// asIs folds nothing that the tests have, and knows no words.
var asIs = feature.Fold{Form: feature.NoForm, KeepCase: true, Space: feature.DropSpace}

func matchesOf(t *testing.T, o passages.Options, texts ...string) (all []passages.Match) {
	t.Helper()
	f := added(t, o, len(texts), texts...)
	if _, err := f.EachMatch(t.Context(), func(m passages.Match) error { all = append(all, m); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

// distance is the edit distance of two texts, by the usual table.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// local returns what the best local alignment of two texts gains, and its mean
// length, edits and longest part without edits (T. Smith and M. Waterman, 1981).
// A character of either text gains the rate, in halves of percents, and an edit
// loses one.
func local(a, b []rune, percent int) (gain, length, edits, longest int) {
	type cell struct{ gain, length, edits, run, longest int } // length of both texts
	better := func(x, y cell) cell {
		if y.gain > x.gain || y.gain == x.gain && y.length > x.length {
			return y
		}
		return x
	}
	last, best := make([]cell, len(b)+1), cell{}
	for i := range a {
		row := make([]cell, len(b)+1)
		for j := range b {
			c := last[j]
			c.length += 2
			c.gain += 2 * percent
			if a[i] == b[j] {
				c.run++
				c.longest = max(c.longest, c.run)
			} else {
				c.gain -= 200
				c.edits++
				c.run = 0
			}
			for _, d := range []cell{last[j+1], row[j]} {
				d.length++
				d.gain += percent - 200
				d.edits++
				d.run = 0
				c = better(c, d)
			}
			row[j+1] = better(cell{}, c)
			best = better(best, row[j+1])
		}
		last = row
	}
	return best.gain, best.length / 2, best.edits, best.longest
}

// Of two texts that share an edited passage, a match gains what the best local
// alignment does, if that has a part without edits that is long enough for a
// seed. In one of a hundred texts the seed may be too short to reach what is on
// either side. What is said of each match is true.
func TestFuzzyAsLocalAlignment(t *testing.T) {
	const least = 60
	compared, missed := 0, 0
	for _, letters := range []string{"abcdefghijklm", "的一是不了人我在有他这中大来上", "abé日😀ש.cdefg", "ab\u0301cdefghij"} {
		alphabet, smallest := []rune(letters), 1 // bytes of a letter
		if alphabet[0] == '的' {
			smallest = 3
		}
		for _, percent := range []int{3, 5, 10} {
			for seed := range uint64(60) {
				rng := rand.New(rand.NewPCG(seed, uint64(percent)))
				random := func(n int) (out []rune) {
					for range n {
						out = append(out, alphabet[rng.IntN(len(alphabet))])
					}
					return out
				}
				passage := random(60 + rng.IntN(120))
				var edited []rune
				for _, r := range passage {
					if rng.Float64() > .7*float64(percent)/100 {
						edited = append(edited, r)
						continue
					}
					switch rng.IntN(3) {
					case 0:
						edited = append(edited, random(1)...)
					case 1:
						edited = append(append(edited, r), random(1)...)
					}
				}
				texts := make([]string, 2)
				for i, p := range [][]rune{passage, edited} {
					texts[i] = strings.TrimLeft(string(slices.Concat(random(rng.IntN(80)), p, random(rng.IntN(80)))), "\u0301")
				}
				o := passages.Options{MinLength: least, Fuzzy: float64(percent) / 100, Fold: asIs}
				best := 0
				for _, m := range matchesOf(t, o, texts...) {
					a, b := units(texts[0][m.InA.Start:m.InA.End]), units(texts[1][m.InB.Start:m.InB.End])
					if d := distance(a, b); d != m.Edits || m.Length != (len(a)+len(b))/2 || m.Length < least || 200*d > percent*(len(a)+len(b)) {
						t.Fatalf("letters %q, %d%%, seed %d: %+v has lengths %d and %d and %d edits", letters, percent, seed, m, len(a), len(b), d)
					}
					best = max(best, percent*(len(a)+len(b))-200*m.Edits)
				}
				gain, length, edits, longest := local(units(texts[0]), units(texts[1]), percent)
				bytes, seedLength := passages.Seed(o)
				if length < least || longest < seedLength || longest*smallest < bytes {
					continue
				}
				compared++
				if best < gain {
					missed++
				}
				if best > gain {
					t.Errorf("letters %q, %d%%, seed %d: a match gains %d, want at most %d, of length %d with %d edits:\n%q", letters, percent, seed, best, gain, length, edits, texts)
				}
			}
		}
	}
	if compared < 400 || missed > compared/100 {
		t.Errorf("of %d texts %d have a better alignment than what is found", compared, missed)
	}
}

// units returns the characters of a text, the only mark joined to the letter before it.
func units(text string) (out []rune) {
	for _, r := range text {
		if r == '\u0301' && len(out) > 0 {
			out[len(out)-1] = out[len(out)-1]*31 + 0x110000
			continue
		}
		out = append(out, r)
	}
	return out
}

// Matches take no part of a word, and no white space at their ends, whether a word
// is cut in one text or in both.
func TestFuzzyWords(t *testing.T) {
	const same = "in 1908, and for forty years no other one gathered as much light."
	for _, c := range []struct{ a, b, want string }{
		{"built " + same, "rebuilt  " + same, same},
		{"built " + same + " It", "made " + same + " Its", same},
		{"a built " + same, "b rebuilt " + same, same},
		{same + " A1", same + "  A12 3", same},
		{same[:30] + "x" + same[30:] + " It", same + " Its", same[:30] + "x" + same[30:]},
	} {
		all := matchesOf(t, passages.Options{MinLength: 50, Fuzzy: .1}, c.a, c.b)
		if len(all) != 1 || c.a[all[0].InA.Start:all[0].InA.End] != c.want {
			t.Errorf("%q and %q: %+v, want %q", c.a, c.b, all, c.want)
		}
	}
}

// Without Fuzzy, matches are the pairs of occurrences in two documents, but for
// those that lie within another one in both.
func TestMatches(t *testing.T) {
	texts := many(100)
	texts = append(texts, texts[3]+"\n"+texts[5]+"\n"+texts[3], texts[3]+" "+texts[3])
	for _, old := range []int{len(texts) - 40, len(texts)} {
		f := added(t, passages.Options{Matches: true}, old, texts...)
		var all []passages.Match
		_, err := f.Each(t.Context(), func(p passages.Passage) error {
			for _, x := range p.Occurrences {
				for _, y := range p.Occurrences {
					if x.Doc < y.Doc && (old == len(texts) || x.Doc < old && old <= y.Doc) {
						all = append(all, passages.Match{A: x.Doc, B: y.Doc, InA: x.Bytes, InB: y.Bytes, Length: p.Length})
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		within := func(s, u feature.Span) bool { return u.Start <= s.Start && s.End <= u.End }
		want := map[passages.Match]bool{}
		for _, m := range all {
			if !slices.ContainsFunc(all, func(n passages.Match) bool {
				return n != m && n.A == m.A && n.B == m.B && within(m.InA, n.InA) && within(m.InB, n.InB)
			}) {
				want[m] = true
			}
		}
		var last passages.Match
		n := 0
		st, err := f.EachMatch(t.Context(), func(m passages.Match) error {
			if !want[m] {
				t.Errorf("%d old: match %+v", len(texts)-old, m)
			}
			if n++; n > 1 && order(last, m) >= 0 {
				t.Errorf("%+v after %+v", m, last)
			}
			last = m
			return nil
		})
		if err != nil || n != len(want) || st.Matches != int64(n) || n < 100 || len(all) == n {
			t.Errorf("%d old: error %v, %d matches of %d pairs, want %d", len(texts)-old, err, n, len(all), len(want))
		}
	}
}

// Each two occurrences in two documents count as a row.
func TestMatchesLimit(t *testing.T) {
	text := strings.Repeat("one passage of all documents ", 4)[:110]
	var texts []string
	for i := range 21 {
		texts = append(texts, fmt.Sprint(i, " ", text, " ", i))
	}
	texts[3] += " and again: " + text + "."
	for old, rows := range map[int]int64{21: 22*21/2 - 1, 20: 21} {
		for _, most := range []int64{max(rows, 23), rows - 1} {
			f := added(t, passages.Options{Matches: true, MaxRows: most}, old, texts...)
			n := int64(0)
			_, err := f.EachMatch(t.Context(), func(passages.Match) error { n++; return nil })
			if most >= rows && (err != nil || n != rows) || most < rows && (err == nil || !strings.Contains(err.Error(), "want ")) {
				t.Errorf("%d old, MaxRows %d: error %v, %d matches, want %d", 21-old, most, err, n, rows)
			}
		}
	}
}

func order(m, n passages.Match) int {
	return cmp.Or(m.A-n.A, m.B-n.B, m.InA.Start-n.InA.Start, n.InA.End-m.InA.End, m.InB.Start-n.InB.Start, n.InB.End-m.InB.End)
}

// Fuzzy matches are the same for any number of workers and any memory.
func TestFuzzyWorkers(t *testing.T) {
	texts := many(300)
	for i := range texts {
		if i%3 == 0 {
			texts[i] = strings.ReplaceAll(texts[i], "7 ", "9x ")
		}
	}
	want := matchesOf(t, passages.Options{Fuzzy: .1, Workers: 1}, texts...)
	edits := 0
	for _, m := range want {
		edits += m.Edits
	}
	if len(want) < 200 || edits < 200 || !slices.IsSortedFunc(want, order) {
		t.Fatalf("%d matches with %d edits", len(want), edits)
	}
	for workers, memory := range map[int]int64{2: 0, 3: least, 7: 0} {
		if got := matchesOf(t, passages.Options{Fuzzy: .1, Workers: workers, Memory: memory}, texts...); !slices.Equal(got, want) {
			t.Errorf("%d workers with a memory of %d find other matches", workers, memory)
		}
	}
}

func FuzzMatches(f *testing.F) {
	f.Add("the same thing here, and there", "not the same things here and there", uint8(10))
	f.Add("日本\xff語の文章e\u0301です、この文", "日本語の文章e\u0301です、この文", uint8(30))
	f.Add(strings.Repeat("ab", 60)+"c", strings.Repeat("ba", 50)+"\xffc"+strings.Repeat("ab", 60), uint8(5))
	f.Fuzz(func(t *testing.T, a, b string, percent uint8) {
		texts := []string{a, b, a + b}
		for _, m := range matchesOf(t, passages.Options{MinLength: 12, Fuzzy: float64(percent%31) / 100, Matches: true}, texts...) {
			for i, s := range []feature.Span{m.InA, m.InB} {
				if text := texts[[]int{m.A, m.B}[i]]; s.Start < 0 || s.Start >= s.End || s.End > len(text) {
					t.Fatalf("span %v of %q", s, text)
				}
			}
			if m.Length < 12 || m.Edits*100 > int(percent%31)*(m.Length+1) {
				t.Fatalf("%+v, at most %d%%", m, percent%31)
			}
		}
	})
}
