package ensemble

import "math"

// logistic returns 1/(1+exp(-z)).
func logistic(z float64) float64 {
	if z < 0 {
		e := math.Exp(z)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-z))
}

// The regression stops after so many Newton steps, or when none of its coefficients
// moves by more than stepLeast. Both, and the ridge, are fixed: the same pairs give the same weights.
const (
	stepsMost = 60
	stepLeast = 1e-8
	ridge     = 1.0
)

// sample is the scores of pairs, a row of width scores for each, and whether they are alike.
type sample struct {
	width  int
	scores []float32
	alike  []bool
}

// scale is the mean and the standard deviation of each column.
type scale struct{ mean, sd []float64 }

func (s *sample) scale() scale {
	out := scale{make([]float64, s.width), make([]float64, s.width)}
	n := float64(len(s.alike))
	for k := range s.width {
		sum, squares := 0.0, 0.0
		for i := k; i < len(s.scores); i += s.width {
			sum += float64(s.scores[i])
		}
		out.mean[k] = sum / n
		for i := k; i < len(s.scores); i += s.width {
			d := float64(s.scores[i]) - out.mean[k]
			squares += float64(d * d)
		}
		out.sd[k] = math.Sqrt(squares / n)
	}
	return out
}

// regress returns the coefficients, not negative, and the intercept that maximise the
// likelihood of the labels less ridge/2 times the sum of the squared coefficients of
// standardised scores: Newton steps on the likelihood (Cessie and Houwelingen, Applied
// Statistics 1992), each of whose quadratic problems is solved under the bounds by
// coordinates (Friedman, Hastie and Tibshirani, J. Statistical Software 2010). A step that makes
// it worse is halved. Columns that do not vary get 0. Products are rounded before they are added, so
// that every platform gives the same weights.
func (s *sample) regress() (weights []float64, bias float64) {
	sc := s.scale()
	now := make([]float64, s.width+1) // the intercept comes last
	now[s.width] = s.logOdds()
	objective := s.objective(sc, now)
	for range stepsMost {
		gradient, hessian := s.slopes(sc, now)
		next := boundedStep(now, gradient, hessian, sc.sd)
		size, better := 0.0, false
		for range 30 {
			size = 0
			for k := range next {
				size = max(size, math.Abs(next[k]-now[k]))
			}
			if o := s.objective(sc, next); o <= objective {
				objective, better = o, true
				break
			}
			for k := range next {
				next[k] = (next[k] + now[k]) / 2
			}
		}
		if !better {
			break
		}
		now = next
		if size < stepLeast {
			break
		}
	}
	weights, bias = make([]float64, s.width), now[s.width]
	for k := range weights {
		if sc.sd[k] > 0 {
			weights[k] = now[k] / sc.sd[k]
			bias -= float64(weights[k] * sc.mean[k])
		}
	}
	return weights, bias
}

// logOdds is that of a pair to be alike, with one of each kind added.
func (s *sample) logOdds() float64 {
	alike := 1.0
	for _, a := range s.alike {
		if a {
			alike++
		}
	}
	return math.Log(alike / (float64(len(s.alike)) + 2 - alike))
}

// standard sets x to the standardised scores of pair i, with a 1 for the intercept.
func (s *sample) standard(sc scale, i int, x []float64) {
	for k, v := range s.scores[i*s.width : (i+1)*s.width] {
		x[k] = 0
		if sc.sd[k] > 0 {
			x[k] = (float64(v) - sc.mean[k]) / sc.sd[k]
		}
	}
	x[s.width] = 1
}

// objective is the negative log-likelihood with the ridge.
func (s *sample) objective(sc scale, beta []float64) float64 {
	x := make([]float64, s.width+1)
	sum := 0.0
	for i, alike := range s.alike {
		s.standard(sc, i, x)
		z := dot(beta, x)
		if alike {
			z = -z
		}
		sum += max(z, 0) + math.Log1p(math.Exp(-math.Abs(z)))
	}
	for _, b := range beta[:s.width] {
		sum += float64(ridge / 2 * b * b)
	}
	return sum
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for k := range a {
		sum += float64(a[k] * b[k])
	}
	return sum
}

// slopes returns the first and second derivatives of the objective.
func (s *sample) slopes(sc scale, beta []float64) (gradient []float64, hessian [][]float64) {
	n := s.width + 1
	gradient = make([]float64, n)
	hessian = make([][]float64, n)
	for k := range hessian {
		hessian[k] = make([]float64, n)
	}
	x := make([]float64, n)
	for i, alike := range s.alike {
		s.standard(sc, i, x)
		p := logistic(dot(beta, x))
		residual := p
		if alike {
			residual--
		}
		curve := p * (1 - p)
		for k := range x {
			gradient[k] += float64(residual * x[k])
			cx := curve * x[k]
			for l := range k + 1 {
				hessian[k][l] += float64(cx * x[l])
			}
		}
	}
	for k := range n {
		for l := range k {
			hessian[l][k] = hessian[k][l]
		}
		if k < s.width {
			gradient[k] += float64(ridge * beta[k])
			hessian[k][k] += ridge
		}
	}
	return gradient, hessian
}

// boundedStep returns the minimum of the quadratic model around beta where the
// coefficients, but for the intercept, are not negative.
func boundedStep(beta, gradient []float64, hessian [][]float64, sd []float64) []float64 {
	next := append([]float64(nil), beta...)
	move := make([]float64, len(beta))
	for range 5000 {
		most := 0.0
		for k := range next {
			if k < len(sd) && sd[k] == 0 || hessian[k][k] <= 0 {
				continue
			}
			slope := gradient[k] + dot(hessian[k], move)
			to := next[k] - slope/hessian[k][k]
			if k < len(sd) {
				to = max(0, to)
			}
			most = max(most, math.Abs(to-next[k]))
			move[k] += to - next[k]
			next[k] = to
		}
		if most < stepLeast/10 {
			break
		}
	}
	return next
}
