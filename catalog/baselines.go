package catalog

import (
	"strconv"

	"github.com/alike-go/alike/align"
	"github.com/alike-go/alike/feature"
)

const readsCharacters = "the characters of the folded text, not features"

// baselines are the methods for short texts that run on demand alone: a pair of long texts
// costs the product of their lengths.
var baselines = []entry{
	baseline(align.Edit, "the folded text; 1 - edit distance / longer length (Myers 1999)",
		"for titles, names and single lines, where a typing error is what differs"),
	baseline(align.Subsequence, "the folded text; twice the longest common subsequence / both lengths (Hyyrö 2004)",
		"for short texts in which words were put in or left out"),
	baseline(align.Substring, "the folded text; twice the longest common substring / both lengths",
		"for short texts of which one passage was copied as it is"),
	define(Entry{
		Name:     "rule80",
		Summary:  "the set of terms and its size; the smaller of share of terms and ratio of sizes: at 0.8 the rule of thumb",
		When:     "to hold other methods against the rule that 80 % of the terms are shared and sizes are within 20 %",
		Reads:    readsFeatures,
		OnDemand: true,
	}, hide(align.NewRule), featureKeys(func(o *align.RuleOptions) *feature.Options { return &o.Features },
		"weights", "levels", "top", "phrases")),
}

// baseline makes the entry of a measure.
func baseline(m align.Measure, summary, when string) entry {
	return define(Entry{Name: m.String(), Summary: summary, When: when, Reads: readsCharacters, OnDemand: true},
		hide(func(o align.Options) (*align.Method, error) {
			o.Measure = m
			return align.New(o)
		}), []key[align.Options]{
			whole("most", strconv.Itoa(align.DefaultMost), 1, align.MaxMost, "characters read of a text; what stands behind them does not count", func(o *align.Options) *int { return &o.Most }),
		}, foldKeys(func(o *align.Options) *feature.Fold { return &o.Fold }))
}
