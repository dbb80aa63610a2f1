package bloomsim

import (
	"encoding/binary"

	"github.com/bits-and-blooms/bloom/v3"

	"github.com/alike-go/alike/internal/settings"
)

// Places says which bits a feature sets.
type Places int

const (
	// Alike derives the places from the feature's hash by a multiplication and
	// double hashing with an odd step (Kirsch and Mitzenmacher, ESA 2006; an even
	// step would cycle in a filter of a power of two).
	Alike Places = iota
	// Compat takes the places of bits-and-blooms/bloom/v3 for the key that is the
	// feature's hash, 8 bytes big-endian. It is slower, and lets filters be
	// exchanged with that library; see Method.FromBloom.
	Compat
)

var placesNames = settings.Words{"alike", "compat"}

// String returns the value of the spec key "places".
func (p Places) String() string { return placesNames.Name(int(p)) }

// place sets the bits of hashes in a filter of m bits.
func (p Places) place(words []uint64, m, k int, hashes []uint64) {
	switch {
	case p == Compat:
		f := bloom.FromWithM(words, uint(m), uint(k))
		var key [8]byte
		for _, h := range hashes {
			binary.BigEndian.PutUint64(key[:], h)
			f.Add(key[:])
		}
	case m&(m-1) == 0:
		placeMasked(words, k, hashes)
	default:
		for _, h := range hashes {
			x, step := spread(h)
			for range k {
				at := uint64(x) * uint64(m) >> 32
				words[at/64] |= 1 << (at % 64)
				x += step
			}
		}
	}
}

// placeMasked sets the bits of hashes in a filter of 64 bits a word, whose number is a
// power of two. Written so, the compiler sees that no index needs a check.
func placeMasked(words []uint64, k int, hashes []uint64) {
	if len(words) == 0 {
		return
	}
	// A pass for four places of each feature, and one for each that is left: inner loops
	// without a loop within.
	done := 0
	for ; done+4 <= k; done += 4 {
		for _, h := range hashes {
			x, step := spread(h)
			x += uint32(done) * step
			y, z := x+step, x+2*step
			w := y + 2*step
			words[int(x>>6)&(len(words)-1)] |= 1 << (x % 64)
			words[int(y>>6)&(len(words)-1)] |= 1 << (y % 64)
			words[int(z>>6)&(len(words)-1)] |= 1 << (z % 64)
			words[int(w>>6)&(len(words)-1)] |= 1 << (w % 64)
		}
	}
	for ; done < k; done++ {
		for _, h := range hashes {
			x, step := spread(h)
			x += uint32(done) * step
			words[int(x>>6)&(len(words)-1)] |= 1 << (x % 64)
		}
	}
}

// spread returns the start and the odd step of a feature's walk. Feature hashes
// of other families than xxh3 have weak bits, low ones and high ones, hence the
// multiplication; the halves of the product then differ enough for two hashes.
func spread(h uint64) (x, step uint32) {
	z := (h ^ h>>32) * 0x9e3779b97f4a7c15
	return uint32(z) ^ uint32(z>>32), uint32(z>>32) | 1
}
