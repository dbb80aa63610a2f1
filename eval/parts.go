package eval

import "github.com/alike-go/alike/datasets"

// Part is one of the two parts that a run divides a set into: documents by
// numbers of their own, and the truth about their pairs.
type Part struct {
	Name string // the split: "dev", "test" or "train"
	Docs []int  // numbers in the set, by number in the part

	// Unit is the bootstrap unit of each document, from 0 to Units-1: its cluster,
	// or the connected component of labelled pairs that it belongs to.
	Unit  []int
	Units int

	// Pairs is truth as labelled pairs, by numbers in the part. It is nil if truth
	// is clusters: then all pairs of documents count, and those of one unit are
	// alike.
	Pairs []datasets.Pair

	// Shared is the number of distinct texts that the other part has too, counted
	// before StrictSplits removes them from the part that thresholds are chosen
	// on.
	Shared int

	clusters *clustered // truth as clusters; nil if it is pairs
}

// Divide returns the part that Run chooses thresholds on and the part that it
// reports on, under the same configuration.
func Divide(set *datasets.Set, cfg Config) (tune, report *Part, err error) {
	cfg, err = cfg.withDefaults()
	if err != nil {
		return nil, nil, err
	}
	return split(set, cfg)
}

// Skips reports whether documents i and j, i < j, of a part whose truth is
// clusters count neither as a hit nor as an error: the set says to ignore them,
// or their texts are equal and their clusters are not.
func (p *Part) Skips(i, j int) bool { return p.clusters != nil && p.clusters.skips(i, j) }
