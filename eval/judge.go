package eval

import (
	"errors"
	"fmt"
	"math"

	"github.com/alike-go/alike/datasets"
)

// Judge scores what a program found against the truth of a set. Of cfg it reads
// Report, Seed, Resamples and Workers. Here a Report of None means the whole set.
//
// Judge skips the pairs that Run skips. It chooses no threshold, because the
// program has chosen its own. Documents are compared within a split only, so the
// figures of a split compare with those of Run on it.
func Judge(set *datasets.Set, found Found, cfg Config) (Judgement, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return Judgement{}, err
	}
	for _, n := range []int{len(found.Clusters), len(found.Removed)} {
		if n != 0 && n != len(set.Docs) {
			return Judgement{}, fmt.Errorf("eval: what was found is of %d documents, and there are %d", n, len(set.Docs))
		}
	}
	p, err := judgedPart(set, cfg)
	if err != nil {
		return Judgement{}, err
	}
	g := &judge{set: set, part: p, number: make([]int, len(set.Docs)), cfg: cfg}
	for d := range g.number {
		g.number[d] = -1
	}
	for i, d := range p.Docs {
		g.number[d] = i
	}
	g.out = Judgement{Dataset: set.Name, Split: p.Name, Truth: "pairs", Docs: len(p.Docs)}
	if p.clusters != nil {
		g.out.Truth = "all"
	}
	g.undefined()
	if found.Removed != nil {
		if p.clusters == nil {
			return Judgement{}, fmt.Errorf("eval: the truth of %s is pairs, which do not tell what can be removed", set.Name)
		}
		g.out.Removal = g.removed(found.Removed)
		return g.out, nil
	}
	if err := g.take(found); err != nil {
		return Judgement{}, err
	}
	switch {
	case p.clusters == nil:
		g.labelled()
	case found.Clusters != nil:
		g.clusters()
	default:
		g.pairs()
	}
	g.closure()
	return g.out, nil
}

// judgedPart returns the part of a set that is judged.
func judgedPart(set *datasets.Set, cfg Config) (*Part, error) {
	switch {
	case cfg.Report != datasets.None:
		_, p, err := split(set, cfg)
		return p, err
	case set.Clusters != nil:
		return clusterPart(set, "all", membersOf(set, cfg.Seed), 0), nil
	case len(set.Pairs) == 0:
		return nil, fmt.Errorf("eval: %s has no labelled pairs", set.Name)
	}
	return newPairsPart("all", set.Pairs), nil
}

// judge is the work of Judge.
type judge struct {
	set    *datasets.Set
	part   *Part
	number []int // of each document of the set in the part, -1 for none
	cfg    Config
	out    Judgement

	found      map[[2]int32]float32 // pairs by numbers in the part, the smaller first
	scored     bool
	components []int // of what was found, by number in the part
}

// take translates what was found to the numbers of the part.
func (g *judge) take(found Found) error {
	n := len(g.part.Docs)
	if found.Clusters != nil {
		g.components = make([]int, n)
		for i, d := range g.part.Docs {
			g.components[i] = found.Clusters[d]
		}
		return nil
	}
	g.scored = found.Scored
	g.found = make(map[[2]int32]float32, len(found.Pairs))
	f := datasets.NewForest(n)
	for _, q := range found.Pairs {
		if q.A < 0 || q.B < 0 || q.A >= len(g.number) || q.B >= len(g.number) {
			return fmt.Errorf("eval: a pair of documents %d and %d of %d", q.A, q.B, len(g.number))
		}
		s := float32(q.Score)
		if !found.Scored {
			s = 0
		} else if math.IsNaN(float64(s)) || math.IsInf(float64(s), 0) {
			return errors.New("eval: a score that is not finite")
		}
		a, b := g.number[q.A], g.number[q.B]
		if a == b && a >= 0 {
			continue
		}
		if a < 0 || b < 0 {
			g.out.Outside++
			continue
		}
		k := [2]int32{int32(min(a, b)), int32(max(a, b))}
		if old, ok := g.found[k]; !ok || s > old {
			g.found[k] = s
		}
		f.Join(a, b)
	}
	g.components = f.Numbers()
	return nil
}

// Pairs that were not found come after all others.
var (
	notFound   = float32(math.Inf(-1))
	foundLeast = -math.MaxFloat32
)

// labelled judges labelled pairs.
func (g *judge) labelled() {
	var items []item
	labels := make(map[[2]int32]bool, len(g.part.Pairs))
	for _, q := range g.part.Pairs {
		if q.A == q.B {
			g.out.Skipped++
			continue
		}
		k := [2]int32{int32(min(q.A, q.B)), int32(max(q.A, q.B))}
		labels[k] = true
		s, ok := g.found[k]
		switch {
		case g.found == nil && g.components[q.A] == g.components[q.B]:
			s = 0
		case !ok:
			s = notFound
		}
		items = append(items, item{s, int32(g.part.Unit[q.A]), int32(g.part.Unit[q.B]), q.Alike()})
	}
	for k := range g.found {
		if !labels[k] {
			g.out.Unlabelled++
		}
	}
	g.ranked(rank(items))
}

// pairs judges pairs among clustered documents.
func (g *judge) pairs() {
	t := g.part.clusters
	items := make([]item, 0, len(g.found))
	hit := make(map[[2]int32]bool)
	for k, s := range g.found {
		i, j := int(k[0]), int(k[1])
		if t.skips(i, j) {
			continue
		}
		alike := j < int(t.end[i])
		if alike {
			hit[k] = true
		}
		items = append(items, item{s, int32(t.cluster[i]), int32(t.cluster[j]), alike})
	}
	wrong := int64(len(items) - len(hit))
	r := rank(items)
	n := int64(len(t.cluster))
	last := tieGroup{low: notFound, top: notFound, other: n*(n-1)/2 - int64(t.positives()) - wrong}
	var skip []int32
	for i := range t.cluster {
		skip = t.skipped(i, skip[:0])
		g.out.Skipped += int64(len(skip))
		at := 0
		for j := int32(i + 1); j < t.end[i]; j++ {
			if at < len(skip) && skip[at] == j {
				at++
				continue
			}
			if !hit[[2]int32{int32(i), j}] {
				r.items = append(r.items, item{notFound, int32(t.cluster[i]), int32(t.cluster[i]), true})
				last.alike++
			}
		}
		last.other -= int64(len(skip) - at)
	}
	if last.end = len(r.items); last.alike+last.other > 0 {
		r.push(last)
	}
	g.ranked(r)
}

// ranked sets the figures of a ranking whose last group was not found.
func (g *judge) ranked(r *ranking) {
	o := &g.out
	o.Pairs, o.Positives = r.alike+r.other, r.alike
	c := r.count(foundLeast)
	g.confusion(c)
	b := r.bootstrap(g.part.Units, foundLeast, g.cfg.Resamples, g.cfg.Seed, g.cfg.Workers)
	g.intervals(b, r.positives(g.part.Units))
	if g.scored {
		o.AP = Figure(r.averagePrecision())
		o.APLow, o.APHigh = figures95(b.AP, float64(o.EffectiveUnits))
	}
}

func (g *judge) confusion(c Confusion) {
	o := &g.out
	o.Found = int64(c.TP + c.FP)
	o.Precision, o.Recall, o.F1 = Figure(c.Precision()), Figure(c.Recall()), Figure(c.F1())
}

// intervals sets the intervals, given the positive pairs of each unit.
func (g *judge) intervals(b Replicates, positives []float64) {
	o, n := &g.out, EffectiveUnits(positives)
	o.EffectiveUnits, o.Unusable = Figure(n), !Usable(n)
	o.PrecisionLow, o.PrecisionHigh = figures95(b.Precision, n)
	o.RecallLow, o.RecallHigh = figures95(b.Recall, n)
	o.F1Low, o.F1High = figures95(b.F1, n)
}

// undefined marks all figures as such.
func (g *judge) undefined() {
	nan := Figure(math.NaN())
	o := &g.out
	o.EffectiveUnits, o.Precision, o.Recall, o.F1, o.AP = nan, nan, nan, nan, nan
	o.PrecisionLow, o.RecallLow, o.F1Low, o.APLow = nan, nan, nan, nan
	o.PrecisionHigh, o.RecallHigh, o.F1High, o.APHigh = nan, nan, nan, nan
	o.ClosureFigures = ClosureFigures{nan, nan, nan, nan, nan, nan, nan}
}
