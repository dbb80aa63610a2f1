package steps

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// LargeStar and SmallStar find components in rounds, by turns (Kiveris, Lattanzi, Mirrokni, Rastogi,
// Vassilvitskii: Connected Components in MapReduce and Beyond, SoCC 2014). Each takes a text and all
// its neighbours and emits edges, which from both ends of each, without repetition, are the edges of the next round. A
// round of both that changes no edge is the last: then every text has one edge, to the least of its component,
// after some log n rounds on all graphs that are known, chains included.
//
// LargeStar links the neighbours behind a text to the least of all.
func LargeStar(text dedup.Rank, neighbours []dedup.Rank, emit func(a, b dedup.Rank)) {
	least := min(text, slices.Min(neighbours))
	for _, n := range neighbours {
		if n > text {
			emit(least, n)
		}
	}
}

// SmallStar links the neighbours before a text, and the text, to the least of them. See LargeStar.
func SmallStar(text dedup.Rank, neighbours []dedup.Rank, emit func(a, b dedup.Rank)) {
	least := min(text, slices.Min(neighbours))
	if least == text {
		return
	}
	emit(least, text)
	for _, n := range neighbours {
		if n < text && n != least {
			emit(least, n)
		}
	}
}

// Component decides on the texts of one component, or of several, where the cohesion is less than the
// threshold: by dedup.Cluster, in memory. members are all texts of its pairs, pairs all pairs of candidates, both in any
// order, and old is Options.Old. The sketches of the members are those of the method. It returns a
// decision for each, by rank.
func Component(ctx context.Context, m similarity.Method, members []Member, pairs []Pair, old int, threshold, cohesion float64) ([]Decision, error) {
	members = slices.Clone(members)
	slices.SortFunc(members, func(a, b Member) int { return cmp.Compare(a.Rank, b.Rank) })
	members = slices.CompactFunc(members, func(a, b Member) bool { return a.Rank == b.Rank })
	docs := m.NewCollection()
	coder, ok := docs.(similarity.Coder)
	if !ok {
		return nil, fmt.Errorf("dedup: sketches of %s cannot be sent one by one", m)
	}
	node := make(map[dedup.Rank]uint32, len(members))
	fixed := 0
	for i, member := range members {
		node[member.Rank] = uint32(i)
		if member.Rank.Ref().Source < old {
			fixed++
		}
		if err := coder.AddSketch(member.Sketch); err != nil {
			return nil, fmt.Errorf("dedup: %w", err)
		}
	}
	near := make([][]uint32, len(members))
	for _, p := range pairs {
		a, okA := node[p.A]
		b, okB := node[p.B]
		if !okA || !okB {
			return nil, fmt.Errorf("dedup: the pair %v, %v leads out of the component", p.A.Ref(), p.B.Ref())
		}
		near[a], near[b] = append(near[a], b), append(near[b], a)
	}
	for i := range near {
		slices.Sort(near[i])
		near[i] = slices.Compact(near[i])
	}
	c, err := dedup.Cluster(ctx, dedup.Graph{
		Nodes: len(members), Fixed: fixed,
		Near: func(dst []uint32, n uint32, _ func(uint32) bool) ([]uint32, error) {
			return append(dst, near[n]...), nil
		},
	}, dedup.Rule{
		Threshold: threshold, Cohesion: cohesion,
		Score: func(a, b uint32) (float64, error) { return docs.Score(int(a), int(b)), nil },
	})
	if err != nil {
		return nil, err
	}
	out := make([]Decision, len(members))
	for i, l := range c.Leader {
		out[i] = Decision{members[i].Rank, members[l].Rank, c.Score[i]}
	}
	return out, nil
}
