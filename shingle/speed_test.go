package shingle

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Scratch space is pooled, so a sketch allocates its result and nothing else:
// one slice, two for a bag. Scoring allocates nothing.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("pools lose items on purpose under the race detector")
	}
	text := article()
	set, bag := mustNew(t, Options{Features: w3}), mustNew(t, Options{Features: w3, Bag: true})
	sig, bottom := mustMinHash(t, MinHashOptions{Features: w3}), mustBottom(t, MinHashOptions{Features: w3})
	bits := mustMinHash(t, MinHashOptions{Features: w3, Bits: 4})
	perm := mustMinHash(t, MinHashOptions{Features: w3, Scheme: KPerm})
	s, b, m, o := set.Sketch(text), bag.Sketch(text), sig.Sketch(text), bottom.Sketch(text)
	for _, q := range []struct {
		name string
		want float64
		run  func()
	}{
		{"set", 1, func() { set.Sketch(text) }},
		{"bag", 2, func() { bag.Sketch(text) }},
		{"oph", 1, func() { sig.Sketch(text) }},
		{"oph of 4 bits", 1, func() { bits.Sketch(text) }},
		{"kperm", 1, func() { perm.Sketch(text) }},
		{"bottom", 1, func() { bottom.Sketch(text) }},
		{"scores", 0, func() { set.Score(s, s); bag.Score(b, b); sig.Score(m, m); bottom.Score(o, o) }},
	} {
		if got := testing.AllocsPerRun(200, q.run); got > q.want {
			t.Errorf("%s: %v allocations, want %v", q.name, got, q.want)
		}
	}
}

func ascending(hashes []uint64) []uint64 {
	slices.Sort(hashes)
	return slices.Compact(hashes)
}

// Fair hashes, hashes of few distinct upper bits as weak hash functions give
// them, equal ones, sorted ones and their reverse.
func TestSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 21))
	var s sorter
	for _, n := range []int{0, 1, 2, 24, 25, 100, 427, 5000, 30_000} {
		for _, bits := range []int{64, 40, 30, 12, 1} {
			hs := hashesOf(randomFeatures(rng, n, 1<<30, bits, 0))
			if bits == 30 {
				for i := range hs {
					hs[i] <<= 34
				}
			}
			want := slices.Clone(hs)
			slices.Sort(want)
			for _, kind := range []string{"random", "sorted", "reversed"} {
				if s.sort(hs); !slices.Equal(hs, want) {
					t.Fatalf("%d hashes of %d bits, %s: not sorted", n, bits, kind)
				}
				if kind == "sorted" {
					slices.Reverse(hs)
				}
			}
		}
	}
}
