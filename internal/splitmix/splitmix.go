// Package splitmix is SplitMix64 (Steele, Lea and Flood, "Fast splittable
// pseudorandom number generators", OOPSLA 2014): a generator for samples and
// hash functions that must be the same on every machine and under every version
// of the standard library. Fingerprints, sketches and planted documents depend
// on its bits, so they never change. It is not safe for secrets.
//
// Packages feature, datasets, dedup/clean, internal/setjoin and the methods use
// it. Other generators do not belong here.
package splitmix

import "math/bits"

// Step is what the state of a stream grows by: 2^64 divided by the golden ratio.
const Step = 0x9e3779b97f4a7c15

// Mix is the output function: a bijection of 64-bit words in which every input bit
// reaches every output bit. The constants are those of variant 13 of Stafford,
// "Better bit mixing" (2011).
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Stream is a stream of pseudorandom words. Its value is the seed.
type Stream uint64

// Next returns the next word.
func (s *Stream) Next() uint64 {
	*s += Step
	return Mix(uint64(*s))
}

// Below returns a number in [0, n), n > 0. The bias is below n/2^64.
func (s *Stream) Below(n int) int {
	hi, _ := bits.Mul64(s.Next(), uint64(n))
	return int(hi)
}
