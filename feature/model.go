package feature

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"

	"github.com/zeebo/xxh3"
)

// Model is what an extractor has learnt from a corpus: document frequencies of
// features, and phrases. It is immutable and safe for concurrent use.
type Model struct {
	settings string // what decides the hashes
	docs     int
	hashes   []uint64 // ascending
	df       []uint32
	index    []uint32 // where the hashes of each value of the upper bits begin
	shift    int      // of a hash, to its upper bits
	phrases  []uint64 // ascending
	phrase   *hashSet
	sum      string
}

// ErrSettings is wrapped by errors about models fitted under other settings, and
// ErrFormat by errors about damaged ones.
var (
	ErrSettings = errors.New("made under other settings")
	ErrFormat   = errors.New("not a valid encoding")
)

// Docs returns the number of documents the model was fitted on.
func (m *Model) Docs() int { return m.docs }

// Len returns the number of distinct features of the corpus.
func (m *Model) Len() int { return len(m.hashes) }

// Phrases returns the number of pairs of tokens that count as one.
func (m *Model) Phrases() int { return len(m.phrases) }

// DF returns the number of documents that have the feature, 0 where none has.
func (m *Model) DF(hash uint64) int {
	if len(m.index) == 0 {
		return 0
	}
	k := hash >> (m.shift & 63)
	from, to := m.index[k], m.index[k+1]
	// Mostly the index leaves less than four hashes to look at. Counting those that are
	// below takes no branch, where a search guesses wrong at each step.
	four := m.hashes[from : from+indexPad : cap(m.hashes)]
	at := from + below(four[0], hash) + below(four[1], hash) + below(four[2], hash) + below(four[3], hash)
	if at == from+indexPad && at < to {
		i, _ := slices.BinarySearch(m.hashes[at:to], hash)
		at += uint32(i)
	}
	if at >= to || m.hashes[at] != hash {
		return 0
	}
	return int(m.df[at])
}

// below returns 1 where a is below b, without a branch.
func below(a, b uint64) uint32 {
	_, borrow := bits.Sub64(a, b, 0)
	return uint32(borrow)
}

// indexPad is how many hashes are looked at, and stand behind the last, above all.
const indexPad = 4

// buildIndex makes the index of the hashes by their upper bits, one or two for each value.
func (m *Model) buildIndex() {
	if len(m.hashes) == 0 {
		return
	}
	m.hashes = append(m.hashes, math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64)[:len(m.hashes)]
	width := max(1, bits.Len(uint(len(m.hashes)))-1)
	m.shift = 64 - width
	m.index = make([]uint32, 1<<width+1)
	for _, h := range m.hashes {
		m.index[h>>m.shift+1]++
	}
	for i := range m.index[1:] {
		m.index[i+1] += m.index[i]
	}
}

// Sum returns the checksum of the model, for specs and headers: 16 hexadecimal digits.
func (m *Model) Sum() string { return m.sum }

func (m *Model) isPhrase(key uint64) bool { return m.phrase.has(key) }

// seal completes a model whose fields are set.
func (m *Model) seal() *Model {
	m.buildIndex()
	if len(m.phrases) > 0 {
		m.phrase = newHashSet(m.phrases)
	}
	m.sum = fmt.Sprintf("%016x", xxh3.Hash(m.appendBody(nil)))
	return m
}

// NeedsFit reports whether the settings use a model: fitted idf or phrases.
func (x *Extractor) NeedsFit() bool { return x.o.Weights == FitIDF || x.o.Phrases > 0 }

// Model returns the model in force, or nil.
func (x *Extractor) Model() *Model { return x.model }

// Fit learns document frequencies (always) and phrases (where Options.Phrases
// asks) from documents. Documents are read in order; where phrases are asked the sequence is
// read twice. Memory grows with the number of distinct features. The model that
// the extractor may already have plays no part.
func (x *Extractor) Fit(docs iter.Seq[string]) (*Model, error) {
	y := *x
	y.model = nil
	y.prepare()
	m := &Model{settings: y.hashSettings()}
	s := newScratch()
	defer s.free()
	if y.o.Phrases > 0 {
		c := phraseCounter{tokens: make(map[uint64]uint32), pairs: make(map[uint64]*pair)}
		for doc := range docs {
			c.previous = 0
			s.buf = s.buf[:0]
			y.eachToken(s, doc, func(h uint64, _ []byte) { c.add(h) })
		}
		m.phrases = c.phrases(y.o.Phrases)
		y.model = m.seal()
		y.prepare()
	}
	var counts documents
	for doc := range docs {
		y.Blocks(doc, counts.add)
		counts.end()
		m.docs++
	}
	m.hashes, m.df = counts.sorted()
	return m.seal(), nil
}

// WithModel returns the extractor under a model, or without one where m is nil.
// It refuses a model fitted under settings that give other hashes; how features are
// weighted does not matter to a model.
func (x *Extractor) WithModel(m *Model) (*Extractor, error) {
	if want := x.hashSettings(); m != nil && m.settings != want {
		return nil, fmt.Errorf("feature: model fitted under %q, want %q: %w", m.settings, want, ErrSettings)
	}
	y := *x
	y.model = m
	y.prepare()
	return &y, nil
}
