package eval

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/alike-go/alike/eval/internal/resample"
)

// For independent pairs and no false positive F1 is 2r/(1+r) of a binomial
// recall r, so the interval must cover the transformed binomial one closely.
func TestIntervalOfIndependentPairs(t *testing.T) {
	const n, hits = 400, 300
	var p []Scored
	for i := range n {
		s := 0.0
		if i < hits {
			s = 1
		}
		p = append(p, Scored{Score: s, Alike: true, Unit: [2]int{i, i}})
	}
	got := Interval95(Bootstrap(p, n, .5, 2000, 7).F1, n)
	f := func(r float64) float64 { return 2 * r / (1 + r) }
	se := math.Sqrt(.75 * .25 / n)
	if lo, hi := f(.75-1.96*se), f(.75+1.96*se); math.Abs(got.Low-lo) > .006 || math.Abs(got.High-hi) > .006 {
		t.Errorf("interval %v, want about [%.4f, %.4f]", got, lo, hi)
	}
	// The same pairs in 40 clusters of ten that hit or miss together carry less evidence.
	for i := range p {
		u := i / 10
		p[i].Unit = [2]int{u, u}
	}
	wide := Interval95(Bootstrap(p, n/10, .5, 2000, 7).F1, n/10)
	if ratio := (wide.High - wide.Low) / (got.High - got.Low); ratio < 2.4 || ratio > 4 {
		t.Errorf("clusters of ten widen the interval %v times, want about sqrt(10)", ratio)
	}
}

// A pair that weighs w is w equal pairs.
func TestReplicatesAgainstRepeatedPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const units, resamples, seed = 6, 50, 11
	var p []Scored
	for range 60 {
		p = append(p, Scored{
			Score: float64(rng.IntN(12)) / 11, Alike: rng.IntN(2) == 0,
			Unit: [2]int{rng.IntN(units), rng.IntN(units)},
		})
	}
	const threshold = .4
	got := Bootstrap(p, units, threshold, resamples, seed)
	drawn := make([]int32, units)
	for n := range resamples {
		resample.Draw(drawn, seed, n)
		var repeated []Scored
		for _, q := range p {
			w := drawn[q.Unit[0]]
			if q.Unit[0] != q.Unit[1] {
				w *= drawn[q.Unit[1]]
			}
			for range w {
				repeated = append(repeated, q)
			}
		}
		c := Count(repeated, threshold)
		for _, f := range []struct {
			name      string
			got, want float64
		}{
			{"precision", float64(got.Precision[n]), c.Precision()},
			{"recall", float64(got.Recall[n]), c.Recall()},
			{"F1", float64(got.F1[n]), c.F1()},
			{"AP", float64(got.AP[n]), AveragePrecision(repeated)},
		} {
			if !(math.Abs(f.got-f.want) < 1e-6) {
				t.Errorf("resample %d: %s %v, want %v", n, f.name, f.got, f.want)
			}
		}
	}
}

func TestBootstrapDoesNotDependOnWorkers(t *testing.T) {
	p := pairs([]float64{.9, .8, .7, .6, .5}, []bool{true, false, true, false, true})
	r := rankScored(p)
	one := r.bootstrap(5, .65, 200, 3, 1)
	if many := r.bootstrap(5, .65, 200, 3, 7); !reflect.DeepEqual(bitsOf(one), bitsOf(many)) {
		t.Error("replicates depend on the number of workers")
	}
}

func bitsOf(r Replicates) (out []uint32) {
	for _, f := range [][]float32{r.Precision, r.Recall, r.F1, r.AP} {
		for _, v := range f {
			out = append(out, math.Float32bits(v))
		}
	}
	return out
}

// Without an error among n units the interval reaches down to n/(n+3): the 97.5 %
// quantile of the Poisson distribution of mean 1 is 3.
func TestIntervalWithoutErrors(t *testing.T) {
	all := make([]float32, 2000)
	for i := range all {
		all[i] = 1
	}
	if i := Interval95(all, 30); !near(i.Low, 30./33) || i.High != 1 {
		t.Errorf("interval %v of 30 units without an error, want 30/33 to 1", i)
	}
	clear(all)
	if i := Interval95(all, 30); i.Low != 0 || !near(i.High, 3./33) {
		t.Errorf("interval %v of 30 units that are all wrong, want 0 to 3/33", i)
	}
}

func TestEffectiveUnits(t *testing.T) {
	for _, c := range []struct {
		positives []float64
		want      float64
	}{
		{[]float64{3, 3, 3, 3}, 4},
		{[]float64{8, 0, 0}, 1},
		{[]float64{2, 1, 1}, 16. / 6},
		{nil, 0},
	} {
		if got := EffectiveUnits(c.positives); !near(got, c.want) {
			t.Errorf("%v: %v effective units, want %v", c.positives, got, c.want)
		}
	}
}

func TestIntervalOfNothing(t *testing.T) {
	if i := Interval95(Bootstrap(nil, 0, .5, 100, 1).F1, 10); !math.IsNaN(i.Low) || !math.IsNaN(i.High) {
		t.Errorf("interval %v of no pairs, want NaN", i)
	}
}
