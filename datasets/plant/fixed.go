package plant

import (
	"math"
	"math/bits"
)

// The functions of this file are what Zipf's law and log-normal lengths need,
// in integers: the last bit of math.Log and math.Exp differs between platforms,
// and a draw that falls on it would change every text behind it. A number in
// "Q32" is an integer that stands for itself divided by 2^32.

const one32 = 1 << 32

// log2 returns the binary logarithm of n > 0 in Q32, a bit at a time: a number
// in [1, 2) is squared, and if that is 2 or more the next bit is one.
func log2(n uint64) int64 {
	whole := bits.Len64(n) - 1
	m := n << (63 - whole) // in [1, 2), with 63 bits behind the point
	result := int64(whole)
	for range 32 {
		result <<= 1
		if hi, lo := bits.Mul64(m, m); hi>>63 == 1 {
			result |= 1
			m = hi
		} else {
			m = hi<<1 | lo>>63
		}
	}
	return result
}

// exp2 returns 2 to the power x, x in Q32, rounded down to an integer; it is
// 2^62 for x of 62 and more.
func exp2(x int64) uint64 {
	whole := x >> 32
	switch {
	case whole >= 62:
		return 1 << 62
	case whole < 0:
		return 0
	}
	// 2^f = e^(f ln 2) by the power series, with 62 bits behind the point.
	const ln2 = 0xb17217f7d1cf79ab // in 64 bits
	y, _ := bits.Mul64(uint64(x)<<32, ln2)
	y >>= 2
	sum, term := uint64(1)<<62, uint64(1)<<62
	for j := uint64(1); term > 0; j++ {
		hi, lo := bits.Mul64(term, y)
		term = (hi<<2 | lo>>62) / j
		sum += term
	}
	return sum >> (62 - whole)
}

// q32 returns x in Q32; x is far below 2^31.
func q32(x float64) int64 { return int64(math.RoundToEven(x * one32)) }

// zipf returns weights in proportion to k to the power -s for k = 1, ..., n, in
// integers: the first is 2^40, the last at least 1.
func zipf(n int, s float64) []uint64 {
	w := make([]uint64, n)
	exponent := int64(math.RoundToEven(s * (1 << 16)))
	for k := range w {
		w[k] = max(1, exp2(40*one32-exponent*log2(uint64(k+1))>>16))
	}
	return w
}

// logNormal draws numbers whose logarithm is normal.
type logNormal struct {
	mean  uint64
	scale int64 // sigma times log2 e, with 15 bits behind the point
	shift int64 // sigma squared half times log2 e, Q32
	even  bool
}

func newLogNormal(mean int, sigma float64, even bool) logNormal {
	return logNormal{
		mean:  uint64(mean),
		scale: q32(float64(sigma*math.Log2E)) >> 17,
		shift: q32(float64(float64(sigma*sigma) * (math.Log2E / 2))),
		even:  even,
	}
}

// draw returns a number of 1 or more. What is normal is the sum of 48 numbers of
// 16 bits, of a standard deviation of 2^17: its tails end at 12, and its
// distribution is nowhere further from the normal than a thousandth.
func (l logNormal) draw(r *Rand) int {
	if l.even {
		return int(l.mean)
	}
	var sum int64
	for range 12 {
		x := r.Uint64()
		sum += int64(x&0xffff + x>>16&0xffff + x>>32&0xffff + x>>48)
	}
	const middle = 48 * 0xffff / 2
	factor := exp2(l.scale*(sum-middle) - l.shift + 32*one32) // in Q32
	hi, lo := bits.Mul64(l.mean, factor)
	lo, carry := bits.Add64(lo, one32/2, 0)
	n := (hi+carry)<<32 | lo>>32
	return int(max(1, min(n, maxLength)))
}

// maxLength bounds the units of one document.
const maxLength = 1 << 24
