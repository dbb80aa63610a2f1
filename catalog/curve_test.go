package catalog_test

import (
	"math"
	"testing"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/similarity"
)

// The curve goes through what a join at the threshold says of itself.
func TestCurve(t *testing.T) {
	m, err := catalog.Parse("minhash:size=64")
	if err != nil {
		t.Fatal(err)
	}
	for _, percent := range []int{30, 70, 95} {
		o := similarity.JoinOptions{Threshold: float64(percent) / 100}
		st, err := m.NewCollection().Join(t.Context(), nil, o, func(similarity.Pair) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		design, found := catalog.Curve(m, o.Threshold)
		if design != st.Design || len(found) != 101 || found[percent] != st.Recall {
			t.Fatalf("at %v: %s, %v, want %s and %v at %d", o.Threshold, design, found, st.Design, st.Recall, percent)
		}
		for i, f := range found[1:] {
			if f < found[i]-1e-12 || f > 1 {
				t.Errorf("at %v: %v is found at .%02d and %v above it", o.Threshold, found[i], i, f)
			}
		}
	}
	for _, threshold := range []float64{0, -1, 1.5, math.NaN()} {
		if _, found := catalog.Curve(m, threshold); found != nil {
			t.Errorf("a curve at %v", threshold)
		}
	}
	for _, spec := range []string{"shingle", "simhash", "minhash:scheme=bottom"} {
		m, err := catalog.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		if _, found := catalog.Curve(m, .8); found != nil {
			t.Errorf("%s has a curve", spec)
		}
	}
}
