package simhash_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/simhash"
)

// An index finds the near-duplicates of a new text.
func ExampleIndex() {
	m, err := simhash.New(simhash.Options{})
	if err != nil {
		panic(err)
	}
	x, err := simhash.NewIndex(m, 3)
	if err != nil {
		panic(err)
	}
	for _, text := range []string{
		"The library opens at nine and closes at six.",
		"Tickets are sold at the door only.",
	} {
		x.Add(m.Sketch(text))
	}
	for _, match := range x.Query(nil, m.Sketch("the library closes at six, and opens at nine")) {
		fmt.Println(match.Number, match.Distance, match.Score)
	}
	// Output: 0 0 1
}

// An index finds what comparing all fingerprints finds, whatever was added and deleted.
func TestIndex(t *testing.T) {
	for _, bits := range []int{32, 64, 128} {
		m, err := simhash.New(simhash.Options{Bits: bits})
		if err != nil {
			t.Fatal(err)
		}
		for _, distance := range []int{0, 3, bits / 2, bits} {
			x, err := simhash.NewIndex(m, distance)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(uint64(bits), uint64(distance)))
			flip := func(f simhash.Fingerprint) simhash.Fingerprint {
				for range rng.IntN(5) {
					f.Lo ^= 1 << rng.IntN(32)
				}
				return f
			}
			var all []simhash.Fingerprint
			seeds := []simhash.Fingerprint{m.Sketch("one two three"), m.Sketch("four five six"), {}}
			for range 3000 {
				f := seeds[rng.IntN(3)]
				if !f.IsZero() {
					f = flip(f)
				}
				if n := x.Add(f); n != len(all) {
					t.Fatalf("number %d, want %d", n, len(all))
				}
				all = append(all, f)
				if n := rng.IntN(4 * len(all)); n < len(all) {
					if x.Delete(n) != !all[n].IsZero() {
						t.Fatalf("Delete(%d) of %v", n, all[n])
					}
					all[n] = simhash.Fingerprint{}
				}
			}
			live := 0
			for _, f := range all {
				if !f.IsZero() {
					live++
				}
			}
			if x.Len() != live {
				t.Errorf("%d fingerprints, want %d", x.Len(), live)
			}
			for range 20 {
				q := flip(seeds[rng.IntN(2)])
				var want []simhash.Match
				for n, f := range all {
					if d := simhash.Distance(q, f); !f.IsZero() && d <= distance {
						want = append(want, simhash.Match{Number: n, Distance: d, Score: m.Score(q, f)})
					}
				}
				if got := x.Query(nil, q); !slices.Equal(got, want) {
					t.Fatalf("%d bits, distance %d: %d found, want %d", bits, distance, len(got), len(want))
				}
			}
			if got := x.Query(nil, simhash.Fingerprint{}); got != nil {
				t.Errorf("a text without features finds %v", got)
			}
		}
		for _, distance := range []int{-1, bits + 1} {
			if _, err := simhash.NewIndex(m, distance); err == nil {
				t.Errorf("%d bits: distance %d is accepted", bits, distance)
			}
		}
	}
}
