package shingle

import "math/bits"

// ophFamily is a hash function of one-permutation hashing and the order in which
// empty bins look for full ones.
//
// That order: in round 0, 1, 2, ... each bin in turn throws at a bin chosen at
// random, and an empty bin copies the first full one that throws at it. Seen from
// one empty bin this is what Shrivastava (ICML 2017) asks for, a random sequence
// of bins, the same for all texts and independent of those of other bins, of
// which the first full one is copied. Thrown from the full bins' side (Mai, Rao,
// Kapilevitch, Rossi, Abbasi-Yadkori and Sinha, UAI 2019) it takes O(k log k)
// throws at worst, where probing from the empty side takes k²/n for n shingles.
type ophFamily struct {
	size   int
	seed   uint64 // of the hash function
	throws uint64 // of the throws
}

func newOPH(size int, seed uint64) *ophFamily {
	s := stream(seed)
	return &ophFamily{size: size, seed: s.next(), throws: s.next()}
}

// add hashes shingles into bins that start out as emptyBin.
func (f *ophFamily) add(bins []uint32, hashes []uint64) {
	for _, x := range hashes {
		// The upper word of the product is the bin, the lower one where in the bin
		// the hash stands: one multiplication for both, and any number of bins.
		bin, rest := bits.Mul64(mix(x, f.seed), uint64(f.size))
		bins[bin] = min(bins[bin], uint32(rest>>(64-valueBits)))
	}
}

// target returns the bin at which a bin throws in a round.
func (f *ophFamily) target(bin, round int) int {
	to, _ := bits.Mul64(mix(uint64(round)<<32|uint64(bin), f.throws), uint64(f.size))
	return int(to)
}

// densify fills empty bins, at least one bin being full.
func (f *ophFamily) densify(bins []uint32) {
	empty := 0
	var full []int
	for i, v := range bins {
		if v == emptyBin {
			empty++
		} else {
			full = append(full, i)
		}
	}
	for round := 0; empty > 0; round++ {
		for _, from := range full {
			if to := f.target(from, round); bins[to] == emptyBin {
				bins[to] = bins[from] | copied
				empty--
			}
		}
	}
}

// dropCopies makes bins that were filled by densify empty again.
func dropCopies(bins []uint32) {
	for i, v := range bins {
		if v&copied != 0 {
			bins[i] = emptyBin
		}
	}
}
