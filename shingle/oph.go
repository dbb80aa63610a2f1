package shingle

import (
	"math/bits"

	"github.com/alike-go/alike/internal/splitmix"
)

// ophFamily is a hash function of one-permutation hashing and the order in which
// empty bins look for full ones.
//
// That order: in round 0, 1, 2, ... each bin in turn throws at a bin chosen at
// random, and an empty bin copies the first full one that throws at it. Seen from
// one empty bin this is what Shrivastava (ICML 2017) asks for, a random sequence
// of bins, the same for all texts and independent of those of other bins, of
// which the first full one is copied. Thrown from the full bins' side (Mai and
// others, UAI 2019) it takes O(k log k) throws at worst, where probing from the
// empty side takes k²/n for n shingles.
type ophFamily struct {
	size    int
	seed    uint64      // of the hash function
	throws  uint64      // of the throws
	sources [][8]uint16 // the first eight bins that throw at each
}

func newOPH(size int, seed uint64) *ophFamily {
	s := splitmix.Stream(seed)
	f := &ophFamily{size: size, seed: s.Next(), throws: s.Next(), sources: make([][8]uint16, size)}
	known := make([]uint8, size)
	for round, lack := 0, 8*size; lack > 0; round++ {
		for from := range size {
			if to := f.target(from, round); known[to] < 8 {
				f.sources[to][known[to]] = uint16(from)
				known[to]++
				lack--
			}
		}
	}
	return f
}

// add hashes shingles into bins that start out as emptyBin.
func (f *ophFamily) add(bins []uint32, hashes []uint64) {
	seed, size := f.seed, uint64(f.size)
	bins = bins[:size]
	for _, x := range hashes {
		// The upper word of the product is the bin, the lower one where in the bin
		// the hash stands: one multiplication for both, and any number of bins.
		bin, rest := bits.Mul64(mix(x, seed), size)
		v := uint32(rest >> (64 - valueBits))
		// Whether a value is the least so far is often a coin toss, so it is stored
		// without a branch.
		at := &bins[bin]
		*at = min(*at, v)
	}
}

// target returns the bin at which a bin throws in a round.
func (f *ophFamily) target(bin, round int) int {
	to, _ := bits.Mul64(mix(uint64(round)<<32|uint64(bin), f.throws), uint64(f.size))
	return int(to)
}

// densify fills empty bins, at least one bin being full. It uses full as scratch
// space for the numbers of the full bins.
func (f *ophFamily) densify(bins []uint32, full []int32) {
	// Where most bins are full one of the first to throw at an empty one is too.
	empty := 0
	for i, v := range bins {
		if v == emptyBin {
			empty++
			for _, from := range f.sources[i] {
				if v := bins[from]; v&copied == 0 {
					bins[i] = v | copied
					empty--
					break
				}
			}
		}
	}
	if empty == 0 {
		return
	}
	full = full[:0]
	for i, v := range bins {
		if v&copied == 0 {
			full = append(full, int32(i))
		}
	}
	for round := 0; empty > 0; round++ {
		for _, from := range full {
			if to := f.target(int(from), round); bins[to] == emptyBin {
				bins[to] = bins[from] | copied
				empty--
			}
		}
	}
}

// scatter gives each copy low bits of its own, the same for the same value in
// the same bin. Without it all copies of a value would agree by chance with all
// copies of another, or none would, and the chance that b-bit signatures correct
// for would be that of one toss instead of the mean of many: in sets of five
// shingles it made the error of 512 single bits five times what StdErr states.
func (f *ophFamily) scatter(bins []uint32) {
	for i, v := range bins {
		if v&copied != 0 {
			bins[i] = uint32(mix(uint64(i)<<32|uint64(v), f.throws))
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
