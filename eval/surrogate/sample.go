package surrogate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

// How a collection is sampled. A random sample of a tenth would hold a hundredth of the pairs,
// so documents come with their partners: those that a small MinHash finds at partnerScore, up to
// mostPartners in one group. The groups are looked for among poolFactor times the documents that are wanted.
const (
	partnerSpec  = "minhash:size=64,bits=8"
	partnerScore = 0.35
	mostPartners = 40
	poolFactor   = 8
)

// scanWork bounds the bytes of text that are gone over when all pairs of a sample are scored by
// one member of the committee.
const scanWork = 2e9

// sample returns the documents to look at, in their order: those that answers are about, and then groups of alike ones
// in the order of a hash of their first document's id.
func sample(ctx context.Context, docs []datasets.Doc, labels []Label, o Options) ([]datasets.Doc, error) {
	asked := map[string]bool{}
	for _, l := range labels {
		asked[l.A], asked[l.B] = true, true
	}
	type place struct {
		hash uint64
		doc  int
	}
	var order []place
	bytes := 0
	for i, d := range docs {
		if d.Text != "" {
			order = append(order, place{xxh3.HashStringSeed(d.ID, o.Seed), i})
			bytes += len(d.Text)
		}
	}
	if len(order) == 0 {
		return nil, nil
	}
	mean := float64(bytes) / float64(len(order))
	most := min(o.MaxDocs, max(leastDocs, int(math.Sqrt(2*scanWork/mean))))
	if len(order) <= most {
		var out []datasets.Doc
		for _, d := range docs {
			if d.Text != "" {
				out = append(out, d)
			}
		}
		return out, nil
	}
	isAsked := func(doc int) bool { return asked[docs[doc].ID] }
	slices.SortFunc(order, func(a, b place) int {
		return cmp.Or(cmp.Compare(truth(isAsked(b.doc)), truth(isAsked(a.doc))), cmp.Compare(a.hash, b.hash), cmp.Compare(a.doc, b.doc))
	})
	order = order[:min(len(order), poolFactor*most)]
	method, err := catalog.Parse(partnerSpec)
	if err != nil {
		return nil, fmt.Errorf("surrogate: %w", err)
	}
	c := method.NewCollection()
	for _, p := range order {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.Add(docs[p.doc].Text)
	}
	forest := datasets.NewForest(len(order))
	_, err = similarity.JoinGrouped(ctx, c, similarity.JoinOptions{Threshold: partnerScore, Workers: o.Workers}, func(p similarity.Pair) error {
		forest.Join(p.A, p.B)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("surrogate: %w", err)
	}
	members := make([][]int, len(order)) // by the place of the first
	hash := make(map[int]uint64, len(order))
	for i, p := range order {
		r := forest.Root(i)
		members[r] = append(members[r], p.doc)
		hash[p.doc] = p.hash
	}
	// By the least hash of its members a large group would come early too often.
	members = slices.DeleteFunc(members, func(m []int) bool { return m == nil })
	for _, m := range members {
		slices.Sort(m)
	}
	slices.SortFunc(members, func(a, b []int) int {
		inA, inB := slices.ContainsFunc(a, isAsked), slices.ContainsFunc(b, isAsked)
		return cmp.Or(cmp.Compare(truth(inB), truth(inA)), cmp.Compare(hash[a[0]], hash[b[0]]), cmp.Compare(a[0], b[0]))
	})
	var picked []int
	for _, m := range members {
		if m = m[:min(len(m), mostPartners)]; len(picked)+len(m) <= most {
			picked = append(picked, m...)
		}
	}
	slices.Sort(picked)
	out := make([]datasets.Doc, len(picked))
	for i, d := range picked {
		out[i] = docs[d]
	}
	return out, nil
}
