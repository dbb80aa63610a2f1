package simhash

import (
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity/similaritytest"
)

func TestLaws(t *testing.T) {
	for _, o := range []Options{
		{},
		{Bits: 32, Score: Linear},
		{Bits: 128, Tie: TieZero},
		{Features: feature.Options{Tokens: feature.Rune, MinWidth: 4}},
		{Features: feature.Options{Weights: feature.LogTF}, Score: Linear},
		{Bits: 128, Features: feature.Options{Weights: feature.FitIDF}},
	} {
		m, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(m.String(), func(t *testing.T) { similaritytest.Run(t, m) })
	}
}
