package rabinkarp

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// minima appends the winnowed places of a sequence of hashes.
func minima(dst []place, hashes []uint64, w int, robust bool) []place {
	sel := selector{w: w, robust: robust}
	return sel.feed(dst, hashes, 0, 0, true)
}

// The example of Schleimer, Wilkerson and Aiken, SIGMOD 2003, figure 2: the hashes of
// the 17 5-grams of "adorunrunrunadorunrun", winnowed by windows of 4. (The
// figure prints one hash as 74 in one place and 72 in another; the choice is the same.)
func TestWinnowingPaper(t *testing.T) {
	hashes := []uint64{77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98}
	want := []place{{17, 3}, {17, 6}, {8, 8}, {39, 11}, {17, 15}}
	for range 2 {
		if got := minima(nil, hashes, 4, false); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		hashes[1], hashes[13] = 72, 72
	}
}

// Robust winnowing stays with a selected hash that is still least; plain
// winnowing takes each later equal one.
func TestRobust(t *testing.T) {
	equal := make([]uint64, 10)
	if got, want := minima(nil, equal, 4, true), []place{{0, 3}, {0, 7}}; !slices.Equal(got, want) {
		t.Errorf("robust %v, want %v", got, want)
	}
	if got := minima(nil, equal, 4, false); len(got) != 7 {
		t.Errorf("plain selects %d of 10 equal hashes, want 7", len(got))
	}
}

func TestMinimaAgainstOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 3000 {
		hashes := make([]uint64, rng.IntN(300))
		values := uint64(1) << rng.IntN(64)
		for i := range hashes {
			hashes[i] = rng.Uint64N(values)
		}
		w, robust := 1+rng.IntN(40), rng.IntN(2) == 0
		got := minima(nil, hashes, w, robust)
		if want := naiveMinima(hashes, w, robust); !slices.Equal(got, want) {
			t.Fatalf("w=%d robust=%v %d: %v, want %v", w, robust, hashes, got, want)
		}
	}
}

// The density of the paper: 2/(w+1) of random hashes.
func TestDensity(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	hashes := make([]uint64, 1_000_000)
	for i := range hashes {
		hashes[i] = rng.Uint64()
	}
	for _, w := range []int{4, 20, 100} {
		got := float64(len(minima(nil, hashes, w, false))) / float64(len(hashes))
		if want := 2 / float64(w+1); math.Abs(got/want-1) > .01 {
			t.Errorf("w=%d: density %.5f, want %.5f within 1%%", w, got, want)
		}
	}
}

func TestWinnowAgainstOracle(t *testing.T) {
	for name, text := range corpus(5) {
		for _, o := range []WinnowOptions{
			{K: 5, Window: 4},
			{K: 20, Window: 20, Robust: true},
			{K: 50, Window: 100},
			{K: 1, Window: 1},
			{K: 7, Window: 4500, Robust: true}, // two buffers for the longest text
		} {
			if o.Window > 1000 && len(text) > o.Window && name != "letters/9300" {
				continue // the oracle takes its time
			}
			m, want := newWinnow(t, o), naiveWinnow(o, text)
			if got := m.choose(nil, new(scratch), text); !slices.Equal(got, want) {
				t.Errorf("%s: %+v: %v, want %v", name, o, got, want)
			}
			same := func(w Window, p place) bool { return w.Hash == p.hash && w.At == p.at }
			if got := m.Windows([]Window{{1, 2}}, text); !slices.EqualFunc(got[1:], want, same) {
				t.Errorf("%s: %+v: windows %v, want %v", name, o, got, want)
			}
		}
	}
}

func FuzzWinnow(f *testing.F) {
	f.Add([]byte("adorunrunrunadorunrun"), uint16(5), uint16(4), false)
	f.Add(bytes.Repeat([]byte{0}, 300), uint16(3), uint16(7), true)
	f.Add(bytes.Repeat([]byte("abc"), 1800), uint16(3), uint16(4100), true)
	f.Fuzz(func(t *testing.T, text []byte, k, w uint16, robust bool) {
		o := WinnowOptions{K: int(k)%4096 + 1, Window: int(w) + 1, Robust: robust}
		if len(text)*(o.K+o.Window) > 1<<21 {
			t.Skip("too slow for the oracle")
		}
		got := newWinnow(t, o).choose(nil, new(scratch), text)
		if want := naiveWinnow(o, text); !slices.Equal(got, want) {
			t.Fatalf("%+v of %q: %v, want %v", o, text, got, want)
		}
	})
}

// FuzzGuarantee checks both halves of the guarantee: a shared passage of w+k-1
// bytes shares a fingerprint, and a shared fingerprint means k equal bytes.
func FuzzGuarantee(f *testing.F) {
	f.Add([]byte("the cat sat on the mat"), []byte("before "), []byte(" behind"), []byte("other"), uint8(5), uint8(4), false)
	f.Add([]byte("aaaaaaaaaaaaaaaa"), []byte("aaab"), []byte("b"), []byte("ba"), uint8(2), uint8(9), true)
	f.Fuzz(func(t *testing.T, passage, a, b, c []byte, k, w uint8, robust bool) {
		o := WinnowOptions{K: int(k)%30 + 1, Window: int(w)%30 + 1, Robust: robust}
		m := newWinnow(t, o)
		// Folded texts hold no NUL, in front of which a short text hashes as without.
		one := bytes.ReplaceAll(slices.Concat(a, passage, b), []byte{0}, []byte{1})
		two := bytes.ReplaceAll(slices.Concat(c, passage, a), []byte{0}, []byte{1})
		pa := m.choose(nil, new(scratch), one)
		pb := m.choose(nil, new(scratch), two)
		hit := false
		for _, x := range pa {
			for _, y := range pb {
				if x.hash != y.hash {
					continue
				}
				hit = true
				if !bytes.Equal(one[x.at:x.at+m.width(one)], two[y.at:y.at+m.width(two)]) {
					t.Fatalf("%+v: one hash at %d of %q and %d of %q, which differ there", o, x.at, one, y.at, two)
				}
			}
		}
		// It holds for robust winnowing too: it may select another place in each
		// text, but with the same least hash.
		if len(passage) >= o.K+o.Window-1 && !hit {
			t.Fatalf("%+v: no fingerprint of %q shared by %q and %q", o, passage, one, two)
		}
	})
}
