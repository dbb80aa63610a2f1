// Package similarity is the contract that every method of alike keeps: a method
// reduces a text to a sketch and scores how alike two sketches are.
//
// A program that needs one method imports that method's package and never sees
// this one. Code that treats methods alike (a benchmark, a dedup run) takes a
// [Method], which hides the type of the sketch, and keeps sketches in a
// [Collection]. [Hide] makes a Method, and [As] returns what was hidden. These
// four are all that most callers need.
//
// Engines also use [Sketches], which is a part of every collection. Those that
// store or send sketches one by one use a [Coder].
//
// Authors of methods implement [Sketcher]. A method says what else it can do by
// implementing another small interface of this package, such as [Featured],
// [Fitter], [Joiner] or [Bucketer]. What several methods share, but callers do
// not need, belongs in package similarity/author.
//
// The laws, which package similaritytest checks for every method:
//
//   - A score lies in [0, 1], is never NaN, is symmetric, and larger means more
//     alike. What runs the other way is called a distance.
//   - Equal texts score 1 if they have at least one feature of non-zero weight.
//   - A text without features scores 0 with every text, itself included: no
//     evidence is not evidence of likeness.
//   - Sketching is deterministic and safe from several goroutines.
//   - Where a method works on features, Sketch(text) equals extracting the
//     features and sketching those.
//   - A sketch survives [Marshal] and [Unmarshal], and Unmarshal refuses a
//     sketch made under other settings.
//
// Methods implement the contract. Packages catalog, eval, index and serve, the
// engines of dedup and the commands call methods through it. No method belongs
// here.
package similarity

import (
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/alike-go/alike/feature"
)

// Similarity reduces a text to a sketch of type S and scores how alike two
// sketches are. Implementations are immutable after construction and safe for
// concurrent use.
type Similarity[S any] interface {
	// Sketch reduces a text to its sketch. It never fails: a text without
	// features (see the package's laws) has a sketch too, and Empty reports it.
	Sketch(text string) S

	// Score returns the likeness of the two sketched texts in [0, 1], larger for
	// more alike. It is symmetric and never NaN. Sketches of another
	// configuration are a programmer's error; Score may panic on them.
	Score(a, b S) float64

	// String returns the canonical spec, such as "simhash:bits=128", which
	// catalog.Parse turns back into the method. Settings at their default are
	// left out.
	String() string
}

// Sketcher is what all methods of alike implement: a Similarity whose sketches
// can be measured and stored.
type Sketcher[S any] interface {
	Similarity[S]

	// Empty reports whether the sketch is that of a text without features.
	Empty(s S) bool

	// Bytes returns the memory that the sketch's content takes, in bytes, as it
	// would lie in a packed array: slice contents and fixed fields, without Go's
	// slice headers and allocation overhead.
	Bytes(s S) int

	// AppendSketch appends the encoding of s to dst: self-delimiting, the same
	// bytes on every platform, without a header. Use Marshal for one with a header.
	AppendSketch(dst []byte, s S) []byte

	// DecodeSketch decodes the sketch at the start of src and returns how many
	// bytes it took. Damaged input is an error, never a panic, and never makes it
	// allocate more than a small multiple of len(src).
	DecodeSketch(src []byte) (s S, n int, err error)

	// Settings returns every setting that the bytes of a sketch depend on,
	// defaults included, with the checksums of fitted models and dictionaries.
	// Headers of persisted sketches hold it; two methods with equal Settings make
	// interchangeable sketches.
	Settings() string
}

// Featured is implemented by methods that work on the features of package
// feature rather than on the text itself. By law Sketch(text) equals
// SketchFeatures(Features().Append(nil, text)).
type Featured[S any] interface {
	// Features returns the extractor; its String is the key by which a run over
	// many methods extracts once for all that share it.
	Features() *feature.Extractor

	// SketchFeatures sketches features as Features().Append returns them:
	// in any order, and where a hash repeats its weights add up. It does not
	// keep the slice.
	SketchFeatures(features []feature.Feature) S
}

// FitState says what a method has learnt from a corpus.
type FitState int

const (
	FitUseless FitState = iota // the settings learn nothing from a corpus
	FitNone                    // the settings could learn, nothing has been fitted
	Fitted                     // a fit is in force
)

// Fitter is implemented by methods of type M that can learn from a corpus before
// they sketch, such as document frequencies.
type Fitter[M any] interface {
	// FitState says whether a fit would change anything, and whether there is one.
	FitState() FitState

	// Fit returns a copy of the method that has learnt from docs; the method
	// itself is unchanged. Documents are read in order, once, or twice where
	// phrases are learnt: docs must yield the same texts each time.
	Fit(docs iter.Seq[string]) (M, error)

	// WriteFit saves what was learnt, under a versioned header.
	WriteFit(w io.Writer) error

	// ReadFit returns a copy of the method under a saved fit. It refuses a fit
	// made under other settings.
	ReadFit(r io.Reader) (M, error)
}

// Container is implemented by methods that can tell how much of one text lies
// in another.
type Container[S any] interface {
	// Containment returns the share of a that lies in b, in [0, 1]; 0 where
	// either has no features. It is not symmetric.
	Containment(a, b S) float64
}

// Blanker is implemented by methods whose sketch can come out blank though the
// text has features, such as a sample of byte windows that chose none of a short text.
type Blanker[S any] interface {
	// Blank reports whether the sketch holds nothing to compare but the text as
	// a whole: it scores 1 with an equal text and 0 with every other.
	Blank(s S) bool
}

// Explainer is implemented by methods that can show the evidence for a score.
type Explainer interface {
	// Explain scores the two texts and lists what they share.
	Explain(a, b string) Explanation
}

// RowKernel is implemented by methods that can score one sketch against many
// faster than pair by pair. ScoreRow sets dst[i] to float32(Score(a, bs[i])),
// to the last bit; dst has the length of bs.
type RowKernel[S any] interface {
	ScoreRow(a S, bs []S, dst []float32)
}

// Explanation is the evidence for a score.
type Explanation struct {
	Score float64

	// Note is one line in words: the quantities that the score is made of, such
	// as "14 of 17 shingles shared".
	Note string

	// Evidence lists shared features, heaviest first, ties by position in a;
	// for SimHash the features that pull most bits, for Manber the fingerprints.
	Evidence []Evidence
}

// Evidence is one thing that two texts share.
type Evidence struct {
	Kind   string  // "shingle", "term", "feature", or "passage" where shared fingerprints were grown to text
	Text   string  // the feature as it stands in the first text
	Hash   uint64  // its feature hash or fingerprint
	Weight float64 // its share of the score's evidence, non-negative; 1 for plain sets

	// A and B are the places in the two texts, in byte offsets of the original
	// texts (not of the normalised ones), in ascending order.
	A, B []feature.Span
}

// Spec joins a method's name and its settings to a spec string: "name" or
// "name:key=value,key=value". Empty parts are left out.
func Spec(name string, parts ...string) string {
	sep := byte(':')
	out := []byte(name)
	for _, p := range parts {
		if p == "" {
			continue
		}
		out = append(out, sep)
		out = append(out, p...)
		sep = ','
	}
	return string(out)
}

// WithoutFit returns a spec without its key fit: the spec of the method before
// anything was learnt.
func WithoutFit(spec string) string {
	name, rest, _ := strings.Cut(spec, ":")
	parts := strings.Split(rest, ",")
	return Spec(name, slices.DeleteFunc(parts, func(p string) bool { return strings.HasPrefix(p, "fit=") })...)
}
