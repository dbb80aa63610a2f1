package shingle

import (
	"fmt"
	"math"
)

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

// BestBanding returns the banding of at most size values that minimises the area
// under the curve below the threshold, weighted by falseCandidates, plus the
// area above the curve beyond it, weighted by misses: as if resemblances were
// spread evenly. Ties go to fewer bands, then fewer rows. Verifying candidates is
// cheap and a miss is final, so misses often deserve the greater weight.
func BestBanding(size int, threshold, falseCandidates, misses float64) (Banding, error) {
	if size < 1 || size > maxSize {
		return Banding{}, fmt.Errorf("shingle: size is %d, want 1 to %d", size, maxSize)
	}
	if !(threshold > 0 && threshold < 1) {
		return Banding{}, fmt.Errorf("shingle: threshold is %v, want one between 0 and 1", threshold)
	}
	if !(falseCandidates >= 0 && misses >= 0 && falseCandidates+misses > 0) {
		return Banding{}, fmt.Errorf("shingle: weights are %v and %v, want none below 0 and one above", falseCandidates, misses)
	}
	var best Banding
	least := math.Inf(1)
	for bands := 1; bands <= size; bands++ {
		for rows := 1; rows*bands <= size; rows++ {
			b := Banding{bands, rows}
			cost := float64(falseCandidates*area(0, threshold, b.Candidate)) +
				float64(misses*area(threshold, 1, func(s float64) float64 { return 1 - b.Candidate(s) }))
			if cost < least {
				least, best = cost, b
			}
		}
	}
	return best, nil
}

// area integrates f by Simpson's rule; the curves are smooth enough for it.
func area(from, to float64, f func(float64) float64) float64 {
	const steps = 64
	h := (to - from) / steps
	sum := f(from) + f(to)
	for i := 1; i < steps; i++ {
		sum += float64(float64(2+2*(i%2)) * f(from+float64(float64(i)*h)))
	}
	return sum * h / 3
}
