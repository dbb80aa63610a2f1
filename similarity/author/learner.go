// Package author has what methods share beside the contract of package
// similarity: a Learner gives a method the four methods of similarity.Fitter.
// Authors of methods use it. Programs that only call methods do not need it.
//
// What only one method needs belongs to that method.
package author

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// Learner is embedded by a method of type M that learns by its features alone. It makes
// the method a similarity.Fitter.
type Learner[M any] struct {
	x      *feature.Extractor
	learns bool
	under  func(x *feature.Extractor) M
}

// NewLearner returns the Learner of a method with the features of x. learns says whether
// a fit would change a sketch. under returns a copy of the method with other features.
func NewLearner[M any](x *feature.Extractor, learns bool, under func(x *feature.Extractor) M) Learner[M] {
	return Learner[M]{x, learns, under}
}

// Features returns the extractor, under the fitted model if there is one.
func (l *Learner[M]) Features() *feature.Extractor { return l.x }

// FitState says whether a fit would change a sketch, and whether there is one.
func (l *Learner[M]) FitState() similarity.FitState {
	switch {
	case !l.learns:
		return similarity.FitUseless
	case l.x.Model() == nil:
		return similarity.FitNone
	}
	return similarity.Fitted
}

// Fit returns a copy of the method that has learnt from docs. They are read in
// order, once, or twice if the features use phrases.
func (l *Learner[M]) Fit(docs iter.Seq[string]) (M, error) {
	if !l.learns {
		return l.under(l.x), nil
	}
	model, err := l.x.Fit(docs)
	if err != nil {
		var none M
		return none, fmt.Errorf("similarity: fit: %w", err)
	}
	return l.with(model)
}

// WriteFit saves what was learnt. It is an error if there is nothing.
func (l *Learner[M]) WriteFit(w io.Writer) error {
	if l.x.Model() == nil {
		return errors.New("similarity: no fit to save")
	}
	if _, err := l.x.Model().WriteTo(w); err != nil {
		return fmt.Errorf("similarity: save fit: %w", err)
	}
	return nil
}

// ReadFit returns a copy of the method under a saved fit. It refuses a fit made under
// other settings.
func (l *Learner[M]) ReadFit(r io.Reader) (M, error) {
	var none M
	if !l.learns {
		return none, errors.New("similarity: the method learns nothing from a corpus and takes no fit")
	}
	model, err := feature.ReadModel(r)
	if err != nil {
		return none, fmt.Errorf("similarity: read fit: %w", err)
	}
	return l.with(model)
}

func (l *Learner[M]) with(model *feature.Model) (M, error) {
	x, err := l.x.WithModel(model)
	if err != nil {
		var none M
		return none, err
	}
	return l.under(x), nil
}

// FitSpec is the part of a spec that names the fit: "" if one is useless, "fit=none",
// or "fit=" and the checksum of the model.
func FitSpec[M any](l *Learner[M]) string {
	switch l.FitState() {
	case similarity.FitUseless:
		return ""
	case similarity.FitNone:
		return "fit=none"
	}
	return "fit=" + l.x.Model().Sum()
}

// ChoosesByFit reports whether a fit decides which features a text has. Phrases always do,
// document frequencies only where Top chooses by them. A sketch without weights
// depends on nothing else.
func ChoosesByFit(x *feature.Extractor) bool {
	o := x.Options()
	return o.Phrases > 0 || o.Weights == feature.FitIDF && o.Top > 0
}
