package shingle

import (
	"fmt"
	"io"
	"iter"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// All there is to learn lies in the features (document frequencies, phrases), so
// the methods of this package share these functions.

// fitSpec is the part of a spec that names the fit: "" where none is wanted.
func fitSpec(x *feature.Extractor, weighed bool) string {
	switch fitState(x, weighed) {
	case similarity.FitUseless:
		return ""
	case similarity.FitNone:
		return "fit=none"
	}
	return "fit=" + x.Model().Sum()
}

// fitState says what was learnt, and whether there is anything to learn: a sketch
// in which shingles are not weighed sees document frequencies only where Top
// chooses by them, and phrases always.
func fitState(x *feature.Extractor, weighed bool) similarity.FitState {
	switch o := x.Options(); {
	case !x.NeedsFit() || !weighed && o.Phrases == 0 && o.Top == 0:
		return similarity.FitUseless
	case x.Model() == nil:
		return similarity.FitNone
	}
	return similarity.Fitted
}

func fit(x *feature.Extractor, docs iter.Seq[string]) (*feature.Extractor, error) {
	model, err := x.Fit(docs)
	if err != nil {
		return nil, fmt.Errorf("shingle: fit: %w", err)
	}
	return withModel(x, model)
}

func writeFit(x *feature.Extractor, w io.Writer) error {
	if x.Model() == nil {
		return fmt.Errorf("shingle: no fit to save")
	}
	if _, err := x.Model().WriteTo(w); err != nil {
		return fmt.Errorf("shingle: save fit: %w", err)
	}
	return nil
}

func readFit(x *feature.Extractor, r io.Reader) (*feature.Extractor, error) {
	model, err := feature.ReadModel(r)
	if err != nil {
		return nil, fmt.Errorf("shingle: load fit: %w", err)
	}
	return withModel(x, model)
}

func withModel(x *feature.Extractor, model *feature.Model) (*feature.Extractor, error) {
	y, err := x.WithModel(model)
	if err != nil {
		return nil, fmt.Errorf("shingle: %w", err)
	}
	return y, nil
}
