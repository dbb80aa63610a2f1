// Command coverage writes docs/coverage.md: how often the 95 % intervals of package
// eval hold the truth, by the number of effective units.
//
//	ALIKE_DATA=../shared/data go run ./docs/coverage > docs/coverage.md
//
// It draws sub-collections of units from shared and from made sets. So the truth is
// known: the figures of the whole set, for collections of that many units.
package main

import (
	"cmp"
	"context"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/parallel"
)

const (
	draws     = 60   // sub-collections of each size
	resamples = 400  // of each
	mostDocs  = 2500 // of a shared set
)

var (
	names = []string{
		"articles-2500", "bible-chapters", "chinese-sts", "en-book-versions", "er-cora", "go-versions", "licences", "mrpc",
		"progpedia19", "quotes-en", "quotes-zh", "reuters-reissues", "zh-book-versions", "zh-laws", "zh-shiji",
	}
	specs = []string{"shingle", "simhash", "cosine"}
	sizes = []int{5, 10, 20, 40, 80, 160, 320, 640}
)

// outcome is one sub-collection.
type outcome struct {
	set       string
	effective float64 // units
	largest   float64 // share of the positive pairs in one unit

	// Of F1, precision and recall: whether the interval holds the truth, and the
	// percentile interval; and where there is one.
	holds, percentile, defined [3]bool
	width                      float64 // of F1
}

func main() {
	log.SetFlags(0)
	var all []outcome
	var claims []claim
	err := kit.Try(func() {
		for _, name := range names {
			var sources []source
			for _, spec := range specs {
				sources = append(sources, shared(name, spec))
			}
			for _, n := range sizes {
				if n <= len(sources[0].(*population).within)/4 {
					o, c := study(name, n, sources...)
					all, claims = append(all, o...), append(claims, c...)
				}
			}
		}
		for _, m := range made {
			for _, n := range sizes {
				o, _ := study(m.name, n, m)
				all = append(all, o...)
			}
		}
	})
	if err == nil {
		p := &page{kit.NewPage(os.Stdout)}
		p.write(all, claims)
		err = p.Err
	}
	if err != nil {
		log.Fatalf("coverage: %v", err)
	}
}

// claim is a comparison of two methods on one sub-collection.
type claim struct {
	effective  float64
	difference float64 // of F1, the truth
	state      eval.State
}

// source is what collections are drawn from.
type source interface {
	// draw returns the pairs of two collections of n units each, which have none in common.
	// Equal sources draw the same units from equal states of rng.
	draw(rng *rand.Rand, n int) (dev, test []eval.Scored)

	// truth returns the confusion that n units have in expectation, without TN.
	truth(threshold float64, n int) eval.Confusion
}

// study draws collections of n units from the same units, scored by several methods. It
// chooses a threshold on one and asks whether the intervals of another hold the truth at
// that threshold, as eval does, and what the comparison of every two methods claims.
func study(name string, n int, sources ...source) (outcomes []outcome, claims []claim) {
	perDraw := make([]struct {
		outcomes []outcome
		claims   []claim
	}, draws)
	parallel.For(context.Background(), runtime.GOMAXPROCS(0), draws, func(_, k int) {
		var replicates [][]float32
		var truths []float64
		effective := 0.0
		for _, s := range sources {
			dev, test := s.draw(rand.New(rand.NewPCG(uint64(n), uint64(k))), n)
			threshold, f1 := eval.BestF1(dev)
			positives := make([]float64, n)
			most, sum := 0.0, 0.0
			for _, p := range test {
				if p.Alike {
					positives[p.Unit[0]]++
					most, sum = max(most, positives[p.Unit[0]]), sum+1
				}
			}
			if f1 == 0 || sum == 0 {
				continue
			}
			effective = eval.EffectiveUnits(positives)
			o := outcome{set: name, effective: effective, largest: most / sum}
			b := eval.Bootstrap(test, n, threshold, resamples, 1)
			c := s.truth(threshold, n)
			replicates, truths = append(replicates, b.F1), append(truths, c.F1())
			for i, f := range []struct {
				truth      float64
				replicates []float32
			}{{c.F1(), b.F1}, {c.Precision(), b.Precision}, {c.Recall(), b.Recall}} {
				x := eval.Interval95(f.replicates, effective)
				o.defined[i] = x.Low == x.Low
				o.holds[i] = x.Low <= f.truth && f.truth <= x.High
				if i == 0 {
					o.width = x.High - x.Low
				}
				// With endless units the one that takes part besides weighs nothing.
				x = eval.Interval95(f.replicates, math.Inf(1))
				o.percentile[i] = x.Low <= f.truth && f.truth <= x.High
			}
			perDraw[k].outcomes = append(perDraw[k].outcomes, o)
		}
		for a := range replicates {
			for b := range replicates {
				if a != b {
					state := eval.States([][]float32{replicates[a], replicates[b]}, 0, eval.DefaultMargin)[1]
					perDraw[k].claims = append(perDraw[k].claims, claim{effective, truths[b] - truths[a], state})
				}
			}
		}
	})
	for _, d := range perDraw {
		outcomes, claims = append(outcomes, d.outcomes...), append(claims, d.claims...)
	}
	return outcomes, claims
}

// population is the scored pairs of a whole set.
type population struct {
	within [][]eval.Scored // by unit
	across []eval.Scored   // between units: those that score highest
}

// shared scores all labelled pairs of a shared set, or all pairs of its documents.
func shared(name, spec string) *population {
	set := kit.Must(datasets.Load(name))
	c := kit.Must(catalog.Parse(spec)).NewCollection()
	p := &population{}
	if set.Clusters == nil {
		for _, d := range set.Docs {
			c.Add(d.Text)
		}
		units := datasets.Components(len(set.Docs), set.Pairs, func(datasets.Pair) bool { return true })
		p.within = make([][]eval.Scored, len(set.Docs))
		for _, q := range set.Pairs {
			u := units[q.A]
			p.within[u] = append(p.within[u], eval.Scored{Score: c.Score(q.A, q.B), Alike: q.Alike()})
		}
		p.within = slices.DeleteFunc(p.within, func(pairs []eval.Scored) bool { return len(pairs) == 0 })
		return p
	}
	members := map[int][]int{}
	for d, u := range set.Clusters {
		members[u] = append(members[u], d)
	}
	ignored := map[[2]int]bool{}
	for _, q := range set.Ignore {
		ignored[[2]int{q.A, q.B}], ignored[[2]int{q.B, q.A}] = true, true
	}
	var docs, unit []int
	positives := 0
	for _, u := range rand.New(rand.NewPCG(1, 1)).Perm(len(members)) {
		if m := members[u]; len(docs)+len(m) <= mostDocs {
			for _, d := range m {
				docs, unit = append(docs, d), append(unit, len(p.within))
				c.Add(set.Docs[d].Text)
			}
			p.within = append(p.within, nil)
			positives += len(m) * (len(m) - 1) / 2
		}
	}
	for i, a := range docs {
		for j := i + 1; j < len(docs); j++ {
			u, v := unit[i], unit[j]
			switch {
			case ignored[[2]int{a, docs[j]}] || u != v && set.Docs[a].Text == set.Docs[docs[j]].Text:
			case u == v:
				p.within[u] = append(p.within[u], eval.Scored{Score: c.Score(i, j), Alike: true})
			default:
				p.across = append(p.across, eval.Scored{Score: c.Score(i, j), Unit: [2]int{u, v}})
			}
		}
	}
	slices.SortFunc(p.across, func(x, y eval.Scored) int { return cmp.Compare(y.Score, x.Score) })
	p.across = p.across[:min(len(p.across), 50_000+10*positives)]
	return p
}

// draw returns the pairs of two collections of n units each that have none in common.
func (p *population) draw(rng *rand.Rand, n int) (dev, test []eval.Scored) {
	number := make([]int, len(p.within)) // one more than that in the collection, those of test negative
	for k, u := range rng.Perm(len(p.within))[:2*n] {
		to := &dev
		if number[u] = k + 1; k >= n {
			number[u], to = n-k-1, &test
		}
		for _, q := range p.within[u] {
			q.Unit = [2]int{k % n, k % n}
			*to = append(*to, q)
		}
	}
	for _, q := range p.across {
		switch u, v := number[q.Unit[0]], number[q.Unit[1]]; {
		case u > 0 && v > 0:
			q.Unit = [2]int{u - 1, v - 1}
			dev = append(dev, q)
		case u < 0 && v < 0:
			q.Unit = [2]int{-u - 1, -v - 1}
			test = append(test, q)
		}
	}
	return dev, test
}

// truth returns the confusion that n units have in expectation, without TN.
func (p *population) truth(threshold float64, n int) eval.Confusion {
	var within []eval.Scored
	for _, pairs := range p.within {
		within = append(within, pairs...)
	}
	c, across := eval.Count(within, threshold), eval.Count(p.across, threshold)
	units := float64(len(p.within))
	share := float64(n) / units
	return eval.Confusion{TP: c.TP * share, FN: c.FN * share, FP: c.FP*share + across.FP*share*float64(n-1)/(units-1)}
}
