package hamming

import (
	"math/bits"
	"slices"
)

// sampleLen is the maximum number of codes in the sample that shows which bits vary.
const sampleLen = 512

// balance returns how evenly each bit splits the codes of a sample: the number of ones
// or zeros, whichever is smaller, and the size of the sample. The codes of the sample are
// at equal distances, so it is the same on each run.
func balance(c columns, width int) (even [128]int, sample int) {
	step := max(1, c.len()/sampleLen)
	for i := 0; i < c.len() && sample < sampleLen; i += step {
		code := c.at(i)
		for w := code.Lo; w != 0; w &= w - 1 {
			even[bits.TrailingZeros64(w)]++
		}
		for w := code.Hi; w != 0; w &= w - 1 {
			even[64+bits.TrailingZeros64(w)]++
		}
		sample++
	}
	for b := range even[:width] {
		even[b] = min(even[b], sample-even[b])
	}
	return even, sample
}

// pieces deals the bits of a code into n lists of at most limit bits, so that the lists
// tell the codes apart about equally well. If all bits vary, the lists are runs.
// Otherwise the bits that vary most are dealt first, one to each list.
func pieces(even [128]int, sample, width, n, limit int) [][]int {
	order := run(width-1, 0)
	var out [][]int
	if slices.Min(even[:width]) >= sample/4 {
		out = split(order, n)
	} else {
		byBalance(order, even)
		out = make([][]int, n)
		for i, b := range order {
			out[i%n] = append(out[i%n], b)
		}
	}
	for i, p := range out {
		out[i] = p[:min(limit, len(p))]
	}
	return out
}

// byBalance sorts bits by how evenly they split the codes, the best first.
func byBalance(order []int, even [128]int) {
	slices.SortStableFunc(order, func(a, b int) int { return even[b] - even[a] })
}

// others returns the bits of a code that are not in a key, from the top. Bits that
// hardly vary come last.
func others(key []int, even [128]int, sample, width int) []int {
	var in Code
	for _, b := range key {
		in = in.with(b)
	}
	var out, dull []int
	for b := width - 1; b >= 0; b-- {
		switch {
		case in.bit(b) == 1:
		case even[b] < sample/16:
			dull = append(dull, b)
		default:
			out = append(out, b)
		}
	}
	byBalance(dull, even)
	return append(out, dull...)
}

// wordKey returns the key of the first 32 of some bits, the first one on top.
func wordKey(order []int) key { return *packing(order, 0) }

// packing returns the key of the bits that a table looks up, and of 32 bits below them.
func packing(order []int, lookup int) *key {
	from := slices.Clone(order[:min(lookup+32, len(order))])
	for len(from) < lookup+32 {
		from = append(from, -1)
	}
	k := newKey(from)
	return &k
}
