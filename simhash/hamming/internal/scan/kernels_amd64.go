//go:build amd64 && !noasm

package scan

import "golang.org/x/sys/cpu"

//go:generate sh -c "cd asm && go run . -out ../scan_amd64.s -stubs ../scan_amd64.go -pkg scan"

var (
	hasAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512VPOPCNTDQ
	hasAVX2   = cpu.X86.HasAVX2
)

// Step is the number of columns that Tile judges together.
const Step = 8

// Kernel names the instructions in use.
func Kernel() string {
	switch {
	case hasAVX512:
		return "AVX-512"
	case hasAVX2:
		return "AVX2"
	}
	return "Go"
}

func near(dst []uint32, codes []uint64, q uint64, k int) int {
	switch {
	case hasAVX512:
		return nearAVX512(dst, codes, q, uint64(k))
	case hasAVX2:
		n := nearAVX2(dst, codes, q, uint64(k))
		return n + tail(dst[n:], len(codes)&^3, nearGo(dst[n:], codes[len(codes)&^3:], q, k))
	}
	return nearGo(dst, codes, q, k)
}

func near128(dst []uint32, lo, hi []uint64, qlo, qhi uint64, k int) int {
	switch {
	case hasAVX512:
		return near128AVX512(dst, lo, hi, qlo, qhi, uint64(k))
	case hasAVX2:
		n, at := near128AVX2(dst, lo, hi, qlo, qhi, uint64(k)), len(lo)&^3
		return n + tail(dst[n:], at, near128Go(dst[n:], lo[at:], hi[at:], qlo, qhi, k))
	}
	return near128Go(dst, lo, hi, qlo, qhi, k)
}

// tail moves n positions, counted from at, to their place and returns their number.
func tail(dst []uint32, at, n int) int {
	for i := range dst[:n] {
		dst[i] += uint32(at)
	}
	return n
}

func tile(rows *[Rows]uint64, cols []uint64, from, k int) int {
	switch {
	case hasAVX512:
		return tileAVX512(rows, cols, from, uint64(k))
	case hasAVX2:
		t := tileAVX2(rows, cols, from, uint64(k))
		if len(cols)-t < 4 && tileGo(rows, cols, t, k) == len(cols) {
			return len(cols)
		}
		return from + (t-from)/Step*Step // half a step may be the one that stopped it
	}
	return tileGo(rows, cols, from, k)
}
