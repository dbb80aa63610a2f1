package feature

import (
	"math"
	"math/bits"
	"slices"
	"testing"
)

// The values were made with maintained implementations of each function and
// agree with their published vectors where there are any; those of lookup3 on Chinese
// words are in the tests of yanyiwu/simhash.
func TestHashVectors(t *testing.T) {
	for _, q := range []struct {
		h    Hash
		in   string
		want uint64
	}{
		{XXH3, "", 0x2d06800538d394c2},
		{XXH3, "a", 0xe6c632b61e964e1f},
		{XXH3, "hello", 0x9555e8555c62dcfd},
		{XXH3, "foobar", 0xd78fda63144c5c84},
		{XXH3, "你好", 0xad905e65cd7290f0},
		{Murmur3, "", 0},
		{Murmur3, "a", 0x85555565f6597889},
		{Murmur3, "hello", 0xcbd8a7b341bd9b02},
		{Murmur3, "foobar", 0xbdd2ae7116c85a45},
		{Murmur3, "你好", 0x3c02b44e5d988920},
		{FNV1a, "", 0xcbf29ce484222325},
		{FNV1a, "a", 0xaf63dc4c8601ec8c},
		{FNV1a, "hello", 0xa430d84680aabd0b},
		{FNV1a, "foobar", 0x85944171f73967e8},
		{FNV1a, "你好", 0x3d262481d7d5eaa3},
		{MD5, "", 0xe9800998ecf8427e}, // RFC 1321: d41d8cd98f00b204 e9800998ecf8427e
		{MD5, "abc", 0xd6963f7d28e17f72},
		{Lookup3, "", 0xdeadbeefdeadbeef},
		{Lookup3, "Four score and seven years ago", 0x17770551ce7226e6},
		{Lookup3, "你好", 17676873585679812141},
		{Lookup3, "世界", 17364469107188678083},
		{Lookup3, "蓝翔", 4456126642618087437},
		{Lookup3, "CEO", 15527884971851335464},
		{Lookup3, "升职", 12795442418582434293},
		{Lookup3, "加薪", 17469274401231235653},
		{Lookup3, "手扶拖拉机", 5143693181545528385},
		{Times33, "hello", 0x7933074},
		{Times33, "你好", 0x2218fe768},
	} {
		if got := q.h.Sum([]byte(q.in), 0); got != q.want {
			t.Errorf("%s of %q is %#x, want %#x", hashNames.Name(int(q.h)), q.in, got, q.want)
		}
	}
}

// The vectors in the driver of lookup3.c.
func TestLookup3Seeds(t *testing.T) {
	for _, q := range []struct {
		in             string
		pc, pb, wc, wb uint32
	}{
		{"", 0, 0, 0xdeadbeef, 0xdeadbeef},
		{"", 0, 0xdeadbeef, 0xbd5b7dde, 0xdeadbeef},
		{"", 0xdeadbeef, 0xdeadbeef, 0x9c093ccd, 0xbd5b7dde},
		{"Four score and seven years ago", 0, 0, 0x17770551, 0xce7226e6},
		{"Four score and seven years ago", 0, 1, 0xe3607cae, 0xbd371de4},
		{"Four score and seven years ago", 1, 0, 0xcd628161, 0x6cbea4b3},
	} {
		if pc, pb := lookup3([]byte(q.in), q.pc, q.pb); pc != q.wc || pb != q.wb {
			t.Errorf("%q seeded %#x, %#x gives %#x, %#x, want %#x, %#x", q.in, q.pc, q.pb, pc, pb, q.wc, q.wb)
		}
	}
}

// realTokens returns words of two languages, of one rune to a dozen.
func realTokens() []string {
	var out []string
	for _, list := range []string{stopEN, stopZH} {
		stopWords(list, func(w string) { out = append(out, w) })
	}
	return out
}

// biased counts the bits that are 1 in fewer than 45 or more than 55% of the hashes.
func biased(hashes []uint64) (n int) {
	for b := range 64 {
		ones := 0
		for _, h := range hashes {
			ones += int(h >> b & 1)
		}
		if p := float64(ones) / float64(len(hashes)); p < .45 || p > .55 {
			n++
		}
	}
	return n
}

// On 896 words the share of ones of a fair bit has a standard deviation of 1.7%,
// so that of 64 bits a few may lie outside 45 to 55% by chance; pairs of words are
// plenty.
func TestHashBias(t *testing.T) {
	tokens := realTokens()
	var pairs []string
	for _, a := range tokens {
		for _, b := range tokens[:40] {
			pairs = append(pairs, a+b)
		}
	}
	all := append(pairs, tokens...)
	for h := XXH3; h <= Times33; h++ {
		for _, seed := range []uint64{0, 1, 0xdeadbeef} {
			var hashes []uint64
			for _, s := range all {
				hashes = append(hashes, h.Sum([]byte(s), seed))
			}
			n := biased(hashes)
			switch {
			case h == Times33 && seed == 0:
				if n < 20 {
					t.Errorf("times33 has %d biased bits, fewer than its documentation warns of", n)
				}
			case n > 0:
				t.Errorf("%s, seed %d: %d biased bits, want none", hashNames.Name(int(h)), seed, n)
			}
		}
	}
}

// Shingles of the worst tokens there are, times33 hashes, are unbiased all the
// same, differ by order, and do not collide: 800,000 shingles have 0.00002
// collisions of 64 bits by chance.
func TestShingleHash(t *testing.T) {
	tokens := realTokens()
	var sums []uint64
	known := make(map[string]bool)
	for _, s := range tokens {
		if !known[s] {
			known[s] = true
			sums = append(sums, XXH3.Sum([]byte(s), 0)&0xffff_ffff) // half the bits gone
		}
	}
	seen := make(map[uint64]bool, len(sums)*len(sums))
	var hashes []uint64
	for _, a := range sums {
		for _, b := range sums {
			h := shingleHash([]uint64{a, b})
			if seen[h] {
				t.Fatalf("shingles collide at %#x", h)
			}
			seen[h] = true
			hashes = append(hashes, h)
		}
	}
	if n := biased(hashes); n > 0 {
		t.Errorf("%d biased bits, want none", n)
	}
}

// avalanche returns the greatest distance from one half of the share of times
// that an output bit changes with an input bit.
func avalanche(in []uint64, f func(uint64) uint64) float64 {
	worst := 0.0
	for i := range 64 {
		var flips [64]int
		for _, v := range in {
			for d := f(v) ^ f(v^1<<i); d != 0; d &= d - 1 {
				flips[bits.TrailingZeros64(d)]++
			}
		}
		for _, n := range flips {
			worst = max(worst, math.Abs(float64(n)/float64(len(in))-.5))
		}
	}
	return worst
}

func TestAvalanche(t *testing.T) {
	var words []uint64 // eight bytes of real tokens
	tokens := realTokens()
	for i, a := range tokens {
		for k := range 5 {
			var w uint64
			for _, c := range []byte(a + tokens[(7*i+k)%len(tokens)] + "        ")[:8] {
				w = w<<8 | uint64(c)
			}
			words = append(words, w)
		}
	}
	slices.Sort(words)
	words = slices.Compact(words)
	bytes8 := func(v uint64) []byte {
		b := make([]byte, 8)
		for i := range b {
			b[i] = byte(v >> (8 * i))
		}
		return b
	}
	// The worst of 4,096 pairs of bits lies about 3.7 standard deviations out; 6 are allowed.
	most := 6 * 0.5 / math.Sqrt(float64(len(words)))
	for name, f := range map[string]func(uint64) uint64{
		"xxh3":             func(v uint64) uint64 { return XXH3.Sum(bytes8(v), 0) },
		"xxh3 seeded":      func(v uint64) uint64 { return XXH3.Sum(bytes8(v), 7) },
		"murmur3":          func(v uint64) uint64 { return Murmur3.Sum(bytes8(v), 0) },
		"fnv1a seeded":     func(v uint64) uint64 { return FNV1a.Sum(bytes8(v), 7) },
		"shingle's first":  func(v uint64) uint64 { return shingleHash([]uint64{v, 5, 6}) },
		"shingle's second": func(v uint64) uint64 { return shingleHash([]uint64{5, v, 6}) },
		"shingle's last":   func(v uint64) uint64 { return shingleHash([]uint64{5, 6, v}) },
		"phrase's first":   func(v uint64) uint64 { return pairKey(v, 5) },
		"phrase's last":    func(v uint64) uint64 { return pairKey(5, v) },
	} {
		if got := avalanche(words, f); got > most {
			t.Errorf("%s: an output bit changes with an input bit in %.3f ± .5 of the cases, want at most %.3f", name, got, most)
		}
	}
}

func TestSeeds(t *testing.T) {
	for h := XXH3; h <= Times33; h++ {
		a, b := h.Sum([]byte("token"), 1), h.Sum([]byte("token"), 2)
		if a == b || a == h.Sum([]byte("token"), 0) {
			t.Errorf("%s does not depend on its seed", hashNames.Name(int(h)))
		}
	}
}
