package stress

import (
	"cmp"
	"math"
	"slices"

	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/similarity"
)

// limit is what unrelated pairs say of a method: the score from which on a pair counts
// as alike, with its 95 % interval.
type limit struct {
	at, low, high float32
	texts, empty  int // empty ones have nothing to compare
	pairs, over   int64
	mean          float64 // score of the pairs
}

// pairScore is the score of two unrelated texts.
type pairScore struct {
	score float32
	a, b  int32
}

const resamples = 400

// calibrate scores all pairs of a collection of unrelated texts.
func calibrate(c similarity.Collection, o Options) limit {
	n := c.Len()
	l := limit{texts: n, pairs: int64(n) * int64(n-1) / 2}
	for i := range n {
		if c.Blank(i) {
			l.empty++
		}
	}
	// The threshold is among the greatest scores, in every resample too.
	allowed := o.FalsePositives * float64(l.pairs)
	most := int(min(float64(l.pairs), 64+8*math.Ceil(allowed)))
	var top []pairScore
	row := make([]float32, n)
	sum, floor := 0.0, float32(math.Inf(-1))
	for i := range n {
		c.Scores(i, i+1, row[:n-i-1])
		for k, s := range row[:n-i-1] {
			sum += float64(s)
			if o.Threshold > 0 && s >= float32(o.Threshold) {
				l.over++
			}
			if s > floor {
				top = append(top, pairScore{s, int32(i), int32(i + 1 + k)})
			}
		}
		if len(top) > 4*most {
			top, floor = greatest(top, most)
		}
	}
	l.mean = sum / float64(l.pairs)
	if o.Threshold > 0 {
		l.at, l.low, l.high = float32(o.Threshold), float32(o.Threshold), float32(o.Threshold)
		return l
	}
	top, _ = greatest(top, most)
	drawn := make([]int, n)
	for i := range drawn {
		drawn[i] = 1
	}
	l.at = lowest(top, drawn, o.FalsePositives)
	for _, p := range top {
		if p.score >= l.at {
			l.over++
		}
	}
	l.low, l.high = interval(top, n, o)
	return l
}

// greatest returns at most so many of the greatest scores, in descending order, and
// the least of them; -Inf if there are fewer.
func greatest(top []pairScore, most int) ([]pairScore, float32) {
	slices.SortFunc(top, func(p, q pairScore) int {
		return cmp.Or(cmp.Compare(q.score, p.score), cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
	})
	if len(top) < most {
		return top, float32(math.Inf(-1))
	}
	return top[:most], top[most-1].score
}

// lowest returns the least threshold above 0 that at most a share of all pairs
// reaches, given how often each text was drawn. It is the next number after the
// greatest score that more pairs reach, and above 1 if too many pairs score 1.
func lowest(top []pairScore, drawn []int, share float64) float32 {
	var n, squares float64
	for _, d := range drawn {
		n, squares = n+float64(d), squares+float64(d*d)
	}
	allowed := share * (n*n - squares) / 2
	sum, score := 0.0, float32(0)
	for _, p := range top {
		if p.score <= 0 {
			break
		}
		if sum += float64(drawn[p.a] * drawn[p.b]); sum > allowed {
			score = p.score
			break
		}
	}
	return math.Nextafter32(score, 2)
}

// interval returns the 95 % percentile interval of the threshold, by bootstrap over
// texts: pairs that share a text are not independent.
func interval(top []pairScore, n int, o Options) (low, high float32) {
	r := plant.NewRand(o.Seed, 'b')
	drawn := make([]int, n)
	at := make([]float32, resamples)
	for k := range at {
		clear(drawn)
		for range n {
			drawn[r.Below(n)]++
		}
		at[k] = lowest(top, drawn, o.FalsePositives)
	}
	slices.Sort(at)
	return at[resamples*25/1000], at[resamples-1-resamples*25/1000]
}

// judge completes a record. The interval of recall allows for both errors, so it is
// too wide: Wilson's lower bound at the upper end of the threshold, and Wilson's upper
// bound at the lower end.
func (l limit) judge(r *Record) {
	found := func(t float32) int {
		i, _ := slices.BinarySearch(r.scores, t)
		return len(r.scores) - i
	}
	n := len(r.scores)
	r.Texts, r.Pairs, r.Empty = l.texts, l.pairs, l.empty
	r.Threshold, r.ThresholdLow, r.ThresholdHigh = eval.Figure(l.at), eval.Figure(l.low), eval.Figure(l.high)
	r.FalsePositives = eval.Figure(float64(l.over) / float64(l.pairs))
	r.Unrelated = eval.Figure(l.mean)
	r.Recall = eval.Figure(float64(found(l.at)) / float64(n))
	// At a recall of 0 or 1, rounding could put the interval beside it.
	r.RecallLow = min(r.Recall, eval.Figure(eval.Wilson(found(l.high), n).Low))
	r.RecallHigh = max(r.Recall, eval.Figure(eval.Wilson(found(l.low), n).High))
}
