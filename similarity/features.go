package similarity

import (
	"cmp"
	"slices"

	"github.com/alike-go/alike/feature"
)

// SharedFeatures returns the features that both texts have, with all their places,
// heaviest first, ties in the order of the first text. weight gives the weight of a
// feature as evidence; one of 0 or less is left out.
func SharedFeatures(x *feature.Extractor, kind, a, b string, weight func(hash uint64) float64) []Evidence {
	at := make(map[uint64]int) // the place in out, by hash
	var out []Evidence
	for _, f := range x.Locate(a) {
		k, seen := at[f.Hash]
		if !seen {
			k = len(out)
			at[f.Hash] = k
			out = append(out, Evidence{Kind: kind, Text: a[f.Start:f.End], Hash: f.Hash, Weight: weight(f.Hash)})
		}
		out[k].A = append(out[k].A, f.Span)
	}
	for _, f := range x.Locate(b) {
		if k, ok := at[f.Hash]; ok {
			out[k].B = append(out[k].B, f.Span)
		}
	}
	out = slices.DeleteFunc(out, func(e Evidence) bool { return e.B == nil || e.Weight <= 0 })
	slices.SortStableFunc(out, func(p, q Evidence) int { return cmp.Compare(q.Weight, p.Weight) })
	return slices.Clip(out)
}
