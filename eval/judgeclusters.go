package eval

import "math"

// closure sets the figures of the clusters.
func (g *judge) closure() {
	g.out.ClosureFigures = g.part.closureFigures(g.components)
	if g.part.clusters != nil {
		g.out.Removal = g.keepFirst()
	}
}

// cell counts the documents that a found cluster shares with a true one.
type cell struct {
	unit int
	n    int64
}

// skippedPair is a pair that counts neither way.
type skippedPair struct {
	a, b         int // units
	alike, found bool
}

// clusters judges clusters among clustered documents. It counts pairs and does not
// list them: a cluster of 100,000 documents has five billion.
func (g *judge) clusters() {
	t, o := g.part.clusters, &g.out
	n := float64(len(t.cluster))
	c := t.closure(g.components)
	for i := range t.cluster {
		o.Skipped += int64(len(t.skipped(i, nil)))
	}
	o.Pairs, o.Positives = int64(twos(n))-o.Skipped, int64(c.TP+c.FN)
	g.confusion(c)

	cells, size := g.cells()
	skipped := g.skippedPairs()
	b := g.replicate(func(drawn []int32) Confusion { return weightedCells(cells, size, skipped, drawn) })
	positives := make([]float64, len(size))
	for unit, n := range size {
		positives[unit] = twos(float64(n))
	}
	for _, s := range skipped {
		if s.alike {
			positives[s.a]--
		}
	}
	g.intervals(b, positives)
}

// replicate returns the figures of every resample, without average precision.
func (g *judge) replicate(of func(drawn []int32) Confusion) Replicates {
	return replicate(g.part.Units, g.cfg.Resamples, g.cfg.Seed, g.cfg.Workers, func(drawn []int32) (Confusion, float64) {
		return of(drawn), math.NaN()
	})
}

// cells returns the true clusters that each found cluster meets, and the sizes of the
// true clusters.
func (g *judge) cells() (cells [][]cell, size []int64) {
	size = make([]int64, g.part.Units)
	at := map[int]int{}
	for i, unit := range g.part.clusters.cluster { // ascending, so only the last cell can be of this unit
		size[unit]++
		k, ok := at[g.components[i]]
		if !ok {
			k = len(cells)
			at[g.components[i]] = k
			cells = append(cells, nil)
		}
		if c := cells[k]; len(c) > 0 && c[len(c)-1].unit == unit {
			c[len(c)-1].n++
		} else {
			cells[k] = append(c, cell{unit, 1})
		}
	}
	return cells, size
}

func (g *judge) skippedPairs() (out []skippedPair) {
	t := g.part.clusters
	var buf []int32
	for i := range t.cluster {
		buf = t.skipped(i, buf[:0])
		for _, j := range buf {
			out = append(out, skippedPair{t.cluster[i], t.cluster[j], j < t.end[i], g.components[i] == g.components[j]})
		}
	}
	return out
}

// weightedCells returns the confusion, without TN, of a resample. Pairs weigh as in
// ranking.weighted: a pair within a unit weighs as often as the unit was drawn, a
// pair between two units the product of both.
func weightedCells(cells [][]cell, size []int64, skipped []skippedPair, drawn []int32) Confusion {
	var tp, fp, gold int64
	for unit, n := range size {
		gold += n * (n - 1) / 2 * int64(drawn[unit])
	}
	for _, c := range cells {
		var sum, squares int64
		for _, x := range c {
			d := int64(drawn[x.unit])
			tp += x.n * (x.n - 1) / 2 * d
			sum += x.n * d
			squares += x.n * d * x.n * d
		}
		fp += (sum*sum - squares) / 2
	}
	for _, s := range skipped {
		switch w := int64(drawn[s.a]); {
		case s.alike && s.found:
			tp -= w
			gold -= w
		case s.alike:
			gold -= w
		case s.found:
			fp -= w * int64(drawn[s.b])
		}
	}
	return Confusion{TP: float64(tp), FP: float64(fp), FN: float64(gold - tp)}
}
