package main

import (
	"fmt"

	"github.com/bits-and-blooms/bitset"

	"github.com/alike-go/alike/bloomsim"
)

var bloomJoinRows = []Builder{
	{Area: "bloom/all pairs, 20,000 documents, t=0.8", Build: bloomJoin, Heavy: true},
}

const bitsetPairs = "bits-and-blooms/bitset, all pairs"

// bloomJoin finds all pairs of filters. The rival counts what each pair shares, which it does
// for the first filters with all others; from the counts it would still have to estimate.
func bloomJoin(in *Input) (*Row, error) {
	const t, first = 0.8, 20
	m, err := newBloom()
	if err != nil {
		return nil, err
	}
	filters := sketchAll(m, Texts(in.Scale(20_000), in.Seed))
	sets := make([]*bitset.BitSet, len(filters))
	for i, f := range filters {
		sets[i] = f.BitSet()
	}
	found, err := pairs(m, filters, t, 1)
	if err != nil {
		return nil, err
	}
	want := map[[2]int]bool{}
	for i := range first {
		for j := i + 1; j < len(filters); j++ {
			if m.Score(filters[i], filters[j]) >= t {
				want[[2]int{i, j}] = true
			}
		}
	}
	for _, p := range found {
		if p.A < first && !want[[2]int{p.A, p.B}] {
			return nil, fmt.Errorf("ours finds documents %d and %d, which score %g", p.A, p.B, m.Score(filters[p.A], filters[p.B]))
		}
		delete(want, [2]int{p.A, p.B})
	}
	if len(want) > 0 {
		return nil, fmt.Errorf("ours misses %d pairs of the first %d documents", len(want), first)
	}
	n := float64(len(filters))
	return &Row{
		Area: "bloom/all pairs, 20,000 documents, t=0.8", Unit: Seconds,
		Ours: Contender{Name: m.String(), Run: func() { sink += uint64(mustPairs[bloomsim.Filter](m, filters, t, 1)) }},
		Rivals: []Contender{{
			Name: bitsetPairs, Share: first * (n - first/2 - 0.5) / (n * (n - 1) / 2),
			Run: func() {
				for i := range first {
					for j := i + 1; j < len(sets); j++ {
						sink += uint64(sets[i].IntersectionCardinality(sets[j]))
					}
				}
			},
		}},
		Bounds: []Bound{{Rival: bitsetPairs, Floor: 1, Goal: 1.5}},
		Notes:  []string{fmt.Sprintf("%d pairs", len(found))},
	}, nil
}
