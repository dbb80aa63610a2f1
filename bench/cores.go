package main

import (
	"fmt"
	"slices"
	"sync"

	"github.com/alike-go/alike/cosine"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/simhash/hamming"
	"github.com/alike-go/alike/similarity"
)

// coreRows hold two goroutines on two processors against one on one, by the clock on the
// wall: what the second gives. Where arithmetic binds most of twice is wanted, where
// memory binds less.
var coreRows = []Builder{
	{Area: "two cores/limit: arithmetic alone", Build: coreLimit, Heavy: true},
	{Area: "two cores/simhash, words", Build: coreSimhash, Heavy: true},
	{Area: "two cores/minhash, 3-word shingles", Build: coreMinhash, Heavy: true},
	{Area: "two cores/hamming build, 10^7", Build: coreBuild, Heavy: true},
	{Area: "two cores/hamming all pairs, 10^7", Build: corePairs, Heavy: true},
	{Area: "two cores/hamming scan, 10^7", Build: coreScan, Heavy: true},
	{Area: "two cores/shingle join, 100,000 sets", Build: coreShingle, Heavy: true},
	{Area: "two cores/minhash join, 20,000 signatures", Build: coreLSH, Heavy: true},
	{Area: "two cores/cosine join, 20,000 documents", Build: coreCosine, Heavy: true},
}

const oneCore = "one core"

var (
	computeBound = []Bound{{Rival: oneCore, Floor: 1.6, Goal: 1.7}}
	memoryBound  = []Bound{{Rival: oneCore, Floor: 1.2, Goal: 1.4}}
)

// coreRow times the work of some goroutines.
func coreRow(area string, unit Unit, work float64, bounds []Bound, run func(workers int)) *Row {
	return &Row{
		Area: area, Unit: unit, Work: work, Wall: true,
		Ours:   Contender{Name: "two cores", Procs: 2, Run: func() { run(2) }},
		Rivals: []Contender{{Name: oneCore, Procs: 1, Run: func() { run(1) }}},
		Bounds: bounds,
	}
}

// split shares n items out to goroutines in runs of 32.
func split(workers, n int, do func(from, to int)) {
	const run = 32
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for from := w * run; from < n; from += workers * run {
				do(from, min(from+run, n))
			}
		})
	}
	wait.Wait()
}

// coreLimit is a chain of multiplications in registers: two virtual processors that share
// one core fall short of twice even here, and no other row can be better.
func coreLimit(*Input) (*Row, error) {
	const n = 1 << 14
	return coreRow("two cores/limit: arithmetic alone", NsHash, n, nil, func(workers int) {
		out := make([]uint64, n/32)
		split(workers, n, func(from, to int) {
			h := uint64(from)
			for range 4000 * (to - from) / 32 {
				h = h*0x9e3779b97f4a7c15 + 1
				h ^= h >> 29
			}
			out[from/32] = h
		})
		sink += out[0]
	}), nil
}

func coreSimhash(in *Input) (*Row, error) {
	m, err := simhash.New(simhash.Options{})
	if err != nil {
		return nil, err
	}
	return coreSketch(in, "two cores/simhash, words", m), nil
}

func coreMinhash(in *Input) (*Row, error) {
	m, err := newMinhash()
	if err != nil {
		return nil, err
	}
	return coreSketch(in, "two cores/minhash, 3-word shingles", m), nil
}

func coreSketch[S any](in *Input, area string, m similarity.Similarity[S]) *Row {
	out := make([]S, len(in.Docs))
	return coreRow(area, MBs, float64(in.Bytes), computeBound, func(workers int) {
		split(workers, len(in.Docs), func(from, to int) {
			for i := from; i < to; i++ {
				out[i] = m.Sketch(in.Docs[i])
			}
		})
	})
}

func coreBuild(in *Input) (*Row, error) {
	codes := in.codes(in.Scale(10_000_000), false)
	return coreRow("two cores/hamming build, 10^7", Seconds, 1, memoryBound,
		func(workers int) { building(codes, workers)() }), nil
}

func corePairs(in *Input) (*Row, error) {
	codes := in.codes(in.Scale(10_000_000), false)
	return coreRow("two cores/hamming all pairs, 10^7", Seconds, 1, computeBound,
		func(workers int) { joining(codes, workers)() }), nil
}

// coreScan searches for different codes at a time: a search is a single thread's work.
func coreScan(in *Input) (*Row, error) {
	codes := in.codes(in.Scale(10_000_000), false)
	x, err := newIndex(codes, "scan", 1)
	if err != nil {
		return nil, err
	}
	few := queries(codes, 8*32)
	return coreRow("two cores/hamming scan, 10^7", NsCode, float64(8*len(codes)), memoryBound, func(workers int) {
		split(workers, 8*32, func(from, _ int) {
			found := x.Search(nil, hamming.Code{Lo: few[from]}, radius)
			few[from] += uint64(len(found)) & 1 // so that it is not the same each time
		})
	}), nil
}

func coreShingle(in *Input) (*Row, error) {
	m, err := shingle.New(shingle.Options{Features: threeWords})
	if err != nil {
		return nil, err
	}
	sets := sketchAll(m, Texts(in.Scale(100_000), in.Seed))
	return coreJoin("two cores/shingle join, 100,000 sets", m, sets)
}

func coreLSH(in *Input) (*Row, error) {
	l, err := in.lshInput()
	if err != nil {
		return nil, err
	}
	return coreJoin("two cores/minhash join, 20,000 signatures", l.m, l.sketches)
}

func coreCosine(in *Input) (*Row, error) {
	m, err := cosine.New(cosine.Options{Scheme: "ntc"})
	if err != nil {
		return nil, err
	}
	docs := Texts(in.Scale(20_000), in.Seed)
	if m, err = m.Fit(slices.Values(docs)); err != nil {
		return nil, err
	}
	return coreJoin("two cores/cosine join, 20,000 documents", m, sketchAll(m, docs))
}

// coreJoin joins at 0.8, and wants the same pairs of one goroutine and of two.
func coreJoin[S any](area string, m similarity.Joiner[S], sketches []S) (*Row, error) {
	one, err := pairs(m, sketches, 0.8, 1)
	if err != nil {
		return nil, err
	}
	two, err := pairs(m, sketches, 0.8, 2)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(one, two) {
		return nil, fmt.Errorf("one goroutine finds %d pairs, two find %d, or others", len(one), len(two))
	}
	return coreRow(area, Seconds, 1, computeBound, func(workers int) { sink += uint64(mustPairs(m, sketches, 0.8, workers)) }), nil
}
