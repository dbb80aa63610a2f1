package eval

import (
	"math"
	"sort"
)

// Scored is a labelled pair with the score a method gave it.
type Scored struct {
	Score float64
	Alike bool
	Unit  [2]int // the bootstrap units of its two documents; equal where both lie in one
}

// Confusion counts pairs at a threshold: a pair is predicted alike where its score
// is at least the threshold.
type Confusion struct{ TP, FP, FN, TN float64 }

// Count returns the confusion of the pairs at a threshold.
func Count(pairs []Scored, threshold float64) Confusion {
	var c Confusion
	for _, p := range pairs {
		c.add(p.Alike, p.Score >= threshold, 1)
	}
	return c
}

func (c *Confusion) add(alike, predicted bool, n float64) {
	switch {
	case alike && predicted:
		c.TP += n
	case alike:
		c.FN += n
	case predicted:
		c.FP += n
	default:
		c.TN += n
	}
}

// Precision returns TP / (TP + FP), NaN where nothing is predicted alike.
func (c Confusion) Precision() float64 { return c.TP / (c.TP + c.FP) }

// Recall returns TP / (TP + FN), NaN where no pair is alike.
func (c Confusion) Recall() float64 { return c.TP / (c.TP + c.FN) }

// F1 returns the harmonic mean of precision and recall, 2TP / (2TP + FP + FN):
// 0 where nothing right is predicted, NaN where no pair is alike and none is
// predicted so.
func (c Confusion) F1() float64 { return 2 * c.TP / (2*c.TP + c.FP + c.FN) }

// BestF1 returns the threshold at which F1 is greatest, and that F1. The
// threshold lies halfway between the least score taken and the greatest left
// out, so that it does not depend on the last bits of either; among equal F1 the
// highest threshold wins. Where no pair is alike the threshold is +Inf.
//
// Pairs of score 0 are never predicted alike: the law gives 0 to texts without
// evidence, and a threshold at which such a pair counts as a find is none.
func BestF1(pairs []Scored) (threshold, f1 float64) {
	s := append([]Scored(nil), pairs...)
	sort.SliceStable(s, func(i, j int) bool { return s[i].Score > s[j].Score })
	alike := 0.0
	for _, p := range s {
		if p.Alike {
			alike++
		}
	}
	threshold = math.Inf(1)
	c := Confusion{FN: alike}
	for i := 0; i < len(s) && s[i].Score > 0; {
		j := i
		for ; j < len(s) && s[j].Score == s[i].Score; j++ {
			if s[j].Alike {
				c.TP++
				c.FN--
			} else {
				c.FP++
			}
		}
		if f := c.F1(); f > f1 {
			f1 = f
			next := 0.0
			if j < len(s) {
				next = s[j].Score
			}
			threshold = (s[i].Score + next) / 2
		}
		i = j
	}
	return threshold, f1
}

// AUC returns the area under the ROC curve: the probability that a pair that is
// alike scores above one that is not, ties counting half (Mann and Whitney 1947).
// NaN where one of the classes is empty.
func AUC(pairs []Scored) float64 {
	s := append([]Scored(nil), pairs...)
	sort.SliceStable(s, func(i, j int) bool { return s[i].Score < s[j].Score })
	var below, pos, neg, wins float64
	for i := 0; i < len(s); {
		var p, n float64
		j := i
		for ; j < len(s) && s[j].Score == s[i].Score; j++ {
			if s[j].Alike {
				p++
			} else {
				n++
			}
		}
		wins += p*below + p*n/2
		below += n
		pos += p
		neg += n
		i = j
	}
	return wins / (pos * neg)
}
