package shingle

import (
	"context"

	"github.com/alike-go/alike/internal/setjoin"
	"github.com/alike-go/alike/internal/splitmix"
	"github.com/alike-go/alike/similarity"
)

var (
	_ similarity.Joiner[Signature]   = (*MinHash)(nil)
	_ similarity.Bucketer[Signature] = (*MinHash)(nil)
)

// Join finds pairs that score at least the threshold by the bands of their
// signatures (locality-sensitive hashing: Indyk and Motwani, STOC 1998; Broder,
// CPM 2000): each pair that shares a band is scored. Design says which bands, and
// how many pairs are found. Equal signatures are looked up as one.
//
// Beside the signatures it takes, per signature and band, 8 bytes and a share of
// a list's 40 to 80 if another signature has the same band; 64 MB while lists are
// made; and 4 bytes per signature and worker. If a share of all texts has a band
// in common, the time grows with the square of that.
func (m *MinHash) Join(ctx context.Context, a, b []Signature, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	d, err := m.Design(o)
	if err != nil {
		return similarity.JoinStats{}, err
	}
	other := b
	if b == nil {
		other = a
	}
	j := setjoin.KeyJoin[Signature]{
		A: a, B: b, Keys: d.Bands, Key: d.key, Name: "shingle",
		Score: func(i, k int) float64 { return m.Score(a[i], other[k]) },
	}
	return j.Pairs(ctx, o, similarity.JoinStats{Recall: d.ByScore(o.Threshold), Design: d.String()}, emit)
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

// key returns the key of a band of a signature: a hash of its number and its values.
func (d LSHDesign) key(s Signature, band int) uint64 {
	h := uint64(band+1) * splitmix.Step
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
