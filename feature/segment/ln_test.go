package segment

import (
	"math"
	"math/big"
	"testing"
)

// bigLn is the natural logarithm by the same reduction and Taylor's series with 300 bits.
func bigLn(x float64) float64 {
	const prec = 300
	f := func(v float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(v) }
	artanh := func(s *big.Float) *big.Float {
		z, term, sum := f(0).Mul(s, s), f(0).Set(s), f(0)
		for k := 1.0; k < 400; k += 2 {
			sum.Add(sum, f(0).Quo(term, f(k)))
			term.Mul(term, z)
		}
		return sum.Mul(sum, f(2))
	}
	m, e := math.Frexp(x)
	ln2 := artanh(f(0).Quo(f(1), f(3)))
	r := artanh(f(0).Quo(f(0).Sub(f(m), f(1)), f(0).Add(f(m), f(1))))
	y, _ := r.Add(r, ln2.Mul(ln2, f(float64(e)))).Float64()
	return y
}

func TestRatioLn(t *testing.T) {
	const total = 60101983 // the frequencies of jieba's word list add up to this
	step := 1.01
	if testing.Short() {
		step = 1.1
	}
	for a := 1.0; a < 2*total; a = math.Ceil(a * step) {
		if got, want := ratioLn(a, total), bigLn(a/total); got != want {
			t.Errorf("ln(%v/%v) is %v, want %v", a, total, got, want)
		}
	}
	if got := ratioLn(3, 3); got != 0 {
		t.Errorf("ln 1 is %v", got)
	}
}
