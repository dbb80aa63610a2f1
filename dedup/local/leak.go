package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/feature"
)

// LeakOptions says where to look for what. Train and Features are needed, and Tests
// or Sketches.
type LeakOptions struct {
	Train []datasets.Source
	Tests []TestSet

	// Sketches, if set, is a file of WriteTestSketches that is used instead of Tests.
	// Features and Mask must be those that it names.
	Sketches string

	// Features says which features are counted.
	Features *feature.Extractor

	// Threshold is the minimum share of a test document's distinct features that
	// a training document has if the test document has leaked, in (0, 1].
	Threshold float64

	// Passage, if set, is a second rule: a test document has leaked too if a
	// passage of it stands in a training document word for word.
	Passage Passage

	// Least is the minimum number of distinct features of a test document, or of
	// a field of it, that has leaked as a part of a longer document. A shorter one
	// can be part of any document by chance:
	//
	//   - By Threshold it has leaked only if the resemblance of the two reaches
	//     Threshold too.
	//   - By Passage.Share a passage is a leak only if it has at least Least
	//     features. Passage.Words counts as it is.
	//   - A shorter answer has leaked, by either rule, only if its question has
	//     leaked in the same training document.
	Least int

	// Mask is what is masked in all texts before they are compared.
	Mask clean.Mask

	// Clean, if set, is a folder to make as Run does: the training documents in which
	// no test document occurs, the others, and why.jsonl, which names the test
	// document that each of the others has most of. Restore takes it. All training
	// data must be of one format then.
	Clean string

	// Cut says that Clean keeps the training documents in which a test document occurs,
	// and cuts the passages of it out of them. A document goes as a whole if no words
	// would be left, or if a test document would still occur in the rest. Features are
	// then of one width, texts of one column, and Mask is not set.
	Cut bool

	SkipBad  int // of the rows of either side
	OnBad    func(error)
	Workers  int // zero means GOMAXPROCS
	Progress func(stage string, share float64)
}

// Passage is the minimum length of a passage that is a leak: Words, or the share
// Share of the words of a test document (see LeakOptions.Least). The zero value is
// no rule.
type Passage struct {
	Words int
	Share float64
}

func (p Passage) set() bool { return p != Passage{} }

// String returns the passage as a number of words or a percentage, and nothing for
// no rule.
func (p Passage) String() string {
	switch {
	case p.Words > 0:
		return strconv.Itoa(p.Words)
	case p.Share > 0:
		return strconv.FormatFloat(100*p.Share, 'g', 12, 64) + "%"
	}
	return ""
}

// Leak is a test document that occurs in training, and the first of the training
// documents that have most of it.
type Leak struct {
	Set      string `json:"set,omitempty"`
	Revision string `json:"revision,omitempty"`
	ID       string `json:"id"`
	dedup.Ref
	At    string `json:"at"`
	Train Kept   `json:"train"`

	// Field is what has leaked of a test document whose question and answer are
	// compared separately: question, answer or both, perhaps in different training
	// documents. The figures below are those of the question, unless Train has
	// only the answer.
	Field string `json:"field,omitempty"`

	// Rule is the rule by which it has leaked, if there are two: document (the
	// threshold), passage or both.
	Rule string `json:"rule,omitempty"`

	// Contained is the share of the test document's features that the training
	// document has. Resemblance is the share of the features of either document
	// that both have.
	Contained   float64 `json:"contained"`
	Resemblance float64 `json:"resemblance"`

	// Longest is the longest passage that both have word for word.
	Longest Longest `json:"longest"`

	// Shared is the longest passages of features that both have, as the training
	// document has them.
	Shared []string `json:"shared,omitempty"`

	// Text is the test document, or its field, as it was compared. It is empty if
	// only a sketch of it was.
	Text string `json:"-"`
}

// Longest is a passage: its number of words, its bytes in the test document, and
// its bytes in the training document, as they were read. Of masked texts the bytes
// count with the masks. Test is zero if only a sketch was compared.
type Longest struct {
	Words int    `json:"words"`
	Test  [2]int `json:"test"`
	Train [2]int `json:"train"`
}

// LeakReport counts what was looked at.
type LeakReport struct {
	SetReport             // of all sets together
	Sets      []SetReport // in the order of LeakOptions.Tests

	Train      int   // documents
	Unreadable int   // rows that are no document
	TrainEmpty int   // training documents without features
	Leaking    int   // training documents in which a test document occurs
	Cut        int   // of these, documents that are kept with cuts (see LeakOptions.Cut)
	Bytes      int64 // of training text
}

// SetReport counts what was found of a test set.
type SetReport struct {
	Name, Revision string
	Sample         bool // see TestSet
	Fields         bool // question and answer were compared separately

	Test            int // documents
	WithoutFeatures int // documents that nothing can be said about
	Short           int // documents with fewer features than Least
	Leaks           int // documents
	Question        int // leaks of the question alone
	Answer          int // leaks of the answer alone; all others are of both
}

// count counts something of a set, and of all sets.
func (r *LeakReport) count(set int, what func(*SetReport) *int) {
	*what(&r.SetReport)++
	*what(&r.Sets[set])++
}

func (o *LeakOptions) check() error {
	width := 0
	if o.Features != nil {
		width = o.Features.Options().MinWidth
	}
	switch p := o.Passage; {
	case len(o.Train) == 0 || len(o.Tests) == 0 && o.Sketches == "":
		return errors.New("dedup: want training and test documents")
	case o.Features == nil:
		return errors.New("dedup: no features")
	case math.IsNaN(o.Threshold) || o.Threshold <= 0 || o.Threshold > 1:
		return fmt.Errorf("dedup: threshold is %v, want more than 0 and at most 1", o.Threshold)
	case o.Least < 0 || o.Workers < 0:
		return fmt.Errorf("dedup: Least is %d and Workers %d, want 0 or more", o.Least, o.Workers)
	case p.Words != 0 && p.Share != 0 || p.Words < 0 || !(p.Share >= 0 && p.Share <= 1):
		return fmt.Errorf("dedup: a passage of %d words and a share of %v, want one of the two, and a share of at most 1", p.Words, p.Share)
	case o.Cut && (o.Clean == "" || o.Mask != 0):
		return errors.New("dedup: Cut goes with Clean, and without Mask: places in a masked text are not places in the text as read")
	case (p.set() || o.Cut) && o.Features.Options().MaxWidth != width:
		return errors.New("dedup: a passage is a run of features of one width, and these have several")
	case p.Words > 0 && p.Words < width:
		return fmt.Errorf("dedup: a passage of %d words, want at least %d, the width of a feature", p.Words, width)
	}
	for i := range o.Train {
		if err := o.Train[i].CanSetText(); o.Cut && err != nil {
			return prefixed(err)
		}
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
	return nil
}

// FindLeaks calls emit with each test document that occurs in training, in the
// order of the test documents. It reads the training text once, and misses no
// leak. Memory holds the test documents, some 40 bytes for each of their
// features, and a few chunks for each worker. It is an error if nothing can be
// compared, because no document of the training data or of a test set has a
// feature. Then emit is not called.
func FindLeaks(ctx context.Context, o LeakOptions, emit func(Leak) error) (*LeakReport, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	l, err := newLeaks(o)
	if err != nil {
		return nil, err
	}
	read := l.readTests
	if o.Sketches != "" {
		read = l.loadTests
	}
	if err := cmp.Or(read(ctx), l.checkTests()); err != nil {
		return nil, err
	}
	l.index()
	in := newInput(o.Train, l.o.Workers, defaultMemory/documentShare)
	w, err := l.newLeakWriter(in)
	if err != nil {
		return nil, err
	}
	err = l.readTrain(ctx, in, w)
	if err == nil {
		err = nothing("training", l.report.Train, l.report.TrainEmpty)
	}
	if err != nil {
		return nil, errors.Join(err, w.abort())
	}
	if err := w.commit(&l.o); err != nil {
		return nil, err
	}
	for i := range l.items {
		if best := l.best[i].Load(); best != nil {
			if err := emit(l.leak(in, &l.items[i], best, fields(l.leaked[i].Load()))); err != nil {
				return nil, err
			}
		}
	}
	return &l.report, nil
}

// leak describes an item, where it occurs best, and which of its fields do anywhere,
// and counts it.
func (l *leaks) leak(in *input, it *testItem, best *occurrence, leaked fields) Leak {
	set := &l.o.Tests[it.set]
	out := Leak{
		Set: set.Name, Revision: set.Revision, ID: it.id, Ref: dedup.Ref{Source: it.ref.Source - set.first, Row: it.ref.Row}, At: it.at,
		Train:     Kept{ID: best.id, Ref: in.ref(best.row), At: best.at},
		Contained: best.contained, Resemblance: best.resemblance, Longest: best.longest, Shared: best.shared,
	}
	l.report.count(it.set, func(s *SetReport) *int { return &s.Leaks })
	if set.fields() {
		switch out.Field = leaked.String(); leaked {
		case questionField:
			l.report.count(it.set, func(s *SetReport) *int { return &s.Question })
		case answerField:
			l.report.count(it.set, func(s *SetReport) *int { return &s.Answer })
		}
	}
	if l.o.Passage.set() {
		out.Rule = best.rule.String()
	}
	part := &l.parts[best.part]
	out.Text = part.text
	if n := best.features; part.text != "" && n > 0 {
		at := closeUp(part.text)
		found := l.o.Features.Locate(at.text)
		out.Longest.Test = at.span(found[best.from].Start, found[best.from+n-1].End)
	}
	return out
}

// checkTests returns an error if no document of a test set can be compared, or none
// has a column that was named.
func (l *leaks) checkTests() error {
	for i, s := range l.report.Sets {
		err := nothing("test", s.Test, s.WithoutFeatures)
		if err == nil && i < len(l.missing) && len(l.missing[i]) > 0 {
			err = fmt.Errorf("dedup: %s: no document has the column %q", l.o.Tests[i].Sources[0].Path, l.missing[i][0])
		}
		if err != nil {
			if s.Name != "" {
				err = fmt.Errorf("%w (test set %s)", err, s.Name)
			}
			return err
		}
	}
	return nil
}

// nothing returns an error if no document of a side can be compared.
func nothing(side string, docs, empty int) error {
	switch {
	case docs == 0:
		return fmt.Errorf("dedup: nothing was compared: there are no %s documents", side)
	case docs == empty:
		return fmt.Errorf("dedup: nothing was compared: none of the %d %s documents has words", docs, side)
	}
	return nil
}

// rowReader makes a value of each row that is a document, on several goroutines, and
// hands these over in order.
type rowReader[T any] struct {
	stage   string
	work    func(source, number int, row *datasets.Row) T // number counts the rows of all sources
	collect func(ref dedup.Ref, raw datasets.RawRow, row *datasets.Row, made T) error
	bad     func(ref dedup.Ref, raw datasets.RawRow, err error) error // of a row that is skipped; may be nil
}

func (r rowReader[T]) read(ctx context.Context, l *leaks, in *input) error {
	type made struct {
		row  datasets.Row
		bad  error
		what T
	}
	rows, skipped := make([]int, len(in.sources)), 0
	return eachChunk(ctx, in, nil, func(share float64) { l.o.Progress(r.stage, share) }, func(p *datasets.Parser, c *chunk) ([]made, error) {
		out := make([]made, len(c.rows))
		return out, c.documents(p, func(i int, row *datasets.Row, bad error) error {
			out[i] = made{row: *row, bad: bad}
			if bad == nil {
				out[i].what = r.work(c.source, c.numbers[i], row)
			}
			return nil
		})
	}, func(c *chunk, all []made) error {
		for i := range all {
			ref := dedup.Ref{Source: c.source, Row: rows[c.source]}
			rows[c.source]++
			if err := all[i].bad; err != nil {
				if skipped++; skipped > l.o.SkipBad {
					return err
				}
				l.report.Unreadable++
				if l.o.OnBad != nil {
					l.o.OnBad(err)
				}
				if r.bad != nil {
					if err := r.bad(ref, c.rows[i], err); err != nil {
						return err
					}
				}
				continue
			}
			if err := r.collect(ref, c.rows[i], &all[i].row, all[i].what); err != nil {
				return err
			}
		}
		return nil
	})
}

func at(row *datasets.Row) string { return fmt.Sprintf("%s:%d", row.File, row.Line) }

// distinct sorts hashes and returns the distinct ones, in the memory of all.
func distinct(hashes []uint64) []uint64 {
	slices.Sort(hashes)
	return slices.Compact(hashes)
}
