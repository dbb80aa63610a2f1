package intersect

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// naive counts by looking up.
func naive(a, b []uint64) int {
	in := make(map[uint64]bool)
	for _, x := range a {
		in[x] = true
	}
	n := 0
	for _, x := range b {
		if in[x] {
			n++
		}
	}
	return n
}

func check(t *testing.T, a, b []uint64) {
	t.Helper()
	want := naive(a, b)
	if x, y := Count(a, b), Count(b, a); x != want || y != want {
		t.Fatalf("%x and %x share %d, %d the other way, want %d", a, b, x, y, want)
	}
	if len(a) > 0 {
		if got := countGo(a, b); got != want {
			t.Fatalf("%x and %x share %d in Go, want %d", a, b, got, want)
		}
	}
	if got := gallop(a, b); got != want {
		t.Fatalf("%x and %x share %d galloped, want %d", a, b, got, want)
	}
	if got := merge(a, b); got != want {
		t.Fatalf("%x and %x share %d merged, want %d", a, b, got, want)
	}
}

// list returns up to n distinct values below a bound, ascending.
func list(rng *rand.Rand, n int, bound uint64) []uint64 {
	values := make([]uint64, n)
	for i := range values {
		values[i] = rng.Uint64N(bound)
	}
	slices.Sort(values)
	return slices.Compact(values)
}

func TestCount(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for range 4000 {
		bound := []uint64{3, 60, 600, 1<<64 - 1}[rng.IntN(4)]
		a, b := list(rng, rng.IntN(150), bound), list(rng, rng.IntN(150), bound)
		check(t, a, b)
		check(t, a, a)
		// Halves in common, which random values above do not have.
		both := slices.Concat(a[:len(a)/2], b)
		slices.Sort(both)
		check(t, a, slices.Compact(both))
	}
	low, high := list(rng, 100, 1000), list(rng, 100, 1000)
	for i := range high {
		high[i] += 1 << 63 // above, and negative if it were signed
	}
	check(t, low, high)
	check(t, slices.Concat(low, high), slices.Concat(low[50:], high[:50]))
}

func FuzzCount(f *testing.F) {
	f.Add([]byte("some values of two bytes"), []byte("of which some values may be in both"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		values := func(data []byte) (out []uint64) {
			for ; len(data) >= 2; data = data[2:] {
				out = append(out, uint64(binary.LittleEndian.Uint16(data))<<50)
			}
			slices.Sort(out)
			return slices.Compact(out)
		}
		check(t, values(a), values(b))
	})
}

// BenchmarkCount compares many pairs in turn, so that the processor learns none.
func BenchmarkCount(b *testing.B) {
	rng := rand.New(rand.NewPCG(4, 2))
	for _, n := range []int{20, 100, 427, 4000} {
		var pairs [32][2][]uint64
		for i := range pairs {
			both := list(rng, n/2, 1<<63)
			for k := range 2 {
				pairs[i][k] = append(list(rng, n-n/2, 1<<63), both...)
				slices.Sort(pairs[i][k])
			}
		}
		for name, f := range map[string]func(a, b []uint64) int{"asm": count, "go": countGo, "merge": merge} {
			b.Run(fmt.Sprintf("by=%s/values=%d", name, n), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					p := &pairs[i%len(pairs)]
					f(p[0], p[1])
				}
			})
		}
	}
}
