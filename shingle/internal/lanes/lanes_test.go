package lanes

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
)

// naive compares value by value.
func naive(a, b []uint64) (n int) {
	for i := range a {
		if uint32(a[i]) != uint32(b[i]) {
			n++
		}
		if a[i]>>32 != b[i]>>32 {
			n++
		}
	}
	return n
}

const noHighest = 0x7fffffff7fffffff

func check(t *testing.T, a, b []uint64) {
	t.Helper()
	want := naive(a, b)
	if got := Differ(a, b); got != want {
		t.Fatalf("%x and %x: %d values differ, want %d", a, b, got, want)
	}
	if got := differGo(a, b); got != want {
		t.Fatalf("%x and %x, in Go: %d values differ, want %d", a, b, got, want)
	}
}

// Values differ in one bit, in many, or not at all; b is longer, by what does not count.
func TestDiffer(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for n := range 300 {
		a, b := make([]uint64, n), make([]uint64, n+1)
		b[n] = rng.Uint64()
		for i := range a {
			a[i] = rng.Uint64() & noHighest
			switch rng.IntN(3) {
			case 0:
				b[i] = rng.Uint64() & noHighest
			case 1:
				b[i] = a[i] ^ 1<<rng.IntN(64)&noHighest
			default:
				b[i] = a[i]
			}
		}
		check(t, a, b)
		check(t, a, a)
	}
}

func FuzzDiffer(f *testing.F) {
	f.Add(make([]byte, 1024))
	f.Add([]byte("sixteen bytes and as many again!"))
	f.Fuzz(func(t *testing.T, data []byte) {
		words := make([]uint64, len(data)/8)
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(data[8*i:]) & noHighest
		}
		check(t, words[:len(words)/2], words[len(words)/2:])
	})
}

func BenchmarkDiffer(b *testing.B) {
	for _, values := range []int{128, 512} {
		x, y := make([]uint64, values/2), make([]uint64, values/2)
		for name, f := range map[string]func(a, b []uint64) int{"go": differGo, "asm": differ} {
			b.Run(fmt.Sprintf("by=%s/values=%d", name, values), func(b *testing.B) {
				for b.Loop() {
					f(x, y)
				}
			})
		}
	}
}
