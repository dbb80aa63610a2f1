package align

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/intersect"
	"github.com/alike-go/alike/internal/settings"
	"github.com/alike-go/alike/similarity"
)

// RuleOptions configures a Rule. The zero value is a sound default.
type RuleOptions struct {
	// Features says what a term is. The zero value means single words. Every term
	// counts the same: leave the weights at their default.
	Features feature.Options
}

// RuleKeys lists the settings of RuleOptions: the settings of features, except weights.
var RuleKeys = settings.Lift(feature.Keys.Without("weights", "levels", "top", "phrases"),
	func(o *RuleOptions) *feature.Options { return &o.Features })

// Rule turns a common rule of thumb into a score: two texts are duplicates if they
// share 80 % of their terms and their sizes are within 20 %. The score is the
// smaller of two ratios: the shared terms over the terms of the text that has
// fewer, and the smaller size over the larger, in terms with their repeats. At
// 0.8 it is the rule itself. It is immutable and safe for concurrent use.
type Rule struct{ x *feature.Extractor }

// Terms is the sketch of a Rule.
type Terms struct {
	Hashes []uint64 // the distinct terms, ascending
	Size   int      // how many terms the text has, repeats included
}

var (
	_ similarity.Sketcher[Terms] = (*Rule)(nil)
	_ similarity.Featured[Terms] = (*Rule)(nil)
	_ similarity.Explainer       = (*Rule)(nil)
)

// NewRule returns the rule, or an error that names the option that is out of range.
func NewRule(o RuleOptions) (*Rule, error) {
	x, err := feature.New(o.Features)
	if err != nil {
		return nil, fmt.Errorf("align: %w", err)
	}
	if !x.Unit() || x.NeedsFit() {
		return nil, errors.New("align: the rule counts terms, want Features without Weights, Levels, Top and Phrases")
	}
	return &Rule{x}, nil
}

// Features returns the extractor.
func (r *Rule) Features() *feature.Extractor { return r.x }

// String returns the canonical spec, such as "rule80:tokens=rune,width=2".
func (r *Rule) String() string { return similarity.Spec("rule80", r.x.String()) }

// Settings returns every setting that a sketch depends on.
func (r *Rule) Settings() string { return similarity.Spec("rule80", r.x.Settings()) }

// Sketch returns the terms of a text.
func (r *Rule) Sketch(text string) Terms { return newTerms(r.x.AppendHashes(nil, text)) }

// SketchFeatures returns the terms that are extracted features.
func (r *Rule) SketchFeatures(features []feature.Feature) Terms {
	var hashes []uint64
	for _, f := range features {
		for range int(f.Weight) {
			hashes = append(hashes, f.Hash)
		}
	}
	return newTerms(hashes)
}

// newTerms sorts the slice but does not keep it.
func newTerms(hashes []uint64) Terms {
	slices.Sort(hashes)
	return Terms{slices.Clone(slices.Compact(hashes)), len(hashes)}
}

// Score returns the smaller of the share of terms and the ratio of sizes. It
// returns 0 if either text has no term.
func (r *Rule) Score(a, b Terms) float64 {
	share, sizes := r.shares(a, b)
	return min(share, sizes)
}

func (r *Rule) shares(a, b Terms) (share, sizes float64) {
	if a.Size == 0 || b.Size == 0 {
		return 0, 0
	}
	share = float64(intersect.Count(a.Hashes, b.Hashes)) / float64(min(len(a.Hashes), len(b.Hashes)))
	return share, float64(min(a.Size, b.Size)) / float64(max(a.Size, b.Size))
}

// Empty reports whether the text has no term.
func (r *Rule) Empty(t Terms) bool { return t.Size == 0 }

// Bytes returns eight bytes per distinct term, and eight for the size.
func (r *Rule) Bytes(t Terms) int { return 8*len(t.Hashes) + 8 }

// AppendSketch appends the size, the number of distinct terms and each as eight bytes.
func (r *Rule) AppendSketch(dst []byte, t Terms) []byte {
	return appendHashes(binary.AppendUvarint(dst, uint64(t.Size)), t.Hashes)
}

// DecodeSketch implements similarity.Sketcher.
func (r *Rule) DecodeSketch(src []byte) (Terms, int, error) {
	size, k := binary.Uvarint(src)
	if k <= 0 || size > 1<<62 {
		return Terms{}, 0, fmt.Errorf("align: size cut short: %w", similarity.ErrFormat)
	}
	hashes, n, ok := decodeHashes(src[k:])
	switch {
	case !ok:
		return Terms{}, 0, fmt.Errorf("align: terms cut short: %w", similarity.ErrFormat)
	case uint64(len(hashes)) > size || len(hashes) == 0 && size > 0:
		return Terms{}, 0, fmt.Errorf("align: %d distinct terms of %d: %w", len(hashes), size, similarity.ErrFormat)
	}
	for i := 1; i < len(hashes); i++ {
		if hashes[i] <= hashes[i-1] {
			return Terms{}, 0, fmt.Errorf("align: terms out of order: %w", similarity.ErrFormat)
		}
	}
	return Terms{hashes, int(size)}, k + n, nil
}

// Explain scores two texts and lists the terms that they share, in the order of
// the first text.
func (r *Rule) Explain(a, b string) similarity.Explanation {
	ta, tb := r.Sketch(a), r.Sketch(b)
	share, sizes := r.shares(ta, tb)
	return similarity.Explanation{
		Score: min(share, sizes),
		Note: fmt.Sprintf("%d terms shared, of %d and %d: %.1f%% of the fewer; %d and %d terms with repeats: sizes within %.1f%%",
			intersect.Count(ta.Hashes, tb.Hashes), len(ta.Hashes), len(tb.Hashes), 100*share, ta.Size, tb.Size, 100*(1-sizes)),
		Evidence: similarity.SharedFeatures(r.x, "term", a, b, func(uint64) float64 { return 1 }),
	}
}
