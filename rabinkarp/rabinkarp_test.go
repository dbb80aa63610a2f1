package rabinkarp

import (
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity/similaritytest"
)

func newManber(t testing.TB, o ManberOptions) *Manber {
	t.Helper()
	m, err := NewManber(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func newWinnow(t testing.TB, o WinnowOptions) *Winnow {
	t.Helper()
	m, err := NewWinnow(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestLaws(t *testing.T) {
	for _, o := range []ManberOptions{
		{},
		{Window: 12, Keep: 3, Measure: Overlap},
		{Window: 8, Keep: 2, Overlap: true, Fold: feature.Fold{KeepCase: true, Space: feature.DropSpace}},
		{Hash: Sif, Keep: 4},
		{Window: 20, Anchors: []string{"the", "so", "的"}},
	} {
		m := newManber(t, o)
		t.Run(m.String(), func(t *testing.T) { similaritytest.Run[Sketch](t, m) })
	}
	for _, o := range []WinnowOptions{
		{},
		{K: 5, Window: 4},
		{K: 50, Window: 100, Robust: true, Measure: Overlap},
		{K: 3, Window: 1, Fold: feature.Fold{Form: feature.NoForm, DropPunct: true}},
	} {
		m := newWinnow(t, o)
		t.Run(m.String(), func(t *testing.T) { similaritytest.Run[Sketch](t, m) })
	}
}
