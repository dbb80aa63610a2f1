package surrogate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/alike-go/alike/dedup"
)

// What a pair is judged by once there are answers: how likely it is without them, as log
// odds; how far above or below their thresholds the committee's members score it in the
// mean; how much more those of TF-IDF vectors do than those of sets; how different the
// lengths are; and the share of words that differ.
const (
	traits   = 6
	byHeight = 2
	byDiffer = 5
)

// prior is the mean of the coefficients before any answer, which leaves the odds as they
// are, and spread their standard deviations.
var (
	prior  = [traits]float64{0, 1, 0, 0, 0, 0}
	spread = [traits]float64{1, 0.25, 2, 1, 0.5, 2}
)

// Bounds on the log odds of a vote. A vote of a thousandth or of almost one is a
// statement of a model and not of a reader, so answers can overrule it.
const (
	leastOdds = -7
	mostOdds  = 4
)

// Learn judges all pairs anew by the answers: a logistic regression around what is likely
// without them. A pair that was answered is what the answer says. Without answers a pair
// is what the texts say (see wanted). Answers about documents that are not in the
// collection are ignored. Nothing is learned from answers that check a rule, so that
// they stay a fair sample.
func (t *Truth) Learn(labels []Label) {
	t.labels = labels
	t.given, t.checks = nil, map[[2]string]bool{}
	for _, l := range labels {
		if l.Check {
			t.checks[Key(l.A, l.B)] = l.Alike
		} else {
			t.given = append(t.given, l)
		}
	}
	t.learn(t.given)
}

func (t *Truth) learn(given []Label) {
	t.answers = t.numbers(given)
	t.Labels = len(t.answers) + len(t.checks)
	var x [][traits]float64
	var y []float64
	for i := range t.Pairs {
		p := &t.Pairs[i]
		if alike, ok := t.answers[[2]int32{p.A, p.B}]; ok {
			x = append(x, t.traits(p))
			y = append(y, truth(alike))
		}
	}
	w := regress(x, y)
	for i := range t.Pairs {
		p := &t.Pairs[i]
		if alike, ok := t.answers[[2]int32{p.A, p.B}]; ok {
			p.Alike = truth(alike)
		} else if p.Alike = t.wanted(t.Want, p); len(y) > 0 && (!p.far || p.Alike > 0) {
			if p.Alike = sigmoid(dot(w, t.traits(p))); p.Alike < doubtless {
				p.Alike = 0
			}
		}
	}
}

// wanted returns the probability that a pair is what is wanted, by the texts alone: 0 or 1
// for copies and excerpts, and what the committee says for versions.
func (t *Truth) wanted(w dedup.Want, p *Pair) float64 {
	switch {
	case p.Differ <= t.Differ:
		return 1
	case w == dedup.Versions:
		return p.Vote
	case w == dedup.Excerpts:
		return truth(p.contains >= dedup.LeastContained)
	}
	return 0
}

// likely returns the probability that answers move. Where nobody said what is
// wanted, it lies half-way between copies and versions.
func (t *Truth) likely(p *Pair) float64 {
	v := t.wanted(t.Want, p)
	if t.Stated {
		return v
	}
	return (v + t.wanted(dedup.Versions, p)) / 2
}

func truth(alike bool) float64 {
	if alike {
		return 1
	}
	return 0
}

// traits returns what a pair is judged by.
func (t *Truth) traits(p *Pair) [traits]float64 {
	v := t.likely(p)
	odds := max(leastOdds, min(mostOdds, math.Log(v)-math.Log1p(-v)))
	var sum, n [2]float64 // of sets and of vectors, which take turns in a committee
	for k := range t.Members {
		if m := &t.Members[k]; m.Trusted || !t.anyTrusted() {
			sum[k%2] += m.height(float64(p.Scores[k]))
			n[k%2]++
		}
	}
	x := [traits]float64{1, odds, (sum[0] + sum[1]) / max(1, n[0]+n[1]), 0, 0, min(p.Differ, mostDiffer) - t.Differ}
	if n[0] > 0 && n[1] > 0 {
		x[3] = sum[1]/n[1] - sum[0]/n[0]
	}
	a, b := float64(len(t.Docs[p.A].Text)), float64(len(t.Docs[p.B].Text))
	x[4] = math.Abs(math.Log(a / b))
	return x
}

// anyTrusted reports whether any member has a vote.
func (t *Truth) anyTrusted() bool {
	return slices.ContainsFunc(t.Members, func(m Member) bool { return m.Trusted })
}

// height returns where a score stands: 0 at the member's threshold, 1 at the top, and
// below the threshold -1 where the tail begins.
func (m *Member) height(score float64) float64 {
	if score >= m.Threshold {
		return (score - m.Threshold) / max(1.0/bins, 1-m.Threshold)
	}
	from := float64(m.m.from) / bins
	return max(-1, (score-m.Threshold)/max(1.0/bins, m.Threshold-from))
}

// sound reports whether a pair is no less likely alike if it scores higher, and no more
// likely if more of its words differ.
func sound(w [traits]float64) bool { return w[byHeight] >= 0 && w[byDiffer] <= 0 }

// regress returns the coefficients of the greatest posterior probability among the sound
// ones. The posterior is concave: if the maximum is not sound, one of these coefficients
// or both are 0, their prior mean.
func regress(x [][traits]float64, y []float64) [traits]float64 {
	best := maximum(x, y)
	if sound(best) {
		return best
	}
	most := math.Inf(-1)
	for _, without := range [][]int{{byHeight}, {byDiffer}, {byHeight, byDiffer}} {
		rest := slices.Clone(x)
		for i := range rest {
			for _, j := range without {
				rest[i][j] = 0
			}
		}
		w := maximum(rest, y)
		if p := posterior(w, x, y); sound(w) && p > most {
			best, most = w, p
		}
	}
	return best
}

// maximum returns the coefficients of greatest posterior probability, by Newton's method.
// The posterior is concave, and a step that does not raise it is halved.
func maximum(x [][traits]float64, y []float64) [traits]float64 {
	w := prior
	at := posterior(w, x, y)
	for range 50 {
		gradient := mat.NewVecDense(traits, nil)
		hessian := mat.NewSymDense(traits, nil)
		for j := range traits {
			v := spread[j] * spread[j]
			gradient.SetVec(j, -(w[j]-prior[j])/v)
			hessian.SetSym(j, j, 1/v)
		}
		for i := range x {
			p := sigmoid(dot(w, x[i]))
			for j := range traits {
				gradient.SetVec(j, gradient.AtVec(j)+float64((y[i]-p)*x[i][j]))
				for k := j; k < traits; k++ {
					hessian.SetSym(j, k, hessian.At(j, k)+float64(p*(1-p)*x[i][j]*x[i][k]))
				}
			}
		}
		var c mat.Cholesky
		var step mat.VecDense
		if !c.Factorize(hessian) || c.SolveVecTo(&step, gradient) != nil {
			break
		}
		moved := false
		for scale := 1.0; scale > 1e-3 && !moved; scale /= 2 {
			next := w
			for j := range traits {
				next[j] += float64(scale * step.AtVec(j))
			}
			if v := posterior(next, x, y); v > at+1e-10 {
				w, at, moved = next, v, true
			}
		}
		if !moved {
			break
		}
	}
	return w
}

// posterior is the logarithm of the coefficients' posterior density, but for a constant.
func posterior(w [traits]float64, x [][traits]float64, y []float64) float64 {
	sum := 0.0
	for j := range traits {
		d := (w[j] - prior[j]) / spread[j]
		sum -= float64(d*d) / 2
	}
	for i := range x {
		z := dot(w, x[i])
		if y[i] < 0.5 {
			z = -z
		}
		sum -= math.Log1p(math.Exp(-z))
	}
	return sum
}

func dot(w, x [traits]float64) float64 {
	sum := 0.0
	for j := range w {
		sum += float64(w[j] * x[j])
	}
	return sum
}

func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }
