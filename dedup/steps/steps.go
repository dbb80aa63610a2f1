// Package steps is deduplication cut into pure functions, for an engine that runs them on many
// machines: what they return depends on their arguments alone, so that any cut of the input,
// order of arrival and repetition gives the same result, that of package local.
//
//	Mapper     document            → rank, content hash, sketch
//	Group      equal texts         → the one that stands for them
//	Mapper     sketch              → bucket keys
//	Pairer     members of a bucket → pairs that are alike
//	Node       pairs, in waves     → who is kept
//	Sweep      pairs, on one machine in bounded memory → who is kept
//	Star       pairs, in rounds    → components
//
// How an engine puts them together says the documentation of package dedup.
package steps

import (
	"errors"
	"fmt"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// Options are the settings of a run, which all its workers share.
type Options struct {
	// Method makes the sketches. It must have buckets.
	Method similarity.Method

	// Candidates is the least score of the sketches of two candidates, and Recall the
	// probability with which those of that score are found where the buckets are not exact.
	// Zero means similarity.DefaultRecall.
	Candidates, Recall float64

	// Documents is how many documents the buckets are for, as similarity.JoinOptions has it. Zero is the layout
	// of package local.
	Documents int64

	// Texts says that another method than Method decides, on the texts. Then pairs are candidates
	// from Floor on, and their scores decide nothing.
	Texts bool

	// Old is the number of sources, the first ones, whose documents are kept in any case. They
	// are not compared with each other.
	Old int

	// Keep says which document of several that are alike is kept.
	Keep dedup.Policy
}

// Layout is what the buckets of a run are.
type Layout struct {
	Design string
	Tables int

	// Recall is the probability that two texts whose sketches score Options.Candidates share a
	// bucket, 1 where the layout is exact.
	Recall float64

	// Floor is the least score of the sketches of a pair.
	Floor float64
}

// margin is how far the sketches of a candidate may score below Options.Candidates where
// they only estimate: three standard errors of a MinHash of 128 values at .8.
const margin = 0.1

// Floor returns the least score of the sketches of two candidates, where those that score candidates
// are found with the probability recall, and texts says that the sketches do not decide themselves.
func Floor(candidates, recall float64, texts bool) float64 {
	if !texts || recall == 1 {
		return candidates
	}
	return candidates - margin
}

// kit is what a worker sketches, puts in buckets and scores with. It is not safe for concurrent use.
type kit struct {
	o       Options
	join    similarity.JoinOptions
	docs    similarity.Collection
	coder   similarity.Coder
	buckets similarity.Buckets[int]
	layout  Layout
}

func newKit(o Options) (*kit, error) {
	if o.Method == nil {
		return nil, errors.New("dedup: no method")
	}
	k := &kit{o: o}
	var err error
	if k.join, err = (similarity.JoinOptions{Threshold: o.Candidates, Recall: o.Recall, Documents: o.Documents}).Check(); err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	k.docs = o.Method.NewCollection()
	var ok bool
	if k.coder, ok = k.docs.(similarity.Coder); !ok {
		return nil, fmt.Errorf("dedup: sketches of %s cannot be sent one by one", o.Method)
	}
	if k.buckets, err = k.docs.Buckets(k.join); err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	b := k.buckets
	k.layout = Layout{Design: b.Design, Tables: b.Tables, Recall: b.Recall(k.join.Threshold)}
	k.layout.Floor = Floor(k.join.Threshold, k.layout.Recall, o.Texts)
	return k, nil
}

// Layout returns the layout of the run.
func (k *kit) Layout() Layout { return k.layout }

// old reports whether a document is of an old source.
func (k *kit) old(r dedup.Rank) bool { return k.o.Old > 0 && r.Ref().Source < k.o.Old }

// load makes the sketches those of the collection.
func (k *kit) load(sketches ...[]byte) error {
	k.coder.Truncate(0)
	for _, s := range sketches {
		if err := k.coder.AddSketch(s); err != nil {
			return fmt.Errorf("dedup: %w", err)
		}
	}
	return nil
}
