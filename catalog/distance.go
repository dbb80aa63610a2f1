package catalog

import (
	"fmt"

	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

// ScoreAt returns the score of two sketches at a distance: the threshold of a join
// that finds all pairs within it. Only methods whose score is a function of a
// distance have one: simhash, in bits. A distance at which the score is 0 is
// refused, since texts without features score that too.
func ScoreAt(m similarity.Method, distance int) (float64, error) {
	s, ok := similarity.As[*simhash.Method](m)
	if !ok {
		return 0, fmt.Errorf("catalog: %s has no distance, want simhash or a threshold", m)
	}
	most := s.Options().Bits
	if distance < 0 || distance >= most {
		return 0, fmt.Errorf("catalog: the distance is %d, want 0 to %d bits", distance, most-1)
	}
	all, few := simhash.Fingerprint{Lo: ^uint64(0)}, simhash.Fingerprint{}
	if most == 128 {
		all.Hi = ^uint64(0)
	}
	if most == 32 {
		all.Lo >>= 32
	}
	few = all
	for bit := range distance {
		if bit < 64 {
			few.Lo &^= 1 << bit
		} else {
			few.Hi &^= 1 << (bit - 64)
		}
	}
	score := s.Score(all, few)
	if score <= 0 {
		return 0, fmt.Errorf("catalog: texts at a distance of %d bits score 0 by %s, want a smaller distance", distance, m)
	}
	return score, nil
}
