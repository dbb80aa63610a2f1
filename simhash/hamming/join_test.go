package hamming

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"testing"
)

// nearPairs is the oracle of joins: a loop over all pairs.
func nearPairs(a, b []Code, k int, self bool) []Pair {
	var out []Pair
	for i, x := range a {
		for j, y := range b {
			d := bits.OnesCount64(x.Lo^y.Lo) + bits.OnesCount64(x.Hi^y.Hi)
			if d <= k && (!self || i < j) {
				out = append(out, Pair{uint32(i), uint32(j), d})
			}
		}
	}
	return out
}

func collect(out *[]Pair) func(Pair) error {
	return func(p Pair) error { *out = append(*out, p); return nil }
}

func checkPairs(t *testing.T, what string, got, want []Pair, st JoinStats, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%s by %s: %d pairs, want %d", what, st.Design, len(got), len(want))
	}
	if st.Pairs != int64(len(got)) || st.Design == "" {
		t.Errorf("%s: statistics %+v for %d pairs", what, st, len(got))
	}
}

// grouping is what SelfJoinGrouped shall give.
func grouping(codes []Code, k int) (groups [][]uint32, pairs []Pair) {
	of := make(map[Code][]uint32)
	var firsts []Code
	for i, c := range codes {
		if of[c] == nil {
			firsts = append(firsts, c)
		}
		of[c] = append(of[c], uint32(i))
	}
	for _, c := range firsts {
		if len(of[c]) > 1 {
			groups = append(groups, of[c])
		}
	}
	for _, p := range nearPairs(firsts, firsts, k, true) {
		pairs = append(pairs, Pair{of[firsts[p.A]][0], of[firsts[p.B]][0], p.Distance})
	}
	return groups, pairs
}

func checkJoins(t *testing.T, codes []Code, width, k int) {
	t.Helper()
	ctx := context.Background()
	a, b := codes[:len(codes)/3], codes[len(codes)/3:]
	self, cross := nearPairs(codes, codes, k, true), nearPairs(a, b, k, false)
	for _, design := range []string{"", "pieces", "scan"} {
		for _, workers := range []int{1, 3} {
			o := JoinOptions{Design: design, Workers: workers}
			var got []Pair
			st, err := SelfJoin(ctx, pack(width, codes), k, o, collect(&got))
			checkPairs(t, "self-join", got, self, st, err)
			got = nil
			st, err = Join(ctx, pack(width, a), pack(width, b), k, o, collect(&got))
			checkPairs(t, "join", got, cross, st, err)
		}
		var groups [][]uint32
		var got []Pair
		wantGroups, want := grouping(codes, k)
		st, err := SelfJoinGrouped(ctx, pack(width, codes), k, JoinOptions{Design: design}, func(p []uint32) error {
			groups = append(groups, slices.Clone(p))
			return nil
		}, collect(&got))
		checkPairs(t, "grouped join", got, want, st, err)
		if !slices.EqualFunc(groups, wantGroups, slices.Equal) {
			t.Fatalf("grouped join by %s: groups %v, want %v", st.Design, groups, wantGroups)
		}
	}
}

func TestJoinsFindWhatALoopFinds(t *testing.T) {
	n := 900
	if testing.Short() {
		n = 250
	}
	for _, width := range []int{32, 64, 128} {
		for _, k := range []int{0, 1, 2, 3, 5, 8, 20, width} {
			for _, w := range workloads {
				t.Run(fmt.Sprintf("bits=%d/k=%d/%s", width, k, w.name), func(t *testing.T) {
					n := n
					if k > 8 {
						n = 100
					}
					checkJoins(t, w.make(seeded(t, uint64(width+k)), width, k, n), width, k)
				})
			}
		}
	}
	checkJoins(t, nil, 64, 3)
	checkJoins(t, []Code{{}}, 64, 3)
}

func TestJoinRefuses(t *testing.T) {
	ctx := context.Background()
	none := func(Pair) error { return nil }
	a := pack(64, make([]Code, 3))
	for name, err := range map[string]error{
		"no width":      second(SelfJoin(ctx, Codes{}, 3, JoinOptions{}, none)),
		"radius":        second(SelfJoin(ctx, a, 65, JoinOptions{}, none)),
		"design":        second(SelfJoin(ctx, a, 3, JoinOptions{Design: "blocks:4"}, none)),
		"workers":       second(SelfJoin(ctx, a, 3, JoinOptions{Workers: -1}, none)),
		"mixed widths":  second(Join(ctx, a, pack(32, nil), 3, JoinOptions{}, none)),
		"grouped width": second(SelfJoinGrouped(ctx, Codes{}, 3, JoinOptions{}, nil, none)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestJoinStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	codes := pack(64, make([]Code, 100))
	stop := errors.New("stop")
	for _, design := range []string{"pieces", "scan"} {
		n := 0
		_, err := SelfJoin(ctx, codes, 3, JoinOptions{Design: design}, func(Pair) error {
			if n++; n == 10 {
				return stop
			}
			return nil
		})
		if !errors.Is(err, stop) || n != 10 {
			t.Errorf("%s: error %v after %d pairs, want that of emit after 10", design, err, n)
		}
	}
	cancel()
	for _, design := range []string{"pieces", "scan"} {
		if _, err := SelfJoin(ctx, codes, 3, JoinOptions{Design: design}, func(Pair) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled join gives %v", design, err)
		}
	}
}
