// Package proportion bounds the share of something in a population, from a random
// sample. [ClopperPearson] is for a sample whose size was fixed before it was
// drawn. A [Sequence] may be looked at after each draw.
//
// Package dedup/local uses it to show how few removals are wrong, and passages for
// shares of sampled fingerprints. Nothing here knows a document.
package proportion

import "gonum.org/v1/gonum/stat/distuv"

// ClopperPearson returns the exact two-sided confidence interval of a proportion
// of which k of n independent draws were seen (Clopper and Pearson, Biometrika
// 1934). It holds the proportion with at least the probability confidence, from 0
// to 1, if n was fixed beforehand. Without draws it is 0 to 1. It panics if k is
// not in 0 to n.
func ClopperPearson(k, n int, confidence float64) (low, high float64) {
	if k < 0 || k > n {
		panic("proportion: k is not in 0 to n")
	}
	low, high = 0, 1
	tail := (1 - confidence) / 2
	if k > 0 {
		low = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(tail)
	}
	if k < n {
		high = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(1 - tail)
	}
	return low, high
}
