package surrogate

import (
	"math"
)

// Bins of a histogram of scores over [0, 1). Scores of 1 stand in a bin of their own at
// the end.
const bins = 512

// histogram counts pairs by score.
type histogram [bins + 1]float64

func binOf(score float32) int { return max(0, min(bins, int(score*bins))) }

func middle(bin int) float64 { return (float64(bin) + 0.5) / bins }

// How much of a histogram a mixture is fitted to: the highest pairs, tailPairs for each
// document but no more than tailShare of all. Background is then most of what is looked
// at even where clusters are large, and is not so much of it that the bend of its bulk
// decides.
const (
	tailPairs = 40
	tailShare = 0.15
)

// mixture is a model of the upper tail of the scores of all pairs of a collection: pairs
// that have nothing to do with each other, whose scores fall off as a generalised Pareto
// distribution does, and alike ones, whose scores are a Beta distribution. Both are cut
// off below the bin from.
type mixture struct {
	from       int
	scale, bow float64 // of the Pareto distribution
	alpha      float64 // of the Beta distribution
	beta       float64
	share      float64 // of alike pairs among those of the tail

	// alike is the probability that a pair of a bin is alike (the complement of Efron's
	// local false discovery rate, JASA 2004). It never falls from one bin to the next.
	alike [bins + 1]float64

	// pairs is the expected number of alike pairs.
	pairs float64

	// threshold is where F1 is expected to be greatest, and f1 what is expected; 0 where
	// nothing stands out from the background.
	threshold, f1 float64
}

// Bounds on parameters. A Beta distribution as flat as one over [0, 1] would be
// background too. A background lighter than an exponential one ends at a score above
// which everything would be alike, and one heavier than mostBow would swallow what is.
const (
	leastSum  = 2.5
	leastBeta = 0.6
	leastBow  = 0
	mostBow   = 0.3
	rounds    = 200
)

// doubtless is the probability below which a pair counts as not alike: there are so many
// such pairs that what little the model is wrong about each would add up to more than all
// alike ones.
const doubtless = 0.1

// fitMixture fits the model to the histogram of n documents' pairs by expectation
// maximisation with moments in the place of likelihoods, which is steady where the tail
// is nearly empty.
func fitMixture(h *histogram, n int) *mixture {
	all := 0.0
	for _, c := range h {
		all += c
	}
	m := &mixture{from: bins - 1, alpha: 5, beta: 2}
	want := math.Min(tailPairs*float64(n), tailShare*all)
	tail := h[bins-1]
	for ; m.from > 1 && tail < want; m.from-- {
		tail += h[m.from-1]
	}
	m.scale = decay(h, m.from, tail, 0.5)
	straight := decay(h, m.from, tail, 0.1)
	m.share = min(0.3, 0.3*float64(n)/max(1, tail))
	for range rounds {
		m.expect()
		if !m.maximise(h, tail) {
			break
		}
	}
	for i := m.from; i < bins; i++ {
		if m.alike[i] < doubtless {
			m.alike[i] = 0
		}
		if i > 0 {
			m.alike[i] = max(m.alike[i], m.alike[i-1])
		}
	}
	m.alike[bins] = 1
	m.cut(h)
	called := 0.0
	for i := int(m.threshold * bins); i <= bins; i++ {
		called += h[i]
	}
	if expected := tail * math.Exp(-(m.threshold-float64(m.from)/bins)/straight); called < bend*expected {
		m.f1 = 0
	}
	return m
}

// decay returns the scale of an exponential distribution of which the share lies as far
// above the bin from as it does of a tail.
func decay(h *histogram, from int, tail, share float64) float64 {
	below := 0.0
	for i := from; i < bins; i++ {
		if below += h[i]; below > share*tail {
			return (float64(i-from) + 0.5) / bins / -math.Log1p(-share)
		}
	}
	return 1.0 / bins
}

// bend is how many more pairs must lie above the threshold than there would be if the
// tail fell off as it begins to. Where it falls off faster, nothing stands out, and what
// the mixture calls alike is the bulk's own shoulder.
const bend = 1.5

// expect computes the probability of each bin's pairs to be alike.
func (m *mixture) expect() {
	var apart, alike [bins]float64
	sumApart, sumAlike := 0.0, 0.0
	for i := m.from; i < bins; i++ {
		s := middle(i)
		apart[i] = pareto(s-float64(m.from)/bins, m.scale, m.bow)
		alike[i] = math.Exp((m.alpha-1)*math.Log(s) + (m.beta-1)*math.Log(1-s))
		sumApart += apart[i]
		sumAlike += alike[i]
	}
	for i := m.from; i < bins; i++ {
		a := m.share * alike[i] / sumAlike
		b := (1 - m.share) * apart[i] / sumApart
		m.alike[i] = 1
		if a+b > 0 {
			m.alike[i] = a / (a + b)
		}
	}
}

// maximise sets parameters to the moments of what is expected; false where one of the two
// has nothing left.
func (m *mixture) maximise(h *histogram, tail float64) bool {
	var alike, apart moments
	for i := m.from; i < bins; i++ {
		s := middle(i)
		alike.add(s, h[i]*m.alike[i])
		apart.add(s-float64(m.from)/bins, h[i]*(1-m.alike[i]))
	}
	m.share = alike.weight / max(1, tail)
	if alike.weight < 1e-3 || apart.weight < 1 {
		return false
	}
	mean, variance := alike.mean(), max(1e-4, alike.variance())
	sum := max(leastSum, mean*(1-mean)/variance-1)
	m.alpha, m.beta = max(1, mean*sum), max(leastBeta, (1-mean)*sum)
	mean, variance = apart.mean(), max(1e-9, apart.variance())
	m.bow = max(leastBow, min(mostBow, 0.5*(1-mean*mean/variance)))
	m.scale = mean * (1 - m.bow)
	return true
}

// cut finds where expected F1 is greatest: pairs from a bin on are called alike.
func (m *mixture) cut(h *histogram) {
	m.pairs = h[bins]
	for i := m.from; i < bins; i++ {
		m.pairs += h[i] * m.alike[i]
	}
	hits, called := h[bins], h[bins]
	m.threshold = 1
	for i := bins - 1; i >= m.from; i-- {
		hits += h[i] * m.alike[i]
		called += h[i]
		if f := 2 * hits / (called + m.pairs); f > m.f1 {
			m.f1, m.threshold = f, float64(i)/bins
		}
	}
}

// pareto is the density of the generalised Pareto distribution.
func pareto(x, scale, bow float64) float64 {
	if math.Abs(bow) < 1e-6 {
		return math.Exp(-x/scale) / scale
	}
	y := 1 + bow*x/scale
	if y <= 0 {
		return 0
	}
	return math.Pow(y, -1/bow-1) / scale
}

// moments sums weighted values.
type moments struct{ weight, sum, squares float64 }

func (m *moments) add(x, weight float64) {
	m.weight += weight
	m.sum += float64(weight * x)
	m.squares += float64(weight * x * x)
}

func (m *moments) mean() float64     { return m.sum / m.weight }
func (m *moments) variance() float64 { return m.squares/m.weight - m.mean()*m.mean() }
