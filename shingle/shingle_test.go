package shingle

import (
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity/similaritytest"
)

func TestLaws(t *testing.T) {
	rune2 := feature.Options{Tokens: feature.Rune, MinWidth: 2}
	for _, o := range []Options{
		{},
		{Features: rune2, Bag: true},
		{Features: feature.Options{MinWidth: 3}, Measure: Overlap},
		{Features: feature.Options{MinWidth: 1, MaxWidth: 2}, Bag: true, Measure: Overlap},
		{Features: feature.Options{Weights: feature.LogTF, Top: 50}, Bag: true},
		{Features: feature.Options{Tokens: feature.Byte, MinWidth: 5}},
	} {
		m, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(m.String(), func(t *testing.T) { similaritytest.Run(t, m) })
	}
}

func TestMinHashLaws(t *testing.T) {
	w3 := feature.Options{MinWidth: 3}
	for _, o := range []MinHashOptions{
		{},
		{Features: w3, Bits: 4},
		{Features: w3, Size: 512, Bits: 1},
		{Features: w3, Size: 77, Bits: 8, Seed: 5},
		{Features: w3, Size: 1},
		{Size: 100, Bits: 16, Scheme: KPerm},
		{Size: 33, Scheme: KPerm},
		{Size: 12, Scheme: ICWS},
		{Size: 16, Bits: 2, Scheme: ICWS, Features: feature.Options{Weights: feature.LogTF, Top: 20}},
	} {
		m, err := NewMinHash(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(m.String(), func(t *testing.T) { similaritytest.Run(t, m) })
	}
}

func TestBottomLaws(t *testing.T) {
	for _, o := range []MinHashOptions{{}, {Features: feature.Options{MinWidth: 3}, Size: 16, Seed: 3}} {
		m, err := NewBottom(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(m.String(), func(t *testing.T) { similaritytest.Run(t, m) })
	}
}
