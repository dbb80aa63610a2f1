package simhash

import (
	"fmt"
	"io"
	"iter"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

var _ similarity.Fitter[*Method] = (*Method)(nil)

// FitState says whether the features learn from a corpus, and whether they have.
func (m *Method) FitState() similarity.FitState {
	switch {
	case !m.x.NeedsFit():
		return similarity.FitUseless
	case m.x.Model() == nil:
		return similarity.FitNone
	}
	return similarity.Fitted
}

// Fit returns a copy of the method whose features have learnt from docs.
func (m *Method) Fit(docs iter.Seq[string]) (*Method, error) {
	model, err := m.x.Fit(docs)
	if err != nil {
		return nil, fmt.Errorf("simhash: fit: %w", err)
	}
	return m.withModel(model)
}

// WriteFit saves the model that the features learnt.
func (m *Method) WriteFit(w io.Writer) error {
	if m.x.Model() == nil {
		return fmt.Errorf("simhash: %s has no fit to save", m)
	}
	if _, err := m.x.Model().WriteTo(w); err != nil {
		return fmt.Errorf("simhash: save fit: %w", err)
	}
	return nil
}

// ReadFit returns a copy of the method under a saved model.
func (m *Method) ReadFit(r io.Reader) (*Method, error) {
	model, err := feature.ReadModel(r)
	if err != nil {
		return nil, fmt.Errorf("simhash: read fit: %w", err)
	}
	return m.withModel(model)
}

func (m *Method) withModel(model *feature.Model) (*Method, error) {
	x, err := m.x.WithModel(model)
	if err != nil {
		return nil, fmt.Errorf("simhash: %w", err)
	}
	c := *m
	c.x = x
	return &c, nil
}
