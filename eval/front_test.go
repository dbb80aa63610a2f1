package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestFront(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		points [][]float64
		want   []bool
	}{
		{nil, []bool{}},
		{[][]float64{{1, 2}}, []bool{true}},
		{[][]float64{{1, 2}, {1, 2}}, []bool{true, true}},
		{[][]float64{{.9, 10}, {.8, 100}, {.8, 50}, {.9, 10}}, []bool{true, true, false, true}},
		{[][]float64{{nan, 1}, {0, 1}}, []bool{false, true}},
		{[][]float64{{nan, nan}, {nan, nan}}, []bool{true, true}},
		{[][]float64{nil, {1, 1}, {1, 0}}, []bool{false, true, false}},
	} {
		if got := Front(c.points); !slices.Equal(got, c.want) {
			t.Errorf("Front(%v) is %v, want %v", c.points, got, c.want)
		}
	}
}

// Every point that is not on the front is beaten by some point, and no other.
func TestFrontByChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		points := make([][]float64, 1+rng.IntN(12))
		for i := range points {
			points[i] = []float64{float64(rng.IntN(6)), float64(rng.IntN(6))}
		}
		front := Front(points)
		for i, p := range points {
			beaten := false
			for _, o := range points {
				beaten = beaten || o[0] > p[0] && o[1] >= p[1] || o[0] == p[0] && o[1] > p[1]
			}
			if front[i] == beaten {
				t.Fatalf("point %d of %v: on the front %v, beaten %v", i, points, front[i], beaten)
			}
		}
	}
}
