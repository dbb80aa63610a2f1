package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/alike-go/alike/cosine"
)

var cosineRows = []Builder{{Area: "cosine/text to vectors", Build: cosineVectors}}

const (
	nlpCount    = "nlp's method, counts"
	nlpHashing  = "nlp's method, hashing"
	plainTfidf  = "plain Go"
	cosineTexts = 1500
)

// cosineVectors goes from texts to fitted, weighted vectors: document frequencies
// are learnt from the same documents.
func cosineVectors(in *Input) (*Row, error) {
	m, err := cosine.New(cosine.Options{Scheme: "sklearn"})
	if err != nil {
		return nil, err
	}
	docs := in.Docs[:min(cosineTexts, len(in.Docs))]
	var size float64
	for _, doc := range docs {
		size += float64(len(doc))
	}
	ours := func() ([]cosine.Vector, *cosine.Method) {
		fitted, err := m.Fit(slices.Values(docs))
		if err != nil {
			panic("bench: " + err.Error()) // the check below has fitted the same
		}
		vectors := make([]cosine.Vector, len(docs))
		for i, doc := range docs {
			vectors[i] = fitted.Sketch(doc)
		}
		return vectors, fitted
	}
	theirs := []struct {
		name string
		run  func([]string) []sparse
	}{
		{nlpCount, nlpCounted}, {nlpHashing, nlpHashed}, {plainTfidf, plainVectors},
	}
	row := &Row{
		Area: "cosine/text to vectors", Unit: MBs, Work: size,
		Ours:   Contender{Name: m.String(), Run: func() { v, _ := ours(); sink += uint64(len(v)) }},
		Bounds: []Bound{{Rival: nlpCount, Floor: 5, Goal: 12}},
	}
	vectors, fitted := ours()
	for _, r := range theirs {
		sets := r.run(docs)
		for _, p := range in.Pairs {
			if p.Copy >= len(docs) {
				continue
			}
			// Formulas for idf differ by the summand 1, so scores agree only roughly.
			a, b := fitted.Score(vectors[p.Original], vectors[p.Copy]), sets[p.Original].cosine(sets[p.Copy])
			if math.Abs(a-b) > 0.12 {
				return nil, fmt.Errorf("documents %d and %d score %.3f by ours, %.3f by %s", p.Original, p.Copy, a, b, r.name)
			}
		}
		row.Rivals = append(row.Rivals, Contender{Name: r.name, Run: func() { sink += uint64(len(r.run(docs))) }})
	}
	return row, nil
}
