package rabinkarp

import (
	"bytes"
	"slices"
	"testing"
)

func TestSampleAgainstOracle(t *testing.T) {
	for name, text := range corpus(4) {
		for _, o := range []ManberOptions{
			{Window: 50, Keep: 6},
			{Window: 50, Keep: 1},
			{Window: 50, Keep: 1, Overlap: true},
			{Window: 5, Keep: 3},
			{Window: 5, Keep: 3, Overlap: true},
			{Window: 1, Keep: 2},
			{Window: 300, Keep: 4},
			{Window: 50, Keep: 4, Hash: Sif},
			{Window: 5, Keep: 2, Hash: Sif, Overlap: true},
			{Window: 20, Anchors: []string{"ab", "bc", "gabc"}},
			{Window: 3, Anchors: []string{"d", "e"}, Overlap: true},
		} {
			got := newManber(t, o).choose(nil, new(scratch), text)
			if want := naiveManber(o, text); !slices.Equal(got, want) {
				t.Errorf("%s: %+v: %v, want %v", name, o, got, want)
			}
		}
	}
}

// Fifty blanks lie 21 times in seventy; as published, one is kept.
func TestNonOverlap(t *testing.T) {
	text := bytes.Repeat([]byte(" "), 70)
	m := newManber(t, ManberOptions{Window: 50, Overlap: true, Anchors: []string{"x"}})
	blank := direct(text[:50])
	s := newSampler(m.o.Window, blank+1, false)
	if got := s.sample(nil, new(scratch), text); len(got) != 1 || got[0].at != 0 {
		t.Errorf("without overlap %v, want one window at 0", got)
	}
	s.overlap = true
	if got := s.sample(nil, new(scratch), text); len(got) != 21 {
		t.Errorf("with overlap %d windows, want 21", len(got))
	}
}

func TestAnchors(t *testing.T) {
	// Anchors are folded as the text is, and their windows begin right behind them.
	m := newManber(t, ManberOptions{Window: 4, Anchors: []string{"KEY"}})
	text := "the key  opens, a Keyhole looks; key"
	var got []string
	for _, f := range m.Fingerprints(text) {
		got = append(got, text[f.Start:f.End])
	}
	if want := []string{"  ope", "hole"}; !slices.Equal(got, want) {
		t.Errorf("windows %q, want %q", got, want)
	}
	if n := len(m.Sketch(text).Prints); n != 2 {
		t.Errorf("%d fingerprints, want 2", n)
	}
	for value, want := range map[string][]string{
		"":              nil,
		"the|of":        {"the", "of"},
		"a%7Cb|x%2C%20": {"a|b", "x, "},
	} {
		got, err := parseAnchors(value)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("parseAnchors(%q) = %q, %v, want %q", value, got, err, want)
		}
		if back := formatAnchors(got); back != value {
			t.Errorf("anchors %q are written %q, want %q", got, back, value)
		}
	}
	if _, err := parseAnchors("50%"); err == nil {
		t.Error("no error for a broken escape")
	}
}

func FuzzSample(f *testing.F) {
	f.Add([]byte("abracadabra abracadabra"), uint16(4), uint8(1), false, uint8(0))
	f.Add(bytes.Repeat([]byte{0}, 600), uint16(50), uint8(5), true, uint8(1))
	f.Add(bytes.Repeat([]byte("ab"), 400), uint16(50), uint8(5), false, uint8(2))
	f.Fuzz(func(t *testing.T, text []byte, window uint16, keep uint8, overlap bool, scheme uint8) {
		o := ManberOptions{
			Window:  int(window)%4096 + 1,
			Keep:    int(keep)%24 + 1,
			Overlap: overlap,
		}
		switch scheme % 3 {
		case 1:
			o.Hash = Sif
		case 2:
			o.Anchors = []string{"a", "ab", "ba"}
		}
		if len(text)*o.Window > 1<<21 {
			t.Skip("too slow for the oracle")
		}
		got := newManber(t, o).choose(nil, new(scratch), text)
		if want := naiveManber(o, text); !slices.Equal(got, want) {
			t.Fatalf("%+v of %q: %v, want %v", o, text, got, want)
		}
	})
}
