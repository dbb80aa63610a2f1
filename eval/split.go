package eval

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
)

// split returns the part to tune on and the part to report on.
func split(set *datasets.Set, cfg Config) (tune, rep *Part, err error) {
	if cfg.allPairs(set) {
		if cfg.joins(set) && cfg.Join == "auto" {
			cfg.MaxDocs = math.MaxInt
		}
		tune, rep, err = splitClusters(set, cfg)
	} else {
		tune, rep, err = splitPairs(set, cfg.Report, cfg.Seed)
	}
	if err != nil {
		return nil, nil, err
	}
	both := sharedTexts(set, tune, rep)
	if cfg.StrictSplits && len(both) > 0 {
		name := tune.Name
		if tune = tune.without(set, both); len(tune.Pairs) == 0 && (tune.clusters == nil || tune.clusters.positives() == 0) {
			return nil, nil, fmt.Errorf("eval: nothing is left of %s of %s without the %d texts that %s has too", name, set.Name, len(both), rep.Name)
		}
	}
	tune.Shared, rep.Shared = len(both), len(both)
	return tune, rep, nil
}

// sharedTexts returns the texts that documents of both parts have.
func sharedTexts(set *datasets.Set, a, b *Part) map[string]bool {
	in := make(map[string]bool, len(b.Docs))
	for _, d := range b.Docs {
		in[set.Docs[d].Text] = true
	}
	both := map[string]bool{}
	for _, d := range a.Docs {
		if t := set.Docs[d].Text; in[t] {
			both[t] = true
		}
	}
	return both
}

// without returns the part without the documents that have one of the texts.
func (p *Part) without(set *datasets.Set, texts map[string]bool) *Part {
	keep := func(i int) bool { return !texts[set.Docs[p.Docs[i]].Text] }
	if p.clusters == nil {
		var pairs []datasets.Pair
		for _, q := range p.Pairs {
			if keep(q.A) && keep(q.B) {
				q.A, q.B = p.Docs[q.A], p.Docs[q.B]
				pairs = append(pairs, q)
			}
		}
		return newPairsPart(p.Name, pairs)
	}
	members := make([][]int, p.Units)
	for i, d := range p.Docs {
		if keep(i) {
			members[p.Unit[i]] = append(members[p.Unit[i]], d)
		}
	}
	members = slices.DeleteFunc(members, func(m []int) bool { return len(m) == 0 })
	return clusterPart(set, p.Name, members, p.clusters.from)
}

// splitPairs divides labelled pairs. The tuning part is the first of dev, train
// and test that is not reported on; a set without splits is halved by component
// under the seed.
func splitPairs(set *datasets.Set, report datasets.Split, seed uint64) (tune, rep *Part, err error) {
	if len(set.Pairs) == 0 {
		return nil, nil, fmt.Errorf("eval: %s has no labelled pairs", set.Name)
	}
	choose, rsplit, ok := set.Roles()
	if !ok {
		set = set.SplitByComponent(seed, 0.5)
		choose, rsplit = datasets.Dev, datasets.Test
	}
	if report != datasets.None && report != rsplit {
		var have []string
		found := false
		for _, s := range []datasets.Split{datasets.Test, datasets.Train, datasets.Dev} {
			if len(set.Select(s)) == 0 {
				continue
			}
			have = append(have, s.String())
			if s == report {
				rsplit, found = s, true
			} else {
				choose = s // dev, where it is not reported on, comes last
			}
		}
		if !found {
			return nil, nil, fmt.Errorf("eval: %s has no pairs in split %q, want %s", set.Name, report, strings.Join(have, " or "))
		}
	}
	tune, rep = pairsPart(set, choose), pairsPart(set, rsplit)
	if len(tune.Pairs) == 0 || len(rep.Pairs) == 0 {
		return nil, nil, fmt.Errorf("eval: %s has too few clusters to be divided into dev and test", set.Name)
	}
	return tune, rep, nil
}

// pairsPart returns the part of the pairs of a split.
func pairsPart(set *datasets.Set, s datasets.Split) *Part {
	return newPairsPart(s.String(), set.Select(s))
}

// newPairsPart numbers the documents of pairs anew, in the order of the set.
func newPairsPart(name string, pairs []datasets.Pair) *Part {
	p := &Part{Name: name, Pairs: slices.Clone(pairs)}
	for _, q := range p.Pairs {
		p.Docs = append(p.Docs, q.A, q.B)
	}
	slices.Sort(p.Docs)
	p.Docs = slices.Compact(p.Docs)
	number := make(map[int]int, len(p.Docs))
	for i, d := range p.Docs {
		number[d] = i
	}
	for i := range p.Pairs {
		q := &p.Pairs[i]
		q.A, q.B = number[q.A], number[q.B]
	}
	if len(p.Pairs) > 0 {
		p.Unit, p.Units = bootstrapUnits(len(p.Docs), p.Pairs)
	}
	return p
}

// splitClusters divides the clusters of a set, or as many of them as the
// configuration allows, in halves: those of several documents so that both halves
// have about as many pairs to find, single documents so that both have about as many.
// Clusters come in the order of a hash of their first document's id and the seed.
func splitClusters(set *datasets.Set, cfg Config) (tune, rep *Part, err error) {
	var dev, test sideClusters
	docs, pairs := 0, 0
	members := membersOf(set, cfg.Seed)
	for _, m := range members {
		// A cluster too large for what is left is passed over, so that one giant
		// does not end the sample.
		twos := len(m) * (len(m) - 1) / 2
		if docs+len(m) > cfg.MaxDocs || pairs+twos > maxPositives {
			continue
		}
		docs += len(m)
		pairs += twos
		side := &test
		if len(m) > 1 && dev.pairs < test.pairs || len(m) == 1 && dev.singles < test.singles {
			side = &dev
		}
		side.clusters = append(side.clusters, m)
		side.pairs += twos
		if len(m) == 1 {
			side.singles++
		}
	}
	if dev.pairs == 0 || test.pairs == 0 {
		return nil, nil, fmt.Errorf("eval: %s has too few clusters of at least two documents to be divided into dev and test", set.Name)
	}
	from := 0
	if docs < len(set.Docs) {
		from = len(set.Docs)
	}
	tune, rep = clusterPart(set, "dev", dev.clusters, from), clusterPart(set, "test", test.clusters, from)
	switch cfg.Report {
	case datasets.None, datasets.Test:
	case datasets.Dev:
		tune, rep = rep, tune
	default:
		return nil, nil, fmt.Errorf("eval: %s has no pairs in split %q, want test or dev", set.Name, cfg.Report)
	}
	return tune, rep, nil
}

type sideClusters struct {
	clusters       [][]int
	pairs, singles int
}

// membersOf returns the documents of each cluster; the clusters stand in an order
// that depends on the seed and on the ids of their first documents only.
func membersOf(set *datasets.Set, seed uint64) [][]int {
	var members [][]int
	at := map[int]int{}
	for d, c := range set.Clusters {
		i, ok := at[c]
		if !ok {
			i = len(members)
			at[c] = i
			members = append(members, nil)
		}
		members[i] = append(members[i], d)
	}
	hash := func(m []int) uint64 { return xxh3.HashStringSeed(set.Docs[m[0]].ID, seed) }
	slices.SortStableFunc(members, func(a, b []int) int { return cmp.Compare(hash(a), hash(b)) })
	return members
}
