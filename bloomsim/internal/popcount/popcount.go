// Package popcount counts the bits that two packed sets share.
//
// On amd64 it does so in assembly: by AVX-512 or AVX2 if the processor has
// them, and otherwise by POPCNT, without the check that bits.OnesCount64 makes
// for each word. With the build tag noasm and on other platforms plain Go does
// the same.
//
// Package bloomsim uses it. What a bit means belongs there.
package popcount

import (
	"fmt"
	"math/bits"
)

// And returns the number of bits set in both a and b, of which b must be at least
// as long as a.
func And(a, b []uint64) int { return and(a, b[:len(a)]) }

// RowWords is what the length of a row of Rows must be a multiple of.
const RowWords = 8

// Rows sets dst[i] to the number of bits set in both a and the i-th row of a table, whose
// rows, at least as many as dst is long, lie one behind the other and are as long as a. It panics
// unless a row has a positive multiple of RowWords words.
func Rows(dst []uint32, a, table []uint64) {
	if len(a) == 0 || len(a)%RowWords != 0 {
		panic(fmt.Sprintf("popcount: row of %d words, want a multiple of %d", len(a), RowWords))
	}
	rows(dst, a, table[:len(a)*len(dst)])
}

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

// rowsGo is Rows row by row.
func rowsGo(dst []uint32, a, rows []uint64) {
	for i := range dst {
		dst[i] = uint32(And(a, rows[i*len(a):]))
	}
}
