package simhash

import (
	"fmt"
	"sync"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/settings"
)

// Tie says which bit a position gets where the weights of ones and zeros are equal,
// as happens in a quarter of the positions of a text of eight words.
//
// The rule does not change what is found: on the sentences of lcqmc/dev, qqp/dev and
// mrpc/test the area under the ROC curve of the two rules differs by at most .0015
// (.6579 and .6564; .6699 and .6704; .6920 and .6920), and unrelated sentences are
// equally far apart, since two texts that tie at one bit agree there under either. But with
// TieZero only 44 to 46 of 100 bits are ones, and with TieSalt 49 to 50, so that the
// buckets of an index by blocks of bits fill evenly; that is why TieSalt is the default.
// (go test -run - -bench Quality -benchtime 1x ./simhash; means of ten hash seeds.)
type Tie int

const (
	TieSalt Tie = iota // the bit of a constant, the same for every text
	TieZero            // zero, as most published programs do
)

var tieNames = settings.Words{"salt", "zero"}

// String returns the value of the spec key tie.
func (t Tie) String() string { return tieNames.Name(int(t)) }

// salt decides ties: the first 128 bits of the fraction of π, the low half first.
var salt = Fingerprint{Hi: 0x13198a2e03707344, Lo: 0x243f6a8885a308d3}

// Sum returns the fingerprint of weighted features at a width of 32, 64 or 128
// bits: bit j is one where the features whose hash has a one at bit j outweigh the
// others (Charikar, STOC 2002). Bits 0 to 63 are those of the feature hash; bits
// 64 to 127 come from a second mixing of it.
//
// Features may come in any order and repeat; those of weight 0 do not count. Without
// any that counts the fingerprint is zero. A sum that happens to be zero
// becomes 1. Sum panics on another width.
func Sum(bits int, tie Tie, features []feature.Feature) Fingerprint {
	checkBits(bits)
	s := pool.Get().(*summer)
	defer s.release()
	return s.sumFeatures(bits, tie, features)
}

// SumHashes is Sum for features that all weigh the same. A hash that repeats counts
// as often as it stands in the list.
func SumHashes(bits int, tie Tie, hashes []uint64) Fingerprint {
	checkBits(bits)
	s := pool.Get().(*summer)
	defer s.release()
	s.wide = bits == 128
	s.add(hashes)
	return s.sum(bits, tie)
}

func checkBits(bits int) {
	if bits != 32 && bits != 64 && bits != 128 {
		panic(fmt.Sprintf("simhash: sum of %d bits, want 32, 64 or 128", bits))
	}
}

// summer holds what one sum needs, for reuse.
type summer struct {
	wide     bool
	lo, hi   votes
	block    [feature.BlockLen]uint64 // hashes of features, then the same after the second finaliser
	features []feature.Feature

	// yield is the method value add. Made once, it costs no allocation a text.
	yield func(hashes []uint64)
}

var pool = sync.Pool{New: func() any {
	s := new(summer)
	s.yield = s.add
	return s
}}

// release clears the summer and gives it back. A very long list of features
// is left to the garbage collector.
func (s *summer) release() {
	s.lo, s.hi = votes{}, votes{}
	s.features = s.features[:0]
	if cap(s.features) > 1<<16 {
		s.features = nil
	}
	pool.Put(s)
}

// add counts hashes of weight one.
func (s *summer) add(hashes []uint64) {
	s.lo.add(hashes)
	for s.wide && len(hashes) > 0 {
		n := min(len(hashes), len(s.block))
		for i, h := range hashes[:n] {
			s.block[i] = second(h)
		}
		s.hi.add(s.block[:n])
		hashes = hashes[n:]
	}
}

// sum returns the fingerprint of the hashes that were added.
func (s *summer) sum(bits int, tie Tie) Fingerprint {
	if s.lo.n == 0 {
		return Fingerprint{}
	}
	var f, ties Fingerprint
	f.Lo, ties.Lo = s.lo.majority()
	if s.wide {
		f.Hi, ties.Hi = s.hi.majority()
	}
	return finish(bits, tie, f, ties)
}

// finish settles the ties, cuts the sum to its width and keeps it from being zero.
func finish(bits int, tie Tie, f, ties Fingerprint) Fingerprint {
	if tie == TieSalt {
		f.Lo |= ties.Lo & salt.Lo
		f.Hi |= ties.Hi & salt.Hi
	}
	switch bits {
	case 32:
		f = Fingerprint{Lo: f.Lo & 0xffffffff}
	case 64:
		f.Hi = 0
	}
	if f.IsZero() {
		f.Lo = 1
	}
	return f
}

// sumFeatures returns the fingerprint of weighted features.
func (s *summer) sumFeatures(bits int, tie Tie, features []feature.Feature) Fingerprint {
	if equal(features) {
		s.wide = bits == 128
		for len(features) > 0 {
			n := min(len(features), len(s.block))
			for i, f := range features[:n] {
				s.block[i] = f.Hash
			}
			s.add(s.block[:n])
			features = features[n:]
		}
		return s.sum(bits, tie)
	}
	var lo, hi weighted
	second := &hi
	if bits != 128 {
		second = nil
	}
	if !addFeatures(&lo, second, features) {
		return Fingerprint{}
	}
	var f, ties Fingerprint
	f.Lo, ties.Lo = lo.majority()
	if bits == 128 {
		f.Hi, ties.Hi = hi.majority()
	}
	return finish(bits, tie, f, ties)
}

// equal reports whether all features have the same positive weight, in which
// case it does not matter what it is.
func equal(features []feature.Feature) bool {
	for _, f := range features {
		if !(f.Weight > 0) || f.Weight != features[0].Weight {
			return false
		}
	}
	return true
}
