package popcount

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
)

// naive counts bit by bit.
func naive(a, b []uint64) int {
	n := 0
	for i := range a {
		for j := range 64 {
			n += int((a[i] & b[i]) >> j & 1)
		}
	}
	return n
}

func TestAnd(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := range 70 {
		// One word too many on the right, which must not count.
		a, b := make([]uint64, n), make([]uint64, n+1)
		for i := range b {
			b[i] = rng.Uint64()
		}
		for i := range a {
			a[i] = rng.Uint64()
		}
		want := naive(a, b)
		if got := And(a, b); got != want {
			t.Errorf("%d words: %d bits, want %d", n, got, want)
		}
		if got := andGo(a, b); got != want {
			t.Errorf("%d words, in Go: %d bits, want %d", n, got, want)
		}
	}
}

func FuzzAnd(f *testing.F) {
	f.Add([]byte("some sixteen byte words, and some more"))
	f.Fuzz(func(t *testing.T, data []byte) {
		words := make([]uint64, len(data)/8)
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(data[8*i:])
		}
		a, b := words[:len(words)/2], words[len(words)/2:]
		if got, want := And(a, b), naive(a, b); got != want {
			t.Fatalf("%d bits, want %d", got, want)
		}
	})
}

func BenchmarkAnd(b *testing.B) {
	for _, n := range []int{64, 128, 1024} {
		x, y := make([]uint64, n), make([]uint64, n)
		for name, f := range map[string]func(a, b []uint64) int{"go": andGo, "asm": and} {
			b.Run(fmt.Sprintf("by=%s/words=%d", name, n), func(b *testing.B) {
				b.SetBytes(int64(16 * n))
				for b.Loop() {
					f(x, y)
				}
			})
		}
	}
}
