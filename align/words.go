package align

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/settings"
	"github.com/alike-go/alike/similarity"
)

// WordsOptions configures a Words. The zero value is a sound default.
type WordsOptions struct {
	// Fold says how the text is normalised before it is cut into words.
	Fold feature.Fold

	// Most is the maximum share of words that may differ, above 0 and at most 1.
	// Texts that differ by more score 0, and take less time. Zero means 1.
	Most float64
}

// WordsKeys lists the settings of WordsOptions.
var WordsKeys = append(settings.Table[WordsOptions]{settings.Setting[WordsOptions]{
	Key: settings.Key{Name: "most", Default: "1", Allowed: "above 0, at most 1", Doc: "greatest share of words that counts: texts that differ by more score 0, and take less time"},
	Set: func(o *WordsOptions, v string) (err error) {
		if o.Most, err = strconv.ParseFloat(v, 64); err != nil || !(o.Most > 0 && o.Most <= 1) {
			return errors.New("want above 0, at most 1")
		}
		return nil
	},
	Get: func(o *WordsOptions) string { return strconv.FormatFloat(o.Most, 'g', -1, 64) },
}.OfScores()}, settings.Lift(feature.FoldKeys, func(o *WordsOptions) *feature.Fold { return &o.Fold })...)

// Words scores texts by the share of words that differ: the minimum number of
// words to insert, delete or replace, divided by the number of words of the
// longer text. The score is one minus that share. Package feature cuts the words
// (feature.Single): each character of a script without spaces is a word. A moved
// passage counts as deleted and inserted.
//
// The share is exact, except for collisions of 64-bit hashes, for texts of up to
// 2^18 words, not counting a common beginning and end. In longer texts it is
// exact if the words of the shorter text times those that differ are at most
// MostCells. Beyond that it is an upper bound, so that texts never look more alike
// than they are. That limit is about a second of work. Time grows with the
// product of the words and those that differ, over 64.
//
// It is immutable and safe for concurrent use.
type Words struct {
	x *feature.Extractor
	o WordsOptions
}

// WordList is the sketch of a Words: the hashes of the words in their order. It is
// nil for a text without words.
type WordList []uint64

var (
	_ similarity.Sketcher[WordList] = (*Words)(nil)
	_ similarity.Differer           = (*Words)(nil)
)

// NewWords returns a method, or an error that names the option that is out of range.
func NewWords(o WordsOptions) (*Words, error) {
	if o.Most = cmp.Or(o.Most, 1); !(o.Most > 0 && o.Most <= 1) {
		return nil, fmt.Errorf("align: Most is %v, want above 0, at most 1", o.Most)
	}
	x, err := feature.New(feature.Options{Fold: o.Fold, Tokens: feature.Single})
	if err != nil {
		return nil, fmt.Errorf("align: %w", err)
	}
	return &Words{x, o}, nil
}

// Sketch returns the words of a text.
func (m *Words) Sketch(text string) WordList { return m.x.AppendHashes(nil, text) }

// Differ returns the share of words that differ, 0 to 1. ok is false if the share
// is greater than most, or if neither text has a word. A smaller most takes less
// time.
func (m *Words) Differ(a, b WordList, most float64) (share float64, ok bool) {
	n := max(len(a), len(b))
	if n == 0 || !(most >= 0) {
		return 0, false
	}
	// The maximum distance with a share of at most most, as floating-point numbers
	// divide.
	limit := int(min(most, 1) * float64(n))
	for float64(limit+1)/float64(n) <= min(most, 1) {
		limit++
	}
	for float64(limit)/float64(n) > most {
		limit--
	}
	s := scratches.Get().(*scratch)
	defer s.release()
	d := s.distance(a, b, limit)
	return float64(d) / float64(n), d <= limit
}

// Score returns one minus the share of words that differ. It returns 0 if that
// share is more than Most, or if either text has no word.
func (m *Words) Score(a, b WordList) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	share, ok := m.Differ(a, b, m.o.Most)
	if !ok {
		return 0
	}
	return 1 - share
}

// DifferModel returns the model that the score is one minus the share. If the score
// is 0, at least Most of the words differ.
func (m *Words) DifferModel() (similarity.DifferModel, error) { return similarity.DifferModel{}, nil }

// Empty reports whether the text has no word.
func (m *Words) Empty(w WordList) bool { return len(w) == 0 }

// Bytes returns eight bytes per word.
func (m *Words) Bytes(w WordList) int { return 8 * len(w) }

// String returns the canonical spec, such as "words:marks=drop".
func (m *Words) String() string {
	return similarity.Spec("words", WordsKeys.Changed(&m.o), m.o.Fold.String())
}

// Settings returns every setting that a sketch depends on.
func (m *Words) Settings() string { return similarity.Spec("words", m.x.Settings()) }

// AppendSketch appends the number of words and the hash of each as eight bytes.
func (m *Words) AppendSketch(dst []byte, w WordList) []byte { return appendHashes(dst, w) }

// DecodeSketch implements similarity.Sketcher.
func (m *Words) DecodeSketch(src []byte) (WordList, int, error) {
	w, n, ok := decodeHashes(src)
	if !ok {
		return nil, 0, fmt.Errorf("align: words cut short: %w", similarity.ErrFormat)
	}
	return w, n, nil
}

// appendHashes appends the number of hashes and each as eight bytes.
func appendHashes(dst []byte, hashes []uint64) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(hashes)))
	for _, h := range hashes {
		dst = binary.LittleEndian.AppendUint64(dst, h)
	}
	return dst
}

// decodeHashes returns the hashes that src begins with and the size of their
// encoding.
func decodeHashes(src []byte) (hashes []uint64, size int, ok bool) {
	n, at := binary.Uvarint(src)
	if at <= 0 || n > uint64(len(src)-at)/8 {
		return nil, 0, false
	}
	for range n {
		hashes = append(hashes, binary.LittleEndian.Uint64(src[at:]))
		at += 8
	}
	return hashes, at, true
}
