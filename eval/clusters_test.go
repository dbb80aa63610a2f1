package eval

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 5e-5 || math.IsNaN(a) && math.IsNaN(b) }

// The figures are those of scikit-learn's adjusted_rand_score and
// homogeneity_completeness_v_measure; B-cubed of four documents can be done by hand.
func TestClusterMetricsWorkedExamples(t *testing.T) {
	gold := []int{0, 0, 1, 1}
	for _, c := range []struct {
		pred        []int
		ari, bp, br float64
	}{
		{[]int{0, 0, 1, 2}, .571429, 1, .75},
		{[]int{5, 5, 3, 3}, 1, 1, 1},
		{[]int{0, 1, 2, 3}, 0, 1, .5},
		{[]int{0, 1, 0, 1}, -.5, .5, .5},
		{[]int{0, 0, 0, 0}, 0, .5, 1},
	} {
		if got := ARI(gold, c.pred); !near(got, c.ari) {
			t.Errorf("%v: ARI %v, want %v", c.pred, got, c.ari)
		}
		if got := ARI(c.pred, gold); !near(got, c.ari) {
			t.Errorf("%v: ARI the other way %v, want %v", c.pred, got, c.ari)
		}
		if p, r, _ := BCubed(gold, c.pred); !near(p, c.bp) || !near(r, c.br) {
			t.Errorf("%v: B-cubed %v %v, want %v %v", c.pred, p, r, c.bp, c.br)
		}
		if p, r, _ := BCubed(c.pred, gold); !near(p, c.br) || !near(r, c.bp) {
			t.Errorf("%v: B-cubed the other way %v %v, want %v %v", c.pred, p, r, c.br, c.bp)
		}
	}
	// One cluster against single documents says nothing; the same trivial clusters agree.
	if got := ARI([]int{0, 0, 0, 0}, []int{0, 1, 2, 3}); got != 0 {
		t.Errorf("ARI of one cluster and single documents %v, want 0", got)
	}
	for _, same := range [][]int{{0, 1, 2}, {7, 7, 7}, {0}, nil} {
		if got := ARI(same, same); got != 1 {
			t.Errorf("ARI of %v with itself %v, want 1", same, got)
		}
	}
}

// By documents and pairs, as the definitions read.
func TestClusterMetricsAgainstDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for round := range 100 {
		n := 2 + rng.IntN(30)
		gold, pred := make([]int, n), make([]int, n)
		for i := range n {
			gold[i], pred[i] = rng.IntN(6), rng.IntN(6)
		}
		var p, r, a, b, c, d float64
		for i := range n {
			var both, g, q float64
			for j := range n {
				sg, sp := gold[i] == gold[j], pred[i] == pred[j]
				if sg {
					g++
				}
				if sp {
					q++
				}
				if sg && sp {
					both++
				}
				switch {
				case i == j:
				case sg && sp:
					a++
				case sg:
					b++
				case sp:
					c++
				default:
					d++
				}
			}
			p += both / q / float64(n)
			r += both / g / float64(n)
		}
		gp, gr, gf := BCubed(gold, pred)
		if math.Abs(gp-p) > 1e-12 || math.Abs(gr-r) > 1e-12 || math.Abs(gf-2*p*r/(p+r)) > 1e-12 {
			t.Fatalf("round %d: B-cubed %v %v %v, want %v %v", round, gp, gr, gf, p, r)
		}
		// The form of the index by pairs (Steinley, Psychological Methods 2004).
		want := 1.0
		if den := (a+b)*(b+d) + (a+c)*(c+d); den != 0 {
			want = 2 * (a*d - b*c) / den
		}
		if got := ARI(gold, pred); math.Abs(got-want) > 1e-12 {
			t.Fatalf("round %d: ARI %v, want %v", round, got, want)
		}
	}
}
