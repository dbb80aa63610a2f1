// Package simhash scores documents by the Hamming distance between fixed-width
// fingerprints of their weighted features (Charikar, STOC 2002; for finding
// near-duplicates of web pages Manku, Jain, Das Sarma, WWW 2007).
//
// Documents that share most of their weight agree in most bits: where the angle
// between two feature vectors is θ, each bit differs with probability θ/π. So
// one word per document is enough to find near-duplicates among millions, and 3
// bits of 64 stand for a cosine of about .99. The price is resolution: scores
// move in steps of one bit, a cosine of .95 is found within 3 bits only one
// time in ten (see ProbWithin), and below some twenty features scores are
// mostly noise. One feature that outweighs all others decides the whole
// fingerprint. If texts are short, or the exact overlap matters, use package
// shingle or cosine.
//
// Single words ignore order: a text and its words shuffled have one
// fingerprint. If order matters, use shingles (feature.Options.MinWidth).
//
// Package catalog offers the method to the commands. Package index/plan, alike
// plan and serve take probabilities from it, and sql writes its fingerprints as
// columns. Searching fingerprints by distance belongs to package hamming, an
// index of documents to package index, weights of features to package feature.
package simhash

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/settings"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/author"
)

// Options configures a Method. The zero value is a sound default.
type Options struct {
	// Features says how text becomes weighted features. The zero value means
	// single words, case folded, weighted by frequency.
	Features feature.Options

	// Bits is the fingerprint length: 32, 64 or 128. Zero means 64. Of 32 bits
	// the lower half of the feature hash votes.
	Bits int

	// Tie says which bit a position gets where ones and zeros weigh the same.
	Tie Tie

	// Score says what a distance scores.
	Score Scale
}

// Scale says what a distance of h bits of f scores.
//
// Both rank pairs alike up to f/2 bits, where unrelated texts lie; the cosine puts
// all beyond at 0, which moves the area under the ROC curve by less than .001 even
// on single sentences (go test -run - -bench Quality). The cosine is the default
// because its values say something: it estimates the cosine of the feature vectors.
type Scale int

const (
	Cosine Scale = iota // cos(πh/f), 0 where that is negative: unrelated texts score about 0
	Linear              // 1 - h/f: unrelated texts score about .5
)

var scaleNames = settings.Words{"cosine", "linear"}

// String returns the value of the spec key score.
func (s Scale) String() string { return scaleNames.Name(int(s)) }

// Keys lists the settings of Options.
var Keys = append(settings.Table[Options]{
	settings.IntOf("bits", 64, []int{32, 64, 128}, "length of the fingerprint", func(o *Options) *int { return &o.Bits }),
	settings.Enum("tie", tieNames, []string{"TieSalt", "TieZero"}, "the bit where ones and zeros weigh the same: that of a constant, or zero as published", func(o *Options) *Tie { return &o.Tie }),
	settings.Enum("score", scaleNames, []string{"Cosine", "Linear"}, "cos(πh/f) not below 0, or 1 - h/f", func(o *Options) *Scale { return &o.Score }).OfScores(),
	settings.Fit[Options](),
}, settings.Lift(feature.Keys, func(o *Options) *feature.Options { return &o.Features })...)

// Method makes and scores fingerprints. It is immutable and safe for concurrent use.
type Method struct {
	author.Learner[*Method]
	o      Options
	x      *feature.Extractor
	scores [129]float64 // by distance
	row    [256]float32 // the same for ScoreRow, of a length that a byte cannot exceed
}

var (
	_ similarity.Sketcher[Fingerprint]  = (*Method)(nil)
	_ similarity.Featured[Fingerprint]  = (*Method)(nil)
	_ similarity.RowKernel[Fingerprint] = (*Method)(nil)
	_ similarity.Explainer              = (*Method)(nil)
	_ similarity.Fitter[*Method]        = (*Method)(nil)
)

// New returns a method, or an error that names the option that is out of range.
func New(o Options) (*Method, error) {
	if err := Keys.Check("simhash", &o); err != nil {
		return nil, err
	}
	x, err := feature.New(o.Features)
	if err != nil {
		return nil, fmt.Errorf("simhash: %w", err)
	}
	o.Features = x.Options()
	m := &Method{o: o}
	for h := 0; h <= o.Bits; h++ {
		if o.Score == Cosine {
			m.scores[h] = max(0, EstimateCosine(h, o.Bits))
		} else {
			m.scores[h] = 1 - float64(h)/float64(o.Bits)
		}
		m.row[h] = float32(m.scores[h])
	}
	return m.under(x), nil
}

// under returns a copy of the method with other features.
func (m *Method) under(x *feature.Extractor) *Method {
	c := *m
	c.x, c.Learner = x, author.NewLearner(x, x.NeedsFit(), c.under)
	return &c
}

// Sketch returns the fingerprint of a text, zero for a text without features.
// It allocates nothing, but where weights are not all one it collects the features in
// memory that the next text reuses, up to a megabyte of it.
func (m *Method) Sketch(text string) Fingerprint {
	s := pool.Get().(*summer)
	defer s.release()
	if m.x.Unit() {
		s.wide = m.o.Bits == 128
		m.x.Blocks(text, s.yield)
		return s.sum(m.o.Bits, m.o.Tie)
	}
	s.features = m.x.Append(s.features[:0], text)
	return s.sumFeatures(m.o.Bits, m.o.Tie, s.features)
}

// SketchFeatures returns the fingerprint of extracted features.
func (m *Method) SketchFeatures(features []feature.Feature) Fingerprint {
	return Sum(m.o.Bits, m.o.Tie, features)
}

// Options returns the options with defaults filled in.
func (m *Method) Options() Options { return m.o }

// Score returns the likeness of two fingerprints on the method's scale, in [0, 1]:
// 1 for equal fingerprints, 0 where either is that of a text without features.
func (m *Method) Score(a, b Fingerprint) float64 {
	if a.IsZero() || b.IsZero() {
		return 0
	}
	return m.scores[Distance(a, b)]
}

// ScoreRow scores one fingerprint against many by popcount and table.
func (m *Method) ScoreRow(a Fingerprint, bs []Fingerprint, dst []float32) {
	dst = dst[:len(bs)]
	if a.IsZero() {
		clear(dst)
		return
	}
	row := &m.row
	if m.o.Bits == 128 {
		for i, b := range bs {
			h := bits.OnesCount64(a.Lo^b.Lo) + bits.OnesCount64(a.Hi^b.Hi)
			s := row[uint8(h)]
			if b.IsZero() {
				s = 0
			}
			dst[i] = s
		}
		return
	}
	for i := range bs {
		b := bs[i].Lo
		s := row[uint8(bits.OnesCount64(a.Lo^b))]
		if b == 0 {
			s = 0
		}
		dst[i] = s
	}
}

// Empty reports whether the fingerprint is that of a text without features.
func (m *Method) Empty(s Fingerprint) bool { return s.IsZero() }

// Bytes returns 4, 8 or 16, the packed size of a fingerprint.
func (m *Method) Bytes(Fingerprint) int { return m.o.Bits / 8 }

// AppendSketch appends the fingerprint as 4, 8 or 16 bytes, big-endian, so that
// encodings sort as the numbers do.
func (m *Method) AppendSketch(dst []byte, s Fingerprint) []byte {
	switch m.o.Bits {
	case 32:
		return binary.BigEndian.AppendUint32(dst, uint32(s.Lo))
	case 128:
		dst = binary.BigEndian.AppendUint64(dst, s.Hi)
	}
	return binary.BigEndian.AppendUint64(dst, s.Lo)
}

// DecodeSketch decodes what AppendSketch encoded. Any bytes are a fingerprint; too
// few of them are an error.
func (m *Method) DecodeSketch(src []byte) (s Fingerprint, n int, err error) {
	n = m.o.Bits / 8
	if len(src) < n {
		return Fingerprint{}, 0, fmt.Errorf("simhash: %d bytes, want %d: %w", len(src), n, similarity.ErrFormat)
	}
	switch n {
	case 4:
		s.Lo = uint64(binary.BigEndian.Uint32(src))
	case 8:
		s.Lo = binary.BigEndian.Uint64(src)
	case 16:
		s.Hi, s.Lo = binary.BigEndian.Uint64(src), binary.BigEndian.Uint64(src[8:])
	}
	return s, n, nil
}

// String returns the canonical spec. Features that could learn from a corpus are
// marked fit=none where they have not, and by the fit's checksum where they have.
func (m *Method) String() string {
	return similarity.Spec("simhash", Keys.Changed(&m.o), author.FitSpec(&m.Learner), m.x.String())
}

// Settings returns every setting that a fingerprint depends on. The score is not
// one of them: fingerprints can be stored once and scored either way.
func (m *Method) Settings() string {
	return similarity.Spec("simhash", Keys.All(&m.o), m.x.Settings())
}
