package surrogate

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/similarity"
)

// Documents that a small MinHash finds near another one, at partnerScore, are a stratum
// of their own: where one document in a hundred has a copy, queries drawn from all would
// meet hardly any.
const (
	partnerSpec  = "minhash:size=64,bits=8"
	partnerScore = 0.35
)

// scanPairs bounds the pairs that queries are scored with by each proxy: all of 7,000
// documents, and 2,500 queries against 20,000. It is a variable for tests.
var scanPairs = 50_000_000

// sample picks the documents that queries are scored against, and the queries: half
// of them from documents that have a near one, as far as there are so many. Documents with
// answers that the sample lacks stand behind it, and for none but themselves.
func (t *Truth) sample(ctx context.Context, labels []Label, most int) error {
	asked := map[string]bool{}
	for _, l := range labels {
		asked[l.A], asked[l.B] = true, true
	}
	t.Docs, t.sampled = t.all, len(t.all)
	if len(t.all) > most {
		order := t.shuffled(len(t.all))
		picked := order[:most:most]
		slices.Sort(picked)
		for _, i := range order[most:] {
			if asked[t.all[i].ID] {
				picked = append(picked, i)
			}
		}
		t.Docs, t.sampled = make([]datasets.Doc, len(picked)), most
		for k, i := range picked {
			t.Docs[k] = t.all[i]
		}
	}
	n := t.sampled
	near := make([]bool, n)
	if n*n > scanPairs {
		partner, err := choose.NewCandidate(partnerSpec)
		if err != nil {
			return fmt.Errorf("surrogate: %w", err)
		}
		c, err := t.sketch(ctx, t.Docs[:n], t.Docs[:n], partner)
		if err != nil {
			return err
		}
		_, err = similarity.JoinGrouped(ctx, c, similarity.JoinOptions{Threshold: partnerScore, Workers: t.workers}, func(p similarity.Pair) error {
			near[p.A], near[p.B] = true, true
			return nil
		})
		if err != nil {
			return fmt.Errorf("surrogate: %w", err)
		}
	}
	for _, i := range t.shuffled(n) {
		k := 0
		if near[i] {
			k = 1
		}
		t.strata[k] = append(t.strata[k], i)
	}
	want := min(n, scanPairs/n)
	half := want / 2
	if len(t.strata[0]) < half {
		half = want - len(t.strata[0])
	}
	t.drawn[1] = min(half, len(t.strata[1]))
	t.drawn[0] = min(want-t.drawn[1], len(t.strata[0]))
	t.Queries = t.drawn[0] + t.drawn[1]
	return nil
}

// shuffled returns the numbers from 0 to n-1 in the order of a hash.
func (t *Truth) shuffled(n int) []int32 {
	type place struct {
		hash uint64
		doc  int32
	}
	order := make([]place, n)
	for i := range order {
		order[i] = place{xxh3.HashSeed([]byte{byte(i), byte(i >> 8), byte(i >> 16), byte(i >> 24)}, t.seed), int32(i)}
	}
	slices.SortFunc(order, func(a, b place) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.doc, b.doc)) })
	out := make([]int32, n)
	for k, p := range order {
		out[k] = p.doc
	}
	return out
}

// perQuery returns how many documents of the collection a query of each stratum stands
// for, half of it because a pair has two ends, times how many documents of the
// collection each sampled one stands for.
func (t *Truth) perQuery() (weight [2]float64) {
	grow := float64(t.Of) / float64(t.sampled)
	for k, s := range t.strata {
		weight[k] = float64(len(s)) / 2 / float64(max(1, t.drawn[k])) * grow * grow
	}
	return weight
}

// queries returns the documents that are scored against all others, ascending, and the
// weight of each document as a query, 0 where it is none.
func (t *Truth) queries() (docs []int32, weight []float32) {
	weight = make([]float32, len(t.Docs))
	for k, w := range t.perQuery() {
		for _, q := range t.strata[k][:t.drawn[k]] {
			docs = append(docs, q)
			weight[q] = float32(w)
		}
	}
	slices.Sort(docs)
	return docs, weight
}

// sketch returns the sketches of documents by a candidate. A method that learns is fitted
// on the documents of fit.
func (t *Truth) sketch(ctx context.Context, docs, fit []datasets.Doc, c choose.Candidate) (sketches similarity.Collection, err error) {
	err = choose.Rank(ctx, texts(docs), texts(fit), []choose.Candidate{c}, t.workers, func(_ int, r choose.Ranked) error {
		sketches = r.Sketches
		return nil
	})
	return sketches, err
}

func texts(docs []datasets.Doc) *choose.Sample {
	s := &choose.Sample{Texts: make([]string, len(docs))}
	for i, d := range docs {
		s.Texts[i] = d.Text
	}
	return s
}
