// Package cosine scores documents by the cosine of the angle between their
// sparse term vectors, weighted by term frequency and inverse document
// frequency (Salton, Wong, Yang, CACM 1975; Salton and Buckley, Inf. Proc. &
// Mgmt. 1988).
//
// A document becomes one weight for each distinct feature. The scheme says how
// a weight is computed: SMART's three letters, scikit-learn's formula and
// others; see [Options]. Scores are exact, degrade gently with edits, and
// forgive differences of length, which makes cosine the yardstick for the
// sketches of fixed size. The price is space, 12 bytes for each distinct term,
// and a score that costs a merge of two term lists. If documents are many and
// only near-duplicates matter, use simhash. If copied passages matter, use
// shingle.
//
// Among many documents Join and [Index] find the alike ones at any threshold.
// They are exact, and take a small part of the time of scoring every pair.
//
// Document frequencies come from a fit ([Method.Fit]) that can be frozen and
// saved. Without a fit every idf is 1, and the spec says fit=none. Fit on
// background text, not on the documents whose scores are to be judged.
//
// Package catalog offers the method to the commands. How text becomes features
// belongs to package feature; labels and thresholds belong to package eval.
package cosine

import (
	"fmt"
	"math"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/settings"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/author"
)

// Options configures a Method. The zero value is a sound default.
type Options struct {
	// Features says how text becomes features. The zero value means single
	// words, case folded. Its Weights must stay TF, since the scheme weighs; only
	// under the schemes tf and nnn, which leave weights as they come, may the features
	// bring their own, such as those of a dictionary. FitIDF is refused: a
	// scheme does that.
	Features feature.Options

	// Scheme says how occurrences become weights; "" means "smooth". It is one of
	//
	//	smooth              (1 + ln tf) × (ln((1+N)/(1+df)) + 1), unit length
	//	sklearn             tf × (ln((1+N)/(1+df)) + 1), unit length
	//	sklearn-unsmoothed  tf × (ln(N/df) + 1), unit length
	//	dotnet              tf / greatest tf × ln(N/df), unit length
	//	tf                  tf, unit length: another name of nnc
	//
	// or three letters of the SMART notation (Manning, Raghavan, Schütze,
	// Introduction to Information Retrieval, 2008, figure 6.15):
	//
	//	first   n tf   l 1 + ln tf   a ½ + ½ tf / greatest tf   b 1
	//	        L (1 + ln tf) / (1 + ln average tf)
	//	second  n 1    t ln(N/df)    p max(0, ln((N-df)/df))
	//	third   n none c unit length
	//
	// where tf is the number of occurrences in the document, N the number of
	// fitted documents and df the number of those with the term. A term that no
	// fitted document has counts as df = 1 where the formula would divide by 0;
	// scikit-learn, whose vocabulary is fixed by the fit, leaves such a term out.
	// The pivoted length (u) is refused: it is made for a query and a document,
	// and a document is then not its own nearest.
	//
	// With t, p and dotnet a term in all documents (p: in half of them) weighs
	// nothing. Beware of fitting two documents and comparing them: every shared
	// term then has df = N, the pair scores 0, and two equal documents are empty
	// vectors. The schemes with + 1 do not vanish.
	Scheme string
}

// Keys lists the settings of Options. What weighs features is the method's own: settings
// for the features of a whole run leave it alone, since the scheme weighs.
var Keys = append(settings.Table[Options]{
	{
		Key: settings.Key{Name: "scheme", Default: schemes[0].name, Allowed: "smooth, sklearn, sklearn-unsmoothed, dotnet, tf, or SMART letters such as ltc", Doc: "how occurrences become weights"},
		Set: func(o *Options, v string) error { o.Scheme = v; return nil },
		Get: func(o *Options) string { return o.Scheme },
	},
	settings.Fit[Options](),
}, settings.Lift(feature.Keys, func(o *Options) *feature.Options { return &o.Features }).Shared(false, "weights", "levels", "top")...)

// Method scores by cosine. It is immutable and safe for concurrent use.
type Method struct {
	author.Learner[*Method]
	scheme   scheme
	features *feature.Extractor
	idf      idf // unfitted: 1 for every term
}

var (
	_ similarity.Sketcher[Vector]  = (*Method)(nil)
	_ similarity.Featured[Vector]  = (*Method)(nil)
	_ similarity.Fitter[*Method]   = (*Method)(nil)
	_ similarity.RowKernel[Vector] = (*Method)(nil)
	_ similarity.Explainer         = (*Method)(nil)
)

// New returns a method without a fit, or an error that names the option that is
// out of range.
func New(o Options) (*Method, error) {
	s, err := parseScheme(o.Scheme)
	if err != nil {
		return nil, err
	}
	if w := o.Features.Weights; w != feature.TF && !(s.plain() && w != feature.FitIDF) {
		return nil, fmt.Errorf("cosine: Features.Weights is %d under the scheme %s, want TF (%d), or the scheme tf and no fitted idf: the scheme weighs", w, s.name, feature.TF)
	}
	x, err := feature.New(o.Features)
	if err != nil {
		return nil, fmt.Errorf("cosine: %w", err)
	}
	return (&Method{scheme: s}).under(x), nil
}

// under returns a copy of the method with other features. A fit changes a sketch if the
// scheme uses document frequencies, or the features use phrases.
func (m *Method) under(x *feature.Extractor) *Method {
	c := &Method{scheme: m.scheme, features: x}
	c.Learner = author.NewLearner(x, m.scheme.usesDF() || x.NeedsFit(), c.under)
	if model := x.Model(); model != nil && m.scheme.usesDF() {
		c.idf = newIDF(m.scheme, model, model.Docs())
	}
	return c
}

// Sketch returns the vector of a text.
func (m *Method) Sketch(text string) Vector {
	if !m.features.Unit() {
		return m.SketchFeatures(m.features.Append(nil, text))
	}
	c := newCounter()
	defer c.free()
	m.features.Blocks(text, c.add)
	return m.vector(c.sorted())
}

// SketchFeatures returns the vector of features with given frequencies. Weights
// that are not above 0 count as absent.
func (m *Method) SketchFeatures(features []feature.Feature) Vector {
	c := newCounter()
	defer c.free()
	if c.addUnit(features) {
		return m.vector(c.sorted())
	}
	return m.vector(feature.AddUp(features, math.MaxFloat64))
}

// Score returns the cosine of the angle between two vectors, whatever their
// length, so that the third letter of a scheme does not change it.
func (m *Method) Score(a, b Vector) float64 { return cosine(dot(&a, &b), &a, &b) }

// Empty reports whether the text had no term of non-zero weight.
func (m *Method) Empty(v Vector) bool { return len(v.Terms) == 0 }

// Bytes returns 12 bytes for each term and 8 for the length.
func (m *Method) Bytes(v Vector) int { return 12*len(v.Terms) + 8 }

// String returns the canonical spec, such as "cosine:scheme=ltc,fit=none". The
// key fit tells the checksum of the fitted model, "none" before a fit, and is
// left out where a fit would change nothing.
func (m *Method) String() string {
	return similarity.Spec("cosine", Keys.Changed(&Options{Scheme: m.scheme.name}), author.FitSpec(&m.Learner), m.features.String())
}

// Settings returns every setting that the vectors depend on.
func (m *Method) Settings() string {
	fit := "none"
	if m.FitState() == similarity.Fitted {
		fit = m.features.Model().Sum()
	}
	return similarity.Spec("cosine", Keys.All(&Options{Scheme: m.scheme.name}), "fit="+fit, m.features.Settings())
}
