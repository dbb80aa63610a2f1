// Package shingle scores texts by the shingles (runs of neighbouring tokens)
// that they share: exactly, as sets or bags of 64-bit hashes, and estimated, by
// MinHash signatures of fixed size (Broder, SEQUENCES 1997).
//
// [Method] keeps all distinct shingles of a text and its score is exact but for
// collisions of 64-bit hashes: 8 bytes a shingle, and a pair costs time in
// proportion to the shingles of both. [MinHash] keeps 128 values of 4 bytes,
// whatever the length of the text, and its score has the standard error that
// [StdErr] states, 0.035 at a resemblance of 0.8. [Bottom] keeps the smallest
// hashes themselves: slower to compare, but exact for texts of few shingles.
//
// Resemblance of sets ignores how often and where a shingle stands; wider
// shingles see order. If rare words should count more than common ones, use
// package cosine. To search millions of texts in 8 bytes each, use package
// simhash.
//
// Package catalog offers the methods to the commands, and sql writes their
// sketches as columns. Joins of exact sets belong to internal/setjoin; cutting
// text into tokens belongs to package feature.
package shingle

import (
	"fmt"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/settings"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/author"
)

// Measure says what a score is.
type Measure int

const (
	// Resemblance is |A∩B| / |A∪B|, the Jaccard index; for bags Σmin / Σmax of
	// the weights. One minus it is a metric.
	Resemblance Measure = iota
	// Overlap is |A∩B| / min(|A|, |B|), the overlap coefficient, which is the
	// greater of the two containments; for bags Σmin over the smaller sum.
	Overlap
)

// Options configures a Method. The zero value is a sound default: the
// resemblance of the sets of words.
type Options struct {
	// Features says how text becomes shingles. The zero value means single words.
	Features feature.Options

	// Bag counts how much each shingle weighs (with the default weights of
	// Features: how often it occurs) instead of only whether it is there.
	Bag bool

	// Measure is what Score returns; zero means Resemblance.
	Measure Measure
}

// Keys lists the settings of Options.
var Keys = append(settings.Table[Options]{
	settings.Enum("measure", settings.Words{"resemblance", "overlap"}, []string{"Resemblance", "Overlap"}, "what is scored: resemblance, or |A∩B| over the smaller set", func(o *Options) *Measure { return &o.Measure }).OfScores(),
	settings.Bool("bag", "count how often a shingle occurs: Σmin / Σmax", func(o *Options) *bool { return &o.Bag }),
	settings.Fit[Options](),
}, settings.Lift(feature.Keys, func(o *Options) *feature.Options { return &o.Features })...)

// Method scores texts by their exact sets or bags of shingles. It is immutable
// and safe for concurrent use.
type Method struct {
	author.Learner[*Method]
	x       *feature.Extractor
	bag     bool
	measure Measure
}

var (
	_ similarity.Sketcher[Set]   = (*Method)(nil)
	_ similarity.Featured[Set]   = (*Method)(nil)
	_ similarity.Container[Set]  = (*Method)(nil)
	_ similarity.Explainer       = (*Method)(nil)
	_ similarity.Fitter[*Method] = (*Method)(nil)
)

// New returns a method, or an error that names the option that is out of range.
func New(o Options) (*Method, error) {
	if err := Keys.Check("shingle", &o); err != nil {
		return nil, err
	}
	x, err := feature.New(o.Features)
	if err != nil {
		return nil, fmt.Errorf("shingle: %w", err)
	}
	return (&Method{bag: o.Bag, measure: o.Measure}).under(x), nil
}

// under returns a copy of the method with other features. Where shingles are not weighed, a
// fit matters only if it decides which there are.
func (m *Method) under(x *feature.Extractor) *Method {
	c := *m
	c.x, c.Learner = x, author.NewLearner(x, learns(x, m.bag), c.under)
	return &c
}

func learns(x *feature.Extractor, weighed bool) bool {
	return weighed && x.NeedsFit() || author.ChoosesByFit(x)
}

// Sketch returns the set or bag of shingles of a text. Memory grows with the
// number of distinct shingles of a set, and with the length of the text for a bag.
func (m *Method) Sketch(text string) Set {
	b := builders.Get().(*builder)
	defer b.release()
	b.reset()
	switch {
	case !m.bag && m.x.Complete():
		m.x.Blocks(text, b.add)
		return b.set()
	case m.bag && m.x.Unit():
		b.hashes = m.x.AppendHashes(b.hashes, text)
		return b.counts()
	}
	b.features = m.x.Append(b.features[:0], text)
	return b.weighted(b.features, m.bag)
}

// SketchFeatures returns the set or bag of extracted features.
func (m *Method) SketchFeatures(features []feature.Feature) Set {
	b := builders.Get().(*builder)
	defer b.release()
	return b.weighted(features, m.bag)
}

// Score returns the measure chosen: the resemblance or the overlap coefficient.
// It is 0 where either set is empty.
func (m *Method) Score(a, b Set) float64 {
	if m.measure == Overlap {
		return a.Overlap(b)
	}
	return a.Resemblance(b)
}

// Containment returns |A∩B| / |A|, for bags Σmin over the sum of a; 0 where
// either is empty.
func (m *Method) Containment(a, b Set) float64 { return a.Containment(b) }

// Empty reports whether a text had no shingle.
func (m *Method) Empty(s Set) bool { return len(s.Hashes) == 0 }

// Bytes returns 8 a shingle, 16 in a bag.
func (m *Method) Bytes(s Set) int { return 8 * (len(s.Hashes) + len(s.Weights)) }

// String returns the canonical spec, such as "shingle:measure=overlap,width=3".
func (m *Method) String() string {
	return similarity.Spec("shingle", Keys.Changed(m.options()), author.FitSpec(&m.Learner), m.x.String())
}

// Settings returns all settings that a set depends on. The measure is not one:
// sets stored under one can be scored by the other.
func (m *Method) Settings() string {
	return similarity.Spec("shingle", Keys.All(m.options()), m.x.Settings())
}

func (m *Method) options() *Options { return &Options{Bag: m.bag, Measure: m.measure} }
