// Package align scores texts by the characters that they share in the same
// order: edit distance, longest common subsequence and longest common substring
// of their folded characters ([Method]). It also has a rule of thumb ([Rule]):
// two texts are alike if they share most of their terms and have similar sizes.
// [Words] is the edit distance of words, for texts of any length: the exact share of
// words that differ.
//
// They are baselines for short texts: titles, names, addresses, single
// sentences, lines of code. Nothing is estimated, and a dozen characters offer
// nothing better to count. The price is that a sketch is the text itself. A
// pair costs time in proportion to the product of the lengths (over 64) for
// distance and subsequence, and to their sum for the substring: about half a µs
// for two titles of 60 characters and 0.2 ms for two pages of 2,000. A moved
// paragraph counts as one deletion and one insertion. For long texts, and for
// many, use another package.
//
// Sources: G. Myers, A fast bit-vector algorithm for approximate string
// matching based on dynamic programming, JACM 46(3), 1999, with the blocks of
// H. Hyyrö, Explaining and extending the bit-parallel approximate string
// matching algorithm of Myers, University of Tampere A-2001-10; H. Hyyrö,
// Bit-parallel LCS-length computation revisited, AWOCA 2004; A. Blumer et al.,
// The smallest automaton recognizing the subwords of a text, Theoretical
// Computer Science 40, 1985; E. Ukkonen, Algorithms for approximate string
// matching, Information and Control 64, 1985; D. Hirschberg, A linear space algorithm for
// computing maximal common subsequences, CACM 18(6), 1975.
//
// Package catalog offers the baselines to the commands, which run them only by
// name. How text is folded and cut into terms belongs to package feature.
package align

import (
	"fmt"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/settings"
	"github.com/alike-go/alike/similarity"
)

// Measure says what a score counts, in characters of the folded texts a and b.
type Measure int

const (
	// Edit is 1 - d/max(|a|, |b|), where d is the least number of characters to
	// insert, delete or replace to turn a into b (Levenshtein 1966).
	Edit Measure = iota
	// Subsequence is 2c/(|a|+|b|), where c is the length of the longest sequence of
	// characters that stand in both in the same order, with gaps or without.
	Subsequence
	// Substring is 2c/(|a|+|b|), where c is the length of the longest run of
	// characters that stands in both without a gap.
	Substring
)

var measureNames = settings.Words{"edit", "lcs", "substring"}

// String returns the name of the measure, which is that of the method in specs.
func (m Measure) String() string { return measureNames.Name(int(m)) }

// defaultMost and maxMost are the default of Options.Most and its maximum.
const (
	defaultMost = 1 << 16
	maxMost     = 1 << 20
)

// Options configures a Method. The zero value is a sound default.
type Options struct {
	// Measure says what is counted; zero means Edit.
	Measure Measure

	// Fold says how the text is normalised; characters are those of the folded text.
	Fold feature.Fold

	// Most is how many characters of a text are read, 1 to 1,048,576; zero
	// means 65,536. What stands behind them does not count. It bounds what a
	// pair costs: at the default about 0.1 s and, for Substring, 10 MB.
	Most int
}

// Keys lists the settings of Options but for the measure, which a spec gives as the
// name of the method.
var Keys = append(settings.Table[Options]{
	settings.Int("most", defaultMost, 1, maxMost, "characters read of a text; what stands behind them does not count", func(o *Options) *int { return &o.Most }),
}, settings.Lift(feature.FoldKeys, func(o *Options) *feature.Fold { return &o.Fold })...)

// Method scores folded texts by one of the measures. It is immutable and safe for
// concurrent use.
type Method struct{ o Options }

var (
	_ similarity.Sketcher[Text]  = (*Method)(nil)
	_ similarity.RowKernel[Text] = (*Method)(nil)
	_ similarity.Joiner[Text]    = (*Method)(nil)
	_ similarity.Explainer       = (*Method)(nil)
)

// New returns a method, or an error that names the option that is out of range.
func New(o Options) (*Method, error) {
	if err := o.Fold.Check(); err != nil {
		return nil, fmt.Errorf("align: %w", err)
	}
	if o.Measure < Edit || o.Measure > Substring {
		return nil, fmt.Errorf("align: Measure is %d, want Edit, Subsequence or Substring", int(o.Measure))
	}
	if err := Keys.Check("align", &o); err != nil {
		return nil, err
	}
	return &Method{o}, nil
}

// Options returns the options with defaults filled in.
func (m *Method) Options() Options { return m.o }

// String returns the canonical spec: the measure, and what differs from the default.
func (m *Method) String() string {
	return similarity.Spec(m.o.Measure.String(), Keys.Changed(&m.o), m.o.Fold.String())
}

// Settings returns every setting that a sketch depends on. The measure is not among
// them: texts stored under one can be scored by another.
func (m *Method) Settings() string {
	return similarity.Spec("align", Keys.All(&m.o), m.o.Fold.Settings())
}

// Sketch returns the folded text, or its first Most characters. What is no UTF-8 counts
// as white space, as everywhere.
func (m *Method) Sketch(text string) Text {
	s := scratches.Get().(*scratch)
	defer s.release()
	s.folded = m.o.Fold.Normalize(s.folded[:0], text)
	return newText(s.folded, m.o.Most)
}

// Score returns the measure chosen; 0 where either text is empty.
func (m *Method) Score(a, b Text) float64 {
	if a.Len() == 0 || b.Len() == 0 {
		return 0
	}
	s := scratches.Get().(*scratch)
	defer s.release()
	return m.o.Measure.score(s.count(m.o.Measure, a, b), a.Len(), b.Len())
}

// score makes the score of what was counted.
func (m Measure) score(count, a, b int) float64 {
	if m == Edit {
		return 1 - float64(count)/float64(max(a, b))
	}
	return 2 * float64(count) / float64(a+b)
}

// Empty reports whether the folded text has no character.
func (m *Method) Empty(t Text) bool { return t.Len() == 0 }

// Bytes returns a byte a character where all are of Latin-1, and otherwise four.
func (m *Method) Bytes(t Text) int { return len(t.narrow) + 4*len(t.wide) }
