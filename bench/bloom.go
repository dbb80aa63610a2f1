package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/bits-and-blooms/bitset"
	"github.com/bits-and-blooms/bloom/v3"
	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/bloomsim"
	"github.com/alike-go/alike/feature"
)

var bloomRows = []Builder{
	{Area: "bloom/build", Build: bloomBuild},
	{Area: "bloom/compare", Build: bloomCompare},
}

const (
	bloomBits   = 8192
	bloomHashes = 4
	bloomRival  = "bits-and-blooms/bloom"
	bitsetRival = "bits-and-blooms/bitset"
)

func newBloom() (*bloomsim.Method, error) {
	return bloomsim.New(bloomsim.Options{Features: threeWords, Bits: bloomBits, Hashes: bloomHashes})
}

// bloomSet is a set of 400 keys of 8 bytes as each contender wants it.
type bloomSet struct {
	keys     []uint64
	features []feature.Feature
	buf      [8]byte
}

func newBloomSet(keys []uint64) *bloomSet {
	return &bloomSet{keys: keys, features: make([]feature.Feature, 0, len(keys))}
}

// ours hashes the keys too, as the rival must.
func (s *bloomSet) ours(m *bloomsim.Method) bloomsim.Filter {
	s.features = s.features[:0]
	for _, key := range s.keys {
		binary.LittleEndian.PutUint64(s.buf[:], key)
		s.features = append(s.features, feature.Feature{Hash: xxh3.Hash(s.buf[:]), Weight: 1})
	}
	return m.SketchFeatures(s.features)
}

func (s *bloomSet) theirs() *bloom.BloomFilter {
	f := bloom.New(bloomBits, bloomHashes)
	for _, key := range s.keys {
		binary.LittleEndian.PutUint64(s.buf[:], key)
		f.Add(s.buf[:])
	}
	return f
}

// twoSets returns two sets of 400 keys that share 267: Jaccard's index is one half.
func twoSets() (a, b *bloomSet) {
	r := rand.New(rand.NewPCG(8192, 4))
	keys := make([]uint64, 400*4/3)
	for i := range keys {
		keys[i] = r.Uint64()
	}
	return newBloomSet(keys[:400]), newBloomSet(keys[len(keys)-400:])
}

func bloomBuild(*Input) (*Row, error) {
	m, err := newBloom()
	if err != nil {
		return nil, err
	}
	a, b := twoSets()
	if err := checkBloom(m, a, b); err != nil {
		return nil, err
	}
	return &Row{
		Area: "bloom/build", Unit: NsFeature, Work: float64(len(a.keys)),
		Ours:   Contender{Name: m.String(), Run: func() { sink += uint64(a.ours(m).Ones()) }},
		Rivals: []Contender{{Name: bloomRival, Run: func() { sink += uint64(a.theirs().K()) }}},
		Bounds: []Bound{{Rival: bloomRival, Floor: 4, Goal: 7}},
	}, nil
}

func bloomCompare(in *Input) (*Row, error) {
	m, err := newBloom()
	if err != nil {
		return nil, err
	}
	a, b := twoSets()
	if err := checkBloom(m, a, b); err != nil {
		return nil, err
	}
	// Pairs of documents in turn, so that the branch predictor learns no single pair.
	const pairs = 32
	var ours [pairs]bloomsim.Filter
	var theirs [pairs]*bitset.BitSet
	for i := range ours {
		ours[i] = m.Sketch(in.Docs[i%len(in.Docs)])
		theirs[i] = ours[i].BitSet()
	}
	return &Row{
		Area: "bloom/compare", Unit: NsPair, Work: pairs,
		Ours: Contender{Name: m.String(), Run: func() {
			for i := range ours {
				sink += math.Float64bits(m.Score(ours[i], ours[(i+1)%pairs]))
			}
		}},
		Rivals: []Contender{{Name: bitsetRival, Run: func() {
			for i := range theirs {
				sink += uint64(theirs[i].IntersectionCardinality(theirs[(i+1)%pairs]))
			}
		}}},
		Bounds: []Bound{{Rival: bitsetRival, Floor: 1, Goal: 1.5}},
	}, nil
}

// checkBloom wants the estimates of both from their bit counts near to Jaccard's index.
func checkBloom(m *bloomsim.Method, a, b *bloomSet) error {
	in := map[uint64]bool{}
	for _, key := range a.keys {
		in[key] = true
	}
	shared := 0.0
	for _, key := range b.keys {
		if in[key] {
			shared++
		}
	}
	exact := shared / (800 - shared)
	if got := m.Score(a.ours(m), b.ours(m)); math.Abs(got-exact) > 0.03 {
		return fmt.Errorf("ours estimates Jaccard's index %.3f, it is %.3f", got, exact)
	}
	fa, fb := a.theirs(), b.theirs()
	na, nb := float64(fa.ApproximatedSize()), float64(fb.ApproximatedSize())
	if err := fa.Merge(fb); err != nil {
		return err
	}
	union := float64(fa.ApproximatedSize())
	if got := (na + nb - union) / union; math.Abs(got-exact) > 0.03 {
		return fmt.Errorf("%s estimates Jaccard's index %.3f, it is %.3f", bloomRival, got, exact)
	}
	return nil
}
