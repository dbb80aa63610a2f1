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
// texts at hand. Package gojieba calls that library.
//
// The first New loads the dictionary, in less than a tenth of a second of one
// core and 10 MB of memory. All segmenters of the process share it. Cutting
// takes some 10 ns per byte. A segmenter with your own words has its own
// dictionary, which takes several times as long to make.
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
	"crypto/sha256"
	"encoding/hex"
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

	// Dict is your own word list, instead of jieba's list and cppjieba's four user words.
	// A line has a word, its frequency and optionally a part of speech, separated by
	// single spaces. Nil means jieba's list.
	Dict []byte

	// User are words in addition to the list. If the list has a word too, the user's
	// frequency counts; if a word is given twice, the last counts. A character given
	// here stays a word wherever the path has it as one: the model does not join it
	// with others.
	User []Word
}

// Segmenter cuts text into words; New makes one. It is immutable and safe for
// concurrent use.
type Segmenter struct {
	mode Mode
	own  bool // with user words or a user list
	id   string
	d    *dict
}

var _ feature.Segmenter = (*Segmenter)(nil)

// version is the version of the algorithm. It changes if any word may end elsewhere.
const version = "1"

// New returns a segmenter, or an error if an option is out of range or a word list is
// damaged.
func New(o Options) (*Segmenter, error) {
	if o.Mode < Precise || o.Mode > Search {
		return nil, fmt.Errorf("segment: mode is %d, want Precise (%d), NoHMM (%d) or Search (%d)", o.Mode, Precise, NoHMM, Search)
	}
	for _, w := range o.User {
		if err := checkWord([]byte(w.Text)); err != nil {
			return nil, fmt.Errorf("segment: user's words: %w", err)
		}
		if w.Frequency > maxFrequency {
			return nil, fmt.Errorf("segment: user's words: frequency of %q is %d, want at most %d", w.Text, w.Frequency, uint64(maxFrequency))
		}
	}
	s := &Segmenter{mode: o.Mode}
	var err error
	if o.Dict == nil && len(o.User) == 0 {
		s.d, err = loadShared()
	} else {
		s.d, err = loadOwn(o.Dict, o.User)
	}
	if err != nil {
		return nil, err
	}
	s.id = "@" + version + "/" + jiebadict.Sum(jiebadict.Words, jiebadict.HMM, jiebadict.UserWords)
	if o.Dict != nil || len(o.User) > 0 {
		s.own = true
		h := sha256.New()
		fmt.Fprintf(h, "%d\n%s", len(o.Dict), o.Dict)
		for _, w := range o.User {
			fmt.Fprintf(h, "\n%s %d", w.Text, w.Frequency)
		}
		s.id += "+" + hex.EncodeToString(h.Sum(nil)[:8])
	}
	return s, nil
}

// Name returns the name in specs; see Mode. "+own" follows if the segmenter has your
// own words, because no spec can rebuild it.
func (s *Segmenter) Name() string {
	if s.own {
		return s.mode.String() + "+own"
	}
	return s.mode.String()
}

// ID returns the name, the version of the algorithm and the checksum of the
// dictionaries.
func (s *Segmenter) ID() string { return s.Name() + s.id }
