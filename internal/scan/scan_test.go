package scan

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// distance counts bit by bit.
func distance(a, b uint64) int {
	n := 0
	for j := range 64 {
		n += int((a ^ b) >> j & 1)
	}
	return n
}

// codes returns n codes around one another: some within any radius of any other.
func codes(rng *rand.Rand, n int) []uint64 {
	out := make([]uint64, n)
	base := rng.Uint64()
	for i := range out {
		out[i] = base
		for range rng.IntN(12) {
			out[i] ^= 1 << rng.IntN(64)
		}
		if rng.IntN(3) == 0 {
			out[i] = rng.Uint64()
		}
	}
	return out
}

func check(t *testing.T, lo, hi []uint64, qlo, qhi uint64, k int) {
	t.Helper()
	var narrow, wide []uint32
	for i := range lo {
		if distance(lo[i], qlo) <= k {
			narrow = append(narrow, uint32(i))
		}
		if distance(lo[i], qlo)+distance(hi[i], qhi) <= k {
			wide = append(wide, uint32(i))
		}
	}
	dst := make([]uint32, len(lo))
	for _, c := range []struct {
		name string
		n    func() int
		want []uint32
	}{
		{"Near", func() int { return Near(dst, lo, qlo, k) }, narrow},
		{"nearGo", func() int { return nearGo(dst, lo, qlo, k) }, narrow},
		{"Near128", func() int { return Near128(dst, lo, hi, qlo, qhi, k) }, wide},
		{"near128Go", func() int { return near128Go(dst, lo, hi, qlo, qhi, k) }, wide},
	} {
		if got := dst[:c.n()]; !slices.Equal(got, c.want) {
			t.Fatalf("%s by %s: %d codes within %d of %#x: positions %v, want %v", c.name, Kernel(), len(lo), k, qlo, got, c.want)
		}
	}
}

// checkNext checks the searches that stop at the first hit from every start.
func checkNext(t *testing.T, codes []uint64, q uint64, k int) {
	t.Helper()
	words := make([]uint32, len(codes))
	for i, c := range codes {
		words[i] = uint32(c)
	}
	for from := range len(codes) + 1 {
		first := func(mask uint64) int {
			return slices.IndexFunc(codes[from:], func(c uint64) bool { return distance(c&mask, q&mask) <= k })
		}
		for _, c := range []struct {
			name      string
			got, want int
		}{
			{"Next64", Next64(codes[from:], q, k), first(1<<64 - 1)},
			{"next64Go", nextGo(codes[from:], q, k), first(1<<64 - 1)},
			{"Next32", Next32(words[from:], uint32(q), k), first(1<<32 - 1)},
			{"next32Go", nextGo(words[from:], uint32(q), k), first(1<<32 - 1)},
		} {
			if c.got != c.want {
				t.Fatalf("%s by %s: in %d codes within %d of %#x: %d, want %d", c.name, Kernel(), len(codes)-from, k, q, c.got, c.want)
			}
		}
	}
}

func checkTile(t *testing.T, rows *[Rows]uint32, cols []uint32, start, k int) {
	t.Helper()
	for name, f := range map[string]func(*[Rows]uint32, []uint32, int, int) (int, uint32){"Tile": Tile, "tileGo": tileGo} {
		for from := start; ; from += Step {
			at, hits := f(rows, cols, from, k)
			wantAt, want := 0, uint32(0)
			for wantAt = from; wantAt < len(cols) && want == 0; wantAt += Step {
				for i, c := range cols[wantAt:min(wantAt+Step, len(cols))] {
					for _, r := range rows {
						if distance(uint64(r), uint64(c)) <= k {
							want |= 1 << i
						}
					}
				}
			}
			if hits != want || hits != 0 && at != wantAt-Step {
				t.Fatalf("%s by %s: from %d of %d columns within %d: %b at %d, want %b at %d", name, Kernel(), from, len(cols), k, hits, at, want, wantAt-Step)
			}
			if hits == 0 {
				break
			}
			from = at
		}
	}
}

// checkCorner checks windows of all lengths.
func checkCorner(t *testing.T, words []uint32, k int) {
	t.Helper()
	for n := range Corners + 1 {
		for from := 0; from+n <= len(words); from += 3 {
			w, want := words[from:from+n], false
			for i := range w {
				for j := range i {
					want = want || distance(uint64(w[i]), uint64(w[j])) <= k
				}
			}
			if got, inGo := Corner(w, k), cornerGo(w, k); got != want || inGo != want {
				t.Fatalf("Corner by %s: %x within %d: %v, in Go %v, want %v", Kernel(), w, k, got, inGo, want)
			}
		}
	}
}

// Each two of 16 lanes meet.
func TestCornerMeetsAll(t *testing.T) {
	everyKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(2, 2))
		for i := range Corners {
			for j := range i {
				w := make([]uint32, Corners)
				for l := range w {
					w[l] = rng.Uint32()
				}
				w[j] = w[i]
				checkCorner(t, w, 0)
				checkCorner(t, w, 2)
			}
		}
	})
}

func half(codes []uint64) []uint32 {
	out := make([]uint32, len(codes))
	for i, c := range codes {
		out[i] = uint32(c)
	}
	return out
}

func TestKernels(t *testing.T) {
	everyKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 1))
		for n := range 100 {
			lo, hi := codes(rng, n), codes(rng, n)
			for _, k := range []int{-1, 0, 1, 2, 3, 4, 8, 25, 63, 64, 127, 128} {
				q, p := rng.Uint64(), rng.Uint64()
				if n > 0 {
					q, p = lo[rng.IntN(n)], hi[rng.IntN(n)]
				}
				check(t, lo, hi, q, p, k)
				if k <= 8 {
					checkNext(t, lo, q, k)
					checkCorner(t, half(lo[:min(n, 40)]), k)
				}
				var rows [Rows]uint32
				copy(rows[:], half(codes(rng, Rows)))
				if n > 0 {
					rows[rng.IntN(Rows)] = uint32(lo[rng.IntN(n)]) ^ 1<<rng.IntN(32)
				}
				checkTile(t, &rows, half(lo), rng.IntN(3), k)
			}
		}
	})
}

func FuzzKernels(f *testing.F) {
	f.Add([]byte("some eight byte words, of which none is very near to another one"), uint8(3))
	f.Add(make([]byte, 400), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, k uint8) {
		words := make([]uint64, len(data)/8)
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(data[8*i:])
		}
		if len(words) < Rows {
			return
		}
		h := len(words) / 2
		check(t, words[:h], words[len(words)-h:], words[0], words[h], int(k))
		checkNext(t, words[:h], words[h], int(k))
		checkCorner(t, half(words), int(k))
		checkTile(t, (*[Rows]uint32)(half(words)), half(words), 1, int(k))
	})
}

func BenchmarkNear(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{153, 1 << 15, 1 << 23} {
		lo := make([]uint64, n)
		for i := range lo {
			lo[i] = rng.Uint64()
		}
		dst := make([]uint32, n)
		run := func(name string, f func(i int) int) {
			b.Run(fmt.Sprintf("by=%s/codes=%d", name, n), func(b *testing.B) {
				i := 0
				for b.Loop() {
					if f(i) != 1 {
						b.Fatal("not one code is within 3 of itself")
					}
					i = (i + 1) % n
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/code")
			})
		}
		run("plain", func(i int) int { return nearGo(dst, lo, lo[i], 3) })
		underEach(func(name string) {
			run(name, func(i int) int { return Near(dst, lo, lo[i], 3) })
		})
	}
}

func BenchmarkNext(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{15, 153} {
		words := make([]uint32, n)
		for i := range words {
			words[i] = rng.Uint32()
		}
		run := func(name string, f func() int) {
			b.Run(fmt.Sprintf("by=%s/words=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					if f() >= 0 {
						b.Fatal("a hit among unrelated codes")
					}
				}
			})
		}
		underEach(func(name string) { run(name, func() int { return Next32(words, 12345, 1) }) })
	}
}

func BenchmarkTile(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	cols := make([]uint32, 160)
	for i := range cols {
		cols[i] = rng.Uint32() | 1<<16 - 1 // far from all rows
	}
	rows := [Rows]uint32{1, 2, 3, 4, 5, 6, 7, 8}
	for _, k := range []int{1, 2, 3, 4} {
		underEach(func(name string) {
			b.Run(fmt.Sprintf("k=%d/by=%s", k, name), func(b *testing.B) {
				for b.Loop() {
					Tile(&rows, cols, 0, k)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(Rows*len(cols)), "ns/pair")
			})
		})
	}
}
