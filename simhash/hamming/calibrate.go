package hamming

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/alike-go/alike/internal/scan"
)

// Calibrate measures the costs of this machine, in about two seconds and 300 MB of
// memory. Results differ from run to run.
func Calibrate() Costs {
	const (
		codes = 1 << 23 // 64 MiB, more than a cache
		words = 1 << 13 // 32 KiB, within one
		small = 1 << 12 // codes of an index that stays in cache
		many  = 1 << 25 // 128 MiB of places to read at random
	)
	rng := rand.New(rand.NewPCG(1, 1))
	var c Costs

	list := make([]uint64, codes)
	for i := range list {
		list[i] = rng.Uint64()
	}
	near := make([]uint32, codes/256)
	c.Scan = perItem(codes, func() {
		for from := 0; from < codes; from += len(near) {
			scan.Near(near, list[from:from+len(near)], uint64(from), 0)
		}
	})

	bucket := make([]uint32, words)
	for i := range bucket {
		bucket[i] = rng.Uint32() | 0xff // at least 8 bits from the word sought
	}
	c.Candidate = perItem(words*64, func() {
		for range 64 {
			scan.Next32(bucket, 0, 3)
		}
	})

	// In a small index of ten tables the buckets are almost empty.
	x, err := Build(Codes64(list[:small]), 3, Options{Design: "blocks:5", Workers: 1})
	if err != nil {
		panic(err)
	}
	var dst []Match
	c.Lookup = perItem(small*10, func() {
		for _, q := range list[small : 2*small] {
			dst = x.Search(dst[:0], Code{Lo: q}, 3)
		}
	})

	places := make([]uint32, many)
	for i := range places {
		places[i] = rng.Uint32()
	}
	sum := uint32(0)
	// The places to read do not depend on what is read, so reads overlap.
	c.Miss = perItem(1<<20, func() {
		at := uint32(1)
		for range 1 << 20 {
			at = at*1664525 + 1013904223
			sum += places[at>>7]
		}
	})
	sink(uint64(sum))
	return c
}

// perItem returns the nanoseconds of f per item, for n items: the median of five runs
// after a warm-up.
func perItem(n int, f func()) float64 {
	f()
	var runs []float64
	for range 5 {
		start := time.Now()
		f()
		runs = append(runs, float64(time.Since(start).Nanoseconds())/float64(n))
	}
	slices.Sort(runs)
	return runs[len(runs)/2]
}

// sink keeps the compiler from dropping a computation that is only timed.
//
//go:noinline
func sink(uint64) {}
