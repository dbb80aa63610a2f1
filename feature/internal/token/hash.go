package token

import (
	"encoding/binary"
	"math/bits"

	"github.com/zeebo/xxh3"
)

// Hasher hashes tokens by XXH3 (Collet, xxHash 0.8, 2020).
//
// XXH3 has ways of its own for keys of 1 to 3, 4 to 8 and 9 to 16 bytes. Words come
// in all three mixed, so that a processor mispredicts which, and that costs more than the
// hash itself. Here tokens are first listed by class, without a branch, and each
// list is then hashed by a loop of its own.
type Hasher struct {
	seed uint64

	// keys are what XXH3 adds to keys by XOR, derived from its secret and the seed:
	// those of small and of middle keys, and for large ones of the first eight bytes and the last.
	keys [4]uint64
}

// Classes of keys by their length.
const (
	small  = iota // 1 to 3 bytes
	middle        // 4 to 8
	large         // 9 to 16
	long          // more, or none: left to package xxh3
	classes
)

// Multipliers of XXH3 and of XXH64's finaliser.
const (
	prime2    = 0xc2b2ae3d27d4eb4f
	prime3    = 0x165667b19e3779f9
	primeRot  = 0x9fb21c651e98df25
	primeLast = 0x165667919e3779f9
)

// Lists is scratch space for Sums: the numbers of the tokens of a batch by class.
// Eight more than fit are written at a time.
type Lists [classes][Batch + 8]uint16

// NewHasher returns the hasher of a seed.
func NewHasher(seed uint64) *Hasher {
	swapped := seed ^ uint64(bits.ReverseBytes32(uint32(seed)))<<32
	return &Hasher{seed: seed, keys: [4]uint64{
		0x0000000087275a9b + seed,
		0xc73ab174c5ecd5a2 - swapped,
		0x6782737bea4239b9 + seed,
		0xaf56bc3b0996523a - seed,
	}}
}

// Sums sets dst[i] to the hash of the token at spans[i] in buf, and to 1 where that
// is 0. dst must be at least as long as spans.
func (h *Hasher) Sums(dst []uint64, buf []byte, spans []Span, l *Lists) {
	dst = dst[:len(spans)]
	for len(spans) > 0 {
		n := min(len(spans), Batch)
		rest := h.sums(dst[:n], buf, spans[:n], l)
		for _, i := range l[long][:rest] {
			s := spans[i]
			dst[i] = nonZero(xxh3.HashSeed(buf[s.Start:s.End], h.seed))
		}
		dst, spans = dst[n:], spans[n:]
	}
}

// sumsGo hashes a batch of tokens but for the long ones, whose number it returns.
func (h *Hasher) sumsGo(dst []uint64, buf []byte, spans []Span, l *Lists) int {
	var nSmall, nMiddle, nLarge, nLong int
	for i, s := range spans {
		n := s.End - s.Start
		l[small][nSmall] = uint16(i)
		l[middle][nMiddle] = uint16(i)
		l[large][nLarge] = uint16(i)
		l[long][nLong] = uint16(i)
		nSmall += b2i(n-1 < 3)
		nMiddle += b2i(n-4 < 5)
		nLarge += b2i(n-9 < 8)
		nLong += b2i(n-1 >= 16)
	}
	for _, i := range l[small][:nSmall] {
		s := spans[i]
		b := buf[s.Start:s.End]
		n := len(b)
		x := uint64(b[0])<<16 | uint64(b[n/2])<<24 | uint64(b[n-1]) | uint64(n)<<8
		x ^= h.keys[0]
		x = (x ^ x>>33) * prime2
		x = (x ^ x>>29) * prime3
		dst[i] = nonZero(x ^ x>>32)
	}
	for _, i := range l[middle][:nMiddle] {
		s := spans[i]
		b := buf[s.Start:s.End]
		x := uint64(binary.LittleEndian.Uint32(b))<<32 | uint64(binary.LittleEndian.Uint32(b[len(b)-4:]))
		x ^= h.keys[1]
		x = (x ^ bits.RotateLeft64(x, 49) ^ bits.RotateLeft64(x, 24)) * primeRot
		x = (x ^ (x>>35 + uint64(len(b)))) * primeRot
		dst[i] = nonZero(x ^ x>>28)
	}
	for _, i := range l[large][:nLarge] {
		s := spans[i]
		b := buf[s.Start:s.End]
		lo := binary.LittleEndian.Uint64(b) ^ h.keys[2]
		hi := binary.LittleEndian.Uint64(b[len(b)-8:]) ^ h.keys[3]
		p, q := bits.Mul64(lo, hi)
		x := uint64(len(b)) + bits.ReverseBytes64(lo) + hi + (p ^ q)
		x = (x ^ x>>37) * primeLast
		dst[i] = nonZero(x ^ x>>32)
	}
	return nLong
}

func nonZero(h uint64) uint64 {
	if h == 0 {
		return 1
	}
	return h
}
