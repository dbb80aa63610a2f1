package feature_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/feature"
)

// The same poems in simplified and in traditional editions come nearer when both
// are simplified, and nearer than by going the other way.
func TestHanPoems(t *testing.T) {
	dir, ok := datasets.SharedDir()
	if !ok {
		if os.Getenv("ALIKE_REQUIRE_DATA") == "1" {
			t.Fatal("no shared data directory, and ALIKE_REQUIRE_DATA=1")
		}
		t.Skip("no shared data directory: set ALIKE_DATA to run this test")
	}
	set, err := datasets.Load("zh-poems")
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	simplified, traditional := make(map[int][]string), make(map[int][]string)
	for i, d := range set.Docs {
		edition, _, _ := strings.Cut(d.ID, "-")
		c := set.Clusters[i]
		switch edition {
		case "tang300", "shuimo":
			simplified[c] = append(simplified[c], d.Text)
		case "qts", "yd":
			traditional[c] = append(traditional[c], d.Text)
		}
	}
	mean := make(map[feature.Han]float64)
	for _, han := range []feature.Han{feature.KeepHan, feature.Simplified, feature.Traditional} {
		x, err := feature.New(feature.Options{Tokens: feature.Rune, MinWidth: 2, Fold: feature.Fold{Han: han}})
		if err != nil {
			t.Fatal(err)
		}
		sets := make(map[string][]uint64)
		of := func(text string) []uint64 {
			if sets[text] == nil {
				h := x.AppendHashes(nil, text)
				slices.Sort(h)
				sets[text] = slices.Compact(h)
			}
			return sets[text]
		}
		pairs := 0
		for c := range set.Docs { // clusters are numbered below the number of documents
			for _, a := range simplified[c] {
				for _, b := range traditional[c] {
					mean[han] += jaccard(of(a), of(b))
					pairs++
				}
			}
		}
		if pairs < 400 {
			t.Fatalf("%d pairs of editions, want more than 400", pairs)
		}
		mean[han] /= float64(pairs)
		t.Logf("%d pairs, {%s}: mean rune-bigram Jaccard %.4f", pairs, x, mean[han])
	}
	if !(mean[feature.Simplified] > mean[feature.Traditional] && mean[feature.Traditional] > 1.5*mean[feature.KeepHan]) {
		t.Errorf("mean similarity by conversion is %v", mean)
	}
}

// jaccard returns the Jaccard similarity of two sets of hashes in ascending order.
func jaccard(a, b []uint64) float64 {
	both := 0
	for _, h := range a {
		if _, ok := slices.BinarySearch(b, h); ok {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
