package feature

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// lnSteps is Ln in arithmetic that rounds every step to 53 bits and is done in
// integers, so that no platform can fuse or widen anything.
func lnSteps(x float64) float64 {
	num := func(v float64) *big.Float { return new(big.Float).SetPrec(53).SetFloat64(v) }
	op := func() *big.Float { return new(big.Float).SetPrec(53) }
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	s := op().Quo(op().Sub(num(m), num(1)), op().Add(num(m), num(1)))
	z := op().Mul(s, s)
	p := num(1.0 / 21)
	for k := 19; k >= 1; k -= 2 {
		p = op().Add(op().Mul(p, z), op().Quo(num(1), num(float64(k))))
	}
	v, _ := op().Add(op().Mul(num(float64(e)), num(math.Ln2)), op().Mul(num(2), op().Mul(s, p))).Float64()
	return v
}

func TestLn(t *testing.T) {
	for x, want := range map[float64]float64{1: 0, 2: math.Ln2, 0.5: -math.Ln2, 4: 2 * math.Ln2, 10: math.Ln10, math.E: 1,
		math.SmallestNonzeroFloat64: -744.4400719213812, math.MaxFloat64: 709.782712893384} {
		if got := Ln(x); math.Abs(got-want) > 2e-15*max(math.Abs(want), .1) {
			t.Errorf("Ln(%v) is %v, want %v", x, got, want)
		}
	}
	rng := rand.New(rand.NewPCG(10, 10))
	for i := range 20_000 * rounds {
		x := math.Exp(600 * (2*rng.Float64() - 1))
		switch i % 4 {
		case 0:
			x = rng.Float64() + 1e-300
		case 1:
			x = float64(1+i) / float64(1+rng.IntN(1000))
		}
		got := Ln(x)
		if want := math.Log(x); math.Abs(got-want) > 4e-15*max(1, math.Abs(want)) {
			t.Fatalf("Ln(%v) is %v, want %v", x, got, want)
		}
		if i%8 < 4 {
			if want := lnSteps(x); got != want {
				t.Fatalf("Ln(%v) is %x, and rounded step by step %x", x, got, want)
			}
		}
	}
}

func TestLog2(t *testing.T) {
	for e := -1074; e <= 1023; e++ {
		if got := log2(math.Ldexp(1, e)); got != float64(e) {
			t.Errorf("log2(2^%d) is %v", e, got)
		}
	}
	rng := rand.New(rand.NewPCG(11, 11))
	for range 10_000 {
		x := math.Exp(40 * (2*rng.Float64() - 1))
		if got, want := log2(x), math.Log2(x); math.Abs(got-want) > 4e-15*max(1, math.Abs(want)) {
			t.Fatalf("log2(%v) is %v, want %v", x, got, want)
		}
	}
}
