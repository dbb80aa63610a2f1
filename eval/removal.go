package eval

import "slices"

// Removal judges the removal of documents: one document of each true cluster should
// stay.
type Removal struct {
	Removable int `json:"n_removable"` // all documents but one of each true cluster
	Removed   int `json:"n_removed"`
	Right     int `json:"n_right"`   // removed while a document of their true cluster is kept
	Wrong     int `json:"n_wrong"`   // removed for a document of another cluster, or for none
	Excused   int `json:"n_excused"` // the same, but the truth leaves it open

	Precision Figure `json:"precision"` // Right / (Right + Wrong)
	Recall    Figure `json:"recall"`    // Right / Removable
	F1        Figure `json:"f1"`
	F1Low     Figure `json:"f1_low"`
	F1High    Figure `json:"f1_high"`
	Unusable  bool   `json:"unusable,omitempty"` // the interval: see Record
}

// tally counts the removals of documents of one unit.
type tally struct{ right, wrong, excused, removable int }

func (g *judge) newTallies() []tally {
	out := make([]tally, g.part.Units)
	for unit := range out {
		out[unit].removable = -1 // the first document stays
	}
	for _, unit := range g.part.clusters.cluster {
		out[unit].removable++
	}
	return out
}

// removal returns the figures of tallies by unit, with their interval by the
// bootstrap over units.
func (g *judge) removal(tallies []tally) *Removal {
	out := &Removal{}
	units := make([]float64, len(tallies))
	for unit, t := range tallies {
		out.Right += t.right
		out.Wrong += t.wrong
		out.Excused += t.excused
		out.Removable += t.removable
		units[unit] = float64(t.removable)
	}
	out.Removed = out.Right + out.Wrong + out.Excused
	c := Confusion{TP: float64(out.Right), FP: float64(out.Wrong), FN: float64(out.Removable - out.Right)}
	out.Precision, out.Recall, out.F1 = Figure(c.Precision()), Figure(c.Recall()), Figure(c.F1())
	b := g.replicate(func(drawn []int32) (c Confusion) {
		for unit, t := range tallies {
			n := float64(drawn[unit])
			c.TP += n * float64(t.right)
			c.FP += n * float64(t.wrong)
			c.FN += n * float64(t.removable-t.right)
		}
		return c
	})
	n := EffectiveUnits(units)
	out.Unusable = !Usable(n)
	out.F1Low, out.F1High = figures95(b.F1, n)
	return out
}

// keepFirst judges a removal that keeps the first document of each found cluster.
func (g *judge) keepFirst() *Removal {
	t := g.part.clusters
	order := make([]int, len(g.part.Docs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return g.part.Docs[i] - g.part.Docs[j] })
	kept := map[int]int{}
	out := g.newTallies()
	for _, i := range order {
		k, ok := kept[g.components[i]]
		unit := t.cluster[i]
		switch {
		case !ok:
			kept[g.components[i]] = i
		case unit == t.cluster[k]:
			out[unit].right++
		case t.skips(min(i, k), max(i, k)):
			out[unit].excused++
		default:
			out[unit].wrong++
		}
	}
	return g.removal(out)
}

// removed judges removals without knowing which document each was removed for. A
// true cluster without a document left has one wrong removal. That is excused if a
// document is left whose pair with one of the cluster does not count.
func (g *judge) removed(removed []bool) *Removal {
	t := g.part.clusters
	out := g.newTallies()
	gone := func(i int) bool { return removed[g.part.Docs[i]] }
	for i := 0; i < len(t.cluster); i = int(t.end[i]) {
		unit, n := t.cluster[i], 0
		for j := i; j < int(t.end[i]); j++ {
			if gone(j) {
				n++
			}
		}
		if n < int(t.end[i])-i {
			out[unit].right += n
			continue
		}
		out[unit].right += n - 1
		out[unit].wrong++
	}
	excuse := func(i, k int) {
		if of := &out[t.cluster[i]]; of.wrong > 0 && gone(i) && !gone(k) {
			of.wrong, of.excused = 0, 1
		}
	}
	for i := range t.cluster {
		for _, j := range t.skipped(i, nil) {
			excuse(i, int(j))
			excuse(int(j), i)
		}
	}
	return g.removal(out)
}
