package passages_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/passages"
)

// asIs folds nothing.
var asIs = feature.Fold{Form: feature.NoForm, KeepCase: true, Space: feature.KeepSpace}

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
	for _, letters := range []string{"abcdefghijkl ", "的一是不了人我在有他这中大来上", "abé日😀ש.cdefg", "ab\u0301cdefghij"} {
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
