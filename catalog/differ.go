package catalog

import (
	"fmt"

	"github.com/alike-go/alike/similarity"
)

// DifferFeatures are features for which the share of words that differ can be estimated
// from the score of a method that reads features, in every language alike.
const DifferFeatures = "tokens=single,width=3"

// Differ returns the model that relates a method's score to the share of words that
// differ, or an error that names a method that has one.
func Differ(m similarity.Method) (similarity.DifferModel, error) {
	d, ok := similarity.As[similarity.Differer](m)
	if !ok {
		return similarity.DifferModel{}, fmt.Errorf("catalog: %s has no measured model of the words that differ, want one such as minhash:%s, or words", m, DifferFeatures)
	}
	model, err := d.DifferModel()
	if err != nil {
		return model, fmt.Errorf("catalog: %s: %w", m, err)
	}
	return model, nil
}
