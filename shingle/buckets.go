package shingle

import (
	"fmt"

	"github.com/alike-go/alike/internal/setjoin"
	"github.com/alike-go/alike/similarity"
)

var (
	_ similarity.Bucketer[Set]          = (*Method)(nil)
	_ similarity.Bucketer[BottomSketch] = (*Bottom)(nil)
)

// Buckets puts a set into a bucket for each shingle of its prefix, the least
// hashes. Two sets that score the threshold have one of these in common. The
// prefix is a fifth of the set at .8, half of it at .5, and all of it under
// Overlap, since a set may lie anywhere in a larger one. The layout is exact and
// needs to know nothing of the collection, but the buckets of common shingles are
// large.
func (m *Method) Buckets(o similarity.JoinOptions) (similarity.Buckets[Set], error) {
	return prefixBuckets(m.joins(), o, setOf)
}

// Buckets puts a sketch into a bucket for each of its least hashes, as
// Method.Buckets does for sets. The layout is exact.
func (m *Bottom) Buckets(o similarity.JoinOptions) (similarity.Buckets[BottomSketch], error) {
	return prefixBuckets(setjoin.OfGreater, o, setOfBottom)
}

// prefixBuckets returns buckets by the prefixes in the order of the hashes.
func prefixBuckets[S any](kind setjoin.Kind, o similarity.JoinOptions, set func(S) setjoin.Set) (similarity.Buckets[S], error) {
	o, err := o.Check()
	if err != nil {
		return similarity.Buckets[S]{}, err
	}
	share := 1 - o.Threshold
	if kind == setjoin.OfSmaller {
		share = 1
	}
	return similarity.Buckets[S]{
		Tables: 1,
		Design: fmt.Sprintf("least hashes that make up %.4g of a set", share),
		Recall: func(score float64) float64 {
			if score >= o.Threshold {
				return 1
			}
			// The least hash of both together is in both as often as the score says. It is
			// in the prefixes, and the longer these are, the more this falls short.
			return max(0, score)
		},
		Append: func(dst []similarity.Key, sketch S) []similarity.Key {
			s := set(sketch)
			for _, h := range s.Hashes[:setjoin.PrefixLen(kind, o.Threshold, s)] {
				dst = append(dst, similarity.Key{Bucket: h})
			}
			return dst
		},
	}, nil
}
