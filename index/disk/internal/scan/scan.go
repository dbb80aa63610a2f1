// Package scan compares the words of a bucket, as they lie in a segment, with one.
//
// On amd64 it counts bits with AVX-512 (VPOPCNTQ) or AVX2 (a table of nibbles: Muła,
// Kurz, Lemire, The Computer Journal 2018). With the build tag noasm, on other
// platforms and on processors without either, plain Go does the same.
package scan

import (
	"encoding/binary"
	"math/bits"
)

// Near stores the positions of the words within k bits of q in dst, ascending, and returns their
// number. A word is 8 bytes, little-endian; dst must have room for all.
func Near(dst []uint32, words []byte, q uint64, k int) int {
	if k < 0 {
		return 0
	}
	return near(dst[:len(words)/8], words, q, k)
}

// Prefetch brings bytes nearer that will soon be read. It reads none.
func Prefetch(b []byte) { prefetch(b) }

// nearGo is Near in plain Go, and its oracle.
func nearGo(dst []uint32, words []byte, q uint64, k int) int {
	n := 0
	for i := range len(words) / 8 {
		if bits.OnesCount64(binary.LittleEndian.Uint64(words[8*i:])^q) <= k {
			dst[n] = uint32(i)
			n++
		}
	}
	return n
}
