package shingle

import (
	"context"
	"slices"

	"github.com/alike-go/alike/similarity"
)

var (
	_ similarity.Joiner[Signature]   = (*MinHash)(nil)
	_ similarity.Bucketer[Signature] = (*MinHash)(nil)
)

// Join finds pairs that score at least the threshold by the bands of their signatures
// (locality-sensitive hashing: Indyk and Motwani, STOC 1998; Broder, CPM 2000): each pair that
// shares a band is scored. Which bands, and how many pairs are found, Design says. Equal
// signatures are looked up in one.
//
// Beside the signatures it takes, for each signature and band, 8 bytes and its share of
// a list's 40 to 80 if another signature has the same band; 64 MB while lists are
// made; and 4 bytes for each signature and worker. Where a band is common to a
// share of all texts, the time grows with the square of that.
func (m *MinHash) Join(ctx context.Context, a, b []Signature, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	o, _, err := checkJoin(o)
	if err != nil {
		return similarity.JoinStats{}, err
	}
	d, err := m.Design(o)
	if err != nil {
		return similarity.JoinStats{}, err
	}
	own := b
	if b == nil {
		own = a
	}
	g := newGroups(ctx, len(own), o.Workers,
		func(i int) bool { return len(own[i]) == 0 },
		func(i int) uint64 { return hashWords(own[i]) },
		func(i, k int) bool { return slices.Equal(own[i], own[k]) })
	x := &bandIndex{m: m, design: d, groups: g, threshold: o.Threshold, probe: a, self: b == nil}
	for _, doc := range g.first {
		x.sigs = append(x.sigs, own[doc])
	}
	x.score = func(doc int, group int32) float64 { return m.Score(a[doc], x.sigs[group]) }
	st := similarity.JoinStats{Recall: d.ByScore(o.Threshold), Design: d.String()}
	return x.join(ctx, o, st, emit)
}

// JoinBy finds pairs by bands, as Join does, and judges them by a score of the caller's, such as
// the resemblance of the sets that the signatures stand for: document i of a and j of b, or
// where b is nil of a, are a pair if score(i, j) is at least o.Threshold. It must be symmetric
// in a join of a with itself, and safe for concurrent use. Bands and recall are those for texts
// of which the resemblance is the threshold.
func (m *MinHash) JoinBy(ctx context.Context, a, b []Signature, o similarity.JoinOptions, score func(i, j int) float64, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	o, _, err := checkJoin(o)
	if err != nil {
		return similarity.JoinStats{}, err
	}
	d, err := m.design(o, mostBanded, LSHDesign.ByResemblance)
	if err != nil {
		return similarity.JoinStats{}, err
	}
	own := b
	if b == nil {
		own = a
	}
	g := singles(len(own), func(i int) bool { return len(own[i]) == 0 })
	x := &bandIndex{m: m, design: d, groups: g, threshold: o.Threshold, probe: a, self: b == nil}
	for _, doc := range g.first {
		x.sigs = append(x.sigs, own[doc])
	}
	x.score = func(doc int, group int32) float64 { return score(doc, g.first[group]) }
	st := similarity.JoinStats{Recall: d.ByResemblance(o.Threshold), Design: d.String()}
	return x.join(ctx, o, st, emit)
}

// Buckets puts a signature into a bucket for each of its bands. Which, Design says, but for
// there being at most 256. The bands are the longest that find so many, whatever the number of
// documents: longer ones would lose pairs.
func (m *MinHash) Buckets(o similarity.JoinOptions) (similarity.Buckets[Signature], error) {
	d, err := m.design(o, 256, LSHDesign.ByScore)
	if err != nil {
		return similarity.Buckets[Signature]{}, err
	}
	return similarity.Buckets[Signature]{
		Tables: d.Bands,
		Design: d.String(),
		Recall: d.ByScore,
		Append: func(dst []similarity.Key, s Signature) []similarity.Key {
			if len(s) == 0 {
				return dst
			}
			for band := range d.Bands {
				dst = append(dst, similarity.Key{Table: uint8(band), Bucket: d.key(s, band)})
			}
			return dst
		},
	}, nil
}

// bandIndex finds signatures that share a band.
type bandIndex struct {
	m         *MinHash
	design    LSHDesign
	groups    groups
	sigs      []Signature // of the groups
	probe     []Signature // of the documents looked up
	self      bool
	threshold float64
	score     func(doc int, group int32) float64

	batch    int // bands that lie in one index
	postings []postings
}

// recordsAtOnce is how many records, of 16 bytes, are about to be put into lists at a time:
// the bands of a large collection are indexed one after the other.
const recordsAtOnce = 1 << 22

func (x *bandIndex) join(ctx context.Context, o similarity.JoinOptions, st similarity.JoinStats, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	x.build(ctx, o)
	e := emitter{
		groups: x.groups, self: x.self, stats: &st, emit: emit,
		equal: func(doc int) float64 { return x.score(doc, x.groups.of[doc]) },
	}
	err := e.run(ctx, len(x.probe), o.Workers, func(done int) { o.Progress(0.5 + 0.5*float64(done)/float64(len(x.probe))) }, func() matcher {
		return &bandMatcher{bandIndex: x, seen: make([]uint32, len(x.sigs))}
	})
	return st, joinError(ctx, err)
}

func (x *bandIndex) build(ctx context.Context, o similarity.JoinOptions) {
	n, others, how := len(x.sigs), 0, bothWays
	if !x.self {
		others, how = len(x.probe), fromOutside
	}
	x.batch = min(max(1, recordsAtOnce/(n+others+1)), x.design.Bands)
	for from := 0; from < x.design.Bands; from += x.batch {
		to := min(from+x.batch, x.design.Bands)
		x.postings = append(x.postings, newPostings(ctx, n, others, how, o.Workers, func() func(int) prefix {
			p := prefix{keys: make([]uint64, to-from), rem: make([]float32, to-from), small: to - from}
			for i := range p.rem {
				p.rem[i] = 1
			}
			return func(id int) prefix {
				s := Signature(nil)
				if id < n {
					s = x.sigs[id]
				} else if s = x.probe[id-n]; len(s) == 0 {
					return prefix{}
				}
				for band := from; band < to; band++ {
					p.keys[band-from] = x.design.key(s, band)
				}
				return p
			}
		}))
		o.Progress(0.5 * float64(to) / float64(x.design.Bands))
	}
}

// bandMatcher is the matcher of a bandIndex.
type bandMatcher struct {
	*bandIndex
	seen []uint32 // the last document, counted from 1, with which a signature came up
}

func (x *bandMatcher) match(dst []match, doc int, t *tally) []match {
	s := x.probe[doc]
	if len(s) == 0 {
		return dst
	}
	turn := uint32(doc + 1)
	if x.self {
		x.seen[x.groups.of[doc]] = turn
	}
	for band := range x.design.Bands {
		posts, _ := x.postings[band/x.batch].find(x.design.key(s, band))
		for _, e := range posts {
			if x.self && x.groups.last(int32(e.id)) < doc {
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

// key returns the key of a band of a signature: a hash of its number and its values.
func (d LSHDesign) key(s Signature, band int) uint64 {
	h := uint64(band+1) * hashFactor
	from := band * d.Rows * d.Bits
	for to := from + d.Rows*d.Bits; from < to; {
		// Up to the end of the word, or of the band.
		width := min(64-from%64, to-from)
		h = (h ^ s[from/64]>>(from%64)&(1<<width-1)) * 0xff51afd7ed558ccd
		h ^= h >> 32
		from += width
	}
	return mix(h, 0)
}
