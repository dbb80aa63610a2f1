package shingle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/similarity"
)

// collect runs a join and returns its pairs.
func collect(t testing.TB, join func(emit func(similarity.Pair) error) (similarity.JoinStats, error)) ([]similarity.Pair, similarity.JoinStats) {
	t.Helper()
	var pairs []similarity.Pair
	st, err := join(func(p similarity.Pair) error { pairs = append(pairs, p); return nil })
	if err != nil {
		t.Fatal(err)
	}
	if st.Pairs != int64(len(pairs)) {
		t.Fatalf("%d pairs, statistics say %d", len(pairs), st.Pairs)
	}
	return pairs, st
}

// bruteForce scores all pairs: of a with itself where b is nil, in both directions if
// directed.
func bruteForce[S any](a, b []S, threshold float64, directed bool, score func(a, b S) float64) []similarity.Pair {
	var pairs []similarity.Pair
	other := b
	if b == nil {
		other = a
	}
	for i := range a {
		for j := range other {
			if b == nil && (i == j || j < i && !directed) {
				continue
			}
			if s := score(a[i], other[j]); s >= threshold {
				pairs = append(pairs, similarity.Pair{A: i, B: j, Score: s})
			}
		}
	}
	return pairs
}

// kinds of collections that joins must get right.
var collections = map[string]func(r *rand.Rand, n int) []Set{
	"random": func(r *rand.Rand, n int) []Set {
		return makeSets(n, func(int, []Set) []uint64 { return draw(r, r.IntN(40), func() uint64 { return uint64(r.IntN(60)) }) })
	},
	"planted": func(r *rand.Rand, n int) []Set {
		return makeSets(n, func(i int, done []Set) []uint64 {
			if i == 0 || r.IntN(3) == 0 {
				return draw(r, 1+r.IntN(80), func() uint64 { return r.Uint64N(1 << 20) })
			}
			old := slices.Clone(done[r.IntN(i)].Hashes)
			for k := range old {
				if r.IntN(12) == 0 {
					old[k] = r.Uint64N(1<<20) * hashFactor
				}
			}
			return old
		})
	},
	"skewed": func(r *rand.Rand, n int) []Set {
		return makeSets(n, func(int, []Set) []uint64 {
			return draw(r, 1+r.IntN(100), func() uint64 { return uint64(float64(2000) * r.Float64() * r.Float64() * r.Float64() * r.Float64()) })
		})
	},
	"duplicates": func(r *rand.Rand, n int) []Set {
		return makeSets(n, func(i int, done []Set) []uint64 {
			if i > 3 && r.IntN(4) > 0 {
				return done[r.IntN(i)].Hashes
			}
			return draw(r, r.IntN(12), func() uint64 { return uint64(r.IntN(15)) })
		})
	},
	"tiny": func(r *rand.Rand, n int) []Set {
		return makeSets(n, func(int, []Set) []uint64 { return draw(r, r.IntN(4), func() uint64 { return uint64(r.IntN(6)) }) })
	},
	// Hashes of which only low bits, or only high ones, differ.
	"unfair": func(r *rand.Rand, n int) []Set {
		sets := makeSets(n, func(int, []Set) []uint64 { return nil })
		for i := range sets {
			for range 30 {
				sets[i].Hashes = append(sets[i].Hashes, uint64(r.IntN(50))<<(i%2*58))
			}
			sets[i].Hashes = ascending(sets[i].Hashes)
		}
		return sets
	},
}

func makeSets(n int, next func(i int, done []Set) []uint64) []Set {
	sets := make([]Set, n)
	for i := range sets {
		if h := ascending(slices.Clone(next(i, sets[:i]))); len(h) > 0 {
			sets[i] = Set{Hashes: h}
		}
	}
	return sets
}

// draw returns n hashes of drawn numbers.
func draw(_ *rand.Rand, n int, number func() uint64) []uint64 {
	h := make([]uint64, n)
	for i := range h {
		h[i] = number() * hashFactor
	}
	return h
}

// weigh gives the shingles weights, of which some are no multiples of anything.
func weigh(r *rand.Rand, sets []Set) []Set {
	out := slices.Clone(sets)
	for i := range out {
		if len(out[i].Hashes) == 0 {
			continue
		}
		out[i].Weights = make([]float64, len(out[i].Hashes))
		for k, h := range out[i].Hashes {
			switch r.IntN(4) {
			case 0:
				out[i].Weights[k] = float64(1 + h%7) // the same wherever the shingle is
			case 1:
				out[i].Weights[k] = r.Float64() + 1e-3
			default:
				out[i].Weights[k] = float64(1+h%5) * 0.1
			}
		}
	}
	return out
}

func TestJoinIsBruteForce(t *testing.T) {
	eachCollection(t, 160, func(t *testing.T, m *Method, sets []Set) { checkJoins(t, m, sets) })
}

// eachCollection checks n sets of each kind, or fewer in short tests, by each
// measure.
func eachCollection(t *testing.T, n int, check func(t *testing.T, m *Method, sets []Set)) {
	if testing.Short() {
		n = n * 3 / 8
	}
	for name, collection := range collections {
		for _, o := range []Options{{}, {Measure: Overlap}, {Bag: true}, {Bag: true, Measure: Overlap}} {
			m := mustNew(t, o)
			t.Run(fmt.Sprintf("%s/%s", name, m), func(t *testing.T) {
				r := rand.New(rand.NewPCG(1, 40))
				sets := collection(r, n)
				if o.Bag {
					sets = weigh(r, sets)
				}
				check(t, m, sets)
			})
		}
	}
}

// checkJoins compares all joins of the sets with themselves, and of a part of them with
// the rest, to brute force.
func checkJoins(t *testing.T, m *Method, sets []Set) {
	t.Helper()
	ctx := context.Background()
	for _, threshold := range []float64{1e-6, .1, .28, .3, 1. / 3, .5, .55, .6, 2. / 3, .7, .8, .9, .95, 1} {
		for workers := 1; workers <= 3; workers += 2 {
			o := similarity.JoinOptions{Threshold: threshold, Workers: workers}
			for _, b := range [][]Set{nil, sets[len(sets)/3:]} {
				a := sets
				if b != nil {
					a = sets[:len(sets)/3]
				}
				got, _ := collect(t, func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
					return m.Join(ctx, a, b, o, emit)
				})
				if want := bruteForce(a, b, threshold, false, m.Score); !slices.Equal(got, want) {
					t.Fatalf("threshold %v, self %t: %s", threshold, b == nil, difference(got, want))
				}
				// The way taken where there are too many pairs to hold.
				again, st := collect(t, func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
					return joinHolding(ctx, -1<<30, m.joins(), a, b, m.Score, o, emit)
				})
				if !slices.Equal(again, got) || st.Verified > st.Candidates {
					t.Fatalf("threshold %v, self %t, holding none: %s", threshold, b == nil, difference(again, got))
				}
				got, _ = collect(t, func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
					return m.JoinContainment(ctx, a, b, o, emit)
				})
				if want := bruteForce(a, b, threshold, true, m.Containment); !slices.Equal(got, want) {
					t.Fatalf("containment %v, self %t: %s", threshold, b == nil, difference(got, want))
				}
			}
		}
	}
}

// difference says where two lists of pairs first differ.
func difference(got, want []similarity.Pair) string {
	for i := range max(len(got), len(want)) {
		switch {
		case i == len(got):
			return fmt.Sprintf("%d pairs, missing is %v", len(got), want[i])
		case i == len(want):
			return fmt.Sprintf("%d pairs too many, first %v", len(got)-i, got[i])
		case got[i] != want[i]:
			return fmt.Sprintf("pair %d is %v, want %v", i, got[i], want[i])
		}
	}
	return "none"
}

// The published example of go-set-similarity-search (ekzhu): four sets, at a
// resemblance of at least .1.
func TestJoinPublished(t *testing.T) {
	m := mustNew(t, Options{})
	sets := []Set{{Hashes: []uint64{1, 2, 3}}, {Hashes: []uint64{3, 4, 5}}, {Hashes: []uint64{2, 3, 4}}, {Hashes: []uint64{5, 6, 7}}}
	got, _ := collect(t, func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
		return m.Join(context.Background(), sets, nil, similarity.JoinOptions{Threshold: .1}, emit)
	})
	want := []similarity.Pair{{A: 0, B: 1, Score: .2}, {A: 0, B: 2, Score: .5}, {A: 1, B: 2, Score: .5}, {A: 1, B: 3, Score: .2}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A threshold times a size may come out above a whole number that it equals: .28·25 above
// 7 and .55·100 above 55. For each threshold of two decimals there are sets that share just
// enough, and sets that share one less.
func TestJoinAtTheThreshold(t *testing.T) {
	m := mustNew(t, Options{})
	for percent := 1; percent <= 100; percent++ {
		threshold := float64(percent) / 100
		var sets []Set
		// Sets within the last one: resemblance n/100 and n/25.
		whole := ascending(draw(nil, 100, func() func() uint64 { n := uint64(0); return func() uint64 { n++; return n } }()))
		sets = append(sets, Set{Hashes: whole}, Set{Hashes: whole[:50]}, Set{Hashes: whole[:25]})
		for _, n := range []int{percent, percent - 1, (percent + 3) / 4, percent / 4, (percent + 1) / 2} {
			if n > 0 {
				sets = append(sets, Set{Hashes: whole[:n]})
				sets = append(sets, Set{Hashes: whole[25-min(n, 25):][:n]})
			}
		}
		o := similarity.JoinOptions{Threshold: threshold}
		got, _ := collect(t, func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
			return m.Join(context.Background(), sets, nil, o, emit)
		})
		if want := bruteForce(sets, nil, threshold, false, m.Score); !slices.Equal(got, want) {
			t.Errorf("threshold %v: %s", threshold, difference(got, want))
		}
		got, _ = collect(t, func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
			return m.JoinContainment(context.Background(), sets, nil, o, emit)
		})
		if want := bruteForce(sets, nil, threshold, true, m.Containment); !slices.Equal(got, want) {
			t.Errorf("containment %v: %s", threshold, difference(got, want))
		}
	}
}

func TestJoinEnds(t *testing.T) {
	m := mustNew(t, Options{})
	r := rand.New(rand.NewPCG(2, 40))
	sets := collections["planted"](r, 500)
	stop := errors.New("stop")
	n := 0
	_, err := m.Join(context.Background(), sets, nil, similarity.JoinOptions{Threshold: .5}, func(similarity.Pair) error {
		if n++; n == 3 {
			return stop
		}
		return nil
	})
	if err != stop || n != 3 {
		t.Errorf("error %v after %d pairs, want that of emit after 3", err, n)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err = m.Join(ctx, sets, nil, similarity.JoinOptions{Threshold: .5}, func(similarity.Pair) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a join that was cancelled", err)
	}
	last := -1.0
	_, err = m.Join(context.Background(), sets, nil, similarity.JoinOptions{Threshold: .5, Progress: func(done float64) {
		if done < last || done > 1 {
			t.Errorf("progress %v after %v", done, last)
		}
		last = done
	}}, func(similarity.Pair) error { return nil })
	if err != nil || last != 1 {
		t.Errorf("progress ends at %v, error %v", last, err)
	}
	for _, o := range []similarity.JoinOptions{{}, {Threshold: 1.1}, {Threshold: .5, Workers: -1}} {
		if _, err := m.Join(context.Background(), sets, nil, o, nil); err == nil {
			t.Errorf("no error for %+v", o)
		}
	}
}

func FuzzJoin(f *testing.F) {
	f.Add([]byte("abc\x00abd\x00abc\x00\x00xyz"), 0.5, false)
	f.Add([]byte("aaaa\x00abcdefghijklmnopqrstuvwxyz\x00abcdefghijklmnopqrstuvwxy"), 0.96, true)
	f.Fuzz(func(t *testing.T, data []byte, threshold float64, bag bool) {
		if !(threshold > 0 && threshold <= 1) || len(data) > 2000 {
			t.Skip()
		}
		var bags []Set
		for line := range slices.Values(splitZero(data)) {
			var s Set
			for _, c := range line {
				h := uint64(c) << (c % 8 * 7)
				if k, ok := slices.BinarySearch(s.Hashes, h); ok {
					s.Weights[k] += 0.3
				} else {
					s.Hashes = slices.Insert(s.Hashes, k, h)
					s.Weights = slices.Insert(s.Weights, k, float64(c%5)+.1)
				}
			}
			if !bag {
				s.Weights = nil
			}
			bags = append(bags, s)
		}
		for _, measure := range []Measure{Resemblance, Overlap} {
			m := mustNew(t, Options{Bag: bag, Measure: measure})
			got, _ := collect(t, func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
				return m.Join(context.Background(), bags, nil, similarity.JoinOptions{Threshold: threshold, Workers: 1}, emit)
			})
			if want := bruteForce(bags, nil, threshold, false, m.Score); !slices.Equal(got, want) {
				t.Fatalf("%s", difference(got, want))
			}
		}
	})
}

// splitZero cuts data at zero bytes.
func splitZero(data []byte) (parts [][]byte) {
	start := 0
	for i, c := range data {
		if c == 0 {
			parts = append(parts, data[start:i])
			start = i + 1
		}
	}
	return append(parts, data[start:])
}

func comparePairs(x, y similarity.Pair) int {
	return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
}
