package simhash

import (
	"io"
	"iter"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

var _ similarity.Fitter[*Method] = (*Method)(nil)

// FitState says whether the features learn from a corpus, and whether they have.
func (m *Method) FitState() similarity.FitState { return similarity.FeatureFitState(m.x, true) }

// Fit returns a copy of the method whose features have learnt from docs.
func (m *Method) Fit(docs iter.Seq[string]) (*Method, error) {
	return m.with(similarity.FitFeatures(m.x, docs))
}

// WriteFit saves the model that the features learnt.
func (m *Method) WriteFit(w io.Writer) error { return similarity.WriteFeatureFit(m.x, w) }

// ReadFit returns a copy of the method under a saved model.
func (m *Method) ReadFit(r io.Reader) (*Method, error) {
	return m.with(similarity.ReadFeatureFit(m.x, r))
}

func (m *Method) with(x *feature.Extractor, err error) (*Method, error) {
	if err != nil {
		return nil, err
	}
	c := *m
	c.x = x
	return &c, nil
}
