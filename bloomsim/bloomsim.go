// Package bloomsim scores texts by the overlap of the Bloom filters of their
// features (Bloom, CACM 1970; Jain, Dahlin and Tewari, USENIX 2005).
//
// Each feature of a text sets k of m bits. The bits that two filters share tell
// how many features the texts share: from the number X of bits set, a filter
// holds about n = -(m/k) ln(1 - X/m) features (Swamidass and Baldi, J. Chem.
// Inf. Model. 2007), the union of two filters is the filter of the union, and
// so the sizes of union and intersection, Jaccard and containment, follow from
// three bit counts. No order, no sorting: a pair costs one pass over m/64
// words.
//
// The plain ratio of shared bits to all bits (Score: Raw) is what many systems
// use. It is not Jaccard: two texts with nothing in common share bits by
// chance, .06 of them at eight bits a feature and one hash, .30 with five
// hashes.
//
// The price is the size, which must fit the text. With one hash the standard
// error of the estimated Jaccard coefficient is at most about 0.6/√m up to one
// feature per four bits, 0.9/√m at one per bit, 1.6/√m at two, 5/√m at four.
// Soon after, all bits of a filter are set: it is saturated and knows nothing
// (see Filter.Saturated). When the exact overlap matters, use package shingle.
// Its MinHash suits long texts of unknown length: the sketches need not grow
// with them.
//
// Package catalog offers the method to the commands, and serve shows which bits
// two texts share. How text becomes features belongs to package feature.
package bloomsim

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/settings"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/author"
)

// Score says what is made of the bit counts.
type Score int

const (
	// Jaccard is the estimated Jaccard coefficient of the feature sets: bit counts
	// are corrected by logarithm for bits that coincide by chance.
	Jaccard Score = iota
	// Raw is the number of bits set in both filters over that of bits set in either.
	Raw
)

var scoreNames = settings.Words{"jaccard", "raw"}

// String returns the value of the spec key "score".
func (s Score) String() string { return scoreNames.Name(int(s)) }

// Options configures a Method. The zero value is a sound default. At most one of
// Bits, Expect and Largest may be set.
type Options struct {
	// Features says how text becomes features. A feature of weight above 0 is in
	// the filter, whatever its weight.
	Features feature.Options

	// Bits is the size m of every filter, 64 to 2^28, or Auto. Zero means
	// 4096 unless Expect or Largest say otherwise.
	Bits int

	// Hashes is the number k of bits that a feature sets, 1 to 32. Zero means
	// 1, or what Expect computes. One is best for a score: more of them tell single
	// features apart, which membership needs, but fill the filter.
	Hashes int

	// Expect, when positive, sizes filters for that many features at the false
	// positive rate FP: m = -n ln p / (ln 2)^2, k = (m/n) ln 2, both rounded up.
	Expect int

	// FP is the false positive rate that goes with Expect, above 0 and below 1. Zero
	// means 0.01; another value without Expect is an error.
	FP float64

	// Largest, when positive, is the number of features of the largest text. Filters
	// get twice as many bits and one hash, the published rule of thumb.
	//
	// What it costs: the filter of the largest text has .39 of its bits set, and two
	// such texts with nothing in common share .245 of them. So the raw ratio tells
	// little, and the estimated Jaccard has more than twice the error that eight
	// bits a feature have. The default of Bits does better for texts of up to 2,000 features.
	Largest int

	// Score says what is made of the bit counts. Zero means Jaccard.
	Score Score

	// Places says which bits a feature sets. Zero means Alike.
	Places Places
}

// Keys lists the settings of Options. New resolves expect, fp and largest to bits and
// hashes.
var Keys = append(settings.Table[Options]{
	{
		Key: settings.Key{Name: "bits", Default: strconv.Itoa(defaultBits), Allowed: fmt.Sprintf("%d to %d, auto", minBits, maxBits), Doc: "size of a filter; auto: a power of two by the size of the text"},
		Set: setBits,
		Get: func(o *Options) string { return sizeName(o.Bits) },
	},
	settings.Int("hashes", 1, 1, maxHashes, "bits that a feature sets", func(o *Options) *int { return &o.Hashes }),
	settings.Int("expect", 0, 1, maxBits, "size filters for that many features at the false positive rate fp", func(o *Options) *int { return &o.Expect }).Input(),
	{
		Key: settings.Key{Name: "fp", Default: fmt.Sprint(defaultFP), Allowed: "above 0, below 1", Doc: "false positive rate that goes with expect"},
		Set: setFP,
	},
	settings.Int("largest", 0, 1, maxBits/2, "size filters by the rule of thumb: two bits for each feature of the largest text", func(o *Options) *int { return &o.Largest }).Input(),
	settings.Enum("score", scoreNames, []string{"Jaccard", "Raw"}, "estimated Jaccard, or the raw ratio AND / OR of bits", func(o *Options) *Score { return &o.Score }).OfScores(),
	settings.Enum("places", placesNames, []string{"Alike", "Compat"}, "which bits a feature sets; compat: as bits-and-blooms/bloom does", func(o *Options) *Places { return &o.Places }),
	settings.Fit[Options](),
}, settings.Lift(feature.Keys, func(o *Options) *feature.Options { return &o.Features })...)

func setBits(o *Options, v string) error {
	n, err := strconv.Atoi(v)
	if v == "auto" {
		n = Auto
	} else if err != nil || n < minBits || n > maxBits {
		return fmt.Errorf("want a whole number, %d to %d, or auto", minBits, maxBits)
	}
	o.Bits = n
	return nil
}

func setFP(o *Options, v string) error {
	p, err := strconv.ParseFloat(v, 64)
	if err != nil || !(p > 0 && p < 1) {
		return errors.New("want a number above 0, below 1")
	}
	o.FP = p
	return nil
}

// Method makes Bloom filters and scores them. It is immutable and safe for
// concurrent use.
type Method struct {
	author.Learner[*Method]
	x *feature.Extractor
	o Options // Bits and Hashes filled in; Expect, FP and Largest resolved to them
}

var (
	_ similarity.Sketcher[Filter]  = (*Method)(nil)
	_ similarity.Featured[Filter]  = (*Method)(nil)
	_ similarity.Container[Filter] = (*Method)(nil)
	_ similarity.RowKernel[Filter] = (*Method)(nil)
	_ similarity.Explainer         = (*Method)(nil)
	_ similarity.Fitter[*Method]   = (*Method)(nil)
	_ similarity.Differer          = (*Method)(nil)
)

// New returns a method, or an error that names the option that is out of range.
func New(o Options) (*Method, error) {
	o, err := o.resolve()
	if err != nil {
		return nil, err
	}
	x, err := feature.New(o.Features)
	if err != nil {
		return nil, fmt.Errorf("bloomsim: %w", err)
	}
	o.Features = x.Options()
	lnOnce.Do(fillLnTable)
	return (&Method{o: o}).under(x), nil
}

// under returns a copy of the method with other features. Document frequencies alone
// change weights, which a filter does not hold.
func (m *Method) under(x *feature.Extractor) *Method {
	c := *m
	c.x, c.Learner = x, author.NewLearner(x, author.ChoosesByFit(x), c.under)
	return &c
}

// Options returns the options with defaults filled in. Expect, FP and Largest
// are zero: they are resolved to Bits and Hashes.
func (m *Method) Options() Options {
	o := m.o
	o.Features = m.x.Options()
	return o
}

// String returns the canonical spec. Sizes given as expect, fp or largest stand
// in it as the bits and hashes that they come to; features that could learn from a
// corpus are marked fit=none where they have not, and by the fit's checksum where
// they have.
func (m *Method) String() string {
	return similarity.Spec("bloom", Keys.Changed(&m.o), author.FitSpec(&m.Learner), m.x.String())
}

// Settings returns everything that the bits of a filter depend on; the score is
// not among it.
func (m *Method) Settings() string {
	return similarity.Spec("bloom", Keys.All(&m.o), m.x.Settings())
}

// DifferModel returns the model of resemblance; the raw ratio of bits has none. What
// filters of a stated size err by themselves is not in its standard error.
func (m *Method) DifferModel() (similarity.DifferModel, error) {
	if m.o.Score == Raw {
		return similarity.DifferModel{}, errors.New("no model of the words that differ was measured for raw scores, want score=jaccard")
	}
	return author.DifferModel(m.x, similarity.DifferModel{})
}
