package simhash

import (
	"fmt"
	"math"
)

// EstimateCosine returns the cosine of two weighted feature vectors that the
// distance h of their fingerprints of the given number of bits speaks for:
// cos(πh/bits), in [-1, 1] (Charikar, STOC 2002). It holds where many features
// share the weight and none dominates; its angle πh/bits has the standard error
// π·sqrt(p(1-p)/bits) with p = h/bits.
func EstimateCosine(h, bits int) float64 {
	// Rounding to 12 places makes the value the same on machines whose
	// floating-point contraction differs, and exact at h = 0, bits/3 and bits/2.
	return math.Round(math.Cos(math.Pi*float64(h)/float64(bits))*1e12) / 1e12
}

// ProbWithin returns the probability that the fingerprints of two texts, whose
// feature vectors have the given cosine, differ in at most k of their bits.
//
// Each bit differs with probability p = θ/π for the angle θ between the vectors
// (Charikar, STOC 2002), so their number is binomial. A cosine outside [-1, 1] is
// taken as the nearer end. It panics if bits is not positive or cos is NaN.
func ProbWithin(cos float64, k, bits int) float64 {
	if bits <= 0 || cos != cos {
		panic(fmt.Sprintf("simhash: ProbWithin for cosine %v and %d bits", cos, bits))
	}
	p := math.Acos(min(1, max(-1, cos))) / math.Pi
	if k < 0 {
		return 0
	}
	if k >= bits {
		return 1
	}
	sum, choose := 0.0, 1.0
	for i := 0; i <= k; i++ {
		sum += choose * math.Pow(p, float64(i)) * math.Pow(1-p, float64(bits-i))
		choose = choose * float64(bits-i) / float64(i+1)
	}
	return min(1, sum)
}
