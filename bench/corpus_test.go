package main

import (
	"math"
	"strings"
	"testing"
)

func TestCorpus(t *testing.T) {
	c := NewCorpus(500, 1)
	var words, distinct int
	for _, doc := range c.Docs {
		fields := strings.Fields(doc)
		words += len(fields)
		set := map[string]bool{}
		for _, w := range fields {
			set[strings.ToLower(strings.Trim(w, ".,"))] = true
		}
		distinct += len(set)
	}
	n := float64(len(c.Docs))
	if mean := float64(words) / n; math.Abs(mean-meanWords) > 20 {
		t.Errorf("%.0f words a document, want about %d", mean, meanWords)
	}
	if mean := float64(c.Bytes) / n; math.Abs(mean-2700) > 150 {
		t.Errorf("%.0f bytes a document, want about 2,700", mean)
	}
	if mean := float64(distinct) / n; math.Abs(mean-288) > 15 {
		t.Errorf("%.0f distinct words a document, want about 288", mean)
	}
	inClusters := map[int]bool{}
	for _, p := range c.Pairs {
		inClusters[p.Original], inClusters[p.Copy] = true, true
	}
	if share := float64(len(inClusters)) / n; math.Abs(share-0.2) > 0.02 {
		t.Errorf("%.2f of the documents are in clusters, want a fifth", share)
	}
	if again := NewCorpus(500, 1); again.Sum != c.Sum {
		t.Errorf("checksum %s, then %s from the same seed", c.Sum, again.Sum)
	}
	if other := NewCorpus(500, 2); other.Sum == c.Sum {
		t.Error("another seed gives the same documents")
	}
}
