package token

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// naiveCut cuts and folds ASCII text byte by byte.
func naiveCut(text []byte, keepCase, dropPunct bool) (folded []byte, words []Span) {
	is := func(f func(rune) bool, i int) bool { return i >= 0 && i < len(text) && f(rune(text[i])) }
	both := func(f func(rune) bool, i int) bool { return is(f, i-1) && is(f, i+1) }
	in := func(i int) bool {
		c := rune(text[i])
		return unicode.IsLetter(c) || unicode.IsDigit(c) || !dropPunct && (c == '_' ||
			strings.ContainsRune("'.:", c) && both(unicode.IsLetter, i) ||
			strings.ContainsRune("'.,;", c) && both(unicode.IsDigit, i))
	}
	for i := 0; i < len(text); i++ {
		from := i
		for i < len(text) && in(i) {
			i++
		}
		if i > from {
			words = append(words, Span{uint32(from), uint32(i)})
		}
	}
	if keepCase {
		return text, words
	}
	return bytes.ToLower(text), words
}

// naiveCare reports whether the block at p needs care.
func naiveCare(text []byte, p int, words []Span) bool {
	for _, c := range text[p : p+Block+1] {
		if c >= 0x80 {
			return true
		}
	}
	for _, w := range words {
		from, to := int(w.Start), int(w.End)
		if p <= from && from < p+Block && text[from] == '_' || from < p && to >= p+Block {
			return true
		}
	}
	return false
}

// checkCut cuts text, which Block bytes and more of padding follow, by both ways,
// as far as nothing needs care.
func checkCut(t *testing.T, text []byte, keepCase, dropPunct bool) {
	t.Helper()
	end := len(text)
	text = append(slices.Clone(text), make([]byte, Block+1)...)
	ascii := slices.IndexFunc(text, func(c byte) bool { return c >= 0x80 })
	if ascii < 0 {
		ascii = len(text)
	}
	folded, words := naiveCut(text[:ascii], keepCase, dropPunct)
	for name, cut := range map[string]func(c *Cutter, buf []byte, p, end int) (int, bool){
		"cut": (*Cutter).Cut,
		"cutGo": func(c *Cutter, buf []byte, p, end int) (int, bool) {
			blocks := (end - p + Block - 1) / Block
			done := c.cutGo(buf, p, blocks)
			return p + done*Block, done < blocks && len(c.Spans) < Batch
		},
	} {
		buf := slices.Clone(text)
		c := Cutter{KeepCase: keepCase, DropPunct: dropPunct}
		c.Reset()
		var got []Span
		p, care := 0, false
		for p < end && !care {
			p, care = cut(&c, buf, p, end)
			got = append(got, c.Spans...)
			if len(c.Spans) < Batch && p < end && !care {
				t.Fatalf("%s of %q stops at %d without need", name, text, p)
			}
			c.Reset()
		}
		if care != (p < end) || care && !naiveCare(text, p, words) {
			t.Fatalf("%s of %q stops at %d: care is %v", name, text, p, care)
		}
		for q := 0; q < p; q += Block {
			if naiveCare(text, q, words) {
				t.Fatalf("%s of %q does not stop at %d but at %d", name, text, q, p)
			}
		}
		if !bytes.Equal(buf[:p], folded[:p]) {
			t.Fatalf("%s of %q folds to %q", name, text, buf[:p])
		}
		var want []Span
		open := false
		for _, w := range words {
			if int(w.End) < p {
				want = append(want, w)
			} else if int(w.Start) < p {
				open = true
				if !c.Open || c.Start() != int(w.Start) {
					t.Fatalf("%s of %q up to %d: open is %v, want it to be, from %d", name, text, p, c.Open, w.Start)
				}
			}
		}
		if c.Open != open {
			t.Fatalf("%s of %q up to %d: open is %v, want %v", name, text, p, c.Open, open)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s of %q up to %d: words %v, want %v", name, text, p, got, want)
		}
		c.Close(p)
		if c.Open || open && c.Spans[0].End != uint32(p) {
			t.Fatalf("%s of %q: closed at %d it is %v, %v", name, text, p, c.Open, c.Spans)
		}
	}
}

// randomText draws bytes, the dense ones of few kinds that stand for the rest.
func randomText(rng *rand.Rand, n int, alphabet string) []byte {
	text := make([]byte, n)
	for i := range text {
		text[i] = alphabet[rng.IntN(len(alphabet))]
	}
	return text
}

func TestCut(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	var all strings.Builder
	for c := range 128 {
		all.WriteByte(byte(c))
	}
	for _, alphabet := range []string{
		all.String(), strings.ReplaceAll(all.String(), "_", ""), "aZ09'.:,;", "aZ09'.:,; ", "ab _", "a ",
		strings.Repeat("abcdefgh ", 30) + "_", "abcdefghijklmnop     '.,:;\n\x80",
		strings.Repeat("a", 60) + " ", "a", " ", "_", "\xff",
	} {
		for range 400 {
			text := randomText(rng, rng.IntN(1+rng.IntN(4000)), alphabet)
			checkCut(t, text, rng.IntN(2) == 0, rng.IntN(2) == 0)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add([]byte("The cat's 3.14 U.S.A. e-mail x_y is 1,000 a:b times _better_."), false, false)
	f.Add(bytes.Repeat([]byte("a "), 700), true, true)
	f.Fuzz(func(t *testing.T, text []byte, keepCase, dropPunct bool) {
		checkCut(t, text, keepCase, dropPunct)
	})
}

// A cutter allocates once.
func TestCutAllocates(t *testing.T) {
	buf := bytes.Repeat([]byte("some words, "), 200)
	var c Cutter
	c.Reset()
	if got := testing.AllocsPerRun(100, func() {
		c.Reset()
		c.Cut(buf, 0, len(buf)-2*Block)
	}); got != 0 {
		t.Errorf("%v allocations, want none", got)
	}
}

func BenchmarkCut(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 2))
	text := randomText(rng, 1<<15, "abcdefghijklmnopqrstuvwxyzetaoinsrhldu       ETA.,'")
	for name, cut := range map[string]func(c *Cutter, buf []byte, p, blocks int) int{"asm": (*Cutter).cut, "go": (*Cutter).cutGo} {
		b.Run("by="+name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			var c Cutter
			for b.Loop() {
				c.Open = false
				for p := 0; p+Block < len(text); {
					c.Reset()
					p += Block * cut(&c, text, p, (len(text)-1-p)/Block)
				}
			}
		})
	}
}
