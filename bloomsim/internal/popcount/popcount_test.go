package popcount

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

type variant struct {
	name string
	and  func(a, b []uint64) int
	rows func(dst []uint32, a, rows []uint64)
}

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

func random(rng *rand.Rand, n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = rng.Uint64()
	}
	return out
}

func TestAnd(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	full := slices.Repeat([]uint64{math.MaxUint64}, 1030)
	for n := range 1030 {
		if n > 140 && n < 1000 {
			continue
		}
		// One word too many on the right, which must not count.
		for _, c := range [][2][]uint64{{random(rng, n), random(rng, n+1)}, {full[:n], random(rng, n+1)}, {full[:n], full}} {
			want := naive(c[0], c[1])
			if got := And(c[0], c[1]); got != want {
				t.Errorf("%d words: %d bits, want %d", n, got, want)
			}
			for _, v := range variants() {
				if got := v.and(c[0], c[1][:n]); got != want {
					t.Errorf("%d words by %s: %d bits, want %d", n, v.name, got, want)
				}
			}
		}
	}
}

func TestRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, words := range []int{8, 16, 24, 64, 256} {
		for _, count := range []int{0, 1, 3, 4, 5, 11} {
			a, table := random(rng, words), random(rng, words*count+3)
			want := make([]uint32, count)
			for i := range want {
				want[i] = uint32(naive(a, table[i*words:]))
			}
			// A number behind the last, which must stay.
			got := make([]uint32, count+1)
			for _, v := range append(variants(), variant{"all", nil, Rows}) {
				got[count] = 77
				v.rows(got[:count], a, table)
				if !slices.Equal(got[:count], want) || got[count] != 77 {
					t.Errorf("%d rows of %d words by %s: %v, want %v and 77", count, words, v.name, got, want)
				}
			}
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
		want := naive(a, b)
		for _, v := range variants() {
			if got := v.and(a, b[:len(a)]); got != want {
				t.Fatalf("%d bits by %s, want %d", got, v.name, want)
			}
		}
	})
}

func BenchmarkAnd(b *testing.B) {
	for _, n := range []int{8, 16, 64, 128, 1024} {
		x, y := random(rand.New(rand.NewPCG(3, 3)), n), random(rand.New(rand.NewPCG(4, 4)), n)
		for _, v := range variants() {
			b.Run(fmt.Sprintf("by=%s/words=%d", v.name, n), func(b *testing.B) {
				b.SetBytes(int64(16 * n))
				for b.Loop() {
					v.and(x, y)
				}
			})
		}
	}
}

func BenchmarkRows(b *testing.B) {
	for _, n := range []int{16, 64} {
		const count = 100
		x, table := random(rand.New(rand.NewPCG(3, 3)), n), random(rand.New(rand.NewPCG(4, 4)), n*count)
		dst := make([]uint32, count)
		for _, v := range variants() {
			b.Run(fmt.Sprintf("by=%s/words=%d", v.name, n), func(b *testing.B) {
				b.SetBytes(int64(8 * n * count))
				for b.Loop() {
					v.rows(dst, x, table)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/count, "ns/row")
			})
		}
	}
}
