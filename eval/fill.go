package eval

import (
	"errors"
	"io"
	"math"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

func (r *Record) setTruth(set *datasets.Set, p *Part, joined bool) {
	r.Truth = "pairs"
	switch {
	case joined:
		r.Truth, r.SampledFrom = "joined", p.clusters.from
	case p.clusters != nil:
		r.Truth, r.SampledFrom = "all", p.clusters.from
	case set.Clusters != nil:
		r.Truth = "sampled"
	}
	r.Docs, r.Units = len(p.Docs), p.Units
	r.Equal = p.equalPairs(set)
}

// equalPairs returns how many alike pairs of the part that count have equal texts.
func (p *Part) equalPairs(set *datasets.Set) (n int64) {
	text := func(i int) string { return set.Docs[p.Docs[i]].Text }
	if p.clusters == nil {
		for _, q := range p.Pairs {
			if q.Alike() && text(q.A) == text(q.B) {
				n++
			}
		}
		return n
	}
	for i := range p.Docs {
		for j := i + 1; j < int(p.clusters.end[i]); j++ {
			if text(i) == text(j) && !p.clusters.skips(i, j) {
				n++
			}
		}
	}
	return n
}

func (r *Record) setQuality(e *evaluation, p *Part, graded bool) {
	undefined := Figure(math.NaN())
	r.Pairs, r.Positives, r.Skipped = e.ranking.alike+e.ranking.other, e.ranking.alike, e.skipped
	positives := e.ranking.positives(p.Units)
	r.Floor, r.LargestUnit, r.EffectiveUnits = Figure(e.floor), Figure(slices.Max(positives)/float64(e.ranking.alike)), Figure(EffectiveUnits(positives))
	r.Precision, r.Recall, r.F1 = Figure(e.at.Precision()), Figure(e.at.Recall()), Figure(e.at.F1())
	r.Accuracy = Figure(e.at.Accuracy())
	r.AP, r.AUC = Figure(e.ranking.averagePrecision()), Figure(e.ranking.auc())
	r.RecallP95 = Figure(e.ranking.recallAt(0.95))
	r.ClosureFigures = p.closureFigures(e.components)
	if r.Join = e.join; r.Join != nil {
		r.AUC = undefined // the order of what lies below the floor is unknown
	}
	r.Pearson, r.Spearman = undefined, undefined
	if graded && p.clusters == nil {
		x, y := make([]float64, len(p.Pairs)), make([]float64, len(p.Pairs))
		for i, q := range p.Pairs {
			x[i], y[i] = float64(e.scores[i]), q.Grade
		}
		r.Pearson, r.Spearman = Figure(pearson(x, y)), Figure(spearman(x, y))
	}
}

func (r *Record) setIntervals(b Replicates) {
	n := float64(r.EffectiveUnits)
	r.Unusable = !Usable(n)
	r.PrecisionLow, r.PrecisionHigh = figures95(b.Precision, n)
	r.RecallLow, r.RecallHigh = figures95(b.Recall, n)
	r.F1Low, r.F1High = figures95(b.F1, n)
	r.APLow, r.APHigh = figures95(b.AP, n)
}

func (r *Record) setSpace(m similarity.Method, c similarity.Collection) error {
	bytes := 0
	for i := range c.Len() {
		bytes += c.Bytes(i)
		if c.Blank(i) {
			r.NoFeatureDocs++
		}
	}
	r.BytesPerDoc = Figure(float64(bytes) / float64(c.Len()))
	r.SavedBytesPerDoc = Figure(math.NaN())
	r.Fit = float64(r.NoFeatureDocs) <= notFit*float64(c.Len())
	var saved, header counter
	if err := c.Save(&saved); errors.Is(err, errors.ErrUnsupported) {
		return nil // the sketches lie elsewhere
	} else if err != nil {
		return err
	}
	if err := m.NewCollection().Save(&header); err != nil {
		return err
	}
	r.SavedBytesPerDoc = Figure(float64(saved-header) / float64(c.Len()))
	return nil
}

// counter counts the bytes written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

var _ io.Writer = (*counter)(nil)
