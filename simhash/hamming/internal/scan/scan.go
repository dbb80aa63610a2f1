// Package scan compares packed codes by Hamming distance: one with many, and eight
// rows with many columns.
//
// On amd64 it counts bits with AVX-512 (VPOPCNTQ) or AVX2 (a table of nibbles: Muła,
// Kurz, Lemire, The Computer Journal 2018). With the build tag noasm, on other
// platforms and on processors without either, plain Go does the same.
package scan

import "math/bits"

// Rows is the number of rows that Tile compares at a time.
const Rows = 8

// Near stores the positions of the codes within k bits of q in dst, ascending, and
// returns their number. dst must be as long as codes.
func Near(dst []uint32, codes []uint64, q uint64, k int) int {
	if k < 0 {
		return 0
	}
	return near(dst[:len(codes)], codes, q, k)
}

// Near128 is Near for codes whose upper halves lie in hi, which must be as long as lo.
func Near128(dst []uint32, lo, hi []uint64, qlo, qhi uint64, k int) int {
	if k < 0 {
		return 0
	}
	return near128(dst[:len(lo)], lo, hi[:len(lo)], qlo, qhi, k)
}

// Tile returns the first position t, counted from in steps of Step, such that one of
// the rows may be within k bits of one of cols[t:t+Step]: it may err on the side of
// stopping, never on that of going on. Where there is none it returns at least len(cols).
func Tile(rows *[Rows]uint64, cols []uint64, from, k int) int {
	if k < 0 || from >= len(cols) {
		return len(cols)
	}
	return tile(rows, cols, from, k)
}

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

func tileGo(rows *[Rows]uint64, cols []uint64, from, k int) int {
	for t := from; t < len(cols); t++ {
		c := cols[t]
		for _, r := range rows {
			if bits.OnesCount64(r^c) <= k {
				return from + (t-from)/Step*Step
			}
		}
	}
	return len(cols)
}
