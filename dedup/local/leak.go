package local

import (
	"cmp"
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

	// Features says what is counted: the share of a test document's distinct features that a
	// training document has.
	Features *feature.Extractor

	// Threshold is the least share that is a leak, in (0, 1].
	Threshold float64

	// Least is the number of features from which a test document has leaked where it lies
	// within a longer one. A shorter one can stand anywhere by chance, and has leaked
	// only where the training document has no more than it itself but for the threshold: where their
	// resemblance reaches it too.
	Least int

	// Mask is what is masked in all texts before they are compared.
	Mask clean.Mask

	SkipBad  int
	OnBad    func(error)
	Workers  int // zero means GOMAXPROCS
	Progress func(stage string, share float64)
}

// Leak is a test document that occurs in training, and the training document that has most
// of it, of several the first.
type Leak struct {
	ID string `json:"id"`
	dedup.Ref
	At    string `json:"at"`
	Train Kept   `json:"train"`

	// Contained is the share of the test document's features that the training document has, and
	// Resemblance the share of all features of either.
	Contained   float64 `json:"contained"`
	Resemblance float64 `json:"resemblance"`

	// Shared are the longest passages that both have.
	Shared []string `json:"shared,omitempty"`
}

// LeakReport counts what was looked at.
type LeakReport struct {
	Test, Train     int   // documents
	Unreadable      int   // rows of either that are none
	WithoutFeatures int   // test documents of which nothing can be said
	Short           int   // test documents of fewer features than Least
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
// order of the test documents. Training text streams through, once and compared exactly: no
// candidate is missed. Memory holds the test documents, about 24 bytes for each of
// their features, and a few chunks for each worker.
func FindLeaks(ctx context.Context, o LeakOptions, emit func(Leak) error) (*LeakReport, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	l := &leaks{o: o}
	if err := l.readTest(ctx); err != nil {
		return nil, err
	}
	l.index()
	if err := l.readTrain(ctx); err != nil {
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

type leaks struct {
	o      LeakOptions
	report LeakReport
	docs   []testDoc

	number map[uint64]uint32 // of each feature's hash
	sieve  []uint64          // a bit for some bits of each hash, so that few others are looked up
	starts []uint32          // by number, where its documents start in docsOf, and the end
	docsOf []uint32

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
	rows := make([]int, len(sources))
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
				if l.report.Unreadable++; l.report.Unreadable > l.o.SkipBad {
					return err
				}
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
	type posting struct {
		hash uint64
		doc  uint32
	}
	var all []posting
	for i := range l.docs {
		for _, h := range l.docs[i].set {
			all = append(all, posting{h, uint32(i)})
		}
	}
	slices.SortFunc(all, func(a, b posting) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.doc, b.doc)) })
	l.number = make(map[uint64]uint32)
	bits := 1 << 10
	for bits < 16*len(all) {
		bits *= 2
	}
	l.sieve = make([]uint64, bits/64)
	for i, p := range all {
		if i == 0 || all[i-1].hash != p.hash {
			l.number[p.hash] = uint32(len(l.starts))
			l.starts = append(l.starts, uint32(i))
			l.sieve[p.hash/64%uint64(len(l.sieve))] |= 1 << (p.hash % 64)
		}
		l.docsOf = append(l.docsOf, p.doc)
	}
	features := len(l.starts)
	l.starts = append(l.starts, uint32(len(all)))
	l.scratch.New = func() any {
		return &counts{seen: make([]uint32, features), of: make([]uint32, len(l.docs)), n: make([]uint32, len(l.docs))}
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
	return readSet(ctx, l, "train", l.o.Train, func(row *datasets.Row, text string) []hit {
		c := l.scratch.Get().(*counts)
		defer l.scratch.Put(c)
		l.count(c, text)
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
				Contained: contained, Resemblance: resemblance, Shared: passages(doc.text, evidence),
			}})
		}
		return hits
	}, func(ref dedup.Ref, row *datasets.Row, hits []hit) error {
		l.report.Train++
		l.report.Bytes += int64(len(row.Doc.Text))
		for _, h := range hits {
			best := &l.docs[h.doc].best
			h.leak.Train.Ref = ref
			if b := *best; b == nil || h.leak.Contained > b.Contained || h.leak.Contained == b.Contained && h.leak.Resemblance > b.Resemblance {
				*best = &h.leak
			}
		}
		return nil
	})
}

// count counts what a text shares with the test documents.
func (l *leaks) count(c *counts, text string) {
	c.look++
	if c.look == 0 { // after 2³² texts
		clear(c.seen)
		clear(c.of)
		c.look = 1
	}
	c.touched = c.touched[:0]
	mask := uint64(len(l.sieve) - 1)
	l.o.Features.Blocks(text, func(hashes []uint64) {
		for _, h := range hashes {
			if l.sieve[h/64&mask]>>(h%64)&1 == 0 {
				continue
			}
			f, ok := l.number[h]
			if !ok || c.seen[f] == c.look {
				continue
			}
			c.seen[f] = c.look
			for _, d := range l.docsOf[l.starts[f]:l.starts[f+1]] {
				if c.of[d] != c.look {
					c.of[d], c.n[d] = c.look, 0
					c.touched = append(c.touched, d)
				}
				c.n[d]++
			}
		}
	})
}
