package main

import (
	"fmt"
	"slices"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/similarity"
)

// A choice is one way to make features of Chinese text.
type choice struct {
	name string
	keys string // of the spec; "" is the default

	// cosine are the keys where the method is cosine, if others: its scheme weighs
	// by itself.
	cosine string

	// weighs marks a choice that changes nothing for methods that do not weigh.
	weighs bool
}

// base is the choice that all others are compared with: the default.
var base = choice{name: "bigrams (default)"}

// tokens is the question of what a feature is.
var tokens = []choice{
	base,
	{name: "1 character", keys: "tokens=rune"},
	{name: "2 characters", keys: "tokens=rune,width=2"},
	{name: "3 characters", keys: "tokens=rune,width=3"},
	{name: "4 characters", keys: "tokens=rune,width=4"},
	{name: "1 and 2 characters", keys: "tokens=rune,width=1-2"},
	{name: "words", keys: "tokens=jieba"},
	{name: "words, no HMM", keys: "tokens=jieba-nohmm"},
	{name: "words, search", keys: "tokens=jieba-search"},
	{name: "2 words", keys: "tokens=jieba,width=2"},
	{name: "words, no stop words", keys: "tokens=jieba,stop=zh"},
}

// weights is the question of what a feature counts, and how many are kept.
var weights = []choice{
	{name: "bigrams, tf", keys: "weights=tf", cosine: "scheme=tf", weighs: true},
	{name: "bigrams, fitted idf", keys: "weights=idf", cosine: "scheme=sklearn", weighs: true},
	{name: "words, tf", keys: "tokens=jieba,weights=tf", cosine: "scheme=tf,tokens=jieba", weighs: true},
	{name: "words, fitted idf", keys: "tokens=jieba,weights=idf", cosine: "scheme=sklearn,tokens=jieba", weighs: true},
	{name: "words, jieba's idf", keys: "tokens=jieba,weights=jieba", cosine: "scheme=tf,tokens=jieba,weights=jieba", weighs: true},
	{name: "words, jieba's idf, mean", keys: "tokens=jieba,weights=jieba-mean", cosine: "scheme=tf,tokens=jieba,weights=jieba-mean", weighs: true},
	{name: "top 10 words by jieba's idf", keys: "tokens=jieba,weights=jieba,top=10", cosine: "scheme=tf,tokens=jieba,weights=jieba,top=10"},
	{name: "top 20 words by jieba's idf", keys: "tokens=jieba,weights=jieba,top=20", cosine: "scheme=tf,tokens=jieba,weights=jieba,top=20"},
	{name: "top 50 words by jieba's idf", keys: "tokens=jieba,weights=jieba,top=50", cosine: "scheme=tf,tokens=jieba,weights=jieba,top=50"},
}

// methods are those that read features; weighing those whose score weighs them.
var (
	methods  = []string{"shingle", "minhash", "cosine", "bloom", "simhash"}
	weighing = map[string]bool{"cosine": true, "simhash": true}
)

// A run is a method on a choice, under the spec that records name it by.
type run struct {
	method string
	choice choice
	spec   string
}

// runs lists everything that is measured, in the order of the page: each spec once,
// so that a choice which comes to the default of a method is left out there.
func runs() ([]run, error) {
	var out []run
	seen := map[string]bool{}
	for _, method := range methods {
		for _, c := range slices.Concat(tokens, weights) {
			if c.weighs && !weighing[method] {
				continue
			}
			spec := method
			keys := c.keys
			if method == "cosine" && c.cosine != "" {
				keys = c.cosine
			}
			if keys != "" {
				spec += ":" + keys
			}
			m, err := catalog.Parse(spec)
			if err != nil {
				return nil, fmt.Errorf("chinese: %w", err)
			}
			name := similarity.WithoutFit(m.String())
			if !seen[name] {
				seen[name] = true
				out = append(out, run{method, c, name})
			}
		}
	}
	return out, nil
}
