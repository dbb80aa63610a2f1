package rabinkarp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/internal/splitmix"
)

// corpus returns texts that the windows are checked on: random bytes of all values
// and of few, periods, one byte repeated, at lengths around the block size.
func corpus(seed uint64) map[string][]byte {
	rng := rand.New(rand.NewPCG(seed, 1))
	out := map[string][]byte{"none": nil}
	for _, n := range []int{1, 2, 5, 49, 50, 51, 255, 256, 257, 305, 306, 307, 600, 5000, 9300} {
		for kind, values := range map[string]int{"bytes": 256, "letters": 4, "one": 1} {
			b := make([]byte, n)
			for i := range b {
				b[i] = byte(rng.IntN(values)) + 0x80
			}
			out[fmt.Sprintf("%s/%d", kind, n)] = b
		}
		p := make([]byte, n)
		for i := range p {
			p[i] = "abcdefg"[i%7]
		}
		out[fmt.Sprintf("period/%d", n)] = p
	}
	return out
}

func TestDirect(t *testing.T) {
	for name, text := range corpus(1) {
		text = text[:min(len(text), 600)]
		if got, want := direct(text), naiveHash(text); got != want {
			t.Errorf("%s: %#x, want %#x", name, got, want)
		}
	}
}

func TestFill(t *testing.T) {
	for name, text := range corpus(2) {
		for _, w := range []int{1, 2, 5, 50, 255, 300} {
			if len(text) < w {
				continue
			}
			dst := make([]uint64, len(text)-w+1)
			r := newRoller(w)
			// In two calls, so that h is seen to carry over.
			cut := len(dst) / 3
			h := r.fill(dst[:cut], text, r.start(text))
			r.fill(dst[cut:], text[cut:], h)
			for i, got := range dst {
				if want := direct(text[i : i+w]); got != want {
					t.Fatalf("%s: w=%d, window %d: rolled %#x, direct %#x", name, w, i, got, want)
				}
			}
		}
	}
}

// The first three hashes of windows of 5 bytes with p = 31 modulo 2^30: 104·31⁴ as
// for "the q" = 116·31⁴ + 104·31³ + 101·31² + 32·31 + 113 = 110324866 and so on.
func TestSifWorkedExample(t *testing.T) {
	want := []uint64{110324866, 99089447, 94341258}
	var got []uint64
	rollSif([]byte("the quick brown fox jumps over the lazy dog"), 5, func(at int, f uint64) {
		if at != len(got) {
			t.Errorf("window %d came at %d", at, len(got))
		}
		got = append(got, f)
	})
	if len(got) != 39 {
		t.Fatalf("%d windows of 5 in 43 bytes, want 39", len(got))
	}
	if !slices.Equal(got[:3], want) {
		t.Errorf("first hashes %d, want %d", got[:3], want)
	}
}

func TestSifRoll(t *testing.T) {
	for name, text := range corpus(3) {
		for _, w := range []int{1, 5, 50} {
			n := 0
			rollSif(text, w, func(at int, f uint64) {
				n++
				if want := naiveSif(text[at : at+w]); f != want {
					t.Fatalf("%s: w=%d, window %d: rolled %d, direct %d", name, w, at, f, want)
				}
			})
			if want := max(0, len(text)-w+1); n != want {
				t.Errorf("%s: w=%d: %d windows, want %d", name, w, n, want)
			}
		}
	}
}

// mix is a bijection: it is undone step by step, with the inverses of its two
// odd multipliers found by Newton's iteration.
func TestMixBijective(t *testing.T) {
	inverse := func(a uint64) uint64 {
		x := a
		for range 6 {
			x *= 2 - a*x
		}
		return x
	}
	unshift := func(x uint64, n int) uint64 {
		y := x
		for range 64 / n {
			y = x ^ y>>n
		}
		return y
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		x := rng.Uint64()
		y := unshift(splitmix.Mix(x), 31)
		y = unshift(y*inverse(0x94d049bb133111eb), 27)
		y = unshift(y*inverse(0xbf58476d1ce4e5b9), 30)
		if y != x {
			t.Fatalf("splitmix.Mix(%#x) is undone to %#x", x, y)
		}
	}
}

// The share of windows below the limit is 2^-keep whatever the text is made of: on
// texts of two letters, of prose-like letters, of three-byte characters. The bound is five
// standard deviations of independent windows.
func TestSelectionUniform(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	kinds := map[string]func() []byte{
		"two-letters": func() []byte { return []byte{"ab"[rng.IntN(2)]} },
		"letters":     func() []byte { return []byte{"eeeettaaooiinnsshr    dlu"[rng.IntN(25)]} },
		"han":         func() []byte { return []byte(string(rune(0x4e00 + rng.IntN(3000)))) },
		"even-bytes":  func() []byte { return []byte{byte(rng.IntN(128)) * 2} },
		"high-bits":   func() []byte { return []byte{byte(rng.IntN(4)) << 6} },
	}
	for _, name := range []string{"two-letters", "letters", "han", "even-bytes", "high-bits"} {
		var text []byte
		for len(text) < 1<<18 {
			text = append(text, kinds[name]()...)
		}
		r := newRoller(50)
		dst := make([]uint64, len(text)-49)
		r.fill(dst, text, r.start(text))
		for _, keep := range []int{2, 6, 10} {
			n := 0
			for _, x := range dst {
				if x < 1<<(64-keep) {
					n++
				}
			}
			p := math.Exp2(-float64(keep))
			mean := p * float64(len(dst))
			if dev := math.Abs(float64(n)-mean) / math.Sqrt(mean*(1-p)); dev > 5 {
				t.Errorf("%s: keep=%d: %d windows, want %.0f: %.1f deviations", name, keep, n, mean, dev)
			}
		}
	}
}
