package main

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math/bits"
	"runtime"
	"slices"
	"sync"

	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/similarity"
)

// Scale returns n, or less where the input is for a test: the size of a heavy row.
func (in *Input) Scale(n int) int {
	if in.Limit > 0 {
		return min(n, in.Limit)
	}
	return n
}

// Stream yields n documents of the workload as package datasets/plant makes it: the
// same kind of text as the Corpus, made one at a time, for rows and tables that need many.
func Stream(n int, seed uint64) iter.Seq2[int, plant.Document] {
	text, copies := plant.Yardstick(seed)
	return func(yield func(int, plant.Document) bool) {
		maker, err := plant.NewMaker(text)
		if err != nil {
			panic("bench: " + err.Error())
		}
		planter, err := plant.New(copies)
		if err != nil {
			panic("bench: " + err.Error())
		}
		i := 0
		for doc, err := range planter.Plant(maker.Docs(0, uint64(n))) {
			if err != nil {
				panic("bench: " + err.Error())
			}
			if i == n || !yield(i, doc) {
				return
			}
			i++
		}
	}
}

// Texts returns n documents of the stream.
func Texts(n int, seed uint64) []string {
	docs := make([]string, 0, n)
	for _, doc := range Stream(n, seed) {
		docs = append(docs, doc.Text)
	}
	return docs
}

// sketchAll sketches many texts, on all processors since it is not timed.
func sketchAll[S any](m similarity.Similarity[S], docs []string) []S {
	out := make([]S, len(docs))
	parallel(len(docs), func(i int) { out[i] = m.Sketch(docs[i]) })
	return out
}

// parallel calls do for 0 to n-1 on all processors.
func parallel(n int, do func(i int)) {
	var wait sync.WaitGroup
	workers := runtime.NumCPU()
	for w := range workers {
		wait.Go(func() {
			for i := w; i < n; i += workers {
				do(i)
			}
		})
	}
	wait.Wait()
}

// pairs joins sketches with themselves.
func pairs[S any](m similarity.Joiner[S], sketches []S, threshold float64, workers int) ([]similarity.Pair, error) {
	var found []similarity.Pair
	_, err := m.Join(context.Background(), sketches, nil, similarity.JoinOptions{Threshold: threshold, Workers: workers},
		func(p similarity.Pair) error { found = append(found, p); return nil })
	return found, err
}

// mustPairs is pairs where the same join has been done before.
func mustPairs[S any](m similarity.Joiner[S], sketches []S, threshold float64, workers int) int {
	found, err := pairs(m, sketches, threshold, workers)
	if err != nil {
		panic("bench: " + err.Error())
	}
	return len(found)
}

// numbered returns the sets as numbers that ascend with the number of sets that
// have the element, in ascending order: what go-set-similarity-search takes. It is not
// timed, and so made by sorting, many times as fast as by a map.
func numbered(sets []shingle.Set) [][]int {
	type element struct {
		hash    uint64
		set, at uint32
	}
	const digits = 8
	var buckets [1 << digits][]element
	for i, s := range sets {
		for k, h := range s.Hashes {
			b := h >> (64 - digits)
			buckets[b] = append(buckets[b], element{h, uint32(i), uint32(k)})
		}
	}
	out := make([][]int, len(sets))
	for i, s := range sets {
		out[i] = make([]int, len(s.Hashes))
	}
	// Numbers need not follow each other: the bits of the frequency stand above those of the hash.
	shift := bits.Len(uint(len(sets))) + 1
	parallel(len(buckets), func(b int) {
		list := buckets[b]
		slices.SortFunc(list, func(x, y element) int { return cmp.Compare(x.hash, y.hash) })
		for from := 0; from < len(list); {
			to := from
			for to < len(list) && list[to].hash == list[from].hash {
				to++
			}
			for _, e := range list[from:to] {
				out[e.set][e.at] = (to-from)<<(64-shift) | int(e.hash>>shift)
			}
			from = to
		}
	})
	parallel(len(out), func(i int) { slices.Sort(out[i]) })
	return out
}

// sameSets checks that sets and their numbers are of equal lengths after numbering, which fails
// where two elements came out as one number.
func sameSets(sets []shingle.Set, numbers [][]int) error {
	for i, s := range sets {
		if n := len(slices.Compact(slices.Clone(numbers[i]))); n != len(s.Hashes) {
			return fmt.Errorf("set %d has %d elements and %d numbers", i, len(s.Hashes), n)
		}
	}
	return nil
}
