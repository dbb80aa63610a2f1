package simhash

import (
	"fmt"

	"github.com/alike-go/alike/simhash/hamming"
)

// Index finds fingerprints in memory by their Hamming distance. It is exact. Up to
// about a sixth of the bits a query looks in tables, beyond that it compares all
// fingerprints. It takes 44 to 64 bytes per fingerprint of 64 bits: 8 for the
// fingerprint, the rest for the tables (see package hamming). To join a collection
// that is at hand as a whole, use Method.Join.
//
// Queries may run at the same time. Add and Delete may not run with anything.
type Index struct {
	m        *Method
	distance int
	codes    []Fingerprint // by number; zero for a text without features, and for a deleted one
	index    *hamming.Index
}

// Match is a fingerprint that was found.
type Match struct {
	Number   int // that Add returned
	Distance int // bits that differ
	Score    float64
}

// NewIndex returns an empty index that finds fingerprints of the method within a
// distance in bits, from 0 to the width of a fingerprint. Another distance is an
// error. Distance 3 is usual for 64 bits (Manku, Jain, Das Sarma, WWW 2007).
func NewIndex(m *Method, distance int) (*Index, error) {
	if distance < 0 || distance > m.o.Bits {
		return nil, fmt.Errorf("simhash: distance %d, want 0 to %d", distance, m.o.Bits)
	}
	x, err := hamming.Build(hamming.NewCodes(m.o.Bits, 0), nil, distance, hamming.Options{})
	if err != nil {
		return nil, fmt.Errorf("simhash: %w", err)
	}
	return &Index{m: m, distance: distance, index: x}, nil
}

// Add adds a fingerprint and returns its number: 0, 1, 2, ... Nothing finds the
// fingerprint of a text without features.
func (x *Index) Add(f Fingerprint) int {
	number := len(x.codes)
	x.codes = append(x.codes, f)
	if !f.IsZero() {
		x.index.Add(uint32(number), hamming.Code(f))
	}
	return number
}

// Delete deletes the fingerprint of a number. It returns false if there is none.
func (x *Index) Delete(number int) bool {
	if number < 0 || number >= len(x.codes) || x.codes[number].IsZero() {
		return false
	}
	f := x.codes[number]
	x.codes[number] = Fingerprint{}
	return x.index.Delete(uint32(number), hamming.Code(f))
}

// Len returns the number of fingerprints that can be found.
func (x *Index) Len() int { return x.index.Len() }

// Query appends the fingerprints within the distance of f, in ascending order of
// number. It appends nothing if f is the fingerprint of a text without features.
func (x *Index) Query(dst []Match, f Fingerprint) []Match {
	if f.IsZero() {
		return dst
	}
	for _, m := range x.index.Search(nil, hamming.Code(f), x.distance) {
		dst = append(dst, Match{Number: int(m.Number), Distance: int(m.Distance), Score: x.m.scores[m.Distance]})
	}
	return dst
}
