package similarity

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/alike-go/alike/feature"
)

// What follows is shared by the methods whose whole learning and whole evidence
// lie in their features.

// FeatureFitState returns FitUseless unless the sketch depends on what the
// extractor could learn, and otherwise whether it has learnt.
func FeatureFitState(x *feature.Extractor, depends bool) FitState {
	switch {
	case !depends || !x.NeedsFit():
		return FitUseless
	case x.Model() == nil:
		return FitNone
	}
	return Fitted
}

// ChoosesByFit reports whether a fit decides which features a text has: phrases do
// always, document frequencies only where Top chooses by them. A sketch that does
// not hold weights depends on nothing else.
func ChoosesByFit(x *feature.Extractor) bool {
	o := x.Options()
	return o.Phrases > 0 || o.Weights == feature.FitIDF && o.Top > 0
}

// FitSpec is the part of a spec that names the fit: "" where one is useless,
// "fit=none", or "fit=" and the model's checksum.
func FitSpec(state FitState, x *feature.Extractor) string {
	switch state {
	case FitUseless:
		return ""
	case FitNone:
		return "fit=none"
	}
	return "fit=" + x.Model().Sum()
}

// FitFeatures returns the extractor under a model learnt from docs.
func FitFeatures(x *feature.Extractor, docs iter.Seq[string]) (*feature.Extractor, error) {
	model, err := x.Fit(docs)
	if err != nil {
		return nil, fmt.Errorf("similarity: fit: %w", err)
	}
	return x.WithModel(model)
}

// WriteFeatureFit saves the extractor's model; it is an error if there is none.
func WriteFeatureFit(x *feature.Extractor, w io.Writer) error {
	if x.Model() == nil {
		return errors.New("similarity: no fit to save")
	}
	if _, err := x.Model().WriteTo(w); err != nil {
		return fmt.Errorf("similarity: save fit: %w", err)
	}
	return nil
}

// ReadFeatureFit returns the extractor under a saved model. It refuses one fitted
// under other settings.
func ReadFeatureFit(x *feature.Extractor, r io.Reader) (*feature.Extractor, error) {
	model, err := feature.ReadModel(r)
	if err != nil {
		return nil, fmt.Errorf("similarity: read fit: %w", err)
	}
	return x.WithModel(model)
}

// SharedFeatures returns the features that both texts have, with all their places,
// heaviest first, ties in the order of the first text. weight gives the weight of a
// feature as evidence; one of 0 or less is left out.
func SharedFeatures(x *feature.Extractor, kind, a, b string, weight func(hash uint64) float64) []Evidence {
	at := make(map[uint64]int) // the place in out, by hash
	var out []Evidence
	for _, f := range x.Locate(a) {
		k, seen := at[f.Hash]
		if !seen {
			k = len(out)
			at[f.Hash] = k
			out = append(out, Evidence{Kind: kind, Text: a[f.Start:f.End], Hash: f.Hash, Weight: weight(f.Hash)})
		}
		out[k].A = append(out[k].A, f.Span)
	}
	for _, f := range x.Locate(b) {
		if k, ok := at[f.Hash]; ok {
			out[k].B = append(out[k].B, f.Span)
		}
	}
	out = slices.DeleteFunc(out, func(e Evidence) bool { return e.B == nil || e.Weight <= 0 })
	slices.SortStableFunc(out, func(p, q Evidence) int { return cmp.Compare(q.Weight, p.Weight) })
	return slices.Clip(out)
}
