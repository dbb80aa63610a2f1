package align

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alike-go/alike/similarity"
)

// The measures by their definitions, one cell of the matrix after the other.

func naiveDistance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		left, diagonal := i+1, i
		for j, y := range b {
			cost := diagonal
			if x != y {
				cost = 1 + min(diagonal, left, row[j+1])
			}
			row[j], diagonal, left = left, row[j+1], cost
		}
		row[len(b)] = left
	}
	return row[len(b)]
}

func naiveSubsequence(a, b []rune) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			row[j+1] = max(above, row[j])
			if x == y {
				row[j+1] = diagonal + 1
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

func naiveSubstring(a, b string) int {
	best := 0
	runes := []rune(a)
	for i := range runes {
		for j := i + best + 1; j <= len(runes) && strings.Contains(b, string(runes[i:j])); j++ {
			best = j - i
		}
	}
	return best
}

// sketchOf is the text as it is, without folding; what is no UTF-8 is U+FFFD, as in a []rune.
func sketchOf(text string) Text { return newText([]byte(string([]rune(text))), maxMost) }

// The characters are those that Go decodes, one by one and in all lengths.
func TestDecode(t *testing.T) {
	step := rune(1)
	if testing.Short() {
		step = 61
	}
	for r := rune(0); r <= utf8.MaxRune; r += step {
		if !utf8.ValidRune(r) {
			continue
		}
		for _, text := range []string{string(r), "a" + string(r), string(r) + "é"} {
			if got := newText([]byte(text), 9).String(); got != text {
				t.Fatalf("%q becomes %q", text, got)
			}
		}
		if got := newText([]byte("aé"+string(r)), 2); got.wide != nil || got.String() != "aé" {
			t.Fatalf("the first two characters before %q are %q", r, got)
		}
		if wide := newText([]byte(string(r)), 9).wide != nil; wide != (r > 0xff) {
			t.Fatalf("%q is wide: %v", r, wide)
		}
	}
}

func countOf(m Measure, a, b string) int {
	s := scratches.Get().(*scratch)
	defer s.release()
	return s.count(m, sketchOf(a), sketchOf(b))
}

// check holds every measure against its definition, and the scratch against being left dirty.
func check(t *testing.T, a, b string) {
	t.Helper()
	ra, rb := []rune(a), []rune(b)
	for _, c := range []struct {
		m    Measure
		want int
	}{
		{Edit, naiveDistance(ra, rb)},
		{Subsequence, naiveSubsequence(ra, rb)},
		{Substring, naiveSubstring(string(ra), string(rb))},
	} {
		if got := countOf(c.m, a, b); got != c.want {
			t.Errorf("%v of %q and %q is %d, want %d", c.m, a, b, got, c.want)
		}
		if got := countOf(c.m, b, a); got != c.want {
			t.Errorf("%v of %q and %q is %d, want %d", c.m, b, a, got, c.want)
		}
	}
}

// Worked examples that can be followed by hand; those of LCS are the textbook's (Cormen, Leiserson,
// Rivest and Stein, Introduction to Algorithms, section 15.4).
func TestWorkedExamples(t *testing.T) {
	for _, c := range []struct {
		a, b                             string
		distance, subsequence, substring int
	}{
		{"", "", 0, 0, 0},
		{"", "abc", 3, 0, 0},
		{"a", "a", 0, 1, 1},
		{"kitten", "sitting", 3, 4, 3},
		{"Saturday", "Sunday", 3, 5, 3},
		{"ABCBDAB", "BDCABA", 5, 4, 2},
		{"flaw", "lawn", 2, 3, 3},
		{"the cat sat on the mat", "the cat sat on a mat", 3, 19, 15},
		{"你妈妈喊你回家吃饭哦,回家罗回家罗", "你妈妈叫你回家吃饭啦,回家罗回家罗", 2, 15, 7},
		{"naïve", "naive", 1, 4, 2},
		{"日本", "ab", 2, 0, 0},
	} {
		check(t, c.a, c.b)
		for m, want := range map[Measure]int{Edit: c.distance, Subsequence: c.subsequence, Substring: c.substring} {
			if c.a == "ABCBDAB" && m == Edit {
				continue // not in the textbook
			}
			if got := countOf(m, c.a, c.b); got != want {
				t.Errorf("%v of %q and %q is %d, want %d", m, c.a, c.b, got, want)
			}
		}
	}
}

var alphabets = map[string][]rune{
	"two":    []rune("ab"),
	"letter": []rune("abcdefghijklmnopqrstuvwxyz "),
	"latin":  []rune("aeiouàéîõü\u00ff"),
	"border": {0, 1, 0xfe, 0xff, 0x100, 0x101, 0xfffd, 0x10ffff},
	"han":    []rune("天地玄黃宇宙洪荒日月盈昃辰宿列張寒來暑往秋收冬藏閏餘成歲律呂調陽"),
}

// word returns a text of n characters.
func word(rng *rand.Rand, alphabet []rune, n int) string {
	out := make([]rune, n)
	for i := range out {
		out[i] = alphabet[rng.IntN(len(alphabet))]
	}
	return string(out)
}

// edited returns the text with some characters replaced, dropped or doubled.
func edited(rng *rand.Rand, alphabet []rune, text string, rate float64) string {
	var out []rune
	for _, r := range text {
		if rng.Float64() >= rate {
			out = append(out, r)
			continue
		}
		switch rng.IntN(3) {
		case 0:
			out = append(out, alphabet[rng.IntN(len(alphabet))])
		case 1:
			out = append(out, r, r)
		}
	}
	return string(out)
}

// Lengths on both sides of every border: of words, of strips, of several strips.
func TestAgainstDefinition(t *testing.T) {
	lengths := []int{1, 2, 31, 63, 64, 65, 127, 128, 129, 192, 255, 256, 257, 320, 511, 513, 700}
	if testing.Short() {
		lengths = []int{1, 63, 64, 65, 255, 257, 513}
	}
	for name, alphabet := range alphabets {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, uint64(len(alphabet))))
			for _, n := range lengths {
				for _, m := range lengths {
					check(t, word(rng, alphabet, n), word(rng, alphabet, m))
				}
				a := word(rng, alphabet, n)
				for _, rate := range []float64{0, .02, .1, .3} {
					check(t, a, edited(rng, alphabet, a, rate))
					check(t, a, "x"+edited(rng, alphabet, a, rate)+"x")
				}
			}
		})
	}
}

// A text of one alphabet beside one of another.
func TestMixedAlphabets(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		a := word(rng, alphabets["letter"], 1+rng.IntN(90)) + word(rng, alphabets["han"], rng.IntN(200))
		check(t, a, word(rng, alphabets["border"], rng.IntN(20))+edited(rng, alphabets["latin"], a, .2))
		check(t, a, word(rng, alphabets["letter"], rng.IntN(100)))
	}
}

func FuzzCount(f *testing.F) {
	f.Add("kitten", "sitting")
	f.Add("你妈妈喊你", "你妈妈叫你")
	f.Add(strings.Repeat("ab", 200), strings.Repeat("ba", 170))
	f.Add("\xff\x00\xfe", "\u0100\xff")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 2000 || len(b) > 2000 {
			t.Skip()
		}
		check(t, a, b)
	})
}

func FuzzDecode(f *testing.F) {
	m, err := New(Options{Most: 50})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(similarity.Marshal(m, m.Sketch("abc")))
	f.Add(m.AppendSketch(nil, m.Sketch("abc")))
	f.Add(m.AppendSketch(nil, m.Sketch("日本語")))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, n, err := m.DecodeSketch(data)
		if err != nil {
			return
		}
		if n > len(data) || text.Len() > 50 {
			t.Fatalf("%d of %d bytes, %d characters", n, len(data), text.Len())
		}
		again, _, err := m.DecodeSketch(m.AppendSketch(nil, text))
		if err != nil || again.String() != text.String() {
			t.Fatalf("%q decodes to %q after encoding, %v", text, again, err)
		}
	})
}
