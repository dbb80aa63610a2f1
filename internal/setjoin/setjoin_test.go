package setjoin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/alike-go/alike/similarity"
)

// naive are the scores of which a threshold is what a Kind demands.
var naive = map[Kind]func(s, t Set) float64{
	OfUnion:   func(s, t Set) float64 { c, a, b := shares(s, t); return c / (a + b - c) },
	OfSmaller: func(s, t Set) float64 { c, a, b := shares(s, t); return c / min(a, b) },
	OfGreater: func(s, t Set) float64 { c, a, b := shares(s, t); return c / max(a, b) },
}

// shares returns what two sets have in common and their sizes. It adds in the
// same order whichever set comes first.
func shares(s, t Set) (common, a, b float64) {
	for _, h := range ascending(slices.Concat(s.Hashes, t.Hashes)) {
		x, y := weight(s, h), weight(t, h)
		common, a, b = common+min(x, y), a+x, b+y
	}
	return common, a, b
}

func weight(s Set, h uint64) float64 {
	k, ok := slices.BinarySearch(s.Hashes, h)
	switch {
	case !ok:
		return 0
	case s.Weights == nil:
		return 1
	}
	return s.Weights[k]
}

func ascending(hashes []uint64) []uint64 {
	slices.Sort(hashes)
	return slices.Compact(hashes)
}

// of returns a join of sets that scores pairs as the oracle does. The oracle
// scores a document with all others when it is first asked for, and only then:
// the joins of a test ask for the same scores many times.
func of(kind Kind, a, b []Set) *Join {
	other := b
	if b == nil {
		other = a
	}
	rows := make([]func() []float64, len(a))
	for i, s := range a {
		rows[i] = sync.OnceValue(func() []float64 {
			row := make([]float64, len(other))
			for j, t := range other {
				if len(s.Hashes) > 0 && len(t.Hashes) > 0 {
					row[j] = naive[kind](s, t)
				}
			}
			return row
		})
	}
	own := func(s Set) Set { return s }
	return &Join{Kind: kind, A: Of(a, own), B: Of(b, own), Name: "test", Score: func(i, j int) float64 { return rows[i]()[j] }}
}

// bruteForce scores all pairs of a join, each once.
func bruteForce(j *Join, threshold float64) []similarity.Pair {
	var pairs []similarity.Pair
	n := j.B.Len
	if j.B.At == nil {
		n = j.A.Len
	}
	for a := range j.A.Len {
		for b := range n {
			if j.B.At == nil && b <= a {
				continue
			}
			if s := j.Score(a, b); s >= threshold {
				pairs = append(pairs, similarity.Pair{A: a, B: b, Score: s})
			}
		}
	}
	return pairs
}

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

func TestPairsAreBruteForce(t *testing.T) {
	eachCollection(t, 160, func(t *testing.T, kind Kind, sets []Set) {
		// A third of the sets with the rest as well.
		cut := len(sets) / 3
		for _, j := range []*Join{of(kind, sets, nil), of(kind, sets[:cut], sets[cut:])} {
			all := bruteForce(j, 1e-300)
			for _, threshold := range []float64{1e-6, .1, .28, .3, 1. / 3, .5, .55, .6, 2. / 3, .7, .8, .9, .95, 1} {
				want := slices.DeleteFunc(slices.Clone(all), func(p similarity.Pair) bool { return p.Score < threshold })
				for _, workers := range []int{1, 3} {
					// -1<<30: the way taken if there are too many pairs to hold.
					for _, j.hold = range []int{0, -1 << 30} {
						got, st := collect(t, func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
							return j.Pairs(t.Context(), similarity.JoinOptions{Threshold: threshold, Workers: workers}, emit)
						})
						if !slices.Equal(got, want) || st.Verified > st.Candidates {
							t.Fatalf("threshold %v, self %t, hold %d: %s", threshold, j.B.At == nil, j.hold, difference(got, want))
						}
					}
				}
			}
		}
	})
}

// eachCollection checks n sets of each kind, or fewer in short tests, as sets and
// as bags, by what must be shared.
func eachCollection(t *testing.T, n int, check func(t *testing.T, kind Kind, sets []Set)) {
	if testing.Short() {
		n = n * 3 / 8
	}
	for name, collection := range collections {
		for _, bag := range []bool{false, true} {
			for kind := range naive {
				t.Run(fmt.Sprintf("%s/bag=%t/kind=%d", name, bag, kind), func(t *testing.T) {
					r := rand.New(rand.NewPCG(1, 40))
					sets := collection(r, n)
					if bag {
						sets = weigh(r, sets)
					}
					check(t, kind, sets)
				})
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
func TestPublished(t *testing.T) {
	sets := []Set{{Hashes: []uint64{1, 2, 3}}, {Hashes: []uint64{3, 4, 5}}, {Hashes: []uint64{2, 3, 4}}, {Hashes: []uint64{5, 6, 7}}}
	got, _ := collect(t, func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
		return of(OfUnion, sets, nil).Pairs(t.Context(), similarity.JoinOptions{Threshold: .1}, emit)
	})
	want := []similarity.Pair{{A: 0, B: 1, Score: .2}, {A: 0, B: 2, Score: .5}, {A: 1, B: 2, Score: .5}, {A: 1, B: 3, Score: .2}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A threshold times a size may come out above a whole number that it equals:
// .28·25 above 7 and .55·100 above 55. For each threshold of two decimals there
// are sets that share just enough, and sets that share one less.
func TestAtTheThreshold(t *testing.T) {
	for percent := 1; percent <= 100; percent++ {
		threshold := float64(percent) / 100
		// Sets within the first one: resemblance n/100 and n/25.
		whole := make([]uint64, 100)
		for i := range whole {
			whole[i] = uint64(i+1) * hashFactor
		}
		slices.Sort(whole)
		sets := []Set{{Hashes: whole}, {Hashes: whole[:50]}, {Hashes: whole[:25]}}
		for _, n := range []int{percent, percent - 1, (percent + 3) / 4, percent / 4, (percent + 1) / 2} {
			if n > 0 {
				sets = append(sets, Set{Hashes: whole[:n]})
				sets = append(sets, Set{Hashes: whole[25-min(n, 25):][:n]})
			}
		}
		for kind := range naive {
			j := of(kind, sets, nil)
			got, _ := collect(t, func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
				return j.Pairs(t.Context(), similarity.JoinOptions{Threshold: threshold}, emit)
			})
			if want := bruteForce(j, threshold); !slices.Equal(got, want) {
				t.Errorf("kind %d at %v: %s", kind, threshold, difference(got, want))
			}
		}
	}
}

func TestEnds(t *testing.T) {
	j := of(OfUnion, collections["planted"](rand.New(rand.NewPCG(2, 40)), 500), nil)
	stop := errors.New("stop")
	n := 0
	_, err := j.Pairs(t.Context(), similarity.JoinOptions{Threshold: .5}, func(similarity.Pair) error {
		if n++; n == 3 {
			return stop
		}
		return nil
	})
	if err != stop || n != 3 {
		t.Errorf("error %v after %d pairs, want that of emit after 3", err, n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = j.Pairs(ctx, similarity.JoinOptions{Threshold: .5}, func(similarity.Pair) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a join that was cancelled", err)
	}
	if _, err := j.Search(ctx, similarity.JoinOptions{Threshold: .5}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a search that was cancelled", err)
	}
	// Progress does not fall where a join gives up holding all pairs.
	for _, j.hold = range []int{0, -heldPairs - 300} {
		last := -1.0
		_, err = j.Pairs(t.Context(), similarity.JoinOptions{Threshold: .5, Progress: func(done float64) {
			if done < last || done > 1 {
				t.Errorf("hold %d: progress %v after %v", j.hold, done, last)
			}
			last = done
		}}, func(similarity.Pair) error { return nil })
		if err != nil || last != 1 {
			t.Errorf("hold %d: progress ends at %v, error %v", j.hold, last, err)
		}
	}
	for _, o := range []similarity.JoinOptions{{}, {Threshold: 1.1}, {Threshold: .5, Workers: -1}} {
		if _, err := j.Pairs(t.Context(), o, nil); err == nil {
			t.Errorf("no error for %+v", o)
		}
	}
}

func FuzzPairs(f *testing.F) {
	f.Add([]byte("abc\x00abd\x00abc\x00\x00xyz"), 0.5, false)
	f.Add([]byte("aaaa\x00abcdefghijklmnopqrstuvwxyz\x00abcdefghijklmnopqrstuvwxy"), 0.96, true)
	f.Fuzz(func(t *testing.T, data []byte, threshold float64, bag bool) {
		if !(threshold > 0 && threshold <= 1) || len(data) > 2000 {
			t.Skip()
		}
		var sets []Set
		for _, line := range bytes.Split(data, []byte{0}) {
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
			sets = append(sets, s)
		}
		for kind := range naive {
			for _, j := range []*Join{of(kind, sets, nil), of(kind, sets[:len(sets)/2], sets[len(sets)/2:])} {
				got, _ := collect(t, func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
					return j.Pairs(t.Context(), similarity.JoinOptions{Threshold: threshold, Workers: 1}, emit)
				})
				if want := bruteForce(j, threshold); !slices.Equal(got, want) {
					t.Fatalf("kind %d: %s", kind, difference(got, want))
				}
			}
		}
	})
}

// Sets that score the threshold have a hash of their prefixes in common.
func TestPrefixLen(t *testing.T) {
	eachCollection(t, 60, func(t *testing.T, kind Kind, sets []Set) {
		j := of(kind, sets, nil)
		for _, threshold := range []float64{.28, .5, .8, 1} {
			for _, p := range bruteForce(j, threshold) {
				s, u := sets[p.A], sets[p.B]
				if in, _, _ := shares(Set{Hashes: s.Hashes[:PrefixLen(kind, threshold, s)]}, Set{Hashes: u.Hashes[:PrefixLen(kind, threshold, u)]}); in == 0 {
					t.Fatalf("at %v: the prefixes of %v and %v share nothing", threshold, s, u)
				}
			}
		}
	})
}

// Documents that share a key are found, with the same bands as by looking at all
// pairs.
func TestKeyJoin(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 40))
	docs := make([][]uint64, 300)
	for i := range docs {
		switch {
		case i%10 == 0: // empty
		case i%4 == 0:
			docs[i] = docs[r.IntN(i)]
		default:
			docs[i] = []uint64{r.Uint64N(30), r.Uint64N(30), r.Uint64N(30)}
		}
	}
	key := func(s []uint64, k int) uint64 { return (s[k]*3 + uint64(k) + 1) * hashFactor }
	for _, b := range [][][]uint64{nil, docs[100:]} {
		a, other := docs, docs
		if b != nil {
			a, other = docs[:100], b
		}
		score := func(i, j int) float64 {
			same := 0.0
			for k := range min(len(a[i]), len(other[j])) {
				if a[i][k] == other[j][k] {
					same++
				}
			}
			return same / 3
		}
		for _, threshold := range []float64{.1, .5, 1} {
			for _, workers := range []int{1, 3} {
				var want []similarity.Pair
				for i := range a {
					for j := range other {
						if s := score(i, j); s >= threshold && (b != nil || i < j) {
							want = append(want, similarity.Pair{A: i, B: j, Score: s})
						}
					}
				}
				x := &KeyJoin[[]uint64]{A: a, B: b, Keys: 3, Key: key, Score: score}
				got, _ := collect(t, func(emit func(similarity.Pair) error) (similarity.JoinStats, error) {
					return x.Pairs(t.Context(), similarity.JoinOptions{Threshold: threshold, Workers: workers}, similarity.JoinStats{}, emit)
				})
				if !slices.Equal(got, want) {
					t.Errorf("at %v, self %t: %s", threshold, b == nil, difference(got, want))
				}
			}
		}
	}
}
