package main

import (
	"slices"
	"strconv"

	"github.com/alike-go/alike/cosine"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/similarity"
)

// curveGroups lists what the growth table holds. The curves of a group may share a
// collection, which the next group lets go.
var curveGroups = []func(seed uint64) ([]Curve, error){hammingCurves, jaccardCurves, minhashCurves, cosineCurves}

// powers returns the powers of ten with exponents from to to.
func powers(from, to int) (sizes []int) {
	n := 1
	for e := range to + 1 {
		if e >= from {
			sizes = append(sizes, n)
		}
		n *= 10
	}
	return sizes
}

// growing sketches a collection as far as it is asked for. What has been sketched stays.
type growing[S any] struct {
	m        similarity.Similarity[S]
	seed     uint64
	sketches []S
}

// first returns the sketches of the first n documents. The texts are made again and let go.
func (g *growing[S]) first(n int) []S {
	if len(g.sketches) >= n {
		return g.sketches[:n]
	}
	const batch = 1 << 13
	texts := make([]string, 0, batch)
	flush := func() {
		g.sketches = append(g.sketches, sketchAll(g.m, texts)...)
		texts = texts[:0]
	}
	have := len(g.sketches)
	for i, doc := range Stream(n, g.seed) {
		if i < have {
			continue
		}
		if texts = append(texts, doc.Text); len(texts) == batch {
			flush()
		}
	}
	flush()
	return g.sketches
}

// joinCurve times a self-join on one goroutine. A document takes so many bytes.
func joinCurve[S any](what string, sizes []int, bytes float64, t float64,
	first func(n int) (similarity.Joiner[S], []S, error)) Curve {
	return Curve{
		What: what, Unit: Seconds, Sizes: sizes,
		Bytes: func(n int) float64 { return bytes * float64(n) },
		Prepare: func(n int) (func(), float64, error) {
			m, sketches, err := first(n)
			if err != nil {
				return nil, 0, err
			}
			return func() { sink += uint64(mustPairs(m, sketches, t, 1)) }, 1, nil
		},
	}
}

func jaccardCurves(seed uint64) ([]Curve, error) {
	m, err := shingle.New(shingle.Options{Features: threeWords})
	if err != nil {
		return nil, err
	}
	g := &growing[shingle.Set]{m: m, seed: seed}
	// 400 shingles of 8 bytes, and as much again for growing and the join.
	return []Curve{joinCurve("shingle: exact join of 3-word shingles, t=0.8", powers(3, 6), 8000, 0.8,
		func(n int) (similarity.Joiner[shingle.Set], []shingle.Set, error) { return m, g.first(n), nil })}, nil
}

func minhashCurves(seed uint64) ([]Curve, error) {
	m, err := newMinhash()
	if err != nil {
		return nil, err
	}
	g := &growing[shingle.Signature]{m: m, seed: seed}
	return []Curve{joinCurve("minhash: LSH join of 128 values, t=0.8", powers(3, 6), 2000, 0.8,
		func(n int) (similarity.Joiner[shingle.Signature], []shingle.Signature, error) {
			return m, g.first(n), nil
		})}, nil
}

// hammingCurves share one list of fingerprints: a part of it is a list like the whole.
func hammingCurves(seed uint64) ([]Curve, error) {
	var codes []uint64
	first := func(n int) []uint64 {
		if len(codes) < n {
			codes = Codes(n, false, seed)
		}
		return codes[:n]
	}
	sizes := powers(4, 8)
	curve := func(what string, unit Unit, bytes float64, prepare func(codes []uint64) (func(), float64, error)) Curve {
		return Curve{
			What: what, Unit: unit, Sizes: sizes,
			Bytes:   func(n int) float64 { return bytes * float64(n) },
			Prepare: func(n int) (func(), float64, error) { return prepare(first(n)) },
		}
	}
	return []Curve{
		curve("hamming: plain scan, math/bits", Query, 8, func(codes []uint64) (func(), float64, error) {
			return scanning(codes, codes[:1]), 1, nil
		}),
		curve("hamming: build, 4 tables", Seconds, 100, func(codes []uint64) (func(), float64, error) {
			return building(codes, 1), 1, nil
		}),
		curve("hamming: query k=3, 4 tables", Query, 60, func(codes []uint64) (func(), float64, error) {
			return searchCurve(codes, fourTables)
		}),
		curve("hamming: query k=3, 10 tables", Query, 150, func(codes []uint64) (func(), float64, error) {
			return searchCurve(codes, tenTables)
		}),
		curve("hamming: all pairs k=3", Seconds, 80, func(codes []uint64) (func(), float64, error) {
			return joining(codes, 1), 1, nil
		}),
	}, nil
}

func searchCurve(codes []uint64, design string) (func(), float64, error) {
	x, err := newIndex(codes, design, 0)
	many := queries(codes, 10_000)
	return searching(x, many), float64(len(many)), err
}

func cosineCurves(seed uint64) ([]Curve, error) {
	unfitted, err := cosine.New(cosine.Options{Scheme: "ntc"})
	if err != nil {
		return nil, err
	}
	var all []Curve
	for _, t := range []float64{0.8, 0.5} {
		all = append(all, joinCurve("cosine: exact join of words, t="+strconv.FormatFloat(t, 'g', -1, 64), powers(3, 5), 12_000, t,
			func(n int) (similarity.Joiner[cosine.Vector], []cosine.Vector, error) {
				docs := Texts(n, seed)
				m, err := unfitted.Fit(slices.Values(docs))
				if err != nil {
					return nil, nil, err
				}
				return m, sketchAll(m, docs), nil
			}))
	}
	return all, nil
}
