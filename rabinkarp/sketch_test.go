package rabinkarp

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/similarity"
)

func TestSorted(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	var s scratch
	for _, n := range []int{0, 1, 2, 31, 32, 100, 5000} {
		for _, values := range []uint64{1, 2, 50, 1 << 30, 1 << 63} {
			var places []place
			var want []uint64
			for i := range n {
				h := rng.Uint64N(values) + 1<<62*(values>>63)
				places = append(places, place{h, i})
				want = append(want, h)
			}
			slices.Sort(want)
			want = slices.Compact(want)
			if got := sorted(places, &s); !slices.Equal(got, want) {
				t.Errorf("%d of %d values: %d distinct, want %d in order", n, values, len(got), len(want))
			}
		}
	}
}

// sketches of given fingerprints, with checksums that differ.
func given(sum uint64, prints ...uint64) Sketch {
	return Sketch{Prints: prints, Sum: sum, Size: 1000}
}

func TestScore(t *testing.T) {
	resemblance, overlap := method{measure: Resemblance}, method{measure: Overlap}
	a := given(1, 2, 3, 5, 7)
	for _, c := range []struct {
		name                           string
		b                              Sketch
		resemblance, overlap, inB, inA float64
	}{
		{"half", given(2, 3, 5), 2. / 4, 1, 2. / 4, 1},
		{"some", given(3, 1, 2, 3, 9, 11, 13), 2. / 8, 2. / 4, 2. / 4, 2. / 6},
		{"none", given(4, 8, 9), 0, 0, 0, 0},
		{"same fingerprints, other text", given(5, 2, 3, 5, 7), 1, 1, 1, 1},
		{"no sample", given(6), 0, 0, 0, 0},
		{"empty", Sketch{}, 0, 0, 0, 0},
	} {
		if got := resemblance.Score(a, c.b); got != c.resemblance {
			t.Errorf("%s: resemblance %v, want %v", c.name, got, c.resemblance)
		}
		if got := overlap.Score(a, c.b); got != c.overlap {
			t.Errorf("%s: overlap %v, want %v", c.name, got, c.overlap)
		}
		if got := resemblance.Containment(a, c.b); got != c.inB {
			t.Errorf("%s: containment %v, want %v", c.name, got, c.inB)
		}
		if got := resemblance.Containment(c.b, a); got != c.inA {
			t.Errorf("%s: containment the other way %v, want %v", c.name, got, c.inA)
		}
	}
	// Texts without a sample are compared by checksum and size.
	short := given(9)
	if got := resemblance.Score(short, given(9)); got != 1 {
		t.Errorf("equal checksum and size score %v, want 1", got)
	}
	if got := resemblance.Score(short, Sketch{Sum: 9, Size: 999}); got != 0 {
		t.Errorf("equal checksum and another size score %v, want 0", got)
	}
}

func TestScoreAllocatesNothing(t *testing.T) {
	m := newWinnow(t, WinnowOptions{})
	a, b := m.Sketch(string(prose(5000))), m.Sketch(string(prose(4000)))
	var s float64
	if n := testing.AllocsPerRun(100, func() { s += m.Score(a, b) + m.Containment(a, b) }); n != 0 {
		t.Errorf("%v allocations a score, want 0", n)
	}
	if s == 0 {
		t.Error("nothing shared")
	}
}

func TestDecodeDamaged(t *testing.T) {
	good := new(method).AppendSketch(nil, given(1, 2, 3, 5))
	for name, data := range map[string][]byte{
		"nothing":                 nil,
		"count too big":           append(slices.Clone(good[:10]), 0xff, 0xff, 0xff, 0xff, 0x0f),
		"unsorted":                new(method).AppendSketch(nil, given(1, 3, 2)),
		"repeated":                new(method).AppendSketch(nil, given(1, 2, 2)),
		"size overflow":           {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		"long size":               {0x85, 0x00, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		"long count":              {0x05, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x00},
		"prints of an empty text": new(method).AppendSketch(nil, Sketch{Prints: []uint64{1}}),
	} {
		if _, _, err := (new(method)).DecodeSketch(data); !errors.Is(err, similarity.ErrFormat) {
			t.Errorf("%s: error %v, want ErrFormat", name, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(new(method).AppendSketch(nil, given(1, 2, 3, 5)))
	f.Add(new(method).AppendSketch(nil, Sketch{}))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, n, err := new(method).DecodeSketch(data)
		if err != nil {
			if !errors.Is(err, similarity.ErrFormat) {
				t.Fatalf("error %v, want ErrFormat", err)
			}
			return
		}
		again, m, err := new(method).DecodeSketch(new(method).AppendSketch(nil, s))
		if err != nil || again.Sum != s.Sum || again.Size != s.Size || !slices.Equal(again.Prints, s.Prints) {
			t.Fatalf("%v of %d bytes is encoded so that it decodes to %v, %v", s, n, again, err)
		}
		if m > n {
			t.Fatalf("encoding of %d bytes, decoded from %d", m, n)
		}
	})
}
