// Package sketch sketches documents by many methods at once. Methods whose
// features have the same settings share one extraction.
//
// It takes methods and texts, and returns a collection for each method. Package
// eval and the packages below it use it. Fits, scores and errors of single
// methods do not belong here.
package sketch

import (
	"context"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// Methods are methods in groups that share an extraction.
type Methods struct {
	all    []similarity.Method
	groups []group
}

// group is the methods, by number, that share an extractor. A method that reads
// the text itself is a group of its own, with a nil extractor.
type group struct {
	features *feature.Extractor
	methods  []int
}

// By groups methods in the order of their first use.
func By(methods []similarity.Method) *Methods {
	m := &Methods{all: methods}
	at := map[string]int{}
	for i, one := range methods {
		x := one.Features()
		if x == nil {
			m.groups = append(m.groups, group{nil, []int{i}})
			continue
		}
		key := x.Settings()
		if _, ok := at[key]; !ok {
			at[key] = len(m.groups)
			m.groups = append(m.groups, group{features: x})
		}
		g := &m.groups[at[key]]
		g.methods = append(g.methods, i)
	}
	return m
}

// Docs sketches documents from to to-1. doc returns the id and the text of a
// document; the id is for errors and may be empty.
func (m *Methods) Docs(from, to int, doc func(i int) (id, text string)) []similarity.Collection {
	out := make([]similarity.Collection, len(m.all))
	for i, one := range m.all {
		out[i] = one.NewCollection()
	}
	var features []feature.Feature
	for d := from; d < to; d++ {
		id, text := doc(d)
		for _, g := range m.groups {
			if g.features == nil {
				out[g.methods[0]].AddNamed(id, text)
				continue
			}
			features = g.features.Append(features[:0], text)
			for _, i := range g.methods {
				out[i].AddFeatures(features)
			}
		}
	}
	return out
}

// chunk is how many documents a worker sketches at a time.
const chunk = 64

// All is Docs for the documents from 0 to n-1, with several workers. It returns
// early with the error of ctx if ctx is cancelled. progress may be nil.
func (m *Methods) All(ctx context.Context, n int, doc func(i int) (id, text string), workers int, progress func(share float64)) ([]similarity.Collection, error) {
	chunks := make([][]similarity.Collection, (n+chunk-1)/chunk)
	done := func() {}
	if progress != nil {
		done = parallel.Progress(len(chunks), progress)
	}
	parallel.Ranges(ctx, workers, n, chunk, func(_, from, to int) {
		chunks[from/chunk] = m.Docs(from, to, doc)
		done()
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := make([]similarity.Collection, len(m.all))
	for i, one := range m.all {
		out[i] = one.NewCollection()
		for _, c := range chunks {
			out[i].Append(c[i])
		}
	}
	return out, nil
}
