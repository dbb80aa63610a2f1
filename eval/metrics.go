package eval

// Scored is a labelled pair with the score a method gave it. Metrics compare
// scores as float32, which is what row kernels return: two scores that differ in
// the last bits of a float64 are a tie.
type Scored struct {
	Score float64
	Alike bool
	Unit  [2]int // the bootstrap units of its two documents, from 0; equal where both lie in one
}

// Confusion counts pairs at a threshold: a pair is predicted alike where its score
// is at least the threshold.
type Confusion struct{ TP, FP, FN, TN float64 }

// Count returns the confusion of the pairs at a threshold.
func Count(pairs []Scored, threshold float64) Confusion {
	var c Confusion
	for _, p := range pairs {
		c.add(p.Alike, float64(float32(p.Score)) >= threshold)
	}
	return c
}

func (c *Confusion) add(alike, predicted bool) {
	switch {
	case alike && predicted:
		c.TP++
	case alike:
		c.FN++
	case predicted:
		c.FP++
	default:
		c.TN++
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

// Accuracy returns the share of pairs that are predicted right, NaN where there
// are none. Where few pairs are alike it is near 1 for a method that finds nothing.
func (c Confusion) Accuracy() float64 { return (c.TP + c.TN) / (c.TP + c.FP + c.FN + c.TN) }

// BestF1 returns the threshold at which F1 is greatest, and that F1. The
// threshold lies halfway between the least score taken and the greatest left
// out, so that it does not depend on the last bits of either; among equal F1 the
// highest threshold wins. Where no pair is alike the threshold is +Inf.
//
// Pairs of score 0 are never predicted alike: the law gives 0 to texts without
// evidence, and a threshold at which such a pair counts as a find is none.
func BestF1(pairs []Scored) (threshold, f1 float64) { return rankScored(pairs).bestF1() }

// AveragePrecision returns Σ (R_n - R_{n-1}) P_n over the distinct scores in
// descending order, where P_n and R_n are precision and recall of all pairs that
// score at least the n-th. Ties are taken together, so that the order of the pairs
// does not matter; nothing is interpolated. NaN where no pair is alike.
func AveragePrecision(pairs []Scored) float64 { return rankScored(pairs).averagePrecision() }

// AUC returns the area under the ROC curve: the probability that a pair that is
// alike scores above one that is not, ties counting half (Mann and Whitney 1947).
// NaN where one of the classes is empty.
func AUC(pairs []Scored) float64 { return rankScored(pairs).auc() }
