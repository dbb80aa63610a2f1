//go:build amd64 && !noasm

package scan

import "golang.org/x/sys/cpu"

//go:generate sh -c "cd asm && go run . -out ../scan_amd64.s -stubs ../scan_amd64.go -pkg scan"

var (
	hasAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512VPOPCNTDQ
	hasAVX2   = cpu.X86.HasAVX2
)

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
		n, at := nearAVX2(dst, codes, q, uint64(k)), len(codes)&^3
		return n + moved(dst[n:], at, nearGo(dst[n:], codes[at:], q, k))
	}
	return nearGo(dst, codes, q, k)
}

func nearBytes(dst []uint32, codes []byte, q uint64, k int) int {
	switch {
	case hasAVX512:
		return nearBytesAVX512(dst, codes, q, uint64(k))
	case hasAVX2:
		n, at := nearBytesAVX2(dst, codes, q, uint64(k)), len(codes)/8&^3
		return n + moved(dst[n:], at, nearBytesGo(dst[n:], codes[8*at:], q, k))
	}
	return nearBytesGo(dst, codes, q, k)
}

func near128(dst []uint32, lo, hi []uint64, qlo, qhi uint64, k int) int {
	switch {
	case hasAVX512:
		return near128AVX512(dst, lo, hi, qlo, qhi, uint64(k))
	case hasAVX2:
		n, at := near128AVX2(dst, lo, hi, qlo, qhi, uint64(k)), len(lo)&^3
		return n + moved(dst[n:], at, near128Go(dst[n:], lo[at:], hi[at:], qlo, qhi, k))
	}
	return near128Go(dst, lo, hi, qlo, qhi, k)
}

// moved adds at to the first n positions and returns n.
func moved(dst []uint32, at, n int) int {
	for i := range dst[:n] {
		dst[i] += uint32(at)
	}
	return n
}

func next64(codes []uint64, q uint64, k int) int {
	switch {
	case hasAVX512:
		return next64AVX512(codes, q, uint64(k))
	case hasAVX2:
		at := len(codes) &^ 3
		if i := next64AVX2(codes, q, uint64(k)); i >= 0 {
			return i
		}
		if i := nextGo(codes[at:], q, k); i >= 0 {
			return at + i
		}
		return -1
	}
	return nextGo(codes, q, k)
}

func next32(words []uint32, q uint32, k int) int {
	switch {
	case hasAVX512:
		return next32AVX512(words, uint64(q), uint64(k))
	case hasAVX2:
		at := len(words) &^ 7
		if i := next32AVX2(words, uint64(q), uint64(k)); i >= 0 {
			return i
		}
		if i := nextGo(words[at:], q, k); i >= 0 {
			return at + i
		}
		return -1
	}
	return nextGo(words, q, k)
}

func tile(rows *[Rows]uint32, cols []uint32, from, k int) (at int, hits uint32) {
	switch {
	case hasAVX512:
		return tileAVX512(rows, cols, from, uint64(k))
	case hasAVX2:
		switch k {
		case 0:
			at, hits = tile0AVX2(rows, cols, from)
		case 1:
			at, hits = tile1AVX2(rows, cols, from)
		case 2:
			at, hits = tile2AVX2(rows, cols, from)
		case 3:
			at, hits = tile3AVX2(rows, cols, from)
		default:
			at, hits = tileAVX2(rows, cols, from, uint64(k))
		}
		if hits != 0 {
			return at, hits
		}
		from = at
	}
	return tileGo(rows, cols, from, k)
}

func corner(words []uint32, k int) bool {
	switch {
	case hasAVX512:
		return cornerAVX512(words, uint64(k))
	case hasAVX2 && len(words) == Corners:
		return cornerAVX2((*[Corners]uint32)(words), uint64(k))
	}
	return cornerGo(words, k)
}
