package feature

import (
	"crypto/md5"
	"encoding/binary"
	"math/bits"

	"github.com/alike-go/alike/internal/splitmix"
	"github.com/twmb/murmur3"
	"github.com/zeebo/xxh3"
)

// Sum returns the hash of b. XXH3 and Murmur3 take the seed themselves (Murmur3 for
// both its halves); the others mix it into the finished hash, and with seed 0
// give the published values. An unknown function counts as XXH3.
func (h Hash) Sum(b []byte, seed uint64) uint64 {
	var v uint64
	switch h {
	case Murmur3:
		v, _ = murmur3.SeedSum128(seed, seed, b)
		return v
	case FNV1a:
		v = 14695981039346656037
		for _, c := range b {
			v = (v ^ uint64(c)) * 1099511628211
		}
	case MD5:
		d := md5.Sum(b)
		v = binary.BigEndian.Uint64(d[8:])
	case Lookup3:
		pc, pb := lookup3(b, 0, 0)
		v = uint64(pc)<<32 | uint64(pb)
	case Times33:
		for _, c := range b {
			v = v*33 + uint64(c)
		}
	default:
		if seed == 0 {
			return xxh3.Hash(b)
		}
		return xxh3.HashSeed(b, seed)
	}
	if seed != 0 {
		v = splitmix.Mix(v ^ splitmix.Mix(seed))
	}
	return v
}

// sum is Sum with 0 replaced by 1, since a feature hash is never 0.
func (x *Extractor) sum(b []byte) uint64 {
	if x.o.Hash == XXH3 && x.o.Seed == 0 {
		return nonZero(xxh3.Hash(b))
	}
	return nonZero(x.o.Hash.Sum(b, x.o.Seed))
}

// sums sets dst[i] to the sum of the token at spans[i].
func (x *Extractor) sums(s *scratch, dst []uint64, spans []span) {
	if x.hasher != nil {
		x.hasher.Sums(dst, s.buf, spans, &s.lists)
		return
	}
	dst = dst[:len(spans)]
	for i, sp := range spans {
		dst[i] = nonZero(x.o.Hash.Sum(s.buf[sp.Start:sp.End], x.o.Seed))
	}
}

func nonZero(h uint64) uint64 {
	if h == 0 {
		return 1
	}
	return h
}

// The hash of a shingle of w > 1 tokens with hashes h1...hw is
//
//	splitmix.Mix(h1·M^(w-1) + ... + hw + w·shingleStep)
//
// a polynomial, so that order counts, with a term for the width, so that a shingle
// of two is none of three. Tokens enter by their hashes, so that ("ab", "c")
// and ("a", "bc") differ. M is 3 modulo 8: then M^k - 1 has few factors of two,
// and exchanging two tokens k places apart is as good as never unseen.
const (
	shingleM    = 0xd1342543de82ef9b
	shingleStep = 0x9e3779b97f4a7c15
	phraseTag   = 0xc2b2ae3d27d4eb4f
)

// shinglePowers[k] is M^k.
var shinglePowers = func() (p [maxWidth]uint64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * shingleM
	}
	return p
}()

// shingleHash combines the hashes of the tokens of one shingle.
func shingleHash(tokens []uint64) uint64 {
	if len(tokens) == 1 {
		return tokens[0]
	}
	var acc uint64
	for _, t := range tokens {
		acc = acc*shingleM + t
	}
	return nonZero(splitmix.Mix(acc + uint64(len(tokens))*shingleStep))
}

// pairKey is the hash of the token that the phrase of tokens a and b becomes.
func pairKey(a, b uint64) uint64 {
	return nonZero(splitmix.Mix(bits.RotateLeft64(splitmix.Mix(a), 1)*shingleM + b + phraseTag))
}
