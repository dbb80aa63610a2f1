package lanes

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// variant is one way to do it.
type variant struct {
	name  string
	begin func(r *Roller, h *[Lanes]uint64, text []byte, stride int)
	roll  func(r *Roller, x []uint64, below []byte, h *[Lanes]uint64, text []byte, stride int)
}

// hash is the sum that Begin speaks of.
func hash(window []byte, p uint64) (h uint64) {
	for i, b := range window {
		term := uint64(b)
		for range len(window) - 1 - i {
			term *= p
		}
		h += term
	}
	return h
}

// check compares every hash with that of its window.
func check(t *testing.T, v variant, r *Roller, text []byte, stride, steps int) {
	t.Helper()
	var h [Lanes]uint64
	v.begin(r, &h, text, stride)
	for k, got := range h {
		if want := hash(text[k*stride:k*stride+r.w], r.powers[1]); got != want {
			t.Fatalf("%s, w=%d, stride=%d: lane %d begins with %#x, want %#x", v.name, r.w, stride, k, got, want)
		}
	}
	// In two parts, of which the second goes on where the first ended.
	x, below := make([]uint64, Lanes*steps+1), make([]byte, steps+1)
	x[Lanes*steps], below[steps] = 77, 77 // must stay
	part := steps / 16 * 8
	if part > 0 {
		v.roll(r, x, below[:part], &h, text, stride)
	}
	v.roll(r, x[Lanes*part:], below[part:steps], &h, text[part:], stride)
	for i := range steps {
		for k := range Lanes {
			at := k*stride + i
			want := hash(text[at:at+r.w], r.powers[1]) * r.powers[1]
			if got := x[Lanes*i+k]; got != want {
				t.Fatalf("%s, w=%d, stride=%d: step %d of lane %d gives %#x, want %#x", v.name, r.w, stride, i, k, got, want)
			}
			if got := below[i]>>k&1 == 1; got != (want < r.limit) {
				t.Fatalf("%s: %#x below %#x is %v", v.name, want, r.limit, got)
			}
		}
	}
	for k, got := range h {
		at := k*stride + steps
		if want := hash(text[at:at+r.w], r.powers[1]); got != want {
			t.Fatalf("%s, w=%d, stride=%d: lane %d ends with %#x, want %#x", v.name, r.w, stride, k, got, want)
		}
	}
	if x[Lanes*steps] != 77 || below[steps] != 77 {
		t.Fatalf("%s: written behind the end", v.name)
	}
}

func TestRoll(t *testing.T) {
	if len(variants()) == 0 {
		t.Skip("neither AVX-512 nor AVX2")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	random := make([]byte, 3000)
	for i := range random {
		random[i] = byte(rng.Uint32())
	}
	for _, text := range [][]byte{random, make([]byte, 3000), bytes.Repeat([]byte{0xff}, 3000)} {
		for _, v := range append(variants(), variant{"package", (*Roller).Begin, (*Roller).Roll}) {
			for _, w := range []int{1, 2, 7, 8, 9, 20, 50} {
				for _, limit := range []uint64{1, 1 << 40, 1 << 60, 1 << 63, math.MaxUint64} {
					for _, stride := range []int{0, 8, 24, 100} {
						check(t, v, New(w, 0x9e3779b97f4a7c15, limit), text, stride, 8*(1+rng.IntN(5)))
					}
				}
			}
		}
	}
}

func TestRollRefuses(t *testing.T) {
	r := New(20, 3, 1<<60)
	var h [Lanes]uint64
	for name, f := range map[string]func(){
		"short text":  func() { r.Begin(&h, make([]byte, 7*8+20+6), 8) },
		"short roll":  func() { r.Roll(make([]uint64, 64), make([]byte, 8), &h, make([]byte, 7*8+8+19), 8) },
		"no steps":    func() { r.Roll(nil, nil, &h, make([]byte, 100), 8) },
		"seven steps": func() { r.Roll(make([]uint64, 64), make([]byte, 7), &h, make([]byte, 1000), 8) },
		"few hashes":  func() { r.Roll(make([]uint64, 63), make([]byte, 8), &h, make([]byte, 1000), 8) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func FuzzRoll(f *testing.F) {
	f.Add([]byte("a text of which each window has a hash, to be rolled and to be compared"), uint8(4), uint64(3))
	f.Fuzz(func(t *testing.T, text []byte, w uint8, p uint64) {
		steps := (len(text) - int(w) - 8) / Lanes / 8 * 8
		if steps < 8 || w == 0 {
			t.Skip()
		}
		for _, v := range variants() {
			check(t, v, New(int(w), p, 1<<60), text, steps, steps)
		}
	})
}

func BenchmarkRoll(b *testing.B) {
	const steps, stride = 512, 512
	text := make([]byte, Lanes*stride+100)
	x, below := make([]uint64, Lanes*64), make([]byte, 64)
	for _, v := range variants() {
		b.Run(fmt.Sprintf("by=%s", v.name), func(b *testing.B) {
			r := New(50, 0x9e3779b97f4a7c15, 1<<56)
			b.SetBytes(Lanes * steps)
			var h [Lanes]uint64
			for b.Loop() {
				v.begin(r, &h, text, stride)
				for at := 0; at < steps; at += 64 {
					v.roll(r, x, below, &h, text[at:], stride)
				}
			}
		})
	}
}
