package simhash

import (
	"context"
	"fmt"
	"math"
	"sort"

	"github.com/alike-go/alike/simhash/hamming"
	"github.com/alike-go/alike/similarity"
)

var (
	_ similarity.Joiner[Fingerprint]   = (*Method)(nil)
	_ similarity.Bucketer[Fingerprint] = (*Method)(nil)
)

// radius returns the largest distance at which two fingerprints still score at least the
// threshold on the method's scale, or -1 if none does.
func (m *Method) radius(threshold float64) int {
	return sort.Search(m.o.Bits+1, func(h int) bool { return m.scores[h] < threshold }) - 1
}

// Join finds all pairs that score at least o.Threshold. It is exact: see
// hamming.SelfJoin for how, and for what it holds in memory. Up to a distance of some
// ten bits of 64 it is much faster than scoring all pairs; beyond, all are compared, though
// many at a time.
func (m *Method) Join(ctx context.Context, a, b []Fingerprint, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	o, err := o.Check()
	if err != nil {
		return similarity.JoinStats{}, err
	}
	codesA, placeA := m.pack(a)
	codesB, placeB := codesA, placeA
	take := func(p hamming.Pair) error {
		return emit(similarity.Pair{A: placeA(p.A), B: placeB(p.B), Score: m.scores[p.Distance]})
	}
	k, how := m.radius(o.Threshold), hamming.JoinOptions{Workers: o.Workers, Progress: o.Progress}
	var st hamming.JoinStats
	if b == nil {
		st, err = hamming.SelfJoin(ctx, codesA, k, how, take)
	} else {
		codesB, placeB = m.pack(b)
		st, err = hamming.Join(ctx, codesA, codesB, k, how, take)
	}
	out := similarity.JoinStats{Candidates: st.Candidates, Verified: st.Candidates, Pairs: st.Pairs, Recall: 1, Design: st.Design}
	return out, err
}

// pack returns the fingerprints of texts with features, and a function from their places
// among them to those in the slice.
func (m *Method) pack(s []Fingerprint) (hamming.Codes, func(uint32) int) {
	codes := hamming.NewCodes(m.o.Bits, len(s))
	var places []uint32 // nil while no text is without features
	for i, f := range s {
		if f.IsZero() {
			if places == nil {
				places = make([]uint32, i, len(s))
				for j := range places {
					places[j] = uint32(j)
				}
			}
			continue
		}
		if places != nil {
			places = append(places, uint32(i))
		}
		codes.Append(hamming.Code(f))
	}
	if places == nil {
		return codes, func(i uint32) int { return int(i) }
	}
	return codes, func(i uint32) int { return int(places[i]) }
}

// Without a number of documents the layout of Buckets takes the fewest tables whose keys have so
// many bits, if those are not too many, because each table is a write for every document and a
// read for every query.
const (
	wantedKeyBits = 16
	mostTables    = 64
)

// With one it takes, of as many tables as a Key can name, those that cost least: a key that is
// written, sorted and looked up costs as much as so many fingerprints that are found under
// it and compared. That is 150 to 250 where all is in memory (go test -bench Layout ./simhash) and
// buckets are even; those of real texts are not, and one that is crowded costs the square.
const (
	keyCost       = 100
	mostKeyTables = 256
)

// Buckets returns a layout by blocks of the fingerprint (Manku, Jain, Das Sarma, WWW 2007):
// with r blocks and radius k a bucket is the choice of r-k of them and their bits. It is
// exact at the threshold. The lower the threshold, the shorter the keys: beyond a
// radius of 15 bits of 64 a bucket holds a sixteenth of all documents or more.
//
// With o.Documents the blocks are as many as cost least at that number: of 64 bits within 3 four
// keys of 16 bits up to some ten million documents, ten of 25 to 26 bits up to some billions,
// twenty of 31 to 33 bits beyond.
//
// Recall takes the bits in which two fingerprints differ for spread evenly, and of the
// distances that score as much the farthest.
func (m *Method) Buckets(o similarity.JoinOptions) (similarity.Buckets[Fingerprint], error) {
	o, err := o.Check()
	if err != nil {
		return similarity.Buckets[Fingerprint]{}, err
	}
	k := m.radius(o.Threshold)
	if k >= m.o.Bits {
		// Any two fingerprints are near enough: one bucket.
		return similarity.Buckets[Fingerprint]{
			Tables: 1, Design: "one bucket", Recall: func(float64) float64 { return 1 }, Word: m.word(k),
			Append: func(dst []similarity.Key, s Fingerprint) []similarity.Key {
				if s.IsZero() {
					return dst
				}
				return append(dst, similarity.Key{})
			},
		}, nil
	}
	d, blocks, err := m.blocks(k, o.Documents)
	if err != nil {
		return similarity.Buckets[Fingerprint]{}, fmt.Errorf("simhash: %w", err)
	}
	keys := hamming.NewKeys(d)
	return similarity.Buckets[Fingerprint]{
		Tables: len(d.Tables),
		Design: d.String(),
		Recall: func(score float64) float64 { return hamming.BlocksFind(m.o.Bits, k, blocks, m.radius(score)) },
		Append: func(dst []similarity.Key, s Fingerprint) []similarity.Key {
			if s.IsZero() {
				return dst
			}
			for t := range len(d.Tables) {
				dst = append(dst, similarity.Key{Table: uint8(t), Bucket: keys.Of(t, hamming.Code(s))})
			}
			return dst
		},
		Word: m.word(k),
	}, nil
}

// word returns the fingerprint itself as the word of a layout, or of 128 bits the lower
// half, which differs in no more bits than the whole.
func (m *Method) word(radius int) *similarity.Word[Fingerprint] {
	design := "fingerprint"
	if m.o.Bits == 128 {
		design = "lower half of the fingerprint"
	}
	return &similarity.Word[Fingerprint]{
		Design:   design,
		Within:   min(64, max(0, radius)),
		Of:       func(s Fingerprint) uint64 { return s.Lo },
		Distance: Distance,
	}
}

// blocks returns the design of the layout for a radius less than the bits, and its
// number of blocks.
func (m *Method) blocks(k int, documents int64) (hamming.Design, int, error) {
	if documents > 0 {
		return m.blocksFor(k, documents)
	}
	for r := k + 1; r <= m.o.Bits; r++ {
		d, err := hamming.Blocks(m.o.Bits, k, r)
		if err != nil || r > k+1 && len(d.Tables) > mostTables {
			break
		}
		if least, _ := d.KeyBits(); least >= wantedKeyBits {
			return d, r, nil
		}
	}
	d, err := hamming.Blocks(m.o.Bits, k, k+1)
	return d, k + 1, err
}

// blocksFor returns the design that costs least with so many documents, and its
// number of blocks.
func (m *Method) blocksFor(k int, documents int64) (best hamming.Design, blocks int, err error) {
	least := math.Inf(1)
	tables := 1 // of r blocks, of which k are left out
	for r := k + 1; r <= m.o.Bits; r++ {
		if tables = tables * r / (r - k); tables > mostKeyTables && r > k+1 {
			break
		}
		d, err := hamming.Blocks(m.o.Bits, k, r)
		if err != nil {
			return d, r, err
		}
		e := hamming.DefaultCosts.Estimate(d, documents)
		if cost := float64(keyCost*e.Tables) + e.Candidates; cost < least {
			best, blocks, least = d, r, cost
		}
	}
	return best, blocks, nil
}
