package feature

import "math"

// Ln returns the natural logarithm of a positive, finite x, good to about 1e-15,
// and the same to the last bit on every platform, which math.Log does not promise:
// it is assembly on some, and weights and signatures must not depend on where they
// were made. Of any other x the result means nothing.
//
// ln x = e·ln 2 + 2·artanh((m−1)/(m+1)), where x = m·2^e with m in [√½, √2), the
// series being cut where its terms are below 1e-17.
func Ln(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	// The conversions forbid fused multiply-adds, which round once instead of twice.
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

// log2 is the binary logarithm by Ln, exact for powers of two.
func log2(x float64) float64 {
	m, e := math.Frexp(x)
	return float64(e) + Ln(m)/math.Ln2
}
