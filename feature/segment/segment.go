// Package segment cuts Chinese text into words as jieba does, in pure Go, as a
// feature.Segmenter. The tokens jieba, jieba-nohmm and jieba-search of a spec
// are its words. It does not weigh words: package jiebadict has jieba's idf
// table.
//
// The words of a list and the characters between them make a graph of all ways
// to read a sentence. The most probable path through the graph is the cut. A
// hidden Markov model joins runs of single characters on it to words; Viterbi's
// algorithm finds the most probable states. Rules cut Latin letters and digits
// within such runs.
//
// Rules and data are those of cppjieba v5.4.0 (github.com/yanyiwu/cppjieba), a
// port of jieba (github.com/fxsjy/jieba). The words are equal to those of
// gojieba (github.com/yanyiwu/gojieba): the tests compare them on all Chinese
// texts at hand.
//
// The first New loads the dictionary, in less than a tenth of a second of one
// core and 10 MB of memory. All segmenters of the process share it. Cutting
// takes some 10 ns per byte.
//
// The list is simplified Chinese: simplifying changes only 0.6% of its words.
// So traditional text falls to single characters more often, unless it is
// simplified first ([feature.Fold] has Han for that). The list has letters as
// people write them, as in T恤 and C++. If case is folded, as it is by default,
// upper-case words are matched only by the rules.
//
// Package catalog makes its segmenters for specs. Folding, and words of other
// scripts, belong to package feature.
package segment

import (
	"fmt"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/jiebadict"
)

// Mode is a way of cutting.
type Mode int

const (
	// Precise cuts along the most probable path through the word list, and finds words
	// that are not in the list by the hidden Markov model.
	Precise Mode = iota
	// NoHMM cuts by the word list alone. Everything else falls to single characters,
	// Latin words and numbers too.
	NoHMM
	// Search is Precise, and in words of three characters or more it adds the
	// shorter words of two and three characters.
	Search
)

// String returns the name of the mode's segmenter in specs: "jieba",
// "jieba-nohmm" or "jieba-search".
func (m Mode) String() string {
	switch m {
	case Precise:
		return "jieba"
	case NoHMM:
		return "jieba-nohmm"
	case Search:
		return "jieba-search"
	}
	return fmt.Sprintf("jieba-mode%d", int(m))
}

// Options configures a Segmenter. The zero value is jieba as cppjieba ships it.
type Options struct {
	// Mode is the way of cutting; zero means Precise.
	Mode Mode
}

// Segmenter cuts text into words; New makes one. It is immutable and safe for
// concurrent use.
type Segmenter struct {
	mode Mode
	d    *dict
}

var _ feature.Segmenter = (*Segmenter)(nil)

// version is the version of the algorithm. It changes if any word may end elsewhere.
const version = "1"

// New returns a segmenter, or an error if the mode is out of range.
func New(o Options) (*Segmenter, error) {
	if o.Mode < Precise || o.Mode > Search {
		return nil, fmt.Errorf("segment: mode is %d, want Precise (%d), NoHMM (%d) or Search (%d)", o.Mode, Precise, NoHMM, Search)
	}
	d, err := loadShared()
	if err != nil {
		return nil, err
	}
	return &Segmenter{o.Mode, d}, nil
}

// Name returns the name in specs; see Mode.
func (s *Segmenter) Name() string { return s.mode.String() }

// ID returns the name, the version of the algorithm and the checksum of the
// dictionaries.
func (s *Segmenter) ID() string {
	return s.Name() + "@" + version + "/" + jiebadict.Sum(jiebadict.Words, jiebadict.HMM, jiebadict.UserWords)
}
