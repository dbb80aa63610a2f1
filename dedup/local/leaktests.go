package local

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/feature"
)

// TestSet is documents that must not occur in training data, such as a benchmark.
type TestSet struct {
	Name, Revision string
	Sources        []datasets.Source

	// Question and Answer name the columns of a question and of its answer. If both
	// are set, the two are compared separately, and Sources must name all these
	// columns as their text.
	Question, Answer []string

	// Sample says that the documents are a random sample of a larger set.
	Sample bool

	text     []string // columns that a manifest names
	first    int      // number of its first source among those of all sets
	separate bool     // of sketches: question and answer are compared separately
}

// fields reports whether question and answer are compared separately.
func (s *TestSet) fields() bool { return s.separate || len(s.Question) > 0 && len(s.Answer) > 0 }

// fields is a set of fields of a test document.
type fields uint8

const (
	questionField fields = 1 << iota // or the whole document
	answerField
)

func (f fields) String() string { return [...]string{"", "question", "answer", "both"}[f] }

// testItem is a test document.
type testItem struct {
	set int
	id  string
	ref dedup.Ref // the source is one of all sets
	at  string
}

// testPart is a test document, or one of its fields. The parts of a document follow
// each other.
type testPart struct {
	item  uint32
	field fields
	text  string   // empty if only its sketch is known
	seq   []uint64 // its features, in order
	words []uint64 // its words, if they are fewer than a feature has: then that is narrower
	n     int      // distinct features

	// run is the minimum number of features in a row of a passage that is a leak, and
	// needed of these are distinct. Both are 0 if no passage is a leak.
	run, needed int
}

// leaks is one run of FindLeaks.
type leaks struct {
	o       LeakOptions
	report  LeakReport
	items   []testItem
	parts   []testPart
	missing [][]string                   // by set, the named columns that no row has had
	best    []atomic.Pointer[occurrence] // by item
	leaked  []atomic.Uint32              // by item, the fields that occur in any training document
	single  *feature.Extractor           // of single words

	number  map[uint64]uint32 // of each feature's hash
	sieve   []uint64          // a bit for some bits of each hash, so that few others are looked up
	partsOf lists             // by number, the parts that have the feature

	scratch sync.Pool // of *counts
}

func newLeaks(o LeakOptions) (*leaks, error) {
	o.Tests = slices.Clone(o.Tests)
	l := &leaks{o: o, report: LeakReport{Sets: make([]SetReport, len(o.Tests))}, missing: make([][]string, len(o.Tests))}
	for i, s := range o.Tests {
		l.report.Sets[i] = SetReport{Name: s.Name, Revision: s.Revision, Sample: s.Sample, Fields: s.fields()}
	}
	words := o.Features.Options()
	words.MinWidth, words.MaxWidth = 1, 1
	var err error
	if l.single, err = feature.New(words); err != nil {
		return nil, fmt.Errorf("dedup: features of single words: %w", err)
	}
	return l, nil
}

// readTests reads the test documents.
func (l *leaks) readTests(ctx context.Context) error {
	var all []datasets.Source
	var sets []int // by source
	for i := range l.o.Tests {
		l.o.Tests[i].first = len(all)
		l.missing[i] = slices.Concat(l.o.Tests[i].Question, l.o.Tests[i].Answer, l.o.Tests[i].text)
		for _, s := range l.o.Tests[i].Sources {
			all, sets = append(all, s), append(sets, i)
		}
	}
	return rowReader[[]testPart]{
		stage: "test",
		work: func(source, _ int, row *datasets.Row) []testPart {
			set := &l.o.Tests[sets[source]]
			if !set.fields() {
				return []testPart{l.part(questionField, row.Doc.Text)}
			}
			return []testPart{l.part(questionField, columnsOf(&all[source], row, set.Question)), l.part(answerField, columnsOf(&all[source], row, set.Answer))}
		},
		collect: func(ref dedup.Ref, _ datasets.RawRow, row *datasets.Row, parts []testPart) error {
			set := sets[ref.Source]
			l.missing[set] = slices.DeleteFunc(l.missing[set], func(name string) bool {
				_, ok := row.Get(name)
				return ok
			})
			l.add(testItem{set: set, id: row.Doc.ID, ref: ref, at: at(row)}, parts)
			return nil
		},
	}.read(ctx, l, newInput(all, l.o.Workers, defaultMemory/documentShare))
}

// columnsOf returns the text of some columns, as Source.Text has it.
func columnsOf(src *datasets.Source, row *datasets.Row, names []string) string {
	var texts []string
	for _, name := range names {
		if text, ok := row.Get(name); ok {
			texts = append(texts, text)
		}
	}
	return src.Plain(strings.Join(texts, "\n"))
}

// part returns the features of a field.
func (l *leaks) part(field fields, text string) testPart {
	p := testPart{field: field, text: l.o.Mask.Apply(text)}
	closed := closeUp(p.text).text
	p.seq = l.o.Features.AppendHashes(nil, closed)
	if len(p.seq) == 1 {
		if words := l.single.AppendHashes(nil, closed); len(words) < l.width() {
			p.words = words
		}
	}
	return p
}

// width is the number of words of a feature.
func (l *leaks) width() int { return l.o.Features.Options().MinWidth }

// add adds a test document. It goes without the fields that have no features.
func (l *leaks) add(it testItem, parts []testPart) {
	l.report.count(it.set, func(s *SetReport) *int { return &s.Test })
	some, long := false, false
	for _, p := range parts {
		if len(p.seq) == 0 {
			continue
		}
		p.seq = slices.Clip(p.seq)
		p.item = uint32(len(l.items))
		p.n = len(distinct(slices.Clone(p.seq)))
		l.rule(&p)
		l.parts = append(l.parts, p)
		some, long = true, long || p.n >= l.o.Least
	}
	switch {
	case !some:
		l.report.count(it.set, func(s *SetReport) *int { return &s.WithoutFeatures })
	case !long:
		l.report.count(it.set, func(s *SetReport) *int { return &s.Short })
	}
	l.items = append(l.items, it)
}

// rule sets the minimum length of a passage that is a leak.
func (l *leaks) rule(p *testPart) {
	more := l.width() - 1 // words than features in a run
	switch pass := l.o.Passage; {
	case pass.Words > 0 && p.words == nil:
		p.run = pass.Words - more
	case pass.Share > 0:
		p.run = max(1, l.o.Least, int(math.Ceil(pass.Share*float64(len(p.seq)+more)))-more)
	}
	if p.run > len(p.seq) {
		p.run = 0
	}
	if p.run == 0 {
		return
	}
	seen := make(map[uint64]int)
	for i, h := range p.seq {
		seen[h]++
		if j := i - p.run; j >= 0 {
			if seen[p.seq[j]]--; seen[p.seq[j]] == 0 {
				delete(seen, p.seq[j])
			}
		}
		if i >= p.run-1 && (p.needed == 0 || len(seen) < p.needed) {
			p.needed = len(seen)
		}
	}
}

// index makes the list of parts of each feature.
func (l *leaks) index() {
	l.best = make([]atomic.Pointer[occurrence], len(l.items))
	l.leaked = make([]atomic.Uint32, len(l.items))
	l.number = make(map[uint64]uint32)
	bits, postings := 1<<10, 0
	for hash := range l.features() {
		if _, ok := l.number[hash]; !ok {
			l.number[hash] = uint32(len(l.number))
		}
		postings++
	}
	for bits < 16*postings {
		bits *= 2
	}
	l.sieve = make([]uint64, bits/64)
	for h := range l.number {
		word, bit := l.bit(h)
		*word |= bit
	}
	l.partsOf = newLists(len(l.number), func(yield func(feature, part uint32) bool) {
		for hash, part := range l.features() {
			if !yield(l.number[hash], part) {
				return
			}
		}
	})
	l.scratch.New = func() any {
		return &counts{seen: make([]uint32, len(l.number)), of: make([]uint32, len(l.parts)), n: make([]uint32, len(l.parts))}
	}
}

// bit returns the place of a hash in the sieve, whose length is a power of two.
func (l *leaks) bit(hash uint64) (word *uint64, bit uint64) {
	return &l.sieve[hash/64&uint64(len(l.sieve)-1)], 1 << (hash % 64)
}

// features yields the distinct features of each part.
func (l *leaks) features() iter.Seq2[uint64, uint32] {
	return func(yield func(hash uint64, part uint32) bool) {
		var set []uint64
		for i := range l.parts {
			set = distinct(append(set[:0], l.parts[i].seq...))
			for _, h := range set {
				if !yield(h, uint32(i)) {
					return
				}
			}
		}
	}
}

// known returns the number of a feature if a test document has it.
func (l *leaks) known(hash uint64) (number uint32, ok bool) {
	if word, bit := l.bit(hash); *word&bit == 0 {
		return 0, false
	}
	number, ok = l.number[hash]
	return number, ok
}
