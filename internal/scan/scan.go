// Package scan compares packed codes by Hamming distance: one code with many
// words or with the bytes of a file, and eight rows with many columns. Packages
// simhash/hamming, index/disk and internal/mapped use it. It knows no tables
// and no files.
//
// On amd64 it counts bits with AVX-512 (VPOPCNTQ) or AVX2 (a table of nibbles:
// Muła, Kurz, Lemire, The Computer Journal 2018). With the build tag noasm, on
// other platforms and on processors without either, plain Go does the same.
package scan

import (
	"encoding/binary"
	"math/bits"
)

const (
	// Rows is the number of rows that Tile compares at a time.
	Rows = 8

	// Step is the number of columns that Tile tests at a time.
	Step = 16
)

// Near stores the positions of the codes within k bits of q in dst, ascending, and
// returns their number. dst must be as long as codes.
func Near(dst []uint32, codes []uint64, q uint64, k int) int {
	if k < 0 {
		return 0
	}
	return near(dst[:len(codes)], codes, q, k)
}

// NearBytes is Near for codes of 8 bytes, little-endian, at any address. It ignores the
// last bytes that fill no code. dst must have room for all codes.
func NearBytes(dst []uint32, codes []byte, q uint64, k int) int {
	if k < 0 {
		return 0
	}
	return nearBytes(dst[:len(codes)/8], codes, q, k)
}

// Near128 is Near for codes with their upper halves in hi, which must be as long as lo.
func Near128(dst []uint32, lo, hi []uint64, qlo, qhi uint64, k int) int {
	if k < 0 {
		return 0
	}
	return near128(dst[:len(lo)], lo, hi[:len(lo)], qlo, qhi, k)
}

// Next64 returns the position of the first code within k bits of q, or -1. If hits are
// rare, it is faster than Near and needs no memory for them.
func Next64(codes []uint64, q uint64, k int) int {
	if k < 0 {
		return -1
	}
	return next64(codes, q, k)
}

// Next32 is Next64 for words of 32 bits.
func Next32(words []uint32, q uint32, k int) int {
	if k < 0 {
		return -1
	}
	return next32(words, q, k)
}

// Tile looks at Step columns at a time, starting at column from, for columns within k
// bits of one of the rows. It returns the position of the first Step columns with a hit,
// and a bit for each hit, the lowest for the first column. hits is 0 if there is none.
func Tile(rows *[Rows]uint32, cols []uint32, from, k int) (at int, hits uint32) {
	if k < 0 || from >= len(cols) {
		return len(cols), 0
	}
	return tile(rows, cols, from, k)
}

// Corners is the maximum number of words that Corner compares.
const Corners = 16

// Corner reports whether two of at most Corners words are within k bits of each other.
func Corner(words []uint32, k int) bool {
	if k < 0 || len(words) < 2 {
		return false
	}
	return corner(words, k)
}

// Prefetch asks the processor to load bytes into the cache. It reads none.
func Prefetch(b []byte) { prefetch(b) }

// nearGo is Near in plain Go, and its oracle.
func nearGo(dst []uint32, codes []uint64, q uint64, k int) int {
	n := 0
	for i, c := range codes {
		if bits.OnesCount64(c^q) <= k {
			dst[n] = uint32(i)
			n++
		}
	}
	return n
}

func nearBytesGo(dst []uint32, codes []byte, q uint64, k int) int {
	n := 0
	for i := range len(codes) / 8 {
		if bits.OnesCount64(binary.LittleEndian.Uint64(codes[8*i:])^q) <= k {
			dst[n] = uint32(i)
			n++
		}
	}
	return n
}

func near128Go(dst []uint32, lo, hi []uint64, qlo, qhi uint64, k int) int {
	n := 0
	hi = hi[:len(lo)]
	for i, c := range lo {
		if bits.OnesCount64(c^qlo)+bits.OnesCount64(hi[i]^qhi) <= k {
			dst[n] = uint32(i)
			n++
		}
	}
	return n
}

func nextGo[T uint32 | uint64](words []T, q T, k int) int {
	for i, w := range words {
		if bits.OnesCount64(uint64(w^q)) <= k {
			return i
		}
	}
	return -1
}

func tileGo(rows *[Rows]uint32, cols []uint32, from, k int) (at int, hits uint32) {
	for ; from < len(cols); from += Step {
		for i, c := range cols[from:min(from+Step, len(cols))] {
			for _, r := range rows {
				if bits.OnesCount32(r^c) <= k {
					hits |= 1 << i
					break
				}
			}
		}
		if hits != 0 {
			return from, hits
		}
	}
	return len(cols), 0
}

func cornerGo(words []uint32, k int) bool {
	for i, a := range words {
		for _, b := range words[i+1:] {
			if bits.OnesCount32(a^b) <= k {
				return true
			}
		}
	}
	return false
}
