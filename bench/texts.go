package main

import (
	"fmt"
	"math"

	"github.com/adrg/strutil/metrics"
	"github.com/hbollon/go-edlib"

	"github.com/alike-go/alike/cosine"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/shingle"
)

var textRows = []Builder{
	{Area: "shingle/two texts, sets of bigrams", Build: textSets},
	{Area: "shingle/two texts, bags of bigrams", Build: textBags},
	{Area: "cosine/two texts, sets of bigrams", Build: textCosine},
}

const (
	edlibRival   = "hbollon/go-edlib"
	strutilRival = "adrg/strutil"
	textPairs    = 16
)

// bigrams are the rune bigrams that the rivals cut: nothing is folded.
var bigrams = feature.Options{
	Tokens: feature.Rune, MinWidth: 2,
	Fold: feature.Fold{Form: feature.NoForm, KeepCase: true, Space: feature.KeepSpace},
}

// textSets scores two texts of which nothing is known beforehand, as a user does who
// compares a pair and keeps nothing.
func textSets(in *Input) (*Row, error) {
	m, err := shingle.New(shingle.Options{Features: bigrams})
	if err != nil {
		return nil, err
	}
	return textRow(in, "shingle/two texts, sets of bigrams", m.String(),
		func(a, b string) float64 { return m.Score(m.Sketch(a), m.Sketch(b)) },
		edlibRival,
		func(a, b string) float64 { return float64(edlib.JaccardSimilarity(a, b, 2)) })
}

func textBags(in *Input) (*Row, error) {
	m, err := shingle.New(shingle.Options{Features: bigrams, Bag: true})
	if err != nil {
		return nil, err
	}
	jaccard := metrics.NewJaccard()
	return textRow(in, "shingle/two texts, bags of bigrams", m.String(),
		func(a, b string) float64 { return m.Score(m.Sketch(a), m.Sketch(b)) },
		strutilRival, jaccard.Compare)
}

func textCosine(in *Input) (*Row, error) {
	m, err := cosine.New(cosine.Options{Features: bigrams, Scheme: "bnc"})
	if err != nil {
		return nil, err
	}
	return textRow(in, "cosine/two texts, sets of bigrams", m.String(),
		func(a, b string) float64 { return m.Score(m.Sketch(a), m.Sketch(b)) },
		edlibRival,
		func(a, b string) float64 { return float64(edlib.CosineSimilarity(a, b, 2)) })
}

// textRow takes planted pairs in turn. Scores must agree to the precision of float32.
func textRow(in *Input, area, name string, ours func(a, b string) float64, rival string, theirs func(a, b string) float64) (*Row, error) {
	pairs := in.Pairs[:min(textPairs, len(in.Pairs))]
	for _, p := range pairs {
		a, b := in.Docs[p.Original], in.Docs[p.Copy]
		if x, y := ours(a, b), theirs(a, b); math.Abs(x-y) > 1e-5 {
			return nil, fmt.Errorf("documents %d and %d score %g by ours, %g by %s", p.Original, p.Copy, x, y, rival)
		}
	}
	run := func(score func(a, b string) float64) func() {
		return func() {
			for _, p := range pairs {
				sink += math.Float64bits(score(in.Docs[p.Original], in.Docs[p.Copy]))
			}
		}
	}
	return &Row{
		Area: area, Unit: MicroPair, Work: float64(len(pairs)),
		Ours:   Contender{Name: name, Run: run(ours)},
		Rivals: []Contender{{Name: rival, Run: run(theirs)}},
	}, nil
}
