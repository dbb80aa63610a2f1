package shingle

import (
	"fmt"

	"github.com/alike-go/alike/similarity"
)

var (
	_ similarity.Bucketer[Set]          = (*Method)(nil)
	_ similarity.Bucketer[BottomSketch] = (*Bottom)(nil)
)

// Buckets puts a set into a bucket for each shingle of its prefix, the least hashes, of which two
// sets that score the threshold have one in common: a fifth of the set at .8, half of it at
// .5, all of it under Overlap, since a set lies anywhere in a greater one. The layout is exact
// and needs to know nothing of the collection; the buckets of common shingles are large
// for that.
func (m *Method) Buckets(o similarity.JoinOptions) (similarity.Buckets[Set], error) {
	return prefixBuckets(m.joins(), o, m.bag, func(s Set) Set { return s })
}

// Buckets puts a sketch into a bucket for each of its least hashes, as Method.Buckets
// does for sets. The layout is exact.
func (m *Bottom) Buckets(o similarity.JoinOptions) (similarity.Buckets[BottomSketch], error) {
	return prefixBuckets(ofGreater, o, false, func(s BottomSketch) Set { return Set{Hashes: s} })
}

// prefixBuckets returns buckets by the prefixes in the order of the hashes.
func prefixBuckets[S any](kind ruleKind, o similarity.JoinOptions, weighted bool, set func(S) Set) (similarity.Buckets[S], error) {
	o, err := o.Check()
	if err != nil {
		return similarity.Buckets[S]{}, err
	}
	return similarity.Buckets[S]{
		Tables: 1,
		Design: fmt.Sprintf("least hashes that make up %.4g of a set", prefixShare(kind, o.Threshold)),
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
			size := sizeOf(s)
			least := newRule(kind, o.Threshold, len(s.Hashes), weighted).asGreater(size)
			before := 0.0
			for i, h := range s.Hashes {
				w := s.weight(i)
				if max(size-before, w) < least {
					break
				}
				dst = append(dst, similarity.Key{Bucket: h})
				before += w
			}
			return dst
		},
	}, nil
}

// prefixShare returns the share of a set that its prefix is.
func prefixShare(kind ruleKind, threshold float64) float64 {
	if kind == ofSmaller {
		return 1
	}
	return 1 - threshold
}
