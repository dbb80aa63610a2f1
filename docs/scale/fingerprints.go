package main

import (
	"strconv"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/internal/splitmix"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

const distance = 3

// threshold is what a distance of three bits of 64 scores on the linear scale.
const threshold = 1 - float64(distance)/64

func newMethod() (similarity.Method, error) {
	m, err := simhash.New(simhash.Options{Score: simhash.Linear})
	if err != nil {
		return nil, err
	}
	return similarity.Hide(m), nil
}

// mix is the first word of a stream: a bijection, so that different numbers have
// different words.
func mix(x uint64) uint64 {
	return splitmix.Mix(x + splitmix.Step)
}

// every is how often a fingerprint is a copy of an earlier one.
const every = 100

// made says how fingerprints are made. Of crowded ones each of the first three blocks of 16 bits has 64
// values alone, so that three tables of 16 bits have as many buckets and a query much to read.
type made struct{ crowded bool }

func (m made) word(i int64) uint64 {
	f := mix(uint64(i))
	if m.crowded {
		f &^= 0xffc0_ffc0_ffc0_0000
	}
	return f
}

// fingerprint returns the fingerprint of document i, from 0 on: as good as random, but one in
// a hundred is that of an earlier document with up to three bits flipped, whose number
// original is; -1 for the others. Any can be had without those before.
func (m made) fingerprint(i int64) (f uint64, original int64) {
	if i%every != every-1 {
		return m.word(i), -1
	}
	original = int64(mix(uint64(i)^0x5ca1ab1e) % uint64(i))
	if original%every == every-1 {
		original-- // no copy of a copy
	}
	return m.word(original) ^ flips(mix(uint64(i)^0xf11b5)), original
}

// flips returns up to three different bits.
func flips(r uint64) (f uint64) {
	for range r & 3 {
		r = mix(r)
		f |= 1 << (r & 63)
	}
	return f
}

// doc returns document i with its sketch.
func (m made) doc(i int64) index.Doc {
	f, _ := m.fingerprint(i)
	return index.Doc{ID: id(i), Sketch: encode(f)}
}

// id returns an id of twelve bytes.
func id(i int64) string { return "d" + strconv.FormatInt(1e11+i, 10)[1:] }

func encode(f uint64) []byte {
	b := make([]byte, 8)
	for i := range b {
		b[i] = byte(f >> (56 - 8*i))
	}
	return b
}
