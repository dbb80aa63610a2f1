package eval

import (
	"cmp"
	"math"
	"slices"
)

// ranking holds scored pairs in descending order of score, ties in one group:
// all metrics of a ranking are one sweep over the groups. Where there are too many
// pairs to hold, the low groups hold the pairs that are alike and only count the
// others.
type ranking struct {
	groups []tieGroup
	items  []item // in the order of the groups

	alike, other int64 // the totals of the groups
}

// tieGroup is all pairs of one score, or of a narrow range of scores.
type tieGroup struct {
	low, top float32 // least and greatest score that the group can hold
	end      int     // of its items in ranking.items
	alike    int64   // pairs that are alike; all are held
	other    int64   // pairs that are not, held or only counted
	held     int64   // of the others, those that are held
}

// item is a pair that is held; a and b are the bootstrap units of its documents.
type item struct {
	score float32
	a, b  int32
	alike bool
}

func rankScored(pairs []Scored) *ranking {
	items := make([]item, len(pairs))
	for i, p := range pairs {
		items[i] = item{float32(p.Score), int32(p.Unit[0]), int32(p.Unit[1]), p.Alike}
	}
	return rank(items)
}

// rank sorts the items, which it keeps, and groups equal scores.
func rank(items []item) *ranking {
	// Within a group everything is a sum of whole numbers, so the order of ties
	// does not show.
	slices.SortFunc(items, func(x, y item) int { return cmp.Compare(y.score, x.score) })
	r := &ranking{items: items}
	for i := 0; i < len(items); {
		g := tieGroup{low: items[i].score, top: items[i].score}
		for ; i < len(items) && items[i].score == g.low; i++ {
			if items[i].alike {
				g.alike++
			} else {
				g.other++
				g.held++
			}
		}
		g.end = i
		r.push(g)
	}
	return r
}

func (r *ranking) push(g tieGroup) {
	r.groups = append(r.groups, g)
	r.alike += g.alike
	r.other += g.other
}

// cut returns a threshold between group n and the next.
func (r *ranking) cut(n int) float64 {
	next := 0.0
	if n+1 < len(r.groups) {
		next = float64(r.groups[n+1].top)
	}
	return (float64(r.groups[n].low) + next) / 2
}

// above returns how many groups score at least the threshold.
func (r *ranking) above(threshold float64) int {
	n := 0
	for n < len(r.groups) && float64(r.groups[n].low) >= threshold {
		n++
	}
	return n
}

// count returns the confusion at a threshold.
func (r *ranking) count(threshold float64) Confusion {
	var tp, fp int64
	for _, g := range r.groups[:r.above(threshold)] {
		tp += g.alike
		fp += g.other
	}
	return Confusion{float64(tp), float64(fp), float64(r.alike - tp), float64(r.other - fp)}
}

func (r *ranking) bestF1() (threshold, f1 float64) {
	threshold = math.Inf(1)
	c := Confusion{FN: float64(r.alike)}
	for n, g := range r.groups {
		if g.top == 0 {
			break
		}
		c.TP += float64(g.alike)
		c.FN -= float64(g.alike)
		c.FP += float64(g.other)
		if f := c.F1(); f > f1 {
			f1, threshold = f, r.cut(n)
		}
	}
	return threshold, f1
}

func (r *ranking) averagePrecision() float64 {
	if r.alike == 0 {
		return math.NaN()
	}
	sum := 0.0
	var tp, all int64
	for _, g := range r.groups {
		tp += g.alike
		all += g.alike + g.other
		if g.alike > 0 {
			sum += float64(float64(g.alike) * (float64(tp) / float64(all)))
		}
	}
	return sum / float64(r.alike)
}

// recallAt returns the maximum recall of a threshold whose precision on these same
// pairs is at least the given one; 0 where there is none, NaN where no pair is
// alike. Like average precision it describes the ranking, not a threshold that
// somebody could have chosen beforehand.
func (r *ranking) recallAt(precision float64) float64 {
	best := int64(0)
	var tp, all int64
	for _, g := range r.groups {
		tp += g.alike
		all += g.alike + g.other
		if float64(tp) >= float64(precision*float64(all)) {
			best = tp
		}
	}
	return float64(best) / float64(r.alike)
}

func (r *ranking) auc() float64 {
	var wins float64 // twice the number of pairs of pairs in the right order
	below := r.other
	for _, g := range r.groups {
		below -= g.other
		wins += float64(float64(g.alike) * float64(2*below+g.other))
	}
	return wins / 2 / float64(r.alike) / float64(r.other)
}
