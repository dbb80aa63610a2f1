package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/hbollon/go-edlib"

	"github.com/alike-go/alike/align"
	"github.com/alike-go/alike/feature"
)

// Rows of two lengths: pages, and titles as one compares them. Titles in Chinese have
// other characters; a rival that works on runes does not mind.
var alignRows = []Builder{
	alignRow("edit/pages of 2,000 characters", align.Edit, 2000, false, Bound{Floor: 8, Goal: 18}),
	alignRow("edit/titles of 60 characters", align.Edit, 60, false, Bound{}),
	alignRow("edit/titles of 60 Chinese characters", align.Edit, 60, true, Bound{}),
	alignRow("lcs/pages of 2,000 characters", align.Subsequence, 2000, false, Bound{Floor: 50, Goal: 150}),
	alignRow("lcs/titles of 60 characters", align.Subsequence, 60, false, Bound{}),
	alignRow("lcs/titles of 60 Chinese characters", align.Subsequence, 60, true, Bound{}),
}

const (
	agnivadeRival = "agnivade/levenshtein"
	alignPairs    = 16
)

// alignRow takes two texts of which nothing is known beforehand, of different documents: at
// their ends nothing is alike that could be cut off.
func alignRow(area string, measure align.Measure, size int, chinese bool, bound Bound) Builder {
	return Builder{Area: area, Build: func(in *Input) (*Row, error) {
		m, err := align.New(align.Options{Measure: measure,
			Fold: feature.Fold{Form: feature.NoForm, KeepCase: true, Space: feature.KeepSpace}})
		if err != nil {
			return nil, err
		}
		var texts [alignPairs + 1]string
		for i := range texts {
			text := in.Docs[i%len(in.Docs)]
			text = strings.Repeat(text, 1+size/len(text))[:size]
			if chinese {
				text = strings.Map(func(r rune) rune { return 0x4e00 + 7*r }, text)
			}
			texts[i] = text
		}
		ours := func(a, b string) float64 { return m.Score(m.Sketch(a), m.Sketch(b)) }
		rivals := map[string]func(a, b string) float64{}
		length := float64(size)
		if measure == align.Edit {
			rivals[agnivadeRival] = func(a, b string) float64 { return 1 - float64(levenshtein.ComputeDistance(a, b))/length }
			rivals[edlibRival] = func(a, b string) float64 { return 1 - float64(edlib.LevenshteinDistance(a, b))/length }
		} else {
			rivals[edlibRival] = func(a, b string) float64 { return float64(edlib.LCS(a, b)) / length }
		}
		run := func(score func(a, b string) float64) func() {
			return func() {
				for i := range alignPairs {
					sink += math.Float64bits(score(texts[i], texts[i+1]))
				}
			}
		}
		row := &Row{Area: area, Unit: MicroPair, Work: alignPairs, Ours: Contender{Name: m.String(), Run: run(ours)}}
		for _, name := range []string{agnivadeRival, edlibRival} {
			theirs, ok := rivals[name]
			if !ok {
				continue
			}
			for i := range alignPairs {
				if x, y := ours(texts[i], texts[i+1]), theirs(texts[i], texts[i+1]); math.Abs(x-y) > 1e-12 {
					return nil, fmt.Errorf("texts %d and %d score %g by ours, %g by %s", i, i+1, x, y, name)
				}
			}
			row.Rivals = append(row.Rivals, Contender{Name: name, Run: run(theirs)})
		}
		if bound.Goal > 0 {
			bound.Rival = row.Rivals[0].Name
			row.Bounds = []Bound{bound}
		}
		return row, nil
	}}
}
