package bloomsim

import (
	"io"
	"iter"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// FitState says whether the set of features depends on a corpus, and whether one
// was learnt from. Document frequencies alone change weights, which a filter does
// not hold.
func (m *Method) FitState() similarity.FitState {
	return similarity.FeatureFitState(m.x, similarity.ChoosesByFit(m.x))
}

// Fit returns the method with features fitted on docs; see feature.Extractor.Fit.
func (m *Method) Fit(docs iter.Seq[string]) (*Method, error) {
	return m.with(similarity.FitFeatures(m.x, docs))
}

// WriteFit saves the fitted model of the features.
func (m *Method) WriteFit(w io.Writer) error { return similarity.WriteFeatureFit(m.x, w) }

// ReadFit returns the method under a fit that WriteFit saved.
func (m *Method) ReadFit(r io.Reader) (*Method, error) {
	return m.with(similarity.ReadFeatureFit(m.x, r))
}

func (m *Method) with(x *feature.Extractor, err error) (*Method, error) {
	if err != nil {
		return nil, err
	}
	return &Method{x, m.o}, nil
}
