package local

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// LeakOptions says where to look for what. Train, Test and Features are needed.
type LeakOptions struct {
	Train, Test []datasets.Source

	// Features says which features are counted.
	Features *feature.Extractor

	// Threshold is the minimum share of a test document's distinct features that
	// a training document has if the test document has leaked, in (0, 1].
	Threshold float64

	// Least is the minimum number of features of a test document that has leaked
	// if it is part of a longer document. A shorter one can be part of any
	// document by chance. It has leaked only if the resemblance of the two
	// reaches the threshold too.
	Least int

	// Mask is what is masked in all texts before they are compared.
	Mask clean.Mask

	SkipBad  int // of the rows of either side
	OnBad    func(error)
	Workers  int // zero means GOMAXPROCS
	Progress func(stage string, share float64)
}

// Leak is a test document that occurs in training, and the first of the training
// documents that have most of it.
type Leak struct {
	ID string `json:"id"`
	dedup.Ref
	At    string `json:"at"`
	Train Kept   `json:"train"`

	// Contained is the share of the test document's features that the training
	// document has. Resemblance is the share of the features of either document
	// that both have.
	Contained   float64 `json:"contained"`
	Resemblance float64 `json:"resemblance"`

	// Shared is the longest passages that both have.
	Shared []string `json:"shared,omitempty"`

	// Text is the test document as it was compared.
	Text string `json:"-"`
}

// LeakReport counts what was looked at.
type LeakReport struct {
	Test, Train     int   // documents
	Unreadable      int   // rows that are no document
	WithoutFeatures int   // test documents that nothing can be said about
	TrainEmpty      int   // training documents without features
	Short           int   // test documents with fewer features than Least
	Bytes           int64 // of training text
	Leaks           int
}

func (o *LeakOptions) check() error {
	switch {
	case len(o.Train) == 0 || len(o.Test) == 0:
		return errors.New("dedup: want training and test documents")
	case o.Features == nil:
		return errors.New("dedup: no features")
	case math.IsNaN(o.Threshold) || o.Threshold <= 0 || o.Threshold > 1:
		return fmt.Errorf("dedup: threshold is %v, want more than 0 and at most 1", o.Threshold)
	case o.Least < 0 || o.Workers < 0:
		return fmt.Errorf("dedup: Least is %d and Workers %d, want 0 or more", o.Least, o.Workers)
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
// leak. Memory holds the test documents, some 30 bytes for each of their
// features, and a few chunks for each worker. It is an error if nothing can be
// compared, because no document of a side has a feature.
func FindLeaks(ctx context.Context, o LeakOptions, emit func(Leak) error) (*LeakReport, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	l := &leaks{o: o}
	if err := l.readTest(ctx); err != nil {
		return nil, err
	}
	if err := nothing("test", l.report.Test, l.report.WithoutFeatures); err != nil {
		return nil, err
	}
	l.index()
	if err := l.readTrain(ctx); err != nil {
		return nil, err
	}
	if err := nothing("training", l.report.Train, l.report.TrainEmpty); err != nil {
		return nil, err
	}
	for _, d := range l.docs {
		if d.best == nil {
			continue
		}
		l.report.Leaks++
		if err := emit(*d.best); err != nil {
			return nil, err
		}
	}
	return &l.report, nil
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

type leaks struct {
	o      LeakOptions
	report LeakReport
	docs   []testDoc

	number map[uint64]uint32 // of each feature's hash
	sieve  []uint64          // a bit for some bits of each hash, so that few others are looked up
	docsOf lists             // by number, the test documents that have the feature

	scratch sync.Pool // of *counts
}

type testDoc struct {
	id   string
	ref  dedup.Ref
	at   string
	text string
	set  []uint64
	best *Leak
}

// readSet reads documents, makes a value of each, and hands these over in order.
func readSet[T any](ctx context.Context, l *leaks, stage string, sources []datasets.Source, work func(row *datasets.Row, text string) T, collect func(ref dedup.Ref, row *datasets.Row, made T) error) error {
	in := newInput(sources, l.o.Workers, defaultMemory/documentShare)
	type made struct {
		row  datasets.Row
		bad  error
		what T
	}
	rows, bad := make([]int, len(sources)), 0
	return eachChunk(ctx, in, nil, func(share float64) { l.o.Progress(stage, share) }, func(p *datasets.Parser, c *chunk) ([]made, error) {
		out := make([]made, len(c.rows))
		return out, c.documents(p, func(i int, row *datasets.Row, bad error) error {
			out[i] = made{row: *row, bad: bad}
			if bad == nil {
				out[i].what = work(row, l.o.Mask.Apply(row.Doc.Text))
			}
			return nil
		})
	}, func(c *chunk, all []made) error {
		for i := range all {
			ref := dedup.Ref{Source: c.source, Row: rows[c.source]}
			rows[c.source]++
			if err := all[i].bad; err != nil {
				if bad++; bad > l.o.SkipBad {
					return err
				}
				l.report.Unreadable++
				if l.o.OnBad != nil {
					l.o.OnBad(err)
				}
				continue
			}
			if err := collect(ref, &all[i].row, all[i].what); err != nil {
				return err
			}
		}
		return nil
	})
}

func at(row *datasets.Row) string { return fmt.Sprintf("%s:%d", row.File, row.Line) }

func (l *leaks) readTest(ctx context.Context) error {
	return readSet(ctx, l, "test", l.o.Test, func(row *datasets.Row, text string) testDoc {
		return testDoc{id: row.Doc.ID, at: at(row), text: text, set: distinct(l.o.Features, text)}
	}, func(ref dedup.Ref, _ *datasets.Row, d testDoc) error {
		d.ref = ref
		l.report.Test++
		if len(d.set) == 0 {
			l.report.WithoutFeatures++
		} else if len(d.set) < l.o.Least {
			l.report.Short++
		}
		l.docs = append(l.docs, d)
		return nil
	})
}

func distinct(x *feature.Extractor, text string) []uint64 {
	set := x.AppendHashes(nil, text)
	slices.Sort(set)
	return slices.Clip(slices.Compact(set))
}

// index makes the list of documents of each feature.
func (l *leaks) index() {
	l.number = make(map[uint64]uint32)
	bits, postings := 1<<10, 0
	for i := range l.docs {
		for _, h := range l.docs[i].set {
			if _, ok := l.number[h]; !ok {
				l.number[h] = uint32(len(l.number))
			}
			postings++
		}
	}
	for bits < 16*postings {
		bits *= 2
	}
	l.sieve = make([]uint64, bits/64)
	for h := range l.number {
		l.sieve[h/64%uint64(len(l.sieve))] |= 1 << (h % 64)
	}
	l.docsOf = newLists(len(l.number), func(yield func(feature, doc uint32) bool) {
		for i := range l.docs {
			for _, h := range l.docs[i].set {
				yield(l.number[h], uint32(i))
			}
		}
	})
	l.scratch.New = func() any {
		return &counts{seen: make([]uint32, len(l.number)), of: make([]uint32, len(l.docs)), n: make([]uint32, len(l.docs))}
	}
}

// counts counts the features that a training document shares with each test document.
type counts struct {
	look    uint32
	seen    []uint32 // by feature, the look that met it last
	of      []uint32 // by test document, the same
	n       []uint32
	touched []uint32
}

// readTrain compares all training documents with the test documents.
func (l *leaks) readTrain(ctx context.Context) error {
	type hit struct {
		doc  uint32
		leak Leak
	}
	type found struct {
		hits  []hit
		empty bool // the text has no features
	}
	return readSet(ctx, l, "train", l.o.Train, func(row *datasets.Row, text string) found {
		c := l.scratch.Get().(*counts)
		defer l.scratch.Put(c)
		empty := l.count(c, text)
		var hits []hit
		size := 0 // of the training document's set
		for _, d := range c.touched {
			doc := &l.docs[d]
			n := len(doc.set)
			contained := float64(c.n[d]) / float64(n)
			if contained < l.o.Threshold {
				continue
			}
			if size == 0 {
				size = len(distinct(l.o.Features, text))
			}
			resemblance := float64(c.n[d]) / float64(n+size-int(c.n[d]))
			if n < l.o.Least && resemblance < l.o.Threshold {
				continue
			}
			evidence := similarity.SharedFeatures(l.o.Features, "", doc.text, text, func(uint64) float64 { return 1 })
			hits = append(hits, hit{d, Leak{
				ID: doc.id, Ref: doc.ref, At: doc.at, Train: Kept{ID: row.Doc.ID, At: at(row)},
				Contained: contained, Resemblance: resemblance, Shared: longest(doc.text, evidence), Text: doc.text,
			}})
		}
		return found{hits, empty}
	}, func(ref dedup.Ref, row *datasets.Row, f found) error {
		l.report.Train++
		l.report.Bytes += int64(len(row.Doc.Text))
		if f.empty {
			l.report.TrainEmpty++
		}
		for _, h := range f.hits {
			best := &l.docs[h.doc].best
			h.leak.Train.Ref = ref
			if b := *best; b == nil || h.leak.Contained > b.Contained || h.leak.Contained == b.Contained && h.leak.Resemblance > b.Resemblance {
				*best = &h.leak
			}
		}
		return nil
	})
}

// count counts what a text shares with the test documents, and reports whether it
// has no features.
func (l *leaks) count(c *counts, text string) (empty bool) {
	empty = true
	c.look++
	if c.look == 0 { // after 2³² texts
		clear(c.seen)
		clear(c.of)
		c.look = 1
	}
	c.touched = c.touched[:0]
	mask := uint64(len(l.sieve) - 1)
	l.o.Features.Blocks(text, func(hashes []uint64) {
		empty = empty && len(hashes) == 0
		for _, h := range hashes {
			if l.sieve[h/64&mask]>>(h%64)&1 == 0 {
				continue
			}
			f, ok := l.number[h]
			if !ok || c.seen[f] == c.look {
				continue
			}
			c.seen[f] = c.look
			for _, d := range l.docsOf.of(f) {
				if c.of[d] != c.look {
					c.of[d], c.n[d] = c.look, 0
					c.touched = append(c.touched, d)
				}
				c.n[d]++
			}
		}
	})
	return empty
}
