// Package steps cuts deduplication into pure functions, for an engine that runs
// them on many machines. The results depend on the arguments alone: any cut of
// the input, any order of arrival and any repetition give the result of package
// local.
//
//	Sketcher  text                 → sketch
//	Mapper    document             → rank, content hash, sketch
//	Mapper    sketch               → bucket keys
//	Pairer    members of a bucket  → pairs that are alike
//	Node      pairs, in waves      → which texts are kept
//	Sweep     pairs, on one machine → which texts are kept
//	Texts     hashes, on one machine → which rows share a text
//
// The documentation of package dedup says how an engine combines them. Packages
// beam/pipeline, dedup/local, dedup/sketches and dedup/pairs use them. The
// steps know no files of documents, and no engine.
package steps

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// Options are the settings of a run, which all its workers share.
type Options struct {
	// Method makes the sketches. It must have buckets.
	Method similarity.Method

	// Candidates is the minimum score of the sketches of two candidates. Recall is
	// the probability of finding candidates of that score if the buckets are not
	// exact. Zero means similarity.DefaultRecall.
	Candidates, Recall float64

	// Documents is that of similarity.JoinOptions. Zero means the buckets of package
	// local.
	Documents int64

	// Texts says that another method decides, on the texts. Then pairs that score at
	// least Floor are only candidates.
	Texts bool

	// Old is the number of old sources, the first ones. Their documents are kept in
	// any case, and not compared with each other.
	Old int

	// Keep says which of several alike documents is kept.
	Keep dedup.Policy

	// Limits say which pairs count. If there are any, sketches end in the values of
	// Limits, which Mapper.Sketch appends.
	Limits dedup.Limits
}

// Layout describes the buckets of a run.
type Layout struct {
	Design string
	Tables int

	// Recall is the probability that two texts whose sketches score Options.Candidates share a
	// bucket, 1 where the layout is exact.
	Recall float64

	// Floor is the minimum score of the sketches of a pair.
	Floor float64
}

// margin is how far estimates of a candidate's score may be below
// Options.Candidates: three standard errors of a MinHash of 128 values at .8.
const margin = 0.1

// Floor returns the minimum score of the sketches of two candidates. recall is the
// probability of finding two texts that score candidates, and texts says that
// the texts decide.
func Floor(candidates, recall float64, texts bool) float64 {
	if !texts || recall == 1 {
		return candidates
	}
	return candidates - margin
}

// Sketcher makes sketches of single texts. It is not safe for concurrent use.
type Sketcher struct{ docs similarity.Coder }

// NewSketcher returns a sketcher. It is an error if sketches of the method
// cannot be encoded one by one.
func NewSketcher(m similarity.Method) (*Sketcher, error) {
	docs, err := similarity.NewCoder(m)
	if err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	return &Sketcher{docs}, nil
}

// Sketch appends the encoded sketch of a text to dst, and reports whether the
// text has no features.
func (s *Sketcher) Sketch(dst []byte, text string) (sketch []byte, empty bool) {
	s.docs.Truncate(0)
	s.docs.Add(text)
	return s.docs.AppendSketch(dst, 0), s.docs.Empty(0)
}

// load makes a sketch the only one of the collection.
func (s *Sketcher) load(sketch []byte) error {
	s.docs.Truncate(0)
	return s.add(sketch)
}

func (s *Sketcher) add(sketch []byte) error {
	if err := s.docs.AddSketch(sketch); err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	return nil
}

// kit is what a worker sketches, puts in buckets and scores with. It is not safe
// for concurrent use.
type kit struct {
	*Sketcher
	o       Options
	buckets similarity.Buckets[int]
	layout  Layout
}

func newKit(o Options) (*kit, error) {
	if o.Method == nil {
		return nil, errors.New("dedup: no method")
	}
	join, err := similarity.JoinOptions{Threshold: o.Candidates, Recall: o.Recall, Documents: o.Documents}.Check()
	if err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	k := &kit{o: o}
	if k.Sketcher, err = NewSketcher(o.Method); err != nil {
		return nil, err
	}
	if k.buckets, err = k.docs.Buckets(join); err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	b := k.buckets
	k.layout = Layout{Design: b.Design, Tables: b.Tables, Recall: b.Recall(join.Threshold)}
	k.layout.Floor = Floor(join.Threshold, k.layout.Recall, o.Texts)
	return k, nil
}

// Layout returns the layout of the run.
func (k *kit) Layout() Layout { return k.layout }

// split parts a sketch from the values of the limits behind it.
func (k *kit) split(sketch []byte) (own []byte, limits []float64) {
	n := len(k.o.Limits.Fields())
	own = sketch[:max(0, len(sketch)-8*n)]
	for b := sketch[len(own):]; len(b) >= 8; b = b[8:] {
		limits = append(limits, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return own, limits
}

// old reports whether a document is of an old source.
func (k *kit) old(r dedup.Rank) bool { return k.o.Old > 0 && r.Ref().Source < k.o.Old }
