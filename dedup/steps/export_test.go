package steps

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// For the tests that hold the steps against package local, which imports this one.

// Fate is what becomes of a document that is removed.
type Fate struct {
	Kept   dedup.Ref
	Reason string
	Score  float64
}

// Outcome is what an engine knows at its end.
type Outcome struct {
	Fates                 map[dedup.Ref]Fate
	Texts, Active, Scored int
	Chaining              dedup.Chaining
	Clusters, Largest     int
}

// RunEngine runs the steps over any cut of the documents, and counts as the documentation of package dedup
// says.
func RunEngine(t *testing.T, o Options, docs []Document, threshold float64, r *rand.Rand) Outcome {
	e := engine{t: t, o: o, r: r, fetch: r.IntN(2) == 0, blocks: 1 + r.IntN(4), waves: r.IntN(6)}
	out := Outcome{Fates: map[dedup.Ref]Fate{}}
	sizes := map[dedup.Ref]int{}
	for ref, f := range e.run(slices.Clone(docs), threshold) {
		out.Fates[ref] = Fate{f.kept, f.reason, f.score}
		sizes[f.kept] = max(sizes[f.kept], 1) + 1
	}
	out.Clusters = len(sizes)
	for _, n := range sizes {
		out.Largest = max(out.Largest, n)
	}
	groups := map[dedup.Hash]group{}
	for _, d := range e.table {
		if d.Empty {
			out.Texts++
			continue
		}
		groups[d.Hash] = groups[d.Hash].with(group{d.Rank, 1})
	}
	out.Texts += len(groups)
	rows := map[dedup.Rank]int64{}
	for _, g := range groups {
		rows[g.best] = g.rows
	}
	alike := slices.DeleteFunc(slices.Clone(e.pairs), func(p Pair) bool { return p.Score < threshold })
	removed := e.decide(alike)
	active := map[dedup.Rank]bool{}
	for _, p := range e.pairs {
		active[p.A], active[p.B] = true, true
		_, gone := removed[p.A]
		if l, ok := removed[p.B]; !gone && (!ok || p.A <= l.Leader) {
			out.Scored++
		}
	}
	out.Active = len(active)
	least := leastOf(alike)
	size, parts := map[dedup.Rank]int64{}, map[dedup.Rank]int64{}
	for r := range active {
		root := cmp.Or(least[r], r)
		size[root] += rows[r]
		leader := r
		if d, ok := removed[r]; ok {
			leader = d.Leader
		}
		if leader != root {
			parts[root] += rows[r]
		}
	}
	for root, n := range size {
		if n > 1 {
			out.Chaining.Components++
			out.Chaining.Documents += int(n)
			out.Chaining.Apart += int(parts[root])
			out.Chaining.Largest = max(out.Chaining.Largest, int(n))
		}
	}
	return out
}

// leastOf returns for each text that is not the least of its component the one that is.
func leastOf(pairs []Pair) map[dedup.Rank]dedup.Rank {
	of := map[dedup.Rank]dedup.Rank{}
	find := func(r dedup.Rank) dedup.Rank {
		for of[r] != "" {
			r = of[r]
		}
		return r
	}
	for _, p := range pairs {
		if a, b := find(p.A), find(p.B); a != b {
			of[max(a, b)] = min(a, b)
		}
	}
	for r := range of {
		of[r] = find(r)
	}
	return of
}

// Corpus, Method and Policy are those of the tests of this package.
func Corpus(r *rand.Rand, n int) []Document              { return corpus(r, n) }
func Method(t testing.TB, spec string) similarity.Method { return method(t, spec) }
func Policy(t testing.TB, s string) dedup.Policy         { return policy(t, s) }
func Specs() []string                                    { return specs }
