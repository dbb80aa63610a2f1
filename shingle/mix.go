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
