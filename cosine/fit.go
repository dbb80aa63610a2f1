package cosine

import (
	"fmt"
	"io"
	"iter"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// frequencies tells how many documents have a term; a *feature.Model does.
type frequencies interface{ DF(term uint64) int }

// idf weighs terms by fitted frequencies; the zero value weighs each 1.
type idf struct {
	df     frequencies
	scheme scheme
	docs   int
	memo   []float64 // the idf of the lower document frequencies
}

func newIDF(s scheme, df frequencies, docs int) idf {
	d := idf{df: df, scheme: s, docs: docs, memo: make([]float64, min(docs+1, 1<<12))}
	for i := range d.memo {
		d.memo[i] = s.idf(i, docs)
	}
	return d
}

// weigh multiplies weights by the idf of their terms.
func (d *idf) weigh(terms []uint64, w []float64) {
	if d.df == nil {
		return
	}
	for i, t := range terms {
		if n := d.df.DF(t); n < len(d.memo) {
			w[i] *= d.memo[n]
		} else {
			w[i] *= d.scheme.idf(n, d.docs)
		}
	}
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

// Fit returns the method with the document frequencies of docs, or the method
// itself where a fit would change nothing. Documents are read in order, once, or
// twice where the features use phrases. A fit on no documents is one in which
// every term is unknown.
func (m *Method) Fit(docs iter.Seq[string]) (*Method, error) {
	if m.FitState() == similarity.FitUseless {
		return m, nil
	}
	model, err := m.features.Fit(docs)
	if err != nil {
		return nil, fmt.Errorf("cosine: fit: %w", err)
	}
	return m.withModel(model)
}

// WriteFit saves the document frequencies. It is an error if there are none.
func (m *Method) WriteFit(w io.Writer) error {
	if m.FitState() != similarity.Fitted {
		return fmt.Errorf("cosine: %s has no fit to save", m)
	}
	if _, err := m.features.Model().WriteTo(w); err != nil {
		return fmt.Errorf("cosine: save fit: %w", err)
	}
	return nil
}

// ReadFit returns the method with saved document frequencies. They do not
// depend on the scheme: one fit serves all schemes on the same features. A method
// that a fit would not change refuses one.
func (m *Method) ReadFit(r io.Reader) (*Method, error) {
	if m.FitState() == similarity.FitUseless {
		return nil, fmt.Errorf("cosine: %s learns nothing from a corpus and takes no fit", m)
	}
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
		f.idf = newIDF(m.scheme, model, model.Docs())
	}
	return f, nil
}
