// Package segment cuts Chinese text into words as jieba does, in pure Go, as a
// feature.Segmenter.
//
// The words of a list and the characters between them make a graph of all ways
// to read a sentence, and the most probable path through it is the cut. Runs of single
// characters on it are joined to words by a hidden Markov model, whose most
// probable states Viterbi's algorithm finds; of these runs, Latin letters and digits are
// parted by rules. Rules and data are those of cppjieba v5.4.0
// (github.com/yanyiwu/cppjieba), a port of jieba (github.com/fxsjy/jieba), and the words
// are those of gojieba (github.com/yanyiwu/gojieba), which the tests compare on
// all Chinese texts at hand. Package gojieba takes that library itself.
//
// The first New makes the dictionary ready, in less than a tenth of a second of one core
// and 10 MB of memory, which all segmenters of the process share. Cutting takes
// some 10 ns a byte. A segmenter with words of one's own has a dictionary of its own,
// which takes several times as long to make.
//
// The list is one of simplified Chinese: 99.4% of its words are as simplifying
// leaves them, so that traditional text falls to single characters more often, unless
// it is simplified first ([feature.Fold] has Han for that). Its letters are as people write
// them, as in T恤 and C++: where case is folded, as it is by default, words with great
// letters are found only by the rules.
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
	// Precise cuts along the most probable path through the word list, and finds
	// words that the list lacks by the hidden Markov model.
	Precise Mode = iota
	// NoHMM cuts by the word list alone; what it lacks falls to single characters, Latin
	// words and numbers too.
	NoHMM
	// Search is Precise, and in words of three characters or more it adds the
	// shorter words of two and three characters.
	Search
)

// Modes returns all modes.
func Modes() []Mode { return []Mode{Precise, NoHMM, Search} }

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

	// Dict is a word list of one's own instead of jieba's and cppjieba's four user's
	// words: lines of a word, its frequency and, if there is one, a part of speech, separated by
	// single spaces. Nil means jieba's list.
	Dict []byte

	// User are words besides those of the list. Where the list has a word too, the
	// user's frequency counts, and of a word given twice the last. A
	// character given here stays a word by itself wherever the path has it as one: the
	// model does not join it with others.
	User []Word
}

// Segmenter cuts text into words; New makes one. It is immutable and safe for
// concurrent use.
type Segmenter struct {
	mode Mode
	own  bool // with words of one's own
	id   string
	d    *dict
}

var _ feature.Segmenter = (*Segmenter)(nil)

// version is that of the way of cutting; it changes where any word may end elsewhere.
const version = "1"

// New returns a segmenter. It is an error if an option is out of range or a word
// list is damaged.
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

// WithMode returns a segmenter of another mode over the same dictionary.
func (s *Segmenter) WithMode(m Mode) *Segmenter {
	if m < Precise || m > Search {
		panic(fmt.Sprintf("segment: mode is %d", m))
	}
	c := *s
	c.mode = m
	return &c
}

// Name returns the name in specs; see Mode. With words of one's own "+own" follows,
// which no spec can rebuild.
func (s *Segmenter) Name() string {
	if s.own {
		return s.mode.String() + "+own"
	}
	return s.mode.String()
}

// ID returns the name with the version of the way of cutting and the dictionaries' checksum.
func (s *Segmenter) ID() string { return s.Name() + s.id }
