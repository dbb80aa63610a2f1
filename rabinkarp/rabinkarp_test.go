package rabinkarp

import (
	"slices"
	"strings"
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
		{Window: 50, Keep: 8},
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
		{K: 200, Window: 3},
		{K: 50, Window: 100, Robust: true, Measure: Overlap},
		{K: 3, Window: 1, Fold: feature.Fold{Form: feature.NoForm, DropPunct: true}},
	} {
		m := newWinnow(t, o)
		t.Run(m.String(), func(t *testing.T) { similaritytest.Run[Sketch](t, m) })
	}
}

func TestBadOptions(t *testing.T) {
	for want, o := range map[string]ManberOptions{
		"rabinkarp: Window is -1, want 1 to 4096":                      {Window: -1},
		"rabinkarp: Window is 4097, want 1 to 4096":                    {Window: 4097},
		"rabinkarp: Keep is 25, want 1 to 24":                          {Keep: 25},
		"rabinkarp: Hash is 2, want Mixed or Sif":                      {Hash: 2},
		"rabinkarp: Measure is 7, want Resemblance or Overlap":         {Measure: 7},
		`rabinkarp: anchor " \t" is empty when folded`:                 {Anchors: []string{"a", " \t"}},
		"rabinkarp: feature: Fold.Form is 9, want NFKC, NFC or NoForm": {Fold: feature.Fold{Form: 9}},
	} {
		if m, err := NewManber(o); m != nil || err == nil || err.Error() != want {
			t.Errorf("%+v: error %v, want %s", o, err, want)
		}
	}
	for want, o := range map[string]WinnowOptions{
		"rabinkarp: K is -5, want 1 to 4096":                                         {K: -5},
		"rabinkarp: Window is 65537, want 1 to 65536":                                {Window: 65537},
		"rabinkarp: Measure is -1, want Resemblance or Overlap":                      {Measure: -1},
		"rabinkarp: feature: Fold.Space is 3, want Collapse, KeepSpace or DropSpace": {Fold: feature.Fold{Space: 3}},
	} {
		if m, err := NewWinnow(o); m != nil || err == nil || err.Error() != want {
			t.Errorf("%+v: error %v, want %s", o, err, want)
		}
	}
}

func TestSpec(t *testing.T) {
	for want, o := range map[string]ManberOptions{
		"manber":                  {},
		"manber:window=50,keep=8": {Window: 50, Keep: 8},
		"manber:hash=sif,anchors=the|%E7%9A%84,overlap=true,measure=overlap,case=keep": {
			Hash: Sif, Anchors: []string{"the", "的"}, Overlap: true, Measure: Overlap, Fold: feature.Fold{KeepCase: true}},
	} {
		if got := newManber(t, o).String(); got != want {
			t.Errorf("%+v: %s, want %s", o, got, want)
		}
	}
	for want, o := range map[string]WinnowOptions{
		"winnow":              {},
		"winnow:k=5,window=4": {K: 5, Window: 4},
		"winnow:robust=true,measure=overlap,punct=drop,space=drop": {
			Robust: true, Measure: Overlap, Fold: feature.Fold{DropPunct: true, Space: feature.DropSpace}},
	} {
		if got := newWinnow(t, o).String(); got != want {
			t.Errorf("%+v: %s, want %s", o, got, want)
		}
	}
	// The measure only scores: sketches made under one are good under the other.
	a, b := newWinnow(t, WinnowOptions{}), newWinnow(t, WinnowOptions{Measure: Overlap})
	if a.Settings() != b.Settings() {
		t.Errorf("settings %s and %s differ by the measure", a.Settings(), b.Settings())
	}
}

// What becomes of texts without substance, as the documentation says.
func TestDegenerate(t *testing.T) {
	manber, winnow := newManber(t, ManberOptions{}), newWinnow(t, WinnowOptions{})
	for _, text := range []string{"", " \n\t ", strings.Repeat("\x00", 1000), strings.Repeat("\xff", 1000)} {
		if s := manber.Sketch(text); !manber.Empty(s) || manber.Score(s, s) != 0 {
			t.Errorf("manber: %.4q has bytes when folded", text)
		}
		if s := winnow.Sketch(text); !winnow.Empty(s) || winnow.Score(s, s) != 0 {
			t.Errorf("winnow: %.4q has bytes when folded", text)
		}
	}
	// Shorter than a window: features, but nothing to compare.
	if s := manber.Sketch("a few words"); !manber.Blank(s) || manber.Empty(s) {
		t.Errorf("manber: a text shorter than its window is not blank, or empty")
	}
	// One byte, repeated: the only window there is, or none that is sampled.
	one, more := strings.Repeat("a", 1000), strings.Repeat("a", 1500)
	if s := winnow.Sketch(one); len(s.Prints) != 1 || winnow.Score(s, winnow.Sketch(more)) != 1 {
		t.Errorf("winnow: %d fingerprints of one byte repeated, want the same one", len(s.Prints))
	}
	if s := manber.Sketch(one); len(s.Prints) > 1 || !slices.Equal(s.Prints, manber.Sketch(more).Prints) {
		t.Errorf("manber: %d fingerprints of one byte repeated, want at most one", len(s.Prints))
	}
	// A text below a window: its own fingerprint, or its checksum.
	for _, text := range []string{"a", "好", "too sho"} {
		if s := winnow.Sketch(text); len(s.Prints) != 1 {
			t.Errorf("winnow: %d fingerprints of %q, want 1", len(s.Prints), text)
		}
		s := manber.Sketch(text)
		if len(s.Prints) != 0 || manber.Score(s, manber.Sketch(strings.ToUpper(text))) != 1 {
			t.Errorf("manber: %q is not equal to itself in capitals", text)
		}
		if manber.Score(s, manber.Sketch(text+"!")) != 0 {
			t.Errorf("manber: %q equals itself and a mark", text)
		}
	}
}

// A megabyte of one byte, or of two in turn, is chosen once, not a million times.
func TestRunsTakeNoMemory(t *testing.T) {
	for _, unit := range []string{"a", "ab"} {
		text := []byte(strings.Repeat(unit, 1<<20/len(unit)))
		for _, m := range []chooser{
			newWinnow(t, WinnowOptions{}),
			newWinnow(t, WinnowOptions{Robust: true}),
			newManber(t, ManberOptions{Window: 20, Anchors: []string{"a"}, Overlap: true}),
		} {
			if n := len(m.choose(nil, &scratch{once: true}, text)); n != 1 {
				t.Errorf("%v: %d places in repeated %q, want 1", m, n, unit)
			}
			if n := len(m.choose(nil, new(scratch), text)); n < 1000 {
				t.Errorf("%v: %d places with repeats in repeated %q, want thousands", m, n, unit)
			}
		}
	}
}

// A sketch costs its fingerprints and nothing else.
func TestSketchAllocates(t *testing.T) {
	if underRace {
		t.Skip("the race detector makes pools forget")
	}
	text := string(prose(4000))
	manber, winnow := newManber(t, ManberOptions{}), newWinnow(t, WinnowOptions{})
	if n := testing.AllocsPerRun(100, func() { manber.Sketch(text) }); n > 1 {
		t.Errorf("manber: %v allocations a sketch, want 1", n)
	}
	if n := testing.AllocsPerRun(100, func() { winnow.Sketch(text) }); n > 1 {
		t.Errorf("winnow: %v allocations a sketch, want 1", n)
	}
}
