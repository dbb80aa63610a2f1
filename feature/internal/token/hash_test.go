package token

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/zeebo/xxh3"
)

// checkSums compares the hashes of tokens with those of package xxh3.
func checkSums(t *testing.T, buf []byte, spans []Span, seed uint64) {
	t.Helper()
	h := NewHasher(seed)
	var l Lists
	got := make([]uint64, len(spans)+1)
	h.Sums(got, buf, spans, &l)
	inGo := make([]uint64, Batch)
	for i, s := range spans {
		if i%Batch == 0 {
			h.sumsGo(inGo, buf, spans[i:min(i+Batch, len(spans))], &l)
		}
		b := buf[s.Start:s.End]
		want := xxh3.HashSeed(b, seed)
		if want == 0 {
			want = 1
		}
		if got[i] != want {
			t.Fatalf("seed %#x, token %d of %d, %q: %#x, want %#x", seed, i, len(spans), b, got[i], want)
		}
		if n := len(b); 1 <= n && n <= 16 && inGo[i%Batch] != want {
			t.Fatalf("seed %#x, token %d of %d, %q: %#x in Go, want %#x", seed, i, len(spans), b, inGo[i%Batch], want)
		}
	}
	if got[len(spans)] != 0 {
		t.Fatalf("%d tokens: what stands behind their hashes has changed", len(spans))
	}
}

// The hashes are XXH3's for every length, number of tokens and seed, at the very ends of
// the buffer too.
func TestSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for n := range 1200 {
		buf := make([]byte, 1+rng.IntN(300))
		for i := range buf {
			buf[i] = byte(rng.Uint32())
		}
		spans := make([]Span, n)
		for i := range spans {
			size := min(rng.IntN(1+rng.IntN(40)), len(buf))
			from := rng.IntN(len(buf) - size + 1)
			spans[i] = Span{uint32(from), uint32(from + size)}
		}
		for _, seed := range []uint64{0, 1, rng.Uint64()} {
			checkSums(t, buf, spans, seed)
		}
	}
}

// A hash of 0 becomes 1. Each of the three ways of XXH3 is inverted to find a key of hash 0.
func TestSumsNever0(t *testing.T) {
	h := NewHasher(0)
	le := binary.LittleEndian

	// 1 to 3 bytes: the finaliser leads 0 to 0, and a seed can cancel the key.
	abc := []byte("abc")
	seed := (uint64('a')<<16 | 'b'<<24 | 'c' | 3<<8) - h.keys[0]

	// 4 to 8 bytes: the second multiplication gives 0 where the first gave 8, the
	// length; and what comes before it is a map that is its own inverse after 64 times.
	inverse := uint64(1)
	for range 6 {
		inverse *= 2 - primeRot*inverse
	}
	x := 8 * inverse
	for range 63 {
		x ^= bits.RotateLeft64(x, 49) ^ bits.RotateLeft64(x, 24)
	}
	x ^= h.keys[1]
	eight := le.AppendUint32(le.AppendUint32(nil, uint32(x>>32)), uint32(x))

	// 9 to 16 bytes: with a first factor of 0 only the second and the length are left.
	sixteen := le.AppendUint64(le.AppendUint64(nil, h.keys[2]), h.keys[3]^(1<<64-16))

	for _, q := range []struct {
		key  []byte
		seed uint64
	}{{abc, seed}, {eight, 0}, {sixteen, 0}} {
		if got := xxh3.HashSeed(q.key, q.seed); got != 0 {
			t.Errorf("key %x, seed %#x: hash %#x, want one of 0", q.key, q.seed, got)
		}
		checkSums(t, q.key, []Span{{0, uint32(len(q.key))}}, q.seed)
	}
}

func FuzzSums(f *testing.F) {
	f.Add([]byte("the quick brown fox and his considerable neighbourhood"), uint64(0))
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		var spans []Span
		for i, c := range data {
			size := min(int(c%24), len(data)-i)
			spans = append(spans, Span{uint32(i), uint32(i + size)})
		}
		checkSums(t, data, spans, seed)
	})
}

// BenchmarkSums hashes tokens of lengths as in English. They are many, since a
// processor would learn the order of the lengths of few.
func BenchmarkSums(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 2))
	const n = 40 * Batch
	var buf []byte
	var spans []Span
	for range n {
		size := 1 + rng.IntN(4) + rng.IntN(4) + rng.IntN(10)/9*5
		spans = append(spans, Span{uint32(len(buf)), uint32(len(buf) + size)})
		for range size + 1 {
			buf = append(buf, byte('a'+rng.IntN(26)))
		}
	}
	dst := make([]uint64, n)
	h := NewHasher(0)
	var l Lists
	for _, by := range []struct {
		name string
		sums func(dst []uint64, buf []byte, spans []Span, l *Lists) int
	}{
		{"asm", h.sums}, {"go", h.sumsGo},
		{"xxh3", func(dst []uint64, buf []byte, spans []Span, _ *Lists) int {
			for i, s := range spans {
				dst[i] = nonZero(xxh3.Hash(buf[s.Start:s.End]))
			}
			return 0
		}},
	} {
		b.Run(fmt.Sprintf("by=%s", by.name), func(b *testing.B) {
			for b.Loop() {
				for i := 0; i < n; i += Batch {
					by.sums(dst[i:i+Batch], buf, spans[i:i+Batch], &l)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/token")
		})
	}
}
