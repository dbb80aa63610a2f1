package feature

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/alike-go/alike/feature/internal/token"
)

// Extractor extracts features. It is immutable and safe for concurrent use.
type Extractor struct {
	o       Options
	model   *Model
	stop    *hashSet
	plain   bool          // tokens are neither dropped nor stemmed nor merged
	single  bool          // and each is a feature by itself: the fast case
	merges  bool          // phrases are merged
	fastHan bool          // ideographs stay as they are
	singles *singleTable  // what runes fold to by themselves
	hasher  *token.Hasher // of XXH3, nil for another hash
}

// maxWidth is the greatest width of a shingle, maxLevels the greatest number of levels.
const (
	maxWidth  = 64
	maxLevels = 255
)

// New returns an extractor, or an error that names the option that is out of range.
func New(o Options) (*Extractor, error) {
	o.MinWidth = cmp.Or(o.MinWidth, o.defaultWidth())
	o.MaxWidth = cmp.Or(o.MaxWidth, o.MinWidth)
	o.Stop = slices.Clone(o.Stop)
	slices.Sort(o.Stop)
	o.Stop = slices.Compact(o.Stop)
	if err := o.Fold.Check(); err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("feature: %w", err)
	}
	x := &Extractor{o: o}
	x.fastHan = o.Fold.Han == KeepHan
	x.singles = o.Fold.singles()
	if o.Hash == XXH3 {
		x.hasher = token.NewHasher(o.Seed)
	}
	x.makeStop()
	x.prepare()
	return x, nil
}

// defaultWidth is the default of MinWidth.
func (o *Options) defaultWidth() int {
	if o.Tokens == Overlap {
		return 2
	}
	return 1
}

func (x *Extractor) prepare() {
	x.merges = x.o.Phrases > 0 && x.model != nil
	x.plain = x.stop == nil && x.o.Stem == "" && !x.merges
	x.single = x.plain && x.o.MaxWidth == 1
}

func (o *Options) check() error {
	wordlike := o.Tokens == Word || o.Tokens == Segmented || o.Tokens == Single
	switch {
	case o.Tokens < Word || o.Tokens > Single:
		return fmt.Errorf("Tokens is %d, want Word, Rune, Byte, Segmented, Overlap or Single", o.Tokens)
	case o.Tokens == Segmented && o.Segmenter == nil:
		return errors.New("Tokens is Segmented, want a Segmenter too")
	case o.Tokens != Segmented && o.Segmenter != nil:
		return errors.New("Segmenter is set, want Tokens to be Segmented")
	case o.MinWidth < 1 || o.MinWidth > maxWidth:
		return fmt.Errorf("MinWidth is %d, want 1 to %d", o.MinWidth, maxWidth)
	case o.MaxWidth < o.MinWidth || o.MaxWidth > maxWidth:
		return fmt.Errorf("MaxWidth is %d, want %d (MinWidth) to %d", o.MaxWidth, o.MinWidth, maxWidth)
	case len(o.Stop) > 0 && !wordlike:
		return errors.New("Stop is set, want Tokens to be Word, Segmented or Single")
	case o.Stem != "" && o.Stem != "en":
		return fmt.Errorf("Stem is %q, want \"en\" or none", o.Stem)
	case o.Stem != "" && !wordlike:
		return errors.New("Stem is set, want Tokens to be Word, Segmented or Single")
	case !(o.Phrases >= 0 && o.Phrases <= 64):
		return fmt.Errorf("Phrases is %v, want 0 to 64 bits", o.Phrases)
	case o.Phrases > 0 && !wordlike:
		return errors.New("Phrases is set, want Tokens to be Word, Segmented or Single")
	case o.Weights < TF || o.Weights > TableIDF:
		return fmt.Errorf("Weights is %d, want TF, Binary, LogTF, FitIDF or TableIDF", o.Weights)
	case o.Weights == TableIDF && o.IDF == nil:
		return errors.New("Weights is TableIDF, want an IDF table too")
	case o.Weights != TableIDF && o.IDF != nil:
		return errors.New("IDF is set, want Weights to be TableIDF")
	case o.Weights == TableIDF && o.MaxWidth != 1:
		return fmt.Errorf("MaxWidth is %d, want 1 with TableIDF: the table knows single terms", o.MaxWidth)
	case o.Weights == TableIDF && o.Phrases > 0:
		return errors.New("Phrases is set, want none with TableIDF: the table knows single terms")
	case o.Levels < 0 || o.Levels > maxLevels:
		return fmt.Errorf("Levels is %d, want 0 to %d", o.Levels, maxLevels)
	case o.Top < 0:
		return fmt.Errorf("Top is %d, want 0 or more", o.Top)
	case o.Hash < XXH3 || o.Hash > Times33:
		return fmt.Errorf("Hash is %d, want XXH3, Murmur3, FNV1a, MD5, Lookup3 or Times33", o.Hash)
	}
	for _, name := range o.Stop {
		if stopLists[name] == nil {
			return fmt.Errorf("Stop has %q, want \"en\" or \"zh\"", name)
		}
	}
	return nil
}

// Options returns the options with defaults filled in.
func (x *Extractor) Options() Options {
	o := x.o
	o.Stop = slices.Clone(o.Stop)
	return o
}

// String returns the settings that differ from the default as spec keys,
// "tokens=rune,width=2", in the order of Keys; "" for the default. Keys parse what it
// returns, but for the names of segmenters and IDF tables, which are the catalog's.
func (x *Extractor) String() string {
	var parts []string
	for _, k := range Keys {
		def := k.Default
		if k.Name == "width" {
			def = strconv.Itoa(x.o.defaultWidth())
		}
		if v := k.Get(&x.o); v != def {
			parts = append(parts, k.Name+"="+v)
		}
	}
	return strings.Join(parts, ",")
}

// Settings returns all settings, defaults included, with the identities of the
// segmenter, the IDF table and the fitted model.
func (x *Extractor) Settings() string {
	s := x.hashSettings()
	for _, k := range Keys {
		if weighs(k.Name) {
			s += "," + k.Name + "=" + k.Get(&x.o)
			if k.Name == "weights" && x.o.IDF != nil {
				s += "[" + x.o.IDF.ID() + "]"
			}
		}
	}
	if x.NeedsFit() {
		fit := "none"
		if x.model != nil {
			fit = x.model.Sum()
		}
		s += ",fit=" + fit
	}
	return s
}

// hashSettings is the part of Settings that decides which hashes a text has: a
// model is bound to it.
func (x *Extractor) hashSettings() string {
	var parts []string
	for _, k := range Keys {
		if weighs(k.Name) {
			continue
		}
		v := k.Get(&x.o)
		if k.Name == "tokens" && x.o.Segmenter != nil {
			v += "[" + x.o.Segmenter.ID() + "]"
		}
		parts = append(parts, k.Name+"="+v)
	}
	return strings.Join(parts, ",")
}

// weighs reports whether a key decides about weights only.
func weighs(key string) bool { return key == "weights" || key == "levels" || key == "top" }

// Unit reports whether every occurrence of a feature counts exactly 1, so that
// Append would return the hashes of Blocks, each with weight 1, in that order: a
// sketcher may then work on Blocks alone.
func (x *Extractor) Unit() bool { return x.o.Weights == TF && x.o.Top == 0 && x.o.Levels == 0 }

// Complete reports whether every feature that occurs has a weight above zero, so
// that the set of hashes of Blocks is the set of features: a sketcher of sets may
// then work on Blocks alone.
func (x *Extractor) Complete() bool { return x.o.Weights != TableIDF && x.o.Top == 0 }

// BlockLen is the greatest length of a block of hashes.
const BlockLen = 1024

// Blocks calls yield with the hashes of all features in document order, repeats
// included, in blocks of at most BlockLen. A block is valid only during the call.
// A text without tokens gives no call. Hashes are never 0.
//
// Document order goes by the last token of a shingle, narrower shingles first.
func (x *Extractor) Blocks(text string, yield func(hashes []uint64)) {
	s := newScratch()
	defer s.free()
	x.blocks(s, text, yield)
}

func (x *Extractor) blocks(s *scratch, text string, yield func([]uint64)) {
	switch x.o.Tokens {
	case Rune, Byte, Overlap:
		x.windows(s, text, yield)
	default:
		x.words(s, text, func(spans []span) { x.shingle(s, spans, yield) })
		x.finish(s, yield)
	}
}

// eachToken calls emit with the hash and the folded bytes of every token, after
// stop words and stemming.
func (x *Extractor) eachToken(s *scratch, text string, emit func(h uint64, b []byte)) {
	one := func(b []byte) {
		h := x.sum(b)
		if x.stop.has(h) {
			return
		}
		if x.o.Stem != "" && stemmable(b) {
			b = stem(b)
			h = x.sum(b)
		}
		emit(h, b)
	}
	switch x.o.Tokens {
	case Rune, Byte, Overlap:
		folded := x.o.Fold.Normalize(nil, text)
		for i := 0; i < len(folded); {
			n := 1
			if x.o.Tokens != Byte {
				n = runeLenBytes(folded[i:])
			}
			one(folded[i : i+n])
			i += n
		}
	default:
		x.words(s, text, func(spans []span) {
			for _, sp := range spans {
				one(s.buf[sp.Start:sp.End])
			}
		})
	}
}

// AppendHashes appends the hashes of all features in document order, repeats included.
func (x *Extractor) AppendHashes(dst []uint64, text string) []uint64 {
	x.Blocks(text, func(h []uint64) { dst = append(dst, h...) })
	return dst
}

// Append appends the weighted features of a text. With unit weights (see Unit)
// they stand in document order with repeats; otherwise each hash once, in
// ascending order.
func (x *Extractor) Append(dst []Feature, text string) []Feature {
	s := newScratch()
	defer s.free()
	if !x.Unit() {
		return x.appendWeighted(dst, s, text)
	}
	x.blocks(s, text, func(hs []uint64) {
		for _, h := range hs {
			dst = append(dst, Feature{h, 1})
		}
	})
	return dst
}
