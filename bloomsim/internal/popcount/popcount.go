// Package popcount counts the bits that two packed sets share.
//
// On amd64 it does so in assembly, which saves what bits.OnesCount64 pays for
// each word: a check whether the processor has the instruction. With the build tag noasm,
// on other platforms and on processors without it, plain Go does the same.
package popcount

import "math/bits"

// And returns the number of bits set in both a and b, of which b must be at least
// as long as a.
func And(a, b []uint64) int { return and(a, b[:len(a)]) }

// andGo is And in plain Go, and its oracle. Four words in a row hide the checks better than one.
func andGo(a, b []uint64) int {
	n := 0
	b = b[:len(a)]
	i := 3
	for ; i < len(a); i += 4 {
		n += bits.OnesCount64(a[i-3] & b[i-3])
		n += bits.OnesCount64(a[i-2] & b[i-2])
		n += bits.OnesCount64(a[i-1] & b[i-1])
		n += bits.OnesCount64(a[i] & b[i])
	}
	for i -= 3; i < len(a); i++ {
		n += bits.OnesCount64(a[i] & b[i])
	}
	return n
}
