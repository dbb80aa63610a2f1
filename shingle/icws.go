package shingle

import (
	"math"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/splitmix"
)

// icws fills vals with the improved consistent weighted samples of a bag (Ioffe,
// ICDM 2010). For each value and shingle of weight w there are r, c ~ Gamma(2,1)
// and β ~ U(0,1); t = ⌊ln w / r + β⌋, and the shingle with the least
// ln c − r(t − β + 1) is drawn. Two bags draw the same shingle with the same t
// with probability Σmin / Σmax. The random numbers depend on the seed, the number
// of the value and the shingle's hash alone.
func icws(vals []uint32, bag Set, seed uint64) {
	logs := make([]float64, len(bag.Weights))
	for i, w := range bag.Weights {
		logs[i] = feature.Ln(w)
	}
	bases := splitmix.Stream(seed)
	for i := range vals {
		base := bases.Next()
		best := math.Inf(1)
		var drawn uint64
		var level float64
		for j, h := range bag.Hashes {
			u := splitmix.Stream(mix(h, base))
			// The sum of two exponentials: −ln u − ln v.
			r := -feature.Ln(float64(unit(&u) * unit(&u)))
			c := -feature.Ln(float64(unit(&u) * unit(&u)))
			beta := unit(&u)
			t := math.Floor(logs[j]/r + beta)
			if a := feature.Ln(c) - float64(r*(t-beta+1)); a < best {
				best, drawn, level = a, h, t
			}
		}
		// Adding 0 makes one zero of -0 and 0, which differ in their bits.
		vals[i] = uint32(mix(drawn, mix(math.Float64bits(level+0), base)) >> (64 - valueBits))
	}
}

// unit returns the next number of the stream in (0, 1).
func unit(s *splitmix.Stream) float64 { return (float64(s.Next()>>12) + 0.5) / (1 << 52) }
