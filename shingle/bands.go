package shingle

import "math"

// Banding cuts a signature in bands of rows values each: two texts are
// candidates where all values of at least one band agree. Note that part of the
// literature swaps the names of the two numbers.
type Banding struct{ Bands, Rows int }

// Candidate returns the probability that two texts of resemblance s become
// candidates, 1 − (1 − sʳ)ᵇ, an S-shaped curve.
func (b Banding) Candidate(s float64) float64 {
	// Expm1 and Log1p, since where s is small the difference is all there is.
	return -math.Expm1(float64(b.Bands) * math.Log1p(-math.Pow(s, float64(b.Rows))))
}

// Threshold returns about where the curve is steepest, (1/b)^(1/r).
func (b Banding) Threshold() float64 {
	return math.Pow(1/float64(b.Bands), 1/float64(b.Rows))
}
