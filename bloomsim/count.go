package bloomsim

import (
	"math"
	"math/bits"
	"sync"

	"github.com/alike-go/alike/feature"
)

// load estimates how many times each bit was set on average, which is the number of
// features times k over m: ln(m / zeros), since a bit stays 0 with probability
// exp(-load). Where no bit is 0 any load above some level is as likely; the zeros
// are then taken for half a one, which is finite and above all other estimates.
func load(ones, bits int) float64 { return ln(bits) - ln(bits-ones) }

// ln returns the natural logarithm of x, and that of 1/2 for 0. Computing it each
// time would take a third of the time of a score of small filters.
func ln(x int) float64 {
	if uint(x) < uint(len(lnTable)) {
		return lnTable[x]
	}
	return feature.Ln(float64(x))
}

// lnTable is filled by the first New, so that programs which make no filter do not
// pay for it.
var (
	lnTable [1<<13 + 1]float64
	lnOnce  sync.Once
)

func fillLnTable() {
	lnTable[0] = -math.Ln2
	for x := 1; x < len(lnTable); x++ {
		lnTable[x] = feature.Ln(float64(x))
	}
}

// foldCount folds a large filter to the size of a small one, and returns the bits
// it then has set and those set in both. Both sizes are powers of two.
func foldCount(large, small []uint64) (ones, both int) {
	for i, s := range small {
		var w uint64
		for j := i; j < len(large); j += len(small) {
			w |= large[j]
		}
		ones += bits.OnesCount64(w)
		both += bits.OnesCount64(w & s)
	}
	return ones, both
}
