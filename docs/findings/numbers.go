package main

import (
	"fmt"
	"slices"
)

func three(v float64) string { return fmt.Sprintf("%.3f", v) }

// median returns the middle of values, the greater of two.
func median(v []float64) float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	return v[len(v)/2]
}

func groups() []group {
	return []group{simhashClaims(), rivalClaims(), shingleClaims(), passageClaims(), tableClaims(), weightClaims(), ideaClaims()}
}
