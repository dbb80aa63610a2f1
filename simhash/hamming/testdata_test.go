package hamming

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// random returns a code of some width whose bits are set with probability p.
func random(rng *rand.Rand, width int, p float64) Code {
	var c Code
	for b := range width {
		if rng.Float64() < p {
			c = c.with(b)
		}
	}
	return c
}

// flip returns c with n distinct ones of the given bits flipped.
func flip(rng *rand.Rand, c Code, bits []int, n int) Code {
	for _, i := range rng.Perm(len(bits))[:min(n, len(bits))] {
		c = c.xor(Code{}.with(bits[i]))
	}
	return c
}

// without returns c with bit i cleared.
func (c Code) without(i int) Code {
	bit := Code{}.with(i)
	return Code{c.Hi &^ bit.Hi, c.Lo &^ bit.Lo}
}

// A workload makes codes in which near pairs are not left to chance.
type workload struct {
	name string
	make func(rng *rand.Rand, width, k, n int) []Code
}

var workloads = []workload{
	{"random", func(rng *rand.Rand, width, k, n int) []Code {
		out := make([]Code, n)
		for i := range out {
			out[i] = random(rng, width, 0.5)
		}
		return out
	}},
	{"planted", func(rng *rand.Rand, width, k, n int) []Code {
		// Every other code is an earlier one with 0 to k+1 bits flipped: anywhere, inside
		// one block, across the border of two, or one in each block.
		cut := split(run(width-1, 0), k+1)
		var out []Code
		for len(out) < n {
			if len(out) < 8 || rng.IntN(2) == 0 {
				out = append(out, random(rng, width, 0.5))
				continue
			}
			c, h, b := out[rng.IntN(len(out))], rng.IntN(k+2), rng.IntN(k+1)
			switch rng.IntN(4) {
			case 0:
				c = flip(rng, c, run(width-1, 0), h)
			case 1:
				c = flip(rng, c, cut[b], h)
			case 2:
				c = flip(rng, c, append(append([]int{}, cut[b]...), cut[(b+1)%len(cut)]...), h)
			case 3:
				for i := range h {
					c = flip(rng, c, cut[i%len(cut)], 1)
				}
			}
			out = append(out, c)
		}
		return out
	}},
	{"biased", func(rng *rand.Rand, width, k, n int) []Code {
		p := make([]float64, width)
		for b := range p {
			p[b] = 0.02 + 0.3*rng.Float64()
		}
		out := make([]Code, n)
		for i := range out {
			for b := range width {
				if rng.Float64() < p[b] {
					out[i] = out[i].with(b)
				}
			}
		}
		return out
	}},
	{"narrow", func(rng *rand.Rand, width, k, n int) []Code {
		// A few bits vary, all of them in one block: the other blocks are one bucket each.
		out := make([]Code, n)
		for i := range out {
			out[i] = flip(rng, Code{Lo: 0xabcdef}, run(11, 0), rng.IntN(12))
		}
		return out
	}},
	{"repeated", func(rng *rand.Rand, width, k, n int) []Code {
		few := make([]Code, 1+n/40)
		for i := range few {
			few[i] = random(rng, width, 0.5)
			if i > 0 && i%2 == 0 {
				few[i] = flip(rng, few[i-1], run(width-1, 0), rng.IntN(k+2))
			}
		}
		out := make([]Code, n)
		for i := range out {
			out[i] = few[rng.IntN(len(few))]
		}
		return out
	}},
	{"zeros and ones", func(rng *rand.Rand, width, k, n int) []Code {
		ones := flip(rng, Code{}, run(width-1, 0), width)
		out := make([]Code, n)
		for i := range out {
			if i%3 == 0 {
				out[i] = ones
			}
			if i%7 == 0 {
				out[i] = flip(rng, out[i], run(width-1, 0), rng.IntN(k+2))
			}
		}
		return out
	}},
}

func pack(width int, codes []Code) Codes {
	out := NewCodes(width, len(codes))
	for _, c := range codes {
		out.Append(c)
	}
	return out
}

// designNames returns the names of all designs that an index can have at a width and
// a radius.
func designNames(width, k int) []string {
	names := []string{"scan"}
	for r := k + 1; r <= k+3; r++ {
		names = append(names, fmt.Sprintf("blocks:%d", r))
	}
	for m := 1; m <= k+1; m++ {
		names = append(names, fmt.Sprintf("mih:%d", m))
	}
	var out []string
	for _, name := range names {
		if _, err := parseDesign(name, width, k); err == nil {
			out = append(out, name)
		}
	}
	return out
}

func seeded(t testing.TB, seed uint64) *rand.Rand {
	t.Helper()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 0))
}
