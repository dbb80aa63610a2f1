package align

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/alike-go/alike/similarity/similaritytest"
)

func newWords(t testing.TB) *Words {
	t.Helper()
	m, err := NewWords(WordsOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestWordsLaws(t *testing.T) {
	similaritytest.Run(t, newWords(t))
	m, err := NewWords(WordsOptions{Most: .2})
	if err != nil {
		t.Fatal(err)
	}
	similaritytest.Run(t, m)
}

// Beyond Most the score is 0.
func TestWordsMost(t *testing.T) {
	m, err := NewWords(WordsOptions{Most: .25})
	if err != nil {
		t.Fatal(err)
	}
	for other, want := range map[string]float64{"a b c d": 1, "a b c x": .75, "a b x y": 0, "": 0} {
		if got := m.Score(m.Sketch("a b c d"), m.Sketch(other)); got != want {
			t.Errorf("%q scores %v, want %v", other, got, want)
		}
	}
	for _, most := range []float64{-1, 1.5} {
		if _, err := NewWords(WordsOptions{Most: most}); err == nil {
			t.Errorf("Most may be %v", most)
		}
	}
}

// Shares that can be counted by hand.
func TestDiffer(t *testing.T) {
	m := newWords(t)
	for _, c := range []struct {
		a, b   string
		differ float64 // times words is a whole number
		words  float64
	}{
		{"The cat sat.", "the CAT sat", 0, 3},
		{"the cat sat on the mat", "the dog sat on a mat", 2, 6},
		{"the cat sat", "the cat sat on the mat", 3, 6},
		{"a b c d e f", "d e f a b c", 6, 6},
		{"我爱北京", "我愛北京天", 2, 5},
		{"用iPhone手机", "用 iphone 电话", 2, 4},
		{"cat", "dog", 1, 1},
		{"", "cat sat", 2, 2},
	} {
		a, b := m.Sketch(c.a), m.Sketch(c.b)
		if got, ok := m.Differ(a, b, 1); !ok || got != c.differ/c.words {
			t.Errorf("of %q and %q differ %v, %v, want %v of %v words", c.a, c.b, got, ok, c.differ, c.words)
		}
		if _, ok := m.Differ(b, a, c.differ/c.words); !ok {
			t.Errorf("%q and %q differ by more than they do", c.a, c.b)
		}
		if c.differ > 0 {
			if _, ok := m.Differ(a, b, (c.differ-.5)/c.words); ok {
				t.Errorf("%q and %q differ by less than they do", c.a, c.b)
			}
		}
	}
	if _, ok := m.Differ(m.Sketch("…"), nil, 1); ok {
		t.Error("a share of no words")
	}
}

// list returns n words out of so many, and edited the list with that share of its words
// deleted, doubled or replaced, and now and then a block moved.
func list(rng *rand.Rand, n, words int) WordList {
	out := make(WordList, n)
	for i := range out {
		out[i] = rng.Uint64N(uint64(words)) * 0x9e3779b97f4a7c15
	}
	return out
}

func editedList(rng *rand.Rand, in WordList, rate float64) WordList {
	var out WordList
	for _, h := range in {
		switch k := rng.IntN(3); {
		case rng.Float64() >= rate:
			out = append(out, h)
		case k == 0:
			out = append(out, h, h)
		case k == 1:
			out = append(out, h+1)
		}
	}
	if len(out) > 0 && rng.IntN(3) == 0 {
		i := rng.IntN(len(out))
		out = append(append(WordList{}, out[i:]...), out[:i]...)
	}
	return out
}

// naiveWordDistance is naiveDistance of words.
func naiveWordDistance(a, b WordList) int {
	number := map[uint64]rune{}
	runes := func(w WordList) (out []rune) {
		for _, h := range w {
			if _, ok := number[h]; !ok {
				number[h] = rune(len(number))
			}
			out = append(out, number[h])
		}
		return out
	}
	return naiveDistance(runes(a), runes(b))
}

// checkDistance holds every limit, and every band, against the definition.
func checkDistance(t *testing.T, a, b WordList, limits ...int) {
	t.Helper()
	want := naiveWordDistance(a, b)
	s := scratches.Get().(*scratch)
	defer s.release()
	for _, limit := range append(limits, want-1, want, want+1, max(len(a), len(b))) {
		if limit < 0 {
			continue
		}
		if got := s.distance(a, b, limit); got != want && (want <= limit || got <= limit) {
			t.Errorf("distance of %d and %d words within %d is %d, want %d", len(a), len(b), limit, got, want)
		}
		short, long := a, b
		if len(short) > len(long) {
			short, long = long, short
		}
		x, y, least := s.number(short, long)
		if least > want {
			t.Errorf("%d and %d words: least %d, and the distance is %d", len(a), len(b), least, want)
		}
		if len(x) == 0 || limit < len(y)-len(x) {
			continue
		}
		s.wide.reserve(int(s.vocabulary.size))
		for _, stop := range []bool{false, true} {
			got := s.band(x, y, limit, stop)
			if want <= limit && got != want || want > limit && got <= limit || !stop && (got < want || got > len(x)+len(y)) {
				t.Errorf("band %d of %d and %d words, stop %v: %d, want %d", limit, len(a), len(b), stop, got, want)
			}
		}
	}
}

func TestDistanceAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{1, 63, 65, 255, 256, 257, 511, 513, 900, 1400} {
		for _, words := range []int{2, 30, 5000} {
			a := list(rng, n, words)
			for _, rate := range []float64{0, .01, .05, .3} {
				checkDistance(t, a, editedList(rng, a, rate), 1, 64, 100, 300)
			}
			checkDistance(t, a, list(rng, 1+rng.IntN(2*n), words), 64, 200)
		}
	}
}

func FuzzDistance(f *testing.F) {
	f.Add("the cat sat", "a cat sat", uint8(1), 3)
	f.Add("a b c d", "b c d a", uint8(200), 0)
	f.Fuzz(func(t *testing.T, a, b string, times uint8, limit int) {
		if len(a)+len(b) > 100 {
			t.Skip()
		}
		m := newWords(t)
		x, y := m.Sketch(strings.Repeat(a+" ", int(times))), m.Sketch(strings.Repeat(b+" ", int(times)))
		checkDistance(t, x, y, limit)
	})
}

func BenchmarkDiffer(b *testing.B) {
	m := newWords(b)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{200, 1000, 20000} {
		x := list(rng, n, n/2)
		for name, y := range map[string]WordList{"edited": editedList(rng, x, .05), "other": list(rng, n, n/2)} {
			for _, most := range []float64{.1, 1} {
				b.Run(fmt.Sprintf("pair=%s/words=%d/most=%v", name, n, most), func(b *testing.B) {
					for b.Loop() {
						m.Differ(x, y, most)
					}
				})
			}
		}
	}
}
