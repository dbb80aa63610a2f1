package main

import (
	"fmt"
)

func three(v float64) string { return fmt.Sprintf("%.3f", v) }

func groups() []group {
	return []group{simhashClaims(), rivalClaims(), shingleClaims(), passageClaims(), tableClaims(), weightClaims(), ideaClaims()}
}
