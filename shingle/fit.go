package shingle

import (
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// fitState says what was learnt, and whether there is anything to learn: where
// shingles are not weighed, a fit matters only if it decides which there are.
func fitState(x *feature.Extractor, weighed bool) similarity.FitState {
	return similarity.FeatureFitState(x, weighed || similarity.ChoosesByFit(x))
}

// fitSpec is the part of a spec that names the fit.
func fitSpec(x *feature.Extractor, weighed bool) string {
	return similarity.FitSpec(fitState(x, weighed), x)
}
