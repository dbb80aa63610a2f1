package cosine

import (
	"fmt"
	"io"
	"iter"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// idf weighs terms by a fitted model; the zero value weighs each 1.
type idf struct {
	model  *feature.Model
	scheme scheme
	docs   int
}

// of returns the idf of a term.
func (d *idf) of(term uint64) float64 {
	if d.model == nil {
		return 1
	}
	return d.scheme.idf(d.model.DF(term), d.docs)
}

// FitState says whether a fit would change anything: the scheme uses document
// frequencies, or the features use phrases.
func (m *Method) FitState() similarity.FitState {
	switch {
	case !m.scheme.usesDF() && !m.features.NeedsFit():
		return similarity.FitUseless
	case m.features.Model() == nil:
		return similarity.FitNone
	}
	return similarity.Fitted
}

// Fit returns the method with the document frequencies of docs.
func (m *Method) Fit(docs iter.Seq[string]) (*Method, error) {
	model, err := m.features.Fit(docs)
	if err != nil {
		return nil, fmt.Errorf("cosine: fit: %w", err)
	}
	return m.withModel(model)
}

// WriteFit saves the document frequencies. It is an error if there are none.
func (m *Method) WriteFit(w io.Writer) error {
	if m.features.Model() == nil {
		return fmt.Errorf("cosine: %s has no fit to save", m)
	}
	if _, err := m.features.Model().WriteTo(w); err != nil {
		return fmt.Errorf("cosine: save fit: %w", err)
	}
	return nil
}

// ReadFit returns the method with saved document frequencies. They do not
// depend on the scheme: one fit serves all schemes on the same features.
func (m *Method) ReadFit(r io.Reader) (*Method, error) {
	model, err := feature.ReadModel(r)
	if err != nil {
		return nil, fmt.Errorf("cosine: read fit: %w", err)
	}
	return m.withModel(model)
}

func (m *Method) withModel(model *feature.Model) (*Method, error) {
	x, err := m.features.WithModel(model)
	if err != nil {
		return nil, fmt.Errorf("cosine: %w", err)
	}
	f := &Method{scheme: m.scheme, features: x}
	if m.scheme.usesDF() {
		f.idf = idf{model: model, scheme: m.scheme, docs: model.Docs()}
	}
	return f, nil
}
