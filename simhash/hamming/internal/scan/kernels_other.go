//go:build !amd64 || noasm

package scan

// Step is the number of columns that Tile judges together.
const Step = 8

// Kernel names the instructions in use.
func Kernel() string { return "Go" }

func near(dst []uint32, codes []uint64, q uint64, k int) int { return nearGo(dst, codes, q, k) }

func near128(dst []uint32, lo, hi []uint64, qlo, qhi uint64, k int) int {
	return near128Go(dst, lo, hi, qlo, qhi, k)
}

func tile(rows *[Rows]uint64, cols []uint64, from, k int) int { return tileGo(rows, cols, from, k) }
