package catalog

import (
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/similarity"
)

// Curve returns the probabilities that a join at a threshold finds pairs that score 0,
// .01, .02 and so on to 1, and the design of the join. found is nil for methods that
// state no probability, which are all but minhash with bands, and for a threshold
// without a design.
func Curve(m similarity.Method, threshold float64) (design string, found []float64) {
	banded, ok := similarity.As[*shingle.MinHash](m)
	if !ok {
		return "", nil
	}
	d, err := banded.Design(similarity.JoinOptions{Threshold: threshold})
	if err != nil {
		return "", nil
	}
	for i := range 101 {
		found = append(found, d.ByScore(float64(i)/100))
	}
	return d.String(), found
}
