package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/alike-go/alike/shingle"
)

var setRows = []Builder{{Area: "shingle/pair of sets of 427", Build: setPair}}

const (
	setSize      = 427
	roaringRival = "RoaringBitmap/roaring"
	mapRival     = "map"
)

// setPair compares sets that share half of their hashes: Jaccard's index 1/3.
// Pairs come in turn, so that the branch predictor learns none.
func setPair(*Input) (*Row, error) {
	const pairs, shared = 32, setSize/2 + 1
	type pair [2]shingle.Set
	m, err := shingle.New(shingle.Options{Features: threeWords})
	if err != nil {
		return nil, err
	}
	var ours [pairs]pair
	var bitmaps [pairs][2]*roaring.Bitmap
	var maps [pairs][2]map[uint64]struct{}
	r := rand.New(rand.NewPCG(427, 1))
	for i := range ours {
		common := random(r, shared)
		for k := range 2 {
			set := append(random(r, setSize-shared), common...)
			slices.Sort(set)
			ours[i][k] = shingle.Set{Hashes: set}
			bitmaps[i][k] = roaring.New()
			maps[i][k] = map[uint64]struct{}{}
			for _, h := range set {
				bitmaps[i][k].Add(uint32(h >> 32)) // it holds 32 bits
				maps[i][k][h] = struct{}{}
			}
			bitmaps[i][k].RunOptimize()
		}
		exact := float64(shared) / (2*setSize - shared)
		for name, got := range map[string]float64{
			"ours":       m.Score(ours[i][0], ours[i][1]),
			roaringRival: roaringJaccard(bitmaps[i][0], bitmaps[i][1]),
			mapRival:     mapJaccard(maps[i][0], maps[i][1]),
		} {
			if math.Abs(got-exact) > 1e-12 {
				return nil, fmt.Errorf("%s: Jaccard's index is %g, want %g", name, got, exact)
			}
		}
	}
	return &Row{
		Area: "shingle/pair of sets of 427", Unit: NsPair, Work: pairs,
		Ours: Contender{Name: m.String(), Run: func() {
			for i := range ours {
				sink += math.Float64bits(m.Score(ours[i][0], ours[i][1]))
			}
		}},
		Rivals: []Contender{
			{Name: roaringRival, Run: func() {
				for i := range bitmaps {
					sink += math.Float64bits(roaringJaccard(bitmaps[i][0], bitmaps[i][1]))
				}
			}},
			{Name: mapRival, Run: func() {
				for i := range maps {
					sink += math.Float64bits(mapJaccard(maps[i][0], maps[i][1]))
				}
			}},
		},
		Bounds: []Bound{{Rival: roaringRival, Floor: 1.5, Goal: 4}},
	}, nil
}

func random(r *rand.Rand, n int) []uint64 {
	hashes := make([]uint64, n)
	for i := range hashes {
		hashes[i] = r.Uint64()
	}
	return hashes
}

func roaringJaccard(a, b *roaring.Bitmap) float64 {
	both := a.AndCardinality(b)
	return float64(both) / float64(a.GetCardinality()+b.GetCardinality()-both)
}

func mapJaccard(a, b map[uint64]struct{}) float64 {
	both := 0
	for h := range a {
		if _, ok := b[h]; ok {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
