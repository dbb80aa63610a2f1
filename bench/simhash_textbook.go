package main

import (
	"bytes"
	"hash/fnv"
	"regexp"

	"github.com/alike-go/alike/feature"
)

// This file does SimHash the way github.com/mfonda/simhash does, in our own words, since
// that module cannot be fetched everywhere: a regular expression compiled for each document
// cuts the lower-cased words, each is hashed by 64-bit FNV-1 through a hash.Hash64
// of its own, features stand behind an interface, and 64 counters go up or down
// by a branch. github.com/go-dedup/simhash computes the same at the same speed.

type counted interface {
	Sum() uint64
	Weight() int
}

type wordFeature struct {
	sum    uint64
	weight int
}

func (f wordFeature) Sum() uint64 { return f.sum }
func (f wordFeature) Weight() int { return f.weight }

func fnv1(b []byte) uint64 {
	h := fnv.New64()
	h.Write(b)
	return h.Sum64()
}

// wordSimhash is its fingerprint of a WordFeatureSet.
func wordSimhash(doc []byte) uint64 {
	word := regexp.MustCompile(`[\w']+(?:://[\w./]+)?`)
	found := word.FindAll(bytes.ToLower(doc), -1)
	set := make([]counted, len(found))
	for i, w := range found {
		set[i] = wordFeature{fnv1(w), 1}
	}
	return signs(vote(set))
}

// shingleSimhash is its SimhashBytes of its Shingle of three fields.
func shingleSimhash(doc []byte) uint64 {
	fields := bytes.Fields(doc)
	var v [64]int
	for i := 0; i+3 <= len(fields); i++ {
		h := fnv1(bytes.Join(fields[i:i+3], []byte(" ")))
		for j := range v {
			if h>>j&1 == 1 {
				v[j]++
			} else {
				v[j]--
			}
		}
	}
	return signs(v)
}

// vote is its Vectorize.
func vote(set []counted) (v [64]int) {
	for _, f := range set {
		sum := f.Sum()
		for j := range v {
			if sum>>j&1 == 1 {
				v[j] += f.Weight()
			} else {
				v[j] -= f.Weight()
			}
		}
	}
	return v
}

// signs is its Fingerprint: a tie counts as one.
func signs(v [64]int) (f uint64) {
	for j, sum := range v {
		if sum >= 0 {
			f |= 1 << j
		}
	}
	return f
}

// plainCounters is the textbook without its branch, for scale.
func plainCounters(hashes []uint64) (f uint64) {
	var v [64]int
	for _, h := range hashes {
		for j := range v {
			v[j] += int(h >> j & 1)
		}
	}
	for j, ones := range v {
		if 2*ones > len(hashes) {
			f |= 1 << j
		}
	}
	return f
}

// floatCounters is the textbook for weighted features.
func floatCounters(features []feature.Feature) (v [64]float64) {
	for _, f := range features {
		for j := range v {
			if f.Hash>>j&1 == 1 {
				v[j] += f.Weight
			} else {
				v[j] -= f.Weight
			}
		}
	}
	return v
}

func floatSimhash(features []feature.Feature) (f uint64) {
	for j, sum := range floatCounters(features) {
		if sum > 0 {
			f |= 1 << j
		}
	}
	return f
}
