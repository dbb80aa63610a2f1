package main

import (
	"hash/fnv"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// This file makes TF-IDF vectors the way github.com/james-bowman/nlp does, in our own
// words, since that module cannot be fetched everywhere: a regular expression cuts
// the lower-cased words, a map (or a hash) numbers them, counts are gathered in a map of
// coordinates and sorted into a sparse matrix by rows of terms, whose rows are then
// multiplied by ln((1+N)/(1+df)).

// sparse is one document's vector.
type sparse struct {
	terms   []int
	weights []float64
}

// cosine merges two vectors.
func (v sparse) cosine(w sparse) float64 {
	var dot, vv, ww float64
	for i, j := 0, 0; i < len(v.terms) && j < len(w.terms); {
		switch {
		case v.terms[i] < w.terms[j]:
			i++
		case v.terms[i] > w.terms[j]:
			j++
		default:
			dot += v.weights[i] * w.weights[j]
			i++
			j++
		}
	}
	for _, x := range v.weights {
		vv += x * x
	}
	for _, x := range w.weights {
		ww += x * x
	}
	return dot / math.Sqrt(vv*ww)
}

var nlpWord = regexp.MustCompile(`\w+`)

func nlpWords(doc string) []string { return nlpWord.FindAllString(strings.ToLower(doc), -1) }

// nlpCounted is its CountVectoriser, which passes over the documents twice, and its TfidfTransformer.
func nlpCounted(docs []string) []sparse {
	vocabulary := map[string]int{}
	for _, doc := range docs {
		for _, word := range nlpWords(doc) {
			if _, ok := vocabulary[word]; !ok {
				vocabulary[word] = len(vocabulary)
			}
		}
	}
	return nlpTfidf(docs, func(word string) int { return vocabulary[word] })
}

// nlpHashed is its HashingVectoriser with 2^18 places and its TfidfTransformer.
func nlpHashed(docs []string) []sparse {
	return nlpTfidf(docs, func(word string) int {
		h := fnv.New32a()
		h.Write([]byte(word))
		return int(h.Sum32() & (1<<18 - 1))
	})
}

type coordinate struct{ term, doc int }

func nlpTfidf(docs []string, number func(string) int) []sparse {
	counts := map[coordinate]float64{}
	for i, doc := range docs {
		for _, word := range nlpWords(doc) {
			counts[coordinate{number(word), i}]++
		}
	}
	cells := slices.SortedFunc(maps.Keys(counts), func(a, b coordinate) int {
		if a.term != b.term {
			return a.term - b.term
		}
		return a.doc - b.doc
	})
	vectors := make([]sparse, len(docs))
	for from := 0; from < len(cells); {
		to := from
		for to < len(cells) && cells[to].term == cells[from].term {
			to++
		}
		idf := math.Log(float64(1+len(docs)) / float64(1+to-from))
		for _, c := range cells[from:to] {
			v := &vectors[c.doc]
			v.terms = append(v.terms, c.term)
			v.weights = append(v.weights, counts[c]*idf)
		}
		from = to
	}
	return vectors
}

// plainVectors is what one writes by hand: a map for the vocabulary, one for the counts of
// a document, strings.FieldsFunc for the words. The summand 1 of the weights is that of scikit-learn.
func plainVectors(docs []string) []sparse { return weighed(docs, 1) }

// weighed multiplies counts by ln((1+N)/(1+df)) + summand.
func weighed(docs []string, summand float64) []sparse {
	vocabulary := map[string]int{}
	var df []int
	vectors := make([]sparse, len(docs))
	counts := map[int]float64{}
	for i, doc := range docs {
		clear(counts)
		for _, word := range strings.FieldsFunc(strings.ToLower(doc), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsNumber(r)
		}) {
			term, ok := vocabulary[word]
			if !ok {
				term = len(vocabulary)
				vocabulary[word] = term
				df = append(df, 0)
			}
			counts[term]++
		}
		terms := slices.Sorted(maps.Keys(counts))
		weights := make([]float64, len(terms))
		for k, term := range terms {
			weights[k] = counts[term]
			df[term]++
		}
		vectors[i] = sparse{terms, weights}
	}
	for _, v := range vectors {
		for k, term := range v.terms {
			v.weights[k] *= math.Log(float64(1+len(docs))/float64(1+df[term])) + summand
		}
	}
	return vectors
}
