package bloomsim

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// FitState says whether the set of features depends on a corpus, and whether one
// was learnt from. Document frequencies alone change weights, which a filter does not
// hold; only with Features.Top do they choose features, as phrases always do.
func (m *Method) FitState() similarity.FitState {
	o := m.o.Features
	switch {
	case o.Phrases == 0 && (o.Weights != feature.FitIDF || o.Top == 0):
		return similarity.FitUseless
	case m.x.Model() == nil:
		return similarity.FitNone
	}
	return similarity.Fitted
}

// Fit returns the method with features fitted on docs; see feature.Extractor.Fit.
func (m *Method) Fit(docs iter.Seq[string]) (*Method, error) {
	model, err := m.x.Fit(docs)
	if err != nil {
		return nil, fmt.Errorf("bloomsim: fit: %w", err)
	}
	return m.with(model)
}

// WriteFit saves the fitted model of the features.
func (m *Method) WriteFit(w io.Writer) error {
	if m.x.Model() == nil {
		return errors.New("bloomsim: no fit to save")
	}
	if _, err := m.x.Model().WriteTo(w); err != nil {
		return fmt.Errorf("bloomsim: save fit: %w", err)
	}
	return nil
}

// ReadFit returns the method under a fit that WriteFit saved.
func (m *Method) ReadFit(r io.Reader) (*Method, error) {
	model, err := feature.ReadModel(r)
	if err != nil {
		return nil, fmt.Errorf("bloomsim: load fit: %w", err)
	}
	return m.with(model)
}

func (m *Method) with(model *feature.Model) (*Method, error) {
	x, err := m.x.WithModel(model)
	if err != nil {
		return nil, fmt.Errorf("bloomsim: %w", err)
	}
	return &Method{x, m.o}, nil
}
