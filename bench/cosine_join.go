package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/alike-go/alike/cosine"
)

var cosineJoinRows = []Builder{
	{Area: "cosine/join, 20,000 documents, t=0.8", Build: cosineJoin(0.8, 15, 30), Heavy: true},
	{Area: "cosine/join, 20,000 documents, t=0.5", Build: cosineJoin(0.5, 15, 30), Heavy: true},
	{Area: "cosine/query, the best 10 of 20,000", Build: cosineQuery, Heavy: true},
}

const (
	nlpPairs = "nlp's method, all pairs"
	nlpScan  = "nlp's method, linear scan"

	// nlpSample is the number of pairs that the rival scores of the 200 million.
	nlpSample = 100_000
)

// vectors are the weighted vectors of documents by ours and by the rival, with equal
// weights: occurrences times the logarithm of N/df, which the rival smoothes.
type vectors struct {
	n      int
	m      *cosine.Method
	ours   []cosine.Vector
	theirs []sparse
}

func (in *Input) cosineVectors(n int) (vectors, error) {
	if in.vectors.n == n {
		return in.vectors, nil
	}
	m, err := cosine.New(cosine.Options{Scheme: "ntc"})
	if err != nil {
		return vectors{}, err
	}
	docs := Texts(n, in.Seed)
	if m, err = m.Fit(slices.Values(docs)); err != nil {
		return vectors{}, err
	}
	in.vectors = vectors{n, m, sketchAll(m, docs), weighed(docs, 0)}
	return in.vectors, nil
}

// cosineJoin finds all pairs. No importable module joins vectors: the rival scores pair by
// pair, of which it does a sample.
func cosineJoin(t, floor, goal float64) func(*Input) (*Row, error) {
	return func(in *Input) (*Row, error) {
		v, err := in.cosineVectors(in.Scale(20_000))
		if err != nil {
			return nil, err
		}
		found, err := pairs(v.m, v.ours, t, 1)
		if err != nil {
			return nil, err
		}
		r := rand.New(rand.NewPCG(in.Seed, 6))
		sample := make([][2]int, nlpSample)
		for i := range sample {
			a := r.IntN(v.n)
			sample[i] = [2]int{a, (a + 1 + r.IntN(v.n-1)) % v.n}
		}
		ours := map[[2]int]bool{}
		for _, p := range found {
			ours[[2]int{p.A, p.B}] = true
			if x := v.theirs[p.A].cosine(v.theirs[p.B]); math.Abs(x-p.Score) > 0.02 {
				return nil, fmt.Errorf("documents %d and %d score %.3f by ours, %.3f by %s", p.A, p.B, p.Score, x, nlpPairs)
			}
		}
		for _, s := range sample {
			a, b := min(s[0], s[1]), max(s[0], s[1])
			if x := v.theirs[a].cosine(v.theirs[b]); x > t+0.02 && !ours[[2]int{a, b}] {
				return nil, fmt.Errorf("%s scores documents %d and %d %.3f, ours does not find them", nlpPairs, a, b, x)
			}
		}
		return &Row{
			Area: fmt.Sprintf("cosine/join, 20,000 documents, t=%g", t), Unit: Seconds,
			Ours: Contender{Name: v.m.String(), Run: func() { sink += uint64(mustPairs(v.m, v.ours, t, 1)) }},
			Rivals: []Contender{{
				Name: nlpPairs, Share: nlpSample / (float64(v.n) * float64(v.n-1) / 2),
				Run: func() {
					for _, s := range sample {
						sink += math.Float64bits(v.theirs[s[0]].cosine(v.theirs[s[1]]))
					}
				},
			}},
			Bounds: []Bound{{Rival: nlpPairs, Floor: floor, Goal: goal}},
			Notes:  []string{fmt.Sprintf("%d pairs", len(found))},
		}, nil
	}
}

// cosineQuery looks for the ten documents that are most alike to one of the collection.
func cosineQuery(in *Input) (*Row, error) {
	const top, asked, scanned = 10, 400, 4
	v, err := in.cosineVectors(in.Scale(20_000))
	if err != nil {
		return nil, err
	}
	x := v.m.NewIndex(v.ours)
	step := max(1, v.n/asked)
	for i := range scanned {
		doc := i * step
		found := x.Nearest(nil, v.ours[doc], top)
		theirs := best(v.theirs, doc, top)
		if len(found) != top || found[0].Doc != doc {
			return nil, fmt.Errorf("ours finds %d documents for document %d, the first %v", len(found), doc, found)
		}
		for k, m := range found {
			if math.Abs(m.Score-theirs[k]) > 0.02 {
				return nil, fmt.Errorf("the document at place %d for document %d scores %.3f by ours, %.3f by %s", k, doc, m.Score, theirs[k], nlpScan)
			}
		}
	}
	found := make([]cosine.Match, 0, top)
	return &Row{
		Area: "cosine/query, the best 10 of 20,000", Unit: Query, Work: asked,
		Ours: Contender{Name: v.m.String(), Run: func() {
			for i := range asked {
				found = x.Nearest(found[:0], v.ours[i*step%v.n], top)
				sink += uint64(len(found))
			}
		}},
		Rivals: []Contender{{Name: nlpScan, Share: scanned / float64(asked), Run: func() {
			for i := range scanned {
				sink += math.Float64bits(best(v.theirs, i*step, top)[0])
			}
		}}},
		Bounds: []Bound{{Rival: nlpScan, Floor: 5, Goal: 15}},
	}, nil
}

// best returns the highest scores that documents have with one of them, by its linear scan.
func best(docs []sparse, doc, top int) []float64 {
	scores := make([]float64, len(docs))
	for i, d := range docs {
		scores[i] = docs[doc].cosine(d)
	}
	slices.Sort(scores)
	slices.Reverse(scores)
	return scores[:top]
}
