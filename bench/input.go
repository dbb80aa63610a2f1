package main

import (
	"slices"

	"github.com/alike-go/alike/feature"
)

// Input is what rows are built from: one corpus, and what several rows derive from
// it, made once.
type Input struct {
	*Corpus
	Seed  uint64
	Limit int // most documents or fingerprints of a heavy row; 0 for as many as it says

	shingles [][]uint64
	joined   []byte
	join     joinSets
	vectors  vectors
	lsh      *lshInput
	end      []func()
	code     struct {
		key   string
		codes []uint64
	}
}

// NewInput makes the input of n documents.
func NewInput(n int, seed uint64) *Input { return &Input{Corpus: NewCorpus(n, seed), Seed: seed} }

// Close ends what rows have left running.
func (in *Input) Close() {
	for _, f := range in.end {
		f()
	}
	in.end = nil
}

func (in *Input) atEnd(f func()) { in.end = append(in.end, f) }

// Shingles returns the set of 3-word shingles of each document as ascending
// hashes, made by the extractor of package feature.
func (in *Input) Shingles() ([][]uint64, error) {
	if in.shingles != nil {
		return in.shingles, nil
	}
	x, err := feature.New(threeWords)
	if err != nil {
		return nil, err
	}
	for _, doc := range in.Docs {
		set := x.AppendHashes(nil, doc)
		slices.Sort(set)
		in.shingles = append(in.shingles, slices.Compact(set))
	}
	return in.shingles, nil
}

// Joined returns all documents as one text, for rows on long texts.
func (in *Input) Joined() []byte {
	if in.joined == nil {
		for _, doc := range in.Docs {
			in.joined = append(append(in.joined, doc...), '\n')
		}
	}
	return in.joined
}

// threeWords are the feature options of rows on 3-word shingles.
var threeWords = feature.Options{MinWidth: 3, MaxWidth: 3}
