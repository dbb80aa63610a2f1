package simhash

import (
	"math"
	"math/big"

	"github.com/alike-go/alike/feature"
)

// naive is the definition: a counter for each position, weights rounded to the
// unit, plus for a one and minus for a zero, in numbers of any size. It returns the
// signs of the counters of the first width positions: where they are positive and
// where they are zero; and whether any feature counts.
func naive(width int, features []feature.Feature) (ones, ties Fingerprint, some bool) {
	weights := make([]*big.Int, len(features))
	for i, f := range features {
		weights[i] = new(big.Int)
		if f.Weight > 0 {
			weights[i] = naiveUnits(f.Weight)
			some = true
		}
	}
	for j := range width {
		counter := new(big.Int)
		for i, f := range features {
			if bit(Fingerprint{Hi: second(f.Hash), Lo: f.Hash}, j) {
				counter.Add(counter, weights[i])
			} else {
				counter.Sub(counter, weights[i])
			}
		}
		switch counter.Sign() {
		case 1:
			set(&ones, j)
		case 0:
			set(&ties, j)
		}
	}
	return ones, ties, some
}

// naiveUnits rounds to the nearest millionth or so, halves up, from 1 to 2^62.
func naiveUnits(w float64) *big.Int {
	most := new(big.Int).Lsh(big.NewInt(1), 62)
	if math.IsInf(w, 1) {
		return most
	}
	x := new(big.Float).SetPrec(2000).SetFloat64(w)
	x.Mul(x, big.NewFloat(1<<20)).Add(x, big.NewFloat(.5))
	q, _ := x.Int(nil)
	switch {
	case q.Sign() == 0:
		return big.NewInt(1)
	case q.Cmp(most) > 0:
		return most
	}
	return q
}

// naiveSum is Sum by the definition.
func naiveSum(width int, tie Tie, features []feature.Feature) Fingerprint {
	ones, ties, some := naive(width, features)
	return settle(width, tie, ones, ties, some)
}

// settle makes a fingerprint of the first width positions.
func settle(width int, tie Tie, ones, ties Fingerprint, some bool) (f Fingerprint) {
	if !some {
		return f
	}
	for j := range width {
		if bit(ones, j) || tie == TieSalt && bit(ties, j) && bit(salt, j) {
			set(&f, j)
		}
	}
	if f == (Fingerprint{}) {
		f.Lo = 1
	}
	return f
}

func bit(f Fingerprint, j int) bool {
	if j < 64 {
		return f.Lo>>j&1 != 0
	}
	return f.Hi>>(j-64)&1 != 0
}

func set(f *Fingerprint, j int) {
	if j < 64 {
		f.Lo |= 1 << j
	} else {
		f.Hi |= 1 << (j - 64)
	}
}
