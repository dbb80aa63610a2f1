package shingle

// mix is the finaliser of MurmurHash3 (Appleby, 2011) after a seed: a
// permutation of the 64-bit words in which each bit of x sways every other, so
// that even a feature hash with unfair bits gives fair ones.
func mix(x, seed uint64) uint64 {
	x ^= seed
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// stream is SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): a stream of
// pseudorandom words from a seed.
type stream uint64

func (s *stream) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	x := uint64(*s)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
