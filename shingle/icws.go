package shingle

import "math"

// icws fills vals with the improved consistent weighted samples of a bag (Ioffe,
// ICDM 2010). For each value and shingle of weight w there are r, c ~ Gamma(2,1)
// and β ~ U(0,1); t = ⌊ln w / r + β⌋, and the shingle with the least
// ln c − r(t − β + 1) is drawn. Two bags draw the same shingle with the same t
// with probability Σmin / Σmax. The random numbers depend on the seed, the number
// of the value and the shingle's hash alone.
func icws(vals []uint32, bag Set, seed uint64) {
	logs := make([]float64, len(bag.Weights))
	for i, w := range bag.Weights {
		logs[i] = ln(w)
	}
	bases := stream(seed)
	for i := range vals {
		base := bases.next()
		best := math.Inf(1)
		var drawn uint64
		var level float64
		for j, h := range bag.Hashes {
			u := stream(mix(h, base))
			// The sum of two exponentials: −ln u − ln v.
			r := -ln(float64(u.unit() * u.unit()))
			c := -ln(float64(u.unit() * u.unit()))
			beta := u.unit()
			t := math.Floor(logs[j]/r + beta)
			if a := ln(c) - float64(r*(t-beta+1)); a < best {
				best, drawn, level = a, h, t
			}
		}
		// Adding 0 makes one zero of -0 and 0, which differ in their bits.
		vals[i] = uint32(mix(drawn, mix(math.Float64bits(level+0), base)) >> (64 - valueBits))
	}
}

// unit returns the next number of the stream in (0, 1).
func (s *stream) unit() float64 { return (float64(s.next()>>12) + 0.5) / (1 << 52) }

// ln is the natural logarithm of a positive number, good to about 1e-15, and
// the same to the last bit on every platform, which math.Log does not promise
// and a signature must have: ln x = e·ln 2 + 2·artanh((m−1)/(m+1)), the series
// being cut where its terms are below 1e-17.
func ln(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	p := 1.0 / 21
	p = float64(p*z) + 1.0/19
	p = float64(p*z) + 1.0/17
	p = float64(p*z) + 1.0/15
	p = float64(p*z) + 1.0/13
	p = float64(p*z) + 1.0/11
	p = float64(p*z) + 1.0/9
	p = float64(p*z) + 1.0/7
	p = float64(p*z) + 1.0/5
	p = float64(p*z) + 1.0/3
	p = float64(p*z) + 1.0
	return float64(float64(e)*math.Ln2) + float64(2*float64(s*p))
}
