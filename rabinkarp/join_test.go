package rabinkarp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/internal/splitmix"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/similaritytest"
)

// bruteForce scores every pair.
func bruteForce(measure Measure, a, b []Sketch, threshold float64) []similarity.Pair {
	m := method{measure: measure}
	var out []similarity.Pair
	other := b
	if b == nil {
		other = a
	}
	for i := range a {
		for j := range other {
			if s := m.Score(a[i], other[j]); s >= threshold && (b != nil || i < j) {
				out = append(out, similarity.Pair{A: i, B: j, Score: s})
			}
		}
	}
	return out
}

func joined(t testing.TB, measure Measure, a, b []Sketch, threshold float64, workers int) ([]similarity.Pair, similarity.JoinStats) {
	t.Helper()
	var got []similarity.Pair
	m := method{measure: measure}
	st, err := m.Join(context.Background(), a, b, similarity.JoinOptions{Threshold: threshold, Workers: workers},
		func(p similarity.Pair) error { got = append(got, p); return nil })
	if err != nil {
		t.Fatal(err)
	}
	if st.Pairs != int64(len(got)) || st.Recall != 1 || st.Candidates < st.Verified {
		t.Errorf("statistics %+v for %d pairs", st, len(got))
	}
	return got, st
}

// collections are sketches of every kind that a join treats differently.
func collections(n int, seed uint64) map[string][]Sketch {
	rng := rand.New(rand.NewPCG(seed, 1))
	sum := uint64(0)
	of := func(prints ...uint64) Sketch {
		slices.Sort(prints)
		sum++
		return given(sum, slices.Compact(prints)...)
	}
	draw := func(n int, values uint64) []uint64 {
		out := make([]uint64, n)
		for i := range out {
			out[i] = splitmix.Mix(rng.Uint64N(values))
		}
		return out
	}
	boilerplate := draw(30, 1<<62)
	out := map[string][]Sketch{"none": {}, "empty": make([]Sketch, 5)}
	for i := range n {
		put := func(name string, s Sketch) { out[name] = append(out[name], s) }
		put("random", of(draw(1+rng.IntN(40), 200)...))
		put("few values", of(draw(1+rng.IntN(4), 6)...))
		put("sif", of(uint64(rng.IntN(20))<<8, uint64(rng.IntN(20))<<8, uint64(rng.IntN(20))<<8))
		put("boilerplate", of(append(draw(rng.IntN(20), 1<<40), boilerplate...)...))
		put("equal", of(1, 2, 3))
		put("mixed lengths", of(draw(1<<rng.IntN(9), 400)...))

		planted := draw(30, 1<<40)
		if i%5 > 0 {
			copy(planted, out["planted"][i-i%5].Prints[i%5*5:])
		}
		put("planted", of(planted...))
		blank := of()
		if i%2 > 0 {
			blank = Sketch{Sum: uint64(rng.IntN(5)), Size: 1 + rng.IntN(2)}
		}
		put("blank", blank)
		twin := of(draw(10, 40)...)
		if i > 0 && rng.IntN(2) > 0 {
			twin = out["twins"][rng.IntN(i)]
		}
		put("twins", twin)
	}
	return out
}

// above returns the pairs that score at least a threshold.
func above(pairs []similarity.Pair, threshold float64) []similarity.Pair {
	return slices.DeleteFunc(slices.Clone(pairs), func(p similarity.Pair) bool { return p.Score < threshold })
}

func TestJoin(t *testing.T) {
	n := 200
	if testing.Short() {
		n = 60
	}
	sets := collections(n, 1)
	var other []Sketch
	for _, name := range []string{"random", "blank", "empty", "twins", "boilerplate", "mixed lengths"} {
		other = append(other, sets[name][:min(len(sets[name]), 30)]...)
	}
	for _, measure := range []Measure{Resemblance, Overlap} {
		for name, list := range sets {
			within := bruteForce(measure, list, nil, 1e-300)
			between, backwards := bruteForce(measure, list, other, 1e-300), bruteForce(measure, other, list, 1e-300)
			for _, threshold := range []float64{0.01, 0.28, 0.3, 0.5, 0.55, 0.8, 1} {
				t.Run(fmt.Sprintf("%v/%s/t=%v", measure, name, threshold), func(t *testing.T) {
					want := above(within, threshold)
					var first similarity.JoinStats
					for _, workers := range []int{1, 3} {
						got, st := joined(t, measure, list, nil, threshold, workers)
						if !slices.Equal(got, want) {
							t.Fatalf("self-join with %d workers finds %d pairs, want %d", workers, len(got), len(want))
						}
						if workers > 1 && st != first {
							t.Errorf("statistics %+v, with one worker %+v", st, first)
						}
						first = st
					}
					if got, _ := joined(t, measure, list, other, threshold, 2); !slices.Equal(got, above(between, threshold)) {
						t.Fatalf("join finds %d pairs, want %d", len(got), len(above(between, threshold)))
					}
					if got, _ := joined(t, measure, other, list, threshold, 2); !slices.Equal(got, above(backwards, threshold)) {
						t.Fatalf("join finds %d pairs, want %d", len(got), len(above(backwards, threshold)))
					}
				})
			}
		}
	}
}

// More texts than a worker takes at a time.
func TestJoinOfMany(t *testing.T) {
	list := collections(5000, 2)["planted"]
	m := method{measure: Resemblance}
	var want []similarity.Pair
	for i := range list {
		for j := i + 1; j < min(i+5-i%5, len(list)); j++ { // copies lie side by side
			if s := m.Score(list[i], list[j]); s >= 0.5 {
				want = append(want, similarity.Pair{A: i, B: j, Score: s})
			}
		}
	}
	if got, _ := joined(t, Resemblance, list, nil, 0.5, 2); !slices.Equal(got, want) {
		t.Fatalf("%d pairs, want %d", len(got), len(want))
	}
}

func FuzzJoin(f *testing.F) {
	f.Add([]byte("three sets of small numbers, and some more of them"), uint8(50))
	f.Add([]byte{3, 1, 2, 3, 3, 1, 2, 3, 0, 0}, uint8(100))
	f.Fuzz(func(t *testing.T, data []byte, percent uint8) {
		threshold := float64(percent%100+1) / 100
		var list []Sketch
		for len(data) > 0 && len(list) < 60 {
			n := min(int(data[0]%8), len(data)-1)
			var prints []uint64
			for _, c := range data[1 : n+1] {
				prints = append(prints, uint64(c%32))
			}
			slices.Sort(prints)
			// Few checksums, so that some are equal, and sizes of 0 too. Equal texts have
			// equal fingerprints.
			s := Sketch{slices.Compact(prints), uint64(data[0] % 16), int(data[0] / 16)}
			if k := slices.IndexFunc(list, func(other Sketch) bool { return equal(s, other) }); k >= 0 {
				s.Prints = list[k].Prints
			}
			list = append(list, s)
			data = data[n+1:]
		}
		for _, measure := range []Measure{Resemblance, Overlap} {
			if got, _ := joined(t, measure, list, nil, threshold, 2); !slices.Equal(got, bruteForce(measure, list, nil, threshold)) {
				t.Fatalf("%v at %v: the join finds %v, want %v", measure, threshold, got, bruteForce(measure, list, nil, threshold))
			}
			a, b := list[:len(list)/2], list[len(list)/2:]
			if got, _ := joined(t, measure, a, b, threshold, 1); !slices.Equal(got, bruteForce(measure, a, b, threshold)) {
				t.Fatalf("%v at %v: the join of two finds %v, want %v", measure, threshold, got, bruteForce(measure, a, b, threshold))
			}
		}
	})
}

// Sets that score the threshold share a bucket, whatever they are.
func TestBuckets(t *testing.T) {
	for _, measure := range []Measure{Resemblance, Overlap} {
		for name, list := range collections(60, 3) {
			for _, threshold := range []float64{0.28, 0.5, 0.8, 1} {
				m := method{measure: measure}
				b, err := m.Buckets(similarity.JoinOptions{Threshold: threshold})
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range bruteForce(measure, list, nil, threshold) {
					if equal(list[p.A], list[p.B]) && !slices.Equal(list[p.A].Prints, list[p.B].Prints) {
						continue // no text gives such sketches
					}
					x, y := b.Append(nil, list[p.A]), b.Append(nil, list[p.B])
					if !slices.ContainsFunc(x, func(k similarity.Key) bool { return slices.Contains(y, k) }) {
						t.Fatalf("%v/%s at %v: sets %v and %v share no bucket", measure, name, threshold, list[p.A], list[p.B])
					}
				}
			}
		}
	}
	if _, err := newManber(t, ManberOptions{}).Buckets(similarity.JoinOptions{}); err == nil {
		t.Error("no error for a threshold of 0")
	}
}

// BenchmarkJoin joins texts of which every fifth is a copy with a few more sentences,
// and all of which end in the same words.
func BenchmarkJoin(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 9))
	tail := similaritytest.Prose(rng, 100, 1)
	m := newManber(b, ManberOptions{})
	var list []Sketch
	last := ""
	for i := range 10_000 {
		if i%5 < 4 {
			last = similaritytest.Prose(rng, 400, 1)
		} else {
			last += similaritytest.Prose(rng, 50, 1)
		}
		list = append(list, m.Sketch(last+tail))
	}
	for _, measure := range []Measure{Resemblance, Overlap} {
		for _, threshold := range []float64{0.5, 0.8} {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("measure=%v/t=%v/workers=%d", measure, threshold, workers), func(b *testing.B) {
					var pairs []similarity.Pair
					for b.Loop() {
						pairs, _ = joined(b, measure, list, nil, threshold, workers)
					}
					b.ReportMetric(float64(len(pairs)), "pairs")
				})
			}
		}
	}
}
