package setjoin

import (
	"context"
	"slices"

	"github.com/alike-go/alike/similarity"
)

// KeyJoin is a join of documents that have one of their keys in common, such as
// the bands of signatures. A document without words is in no pair.
type KeyJoin[S ~[]uint64] struct {
	A, B  []S                     // documents; B is nil for a join of A with itself
	Keys  int                     // per document
	Key   func(s S, k int) uint64 // key k of a document; equal only for the same k
	Score func(i, j int) float64  // as in Join
	Name  string                  // of the package, for errors
}

// recordsAtOnce is how many records, of 16 bytes, are put into lists at a time:
// the keys of a large collection are indexed one after the other.
const recordsAtOnce = 1 << 22

// keyIndex finds documents that share a key.
type keyIndex[S ~[]uint64] struct {
	*KeyJoin[S]
	groups    groups
	docs      []S // of the groups
	threshold float64

	batch    int // keys that lie in one index
	postings []postings
}

// Pairs calls emit with all pairs that share a key and score at least
// o.Threshold, as similarity.Joiner says. st is what the statistics begin with.
//
// Beside the documents it takes, per document and key, 8 bytes and a share of a
// list's 40 to 80 if another document has the key; 64 MB while lists are made;
// and 4 bytes per document and worker. If a share of all documents has a key,
// the time grows with the square of that.
func (j *KeyJoin[S]) Pairs(ctx context.Context, o similarity.JoinOptions, st similarity.JoinStats, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	o, err := check(o)
	if err != nil {
		return similarity.JoinStats{}, err
	}
	own := j.B
	if own == nil {
		own = j.A
	}
	x := &keyIndex[S]{KeyJoin: j, threshold: o.Threshold}
	x.groups = newGroups(ctx, len(own), o.Workers,
		func(i int) bool { return len(own[i]) == 0 },
		func(i int) uint64 { return hashWords(own[i]) },
		func(i, k int) bool { return slices.Equal(own[i], own[k]) })
	for _, doc := range x.groups.first {
		x.docs = append(x.docs, own[doc])
	}
	x.build(ctx, o)
	e := emitter{
		groups: x.groups, self: j.B == nil, stats: &st, emit: emit,
		equal: func(doc int) float64 { return x.score(doc, x.groups.of[doc]) },
	}
	err = e.run(ctx, len(j.A), o.Workers, secondHalf(o, len(j.A)), func() matcher {
		return &keyMatcher[S]{x, make([]uint32, len(x.docs))}
	})
	return st, named(ctx, j.Name, err)
}

func (x *keyIndex[S]) score(doc int, group int32) float64 { return x.Score(doc, x.groups.first[group]) }

func (x *keyIndex[S]) build(ctx context.Context, o similarity.JoinOptions) {
	n, others, how := len(x.docs), 0, bothWays
	if x.B != nil {
		others, how = len(x.A), fromOutside
	}
	x.batch = min(max(1, recordsAtOnce/(n+others+1)), x.Keys)
	for from := 0; from < x.Keys; from += x.batch {
		to := min(from+x.batch, x.Keys)
		x.postings = append(x.postings, newPostings(ctx, n, others, how, o.Workers, func() func(int) prefix {
			p := prefix{keys: make([]uint64, to-from), rem: make([]float32, to-from), small: to - from}
			for i := range p.rem {
				p.rem[i] = 1
			}
			return func(id int) prefix {
				var s S
				if id < n {
					s = x.docs[id]
				} else if s = x.A[id-n]; len(s) == 0 {
					return prefix{}
				}
				for k := range p.keys {
					p.keys[k] = x.Key(s, from+k)
				}
				return p
			}
		}))
		o.Progress(0.5 * float64(to) / float64(x.Keys))
	}
}

// keyMatcher is the matcher of a keyIndex.
type keyMatcher[S ~[]uint64] struct {
	*keyIndex[S]
	seen []uint32 // the last document, counted from 1, with which a group came up
}

func (x *keyMatcher[S]) match(dst []match, doc int, t *tally) []match {
	s := x.A[doc]
	if len(s) == 0 {
		return dst
	}
	turn := uint32(doc + 1)
	if x.B == nil {
		x.seen[x.groups.of[doc]] = turn
	}
	for k := range x.Keys {
		posts, _ := x.postings[k/x.batch].find(x.Key(s, k))
		for _, e := range posts {
			if x.B == nil && x.groups.last(int32(e.id)) < doc {
				continue
			}
			t.candidates++
			if x.seen[e.id] == turn {
				continue
			}
			x.seen[e.id] = turn
			t.verified++
			if score := x.score(doc, int32(e.id)); score >= x.threshold {
				dst = append(dst, match{int32(e.id), score})
			}
		}
	}
	return dst
}
