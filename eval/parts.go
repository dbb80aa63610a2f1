package eval

import "github.com/alike-go/alike/datasets"

// Part is one of the two parts that a run divides a set into: documents by numbers
// of their own, and the truth about their pairs.
type Part struct {
	Name string // the split: "dev", "test" or "train"
	Docs []int  // numbers in the set, by number in the part

	// Unit is the bootstrap unit of each document, from 0 to Units-1: its cluster, or
	// the connected component of labelled pairs that it lies in.
	Unit  []int
	Units int

	// Pairs is truth as labelled pairs, by numbers in the part; nil where truth is
	// clusters. Then all pairs of documents count, and those of one unit are alike.
	Pairs []datasets.Pair

	// Shared is the number of distinct texts that the other part has too,
	// counted before StrictSplits leaves them out of the part that thresholds
	// are chosen on.
	Shared int

	clusters *clustered
}

// Divide returns the part that Run chooses thresholds on and the part that it
// reports on, under the same configuration.
func Divide(set *datasets.Set, cfg Config) (tune, report Part, err error) {
	cfg, err = cfg.withDefaults()
	if err != nil {
		return Part{}, Part{}, err
	}
	t, r, err := split(set, cfg)
	if err != nil {
		return Part{}, Part{}, err
	}
	return t.export(), r.export(), nil
}

func (p *part) export() Part {
	out := Part{Name: p.name, Docs: p.docs, Unit: p.unit, Units: p.units, Shared: p.shared, clusters: p.clusters}
	if p.clusters == nil {
		out.Pairs = p.pairs
	}
	return out
}

// Skips reports whether documents i and j, i < j, of a part whose truth is clusters
// count neither as a hit nor as an error: the set says to ignore them, or their
// texts are equal and their clusters are not.
func (p Part) Skips(i, j int) bool { return p.clusters != nil && p.clusters.skips(i, j) }
