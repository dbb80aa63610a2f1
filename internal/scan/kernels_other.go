//go:build !amd64 || noasm

package scan

// Kernel names the instructions in use.
func Kernel() string { return "Go" }

func near(dst []uint32, codes []uint64, q uint64, k int) int { return nearGo(dst, codes, q, k) }

func nearBytes(dst []uint32, codes []byte, q uint64, k int) int {
	return nearBytesGo(dst, codes, q, k)
}

func near128(dst []uint32, lo, hi []uint64, qlo, qhi uint64, k int) int {
	return near128Go(dst, lo, hi, qlo, qhi, k)
}

func next64(codes []uint64, q uint64, k int) int { return nextGo(codes, q, k) }

func next32(words []uint32, q uint32, k int) int { return nextGo(words, q, k) }

func tile(rows *[Rows]uint32, cols []uint32, from, k int) (at int, hits uint32) {
	return tileGo(rows, cols, from, k)
}

func corner(words []uint32, k int) bool { return cornerGo(words, k) }

func prefetch([]byte) {}
