package simhash

import (
	"math/bits"

	"github.com/alike-go/alike/feature"
)

// Votes of features that all count one.
//
// The textbook keeps 64 counters and adds +1 or -1 to each of them for each hash.
// Here the counters are kept bit-sliced: bit j of plane k is bit k of the number of
// hashes whose bit j is set. One carry-save adder then serves all 64 positions at
// once, and the majority is read off by comparing all counters with n/2 plane by
// plane, so that no counter is ever unpacked (Harley and Seal's population
// count, as told in Warren, Hacker's Delight, 2nd ed. 2012, section 5-2).
type votes struct {
	n      uint64 // number of hashes
	planes [planes]uint64
}

const (
	// planes bounds the number of hashes of one text by 2^40: eight terabytes of hashes.
	planes = 41

	// group is the number of hashes that one pass of adders takes.
	group = 32

	// inner is the number of planes that a block of hashes can fill:
	// feature.BlockLen is 2^10, and counting up to that takes 11 bits.
	inner = 11
)

// add counts the hashes.
func (v *votes) add(hashes []uint64) {
	for len(hashes) > feature.BlockLen {
		v.addBlock(hashes[:feature.BlockLen])
		hashes = hashes[feature.BlockLen:]
	}
	v.addBlock(hashes)
}

// addBlock counts at most feature.BlockLen hashes.
func (v *votes) addBlock(hashes []uint64) {
	var p [inner]uint64
	v.n += uint64(len(hashes))
	for len(hashes) >= group {
		addGroup(&p, (*[group]uint64)(hashes))
		hashes = hashes[group:]
	}
	if len(hashes) > 0 {
		// A zero hash adds to no counter, so the rest is padded with them.
		var rest [group]uint64
		copy(rest[:], hashes)
		addGroup(&p, &rest)
	}
	// Add the block's counters to the text's.
	var carry uint64
	for k := range p {
		v.planes[k], carry = fullAdd(v.planes[k], p[k], carry)
	}
	for k := inner; carry != 0 && k < planes; k++ {
		v.planes[k], carry = v.planes[k]^carry, v.planes[k]&carry
	}
}

// fullAdd adds three bits at each of 64 positions.
func fullAdd(a, b, c uint64) (sum, carry uint64) {
	u := a ^ b
	return u ^ c, a&b | u&c
}

// addGroup adds 32 hashes to counters that stay below 2^inner.
func addGroup(p *[inner]uint64, h *[group]uint64) {
	ones, twos, fours, eights, sixteens := p[0], p[1], p[2], p[3], p[4]
	var carry [2]uint64
	for i := range 2 {
		g := (*[16]uint64)(h[16*i:])
		var twosA, twosB, foursA, foursB, eightsA, eightsB uint64

		ones, twosA = fullAdd(ones, g[0], g[1])
		ones, twosB = fullAdd(ones, g[2], g[3])
		twos, foursA = fullAdd(twos, twosA, twosB)
		ones, twosA = fullAdd(ones, g[4], g[5])
		ones, twosB = fullAdd(ones, g[6], g[7])
		twos, foursB = fullAdd(twos, twosA, twosB)
		fours, eightsA = fullAdd(fours, foursA, foursB)

		ones, twosA = fullAdd(ones, g[8], g[9])
		ones, twosB = fullAdd(ones, g[10], g[11])
		twos, foursA = fullAdd(twos, twosA, twosB)
		ones, twosA = fullAdd(ones, g[12], g[13])
		ones, twosB = fullAdd(ones, g[14], g[15])
		twos, foursB = fullAdd(twos, twosA, twosB)
		fours, eightsB = fullAdd(fours, foursA, foursB)

		eights, carry[i] = fullAdd(eights, eightsA, eightsB)
	}
	sixteens, c := fullAdd(sixteens, carry[0], carry[1])
	p[0], p[1], p[2], p[3], p[4] = ones, twos, fours, eights, sixteens
	// A loop of fixed length is cheaper than one that stops when the carry is
	// gone and so is mispredicted every time.
	for k := 5; k < inner; k++ {
		p[k], c = p[k]^c, p[k]&c
	}
}

// majority returns the positions where more than half of the hashes have a one,
// and those where exactly half of them have.
func (v *votes) majority() (ones, ties uint64) {
	half := v.n / 2
	ties = ^uint64(0)
	for k := bits.Len64(v.n) - 1; k >= 0; k-- { // no counter exceeds n
		h := -(half >> k & 1) // bit k of the half, at every position
		ones |= ties & v.planes[k] &^ h
		ties &^= v.planes[k] ^ h
	}
	if v.n%2 != 0 {
		ties = 0
	}
	return ones, ties
}
