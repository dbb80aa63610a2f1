package eval

import (
	"slices"

	"github.com/alike-go/alike/eval/internal/resample"
)

// Removal judges the removal of documents: one document of each true cluster should
// stay.
type Removal struct {
	Removable int `json:"n_removable"` // documents behind the first of their true cluster
	Removed   int `json:"n_removed"`
	Right     int `json:"n_right"`   // removed while a document of their true cluster is kept
	Wrong     int `json:"n_wrong"`   // removed for one of another cluster, or for none
	Excused   int `json:"n_excused"` // as wrong, but the truth leaves it open

	Precision Figure `json:"precision"` // Right / (Right + Wrong)
	Recall    Figure `json:"recall"`    // Right / Removable
	F1        Figure `json:"f1"`
	F1Low     Figure `json:"f1_low"`
	F1High    Figure `json:"f1_high"`
	Unusable  bool   `json:"unusable,omitempty"` // the interval: see Record
}

// tally counts removals by the unit of what was removed.
type tally struct{ right, wrong, excused, removable []int }

func (g *judge) newTally() tally {
	n := g.part.Units
	t := tally{make([]int, n), make([]int, n), make([]int, n), make([]int, n)}
	for _, unit := range g.part.clusters.cluster {
		t.removable[unit]++
	}
	for unit := range t.removable {
		t.removable[unit]--
	}
	return t
}

// removal returns the figures of a tally, with their interval by the bootstrap over units.
func (g *judge) removal(t tally) *Removal {
	once := make([]int32, g.part.Units)
	for i := range once {
		once[i] = 1
	}
	right, wrong, removable := t.weighted(once)
	out := &Removal{Right: right, Wrong: wrong, Removable: removable}
	for _, n := range t.excused {
		out.Excused += n
	}
	out.Removed = right + wrong + out.Excused
	figures := func(right, wrong, removable int) Confusion {
		return Confusion{TP: float64(right), FP: float64(wrong), FN: float64(removable - right)}
	}
	c := figures(right, wrong, removable)
	out.Precision, out.Recall, out.F1 = Figure(c.Precision()), Figure(c.Recall()), Figure(c.F1())
	var f1 []float32
	for k := range g.cfg.Resamples {
		resample.Draw(once, g.cfg.Seed, k)
		f1 = append(f1, float32(figures(t.weighted(once)).F1()))
	}
	units := make([]float64, len(t.removable))
	for unit, n := range t.removable {
		units[unit] = float64(n)
	}
	n := EffectiveUnits(units)
	out.Unusable = !Usable(n)
	out.F1Low, out.F1High = figures95(f1, n)
	return out
}

func (t tally) weighted(drawn []int32) (right, wrong, removable int) {
	for unit, d := range drawn {
		right += t.right[unit] * int(d)
		wrong += t.wrong[unit] * int(d)
		removable += t.removable[unit] * int(d)
	}
	return right, wrong, removable
}

// keepFirst judges a removal that keeps the first document of each cluster found.
func (g *judge) keepFirst() *Removal {
	t := g.part.clusters
	order := make([]int, len(g.part.Docs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return g.part.Docs[i] - g.part.Docs[j] })
	kept := map[int]int{}
	out := g.newTally()
	for _, i := range order {
		k, ok := kept[g.components[i]]
		unit := t.cluster[i]
		switch {
		case !ok:
			kept[g.components[i]] = i
		case unit == t.cluster[k]:
			out.right[unit]++
		case t.skips(min(i, k), max(i, k)):
			out.excused[unit]++
		default:
			out.wrong[unit]++
		}
	}
	return g.removal(out)
}

// removed judges removals without knowing which document each was removed for. A
// true cluster without a document left has one wrong removal. That is excused if a
// document is left whose pair with one of the cluster does not count.
func (g *judge) removed(removed []bool) *Removal {
	t := g.part.clusters
	out := g.newTally()
	gone := func(i int) bool { return removed[g.part.Docs[i]] }
	for i := 0; i < len(t.cluster); i = int(t.end[i]) {
		unit, n := t.cluster[i], 0
		for j := i; j < int(t.end[i]); j++ {
			if gone(j) {
				n++
			}
		}
		if n < int(t.end[i])-i {
			out.right[unit] += n
			continue
		}
		out.right[unit] += n - 1
		out.wrong[unit]++
	}
	excuse := func(i, k int) {
		if unit := t.cluster[i]; out.wrong[unit] > 0 && gone(i) && !gone(k) {
			out.wrong[unit], out.excused[unit] = 0, 1
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
