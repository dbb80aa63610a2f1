package eval

import "math"

// ClosureFigures are the figures of the transitive closure of pairs: all
// documents that a chain of pairs connects are one cluster. ARI and B-cubed need
// truth that is clusters.
type ClosureFigures struct {
	ClosurePrecision Figure `json:"closure_precision"`
	ClosureRecall    Figure `json:"closure_recall"`
	ClosureF1        Figure `json:"closure_f1"`
	ARI              Figure `json:"ari"`
	BCubedPrecision  Figure `json:"bcubed_precision"`
	BCubedRecall     Figure `json:"bcubed_recall"`
	BCubedF1         Figure `json:"bcubed_f1"`
}

// closureFigures judges components, by document of the part.
func (p *Part) closureFigures(components []int) ClosureFigures {
	nan, pairs := Figure(math.NaN()), p.closure(components)
	out := ClosureFigures{
		ClosurePrecision: Figure(pairs.Precision()), ClosureRecall: Figure(pairs.Recall()), ClosureF1: Figure(pairs.F1()),
		ARI: nan, BCubedPrecision: nan, BCubedRecall: nan, BCubedF1: nan,
	}
	if p.clusters != nil {
		out.ARI = Figure(ARI(p.clusters.cluster, components))
		precision, recall, f1 := BCubed(p.clusters.cluster, components)
		out.BCubedPrecision, out.BCubedRecall, out.BCubedF1 = Figure(precision), Figure(recall), Figure(f1)
	}
	return out
}

// contingency counts how two clusterings of the same documents meet.
type contingency struct {
	cell   map[[2]int]float64
	gold   map[int]float64
	pred   map[int]float64
	n      float64
	sorted [][2]int // the cells in order of first document: sums must not follow a map's order
}

func meet(gold, pred []int) contingency {
	c := contingency{cell: map[[2]int]float64{}, gold: map[int]float64{}, pred: map[int]float64{}, n: float64(len(gold))}
	for i := range gold {
		k := [2]int{gold[i], pred[i]}
		if c.cell[k] == 0 {
			c.sorted = append(c.sorted, k)
		}
		c.cell[k]++
		c.gold[gold[i]]++
		c.pred[pred[i]]++
	}
	return c
}

// twos returns the pairs among n things.
func twos(n float64) float64 { return n * (n - 1) / 2 }

// pairs returns the pairs of documents that share a cluster in both, in gold and
// in pred. All are whole numbers, so the order of summing does not matter.
func (c contingency) pairs() (both, gold, pred float64) {
	for _, n := range c.cell {
		both += twos(n)
	}
	for _, n := range c.gold {
		gold += twos(n)
	}
	for _, n := range c.pred {
		pred += twos(n)
	}
	return both, gold, pred
}

// ARI returns the adjusted Rand index of two clusterings, given as the cluster
// number of each document (Hubert and Arabie, Journal of Classification 1985): 1
// for the same clusters, 0 on average for clusters drawn at random, less for worse. It is
// symmetric. Where the index is 0/0 (both are single documents, or both one
// cluster) it is 1. Large clusters dominate it.
func ARI(gold, pred []int) float64 {
	c := meet(gold, pred)
	both, g, p := c.pairs()
	expected := 0.0
	if all := twos(c.n); all > 0 {
		expected = g / all * p
	}
	top := (g + p) / 2
	if top == expected {
		return 1
	}
	return (both - expected) / (top - expected)
}

// BCubed returns the B-cubed precision, recall and F1 of a clustering (Bagga and
// Baldwin, ACL 1998): for each document the share of its predicted cluster that
// belongs to its true one, and the share of its true cluster that was predicted
// with it, averaged over documents. NaN where there are no documents.
func BCubed(gold, pred []int) (precision, recall, f1 float64) {
	c := meet(gold, pred)
	for _, k := range c.sorted {
		n := c.cell[k]
		precision += float64(n * (n / c.pred[k[1]]))
		recall += float64(n * (n / c.gold[k[0]]))
	}
	precision /= c.n
	recall /= c.n
	return precision, recall, float64(2*precision*recall) / (precision + recall)
}
