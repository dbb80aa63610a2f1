package simhash

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/similarity"
)

// The distances and cosines are those of cos(πh/64); half of 64 bits score .5 on the
// linear scale.
func TestRadius(t *testing.T) {
	for _, c := range []struct {
		o         Options
		threshold float64
		want      int
	}{
		{Options{}, 1, 0},
		{Options{}, 0.9988, 0}, // one bit is .99880 rounded up
		{Options{}, 0.9987, 1},
		{Options{}, 0.989, 3},
		{Options{}, 0.7071, 16},
		{Options{}, 1e-9, 31},
		{Options{}, 0, 64},
		{Options{Score: Linear}, 1 - 3./64, 3},
		{Options{Score: Linear}, 0.5, 32},
		{Options{Score: Linear, Bits: 128}, 0.95, 6},
		{Options{Score: Linear}, 1.01, -1},
	} {
		if got := method(t, c.o).radius(c.threshold); got != c.want {
			t.Errorf("%+v: radius at %v is %d, want %d", c.o, c.threshold, got, c.want)
		}
	}
}

// planted returns fingerprints of a width, many of them near an earlier one or equal to it, and
// some of texts without features.
func planted(bits, n int) []Fingerprint {
	rng := rand.New(rand.NewPCG(3, uint64(bits)))
	out := make([]Fingerprint, n)
	for i := range out {
		f := Fingerprint{rng.Uint64(), rng.Uint64()}
		if i > 0 && rng.IntN(2) == 0 {
			f = out[rng.IntN(i)]
			for range rng.IntN(10) {
				b := rng.IntN(bits)
				f.Lo ^= uint64(1) << b
				if b >= 64 {
					f.Hi ^= 1 << (b - 64)
				}
			}
		}
		switch bits {
		case 32:
			f = Fingerprint{Lo: f.Lo & 0xffffffff}
		case 64:
			f.Hi = 0
		}
		if i%17 == 5 {
			f = Fingerprint{}
		}
		out[i] = f
	}
	return out
}

func TestJoinFindsWhatScoringAllPairsFinds(t *testing.T) {
	for _, o := range []Options{{}, {Bits: 32}, {Bits: 128}, {Score: Linear}} {
		m := method(t, o)
		all := planted(m.Options().Bits, 600)
		a, b := all[:250], all[250:]
		for _, threshold := range []float64{1, 0.98, 0.9, 0.7, 0.3} {
			var self, cross []similarity.Pair
			for i, x := range all {
				for j, y := range all {
					if s := m.Score(x, y); s >= threshold && i < j {
						self = append(self, similarity.Pair{A: i, B: j, Score: s})
						if i < len(a) && j >= len(a) {
							cross = append(cross, similarity.Pair{A: i, B: j - len(a), Score: s})
						}
					}
				}
			}
			check := func(what string, x, y []Fingerprint, want []similarity.Pair) {
				var got []similarity.Pair
				st, err := m.Join(context.Background(), x, y, similarity.JoinOptions{Threshold: threshold}, func(p similarity.Pair) error {
					got = append(got, p)
					return nil
				})
				if err != nil || !slices.Equal(got, want) || st.Pairs != int64(len(want)) || st.Recall != 1 {
					t.Errorf("%s at %v: %s by %s: %d pairs, want %d, error %v", m, threshold, what, st.Design, len(got), len(want), err)
				}
			}
			check("self-join", all, nil, self)
			check("join", a, b, cross)
		}
	}
}

func TestBuckets(t *testing.T) {
	for _, c := range []struct {
		o         Options
		threshold float64
		design    string
	}{
		{Options{}, 0.989, "4 tables of 16 bits"}, // 3 bits
		{Options{}, 1, "1 table of 64 bits"},
		{Options{}, 0.96, "21 tables of 18 to 19 bits"}, // 5 bits: 7 blocks, 2 of them
		{Options{Bits: 128}, 0.989, "7 tables of 18 to 19 bits"},
		{Options{Score: Linear}, 0.3, "45 tables of 1 to 2 bits"},
	} {
		b, err := method(t, c.o).Buckets(similarity.JoinOptions{Threshold: c.threshold})
		if err != nil || b.Design != c.design {
			t.Errorf("%+v at %v: %q, want %q, error %v", c.o, c.threshold, b.Design, c.design, err)
		}
	}
}

// Recall is what random flips show, within five standard errors.
func TestBucketsRecall(t *testing.T) {
	const trials = 4000
	m := method(t, Options{Score: Linear})
	rng := rand.New(rand.NewPCG(5, 5))
	b, err := m.Buckets(similarity.JoinOptions{Threshold: 1 - 3./64})
	if err != nil {
		t.Fatal(err)
	}
	for h := range 20 {
		found := 0
		for range trials {
			x := Fingerprint{Lo: rng.Uint64()}
			y := x
			for _, bit := range rng.Perm(64)[:h] {
				y.Lo ^= 1 << bit
			}
			keys := b.Append(nil, y)
			if slices.ContainsFunc(b.Append(nil, x), func(k similarity.Key) bool { return slices.Contains(keys, k) }) {
				found++
			}
		}
		got, want := float64(found)/trials, b.Recall(1-float64(h)/64)
		if h <= 3 && (want != 1 || got != 1) || math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/trials)+1./trials {
			t.Errorf("distance %d: a bucket shared in %v of all trials, want %v", h, got, want)
		}
	}
}
