// Package passages finds text that stands in more than one document, although
// the documents as a whole may not be alike: repeated paragraphs, quotations,
// licences, copied sections.
//
// A passage is a string of characters of the folded documents (package feature
// says what folding does) that occurs at least twice and is maximal: one
// character more on either side loses an occurrence. A character is a rune with
// the marks behind it, and the border of a document is different from
// everything. A Finder reports the passages that have at least MinLength
// characters, or MinWords whole words, and stand in at least Docs documents.
// None is missed: each occurrence of a string of that length lies in an
// occurrence of a reported passage that stands in all documents of the string,
// but for the ends that the rules below take off.
//
// Three rules keep the list short:
//
//   - Runs. A text that repeats itself without a break, such as a ruler of
//     dashes or a line a thousand times, is folded as white space is: to a
//     period more than the shortest passage. Runs that differ in length only
//     are the same. A span has all of a run if it reaches over its middle. In
//     a run with a long period, it is enough to have the shortest length
//     within the period before the middle.
//   - Words. A passage does not begin or end within a word of any of its
//     occurrences, nor with white space, if it is long enough without these
//     ends. If folding drops white space, there are no borders of words.
//   - Nesting. An occurrence is hidden if it lies within an occurrence of a
//     longer passage that stands in as many documents. (Of passages with the
//     same span, the one in the most documents hides the others, then the one
//     with the most occurrences.) A passage is dropped if all its occurrences
//     are hidden, and otherwise reported with all of them.
//
// How it works: winnowing chooses windows of each text by their content alone.
// Every occurrence of a long enough string has at least one window that is
// chosen in all of them. The windows are sorted outside of memory. From each
// window that stands in enough places the passages grow, on the real text, but
// only if the window is the first one chosen in the passage. A passage in a
// million documents therefore costs a million rows, not their square. A last
// sort by document finds the hidden occurrences, and maps the others back to
// the original texts.
//
// Sources: S. Schleimer, D. Wilkerson and A. Aiken, Winnowing: local algorithms
// for document fingerprinting, SIGMOD 2003; D. Gusfield, Algorithms on Strings,
// Trees and Sequences, 1997, section 7.12 (maximal repeats).
//
// EachMatch reports pairs of places. With Options.Fuzzy the passages are seeds, which
// grow over edits. Gather chooses the documents that a text was put together from,
// and Prints does so where only fingerprints of the documents are known.
//
// With Options.Unit the passages are whole lines or paragraphs instead. They are
// found by the hash of the folded unit, and compared on the real text.
//
// The commands alike passages and alike gather use it, and dedup/local for what
// it removes below the document. Reading files and the ids of documents are the
// caller's.
package passages

import (
	"errors"
	"fmt"
	"math"

	"github.com/alike-go/alike/feature"
)

// Options configures a Finder. The zero value is a sound default.
type Options struct {
	// Fold says how texts are folded before they are compared.
	Fold feature.Fold

	// Unit says what a passage is. With Lines and Paragraphs call EachPlace.
	Unit Unit

	// MinLength is the minimum length of a passage in folded characters, 8 to
	// 4096, or from 1 on if Unit is set. Zero means Unit.DefaultLength. It must be
	// zero with MinWords.
	MinLength int

	// MinWords is the minimum length of a passage in words, 4 to 1024, instead
	// of MinLength. A word is a run of letters, digits and marks, or a
	// character of a script without spaces.
	MinWords int

	// Docs is the minimum number of documents that a passage stands in. Zero
	// means 2. With 1, a passage may repeat within one document only.
	Docs int

	// MaxDocs, when positive, is the maximum number of documents that a
	// reported passage stands in. A passage in more documents is not reported,
	// but still hides shorter ones.
	MaxDocs int

	// Pairs says that EachPair will be called. A passage then counts, against
	// MaxRows, once for each two of its documents.
	Pairs bool

	// Matches says that EachMatch will be called. A passage then counts, against
	// MaxRows, once for each two of its occurrences in two documents.
	Matches bool

	// Fuzzy, when positive, is the maximum share of edits in a match, at most MaxFuzzy:
	// edited characters, divided by the mean length of the two texts. It implies
	// Matches. MinLength then is the minimum length of a match. The passages are
	// its seeds, and shorter.
	Fuzzy float64

	// Top, when positive, keeps the passages in the most documents. Those with
	// more occurrences, then the longer, then the earlier ones win ties.
	Top int

	// MaxRows is the maximum number of passages and occurrences together. More,
	// or ten times as many with hidden ones, are an error. Zero means 100
	// million.
	MaxRows int64

	// Memory is the budget in bytes, at least 64 MiB. Zero means 2 GiB.
	Memory int64

	// Dir is where temporary files go: the folded texts, the original ones, and
	// what is sorted. Empty means the system's folder.
	Dir string

	// Work, if set, is a folder in which Save keeps what was added, so that another
	// process can go on if this one is killed. Inputs says what the documents are:
	// work with other ones is an error.
	Work, Inputs string

	// Workers is the number of goroutines. Zero means GOMAXPROCS.
	Workers int

	// Progress, if set, is called with the share of a stage that is done.
	Progress func(stage string, share float64)

	seedBytes int // of the shortest seed
}

// The defaults of Options.
const (
	DefaultLength  = 100
	DefaultDocs    = 2
	DefaultMemory  = 2 << 30
	DefaultMaxRows = 100_000_000
)

// ErrLimit is the error for texts that hold more passages than MaxRows or Memory
// allows.
var ErrLimit = errors.New("passages: more than a limit allows")

// limitError is ErrLimit with its own text.
type limitError string

func (e limitError) Error() string { return string(e) }

func (limitError) Is(target error) bool { return target == ErrLimit }

func beyond(format string, args ...any) error {
	return limitError(fmt.Sprintf("passages: "+format, args...))
}

// MaxFuzzy is the maximum of Options.Fuzzy.
const MaxFuzzy = 0.3

// leastMemory is the smallest budget.
const leastMemory = 64 << 20

func (o *Options) fill() error {
	if o.MinLength == 0 && o.MinWords == 0 {
		o.MinLength = o.Unit.DefaultLength()
	}
	if o.Docs == 0 {
		o.Docs = DefaultDocs
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	if o.MaxRows == 0 {
		o.MaxRows = DefaultMaxRows
	}
	o.Matches = o.Matches || o.Fuzzy > 0
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
	switch {
	case o.MinLength != 0 && o.MinWords != 0:
		return errors.New("passages: both MinLength and MinWords, want one of them")
	case o.Unit < Any || o.Unit > Paragraphs:
		return fmt.Errorf("passages: Unit is %d, want Any, Lines or Paragraphs", o.Unit)
	case o.Unit != Any && (o.MinWords != 0 || o.MinLength < 1):
		return fmt.Errorf("passages: MinLength is %d and MinWords %d for whole %vs, want 1 or more characters", o.MinLength, o.MinWords, o.Unit)
	case o.Unit != Any && (o.Fuzzy > 0 || o.Work != ""):
		return fmt.Errorf("passages: whole %vs with Fuzzy or Work, want them for passages", o.Unit)
	case o.Unit != Any:
	case o.MinWords == 0 && (o.MinLength < 8 || o.MinLength > 4096):
		return fmt.Errorf("passages: MinLength is %d, want 8 to 4096 characters", o.MinLength)
	case o.MinLength == 0 && (o.MinWords < 4 || o.MinWords > 1024):
		return fmt.Errorf("passages: MinWords is %d, want 4 to 1024 words", o.MinWords)
	case o.MinWords > 0 && o.Fold.Space == feature.DropSpace:
		return errors.New("passages: MinWords, but Fold.Space drops what is between words: want MinLength")
	case !(o.Fuzzy >= 0 && o.Fuzzy <= MaxFuzzy):
		return fmt.Errorf("passages: Fuzzy is %v, want 0 to %v", o.Fuzzy, MaxFuzzy)
	case o.Fuzzy > 0 && (o.MinWords > 0 || o.Docs != DefaultDocs || o.Top > 0 || o.Pairs):
		return errors.New("passages: Fuzzy finds matches, want it without MinWords, Docs, Top and Pairs")
	case o.Docs < 1:
		return fmt.Errorf("passages: Docs is %d, want 1 or more", o.Docs)
	case o.MaxDocs < 0 || o.MaxDocs > 0 && o.MaxDocs < o.Docs:
		return fmt.Errorf("passages: MaxDocs is %d, want at least Docs, %d", o.MaxDocs, o.Docs)
	case o.Top < 0:
		return fmt.Errorf("passages: Top is %d, want 0 or more", o.Top)
	case o.MaxRows < 0 || o.MaxRows > math.MaxUint32:
		return fmt.Errorf("passages: MaxRows is %d, want 0 to 2³²-1", o.MaxRows)
	case o.Workers < 0:
		return fmt.Errorf("passages: Workers is %d, want 0 or more", o.Workers)
	case o.Memory < leastMemory:
		return fmt.Errorf("passages: Memory is %d, want 64 MiB or more", o.Memory)
	}
	if err := o.Fold.Check(); err != nil {
		return fmt.Errorf("passages: %w", err)
	}
	return nil
}

// least returns the least length of a passage, as count counts.
func (o *Options) least() int { return o.MinLength + o.MinWords }

// seedBytes and seedLength are the minimum of a seed. Documents that have nothing
// in common share many shorter ones.
const (
	seedBytes  = 24 // and 8 Chinese characters have as many
	seedLength = 8
)

// seed makes passages seeds of fuzzy matches. If e characters of a shortest match
// are edited, a part without edits has at least 1/(e+1) of the others.
func (o *Options) seed() {
	edits := int(o.Fuzzy * float64(o.MinLength))
	o.seedBytes = min(seedBytes, o.MinLength)
	o.MinLength = max(seedLength, (o.MinLength-edits)/(edits+1))
}

// leastBytes returns the least number of bytes of a passage in folded text. Two
// words have at least a byte between them, or one of them is a character of
// three bytes.
func (o *Options) leastBytes() int {
	if o.MinWords > 0 {
		return 2*o.MinWords - 1
	}
	return max(o.MinLength, o.seedBytes)
}

// Passage is text that stands in several places.
type Passage struct {
	// ID is a hash of the folded text, in hexadecimal: the same in every run.
	ID string

	// Length is the length of the folded text in characters, or in words with
	// MinWords.
	Length int

	// Docs is the number of documents that it stands in.
	Docs int

	// Text is its first occurrence in the original.
	Text string

	// Occurrences are in the order of documents and places.
	Occurrences []Occurrence
}

// Occurrence is a place of a passage in the original text of a document. Of a
// character that folding takes for several, a span has all.
type Occurrence struct {
	Doc   int          // number of the document, from 0 on
	Bytes feature.Span // in UTF-8
	UTF16 feature.Span // in code units of UTF-16

	FirstLine, LastLine int // from 1 on
}

// Stats counts what a Finder has seen.
type Stats struct {
	Docs        int   // documents
	Short       int   // of these, too short for a passage
	Bytes       int64 // of text
	Runs        int   // made shorter
	Passages    int64 // reported
	Occurrences int64 // reported
	Matches     int64 // reported
}
