package simhash

import (
	"fmt"
	"math/bits"

	"github.com/alike-go/alike/internal/splitmix"
)

// Fingerprint is the sketch of a text: 32, 64 or 128 bits in one comparable
// value, so that fingerprints can be map keys and be tested for equality with ==.
//
// Fingerprints of 32 and 64 bits stand in Lo and leave Hi zero. The zero
// Fingerprint is that of a text without features and of no other text.
type Fingerprint struct{ Hi, Lo uint64 }

// IsZero reports whether s is the fingerprint of a text without features.
func (s Fingerprint) IsZero() bool { return s.Hi|s.Lo == 0 }

// String returns the fingerprint as 16 hexadecimal digits, or 32 where it has
// bits above the 64th.
func (s Fingerprint) String() string {
	if s.Hi == 0 {
		return fmt.Sprintf("%016x", s.Lo)
	}
	return fmt.Sprintf("%016x%016x", s.Hi, s.Lo)
}

// Distance returns the Hamming distance of two fingerprints of one width: the
// number of bits in which they differ, from 0 to that width. It is a metric. It
// says nothing about texts without features, whose fingerprint is zero.
func Distance(a, b Fingerprint) int {
	return bits.OnesCount64(a.Lo^b.Lo) + bits.OnesCount64(a.Hi^b.Hi)
}

// second is the second finaliser, from which the upper 64 bits of a 128-bit
// fingerprint come: a step of SplitMix64. It is a bijection, so features that
// differ in their hash differ here too, and the two halves vote independently.
func second(h uint64) uint64 { return splitmix.Mix(h + splitmix.Step) }
