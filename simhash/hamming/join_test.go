package hamming

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
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

func checkJoins(t *testing.T, codes []Code, width, k int) {
	t.Helper()
	ctx := context.Background()
	a, b := codes[:len(codes)/3], codes[len(codes)/3:]
	self, cross := nearPairs(codes, codes, k, true), nearPairs(a, b, k, false)
	for _, design := range []string{"", "pieces", "scan"} {
		for _, workers := range []int{1, 3} {
			o := JoinOptions{design: design, Workers: workers}
			var got []Pair
			st, err := SelfJoin(ctx, pack(width, codes), k, o, collect(&got))
			checkPairs(t, "self-join", got, self, st, err)
			got = nil
			st, err = Join(ctx, pack(width, a), pack(width, b), k, o, collect(&got))
			checkPairs(t, "join", got, cross, st, err)
		}
	}
}

func TestJoinsFindWhatALoopFinds(t *testing.T) {
	n := 500
	if testing.Short() {
		n = 200
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

// Buckets are cut by words, by whole codes, and by words again.
func TestJoinsOfCrowdedBuckets(t *testing.T) {
	defer func(was thresholds) { limits = was }(limits)
	limits = thresholds{crowded: 64, whole: 8, bucketBits: 3, byCodes: 24, expand: 10}
	n := 700
	if testing.Short() {
		n = 300
	}
	for _, width := range []int{32, 64, 128} {
		for _, k := range []int{1, 3, 6} {
			for _, w := range workloads {
				checkJoins(t, w.make(seeded(t, uint64(width+k)), width, k, n), width, k)
			}
			// Most codes differ in a few bits only, or agree in a block and more.
			rng := seeded(t, uint64(width+k))
			var narrow, wide []Code
			block := split(run(width-1, 0), k+1)[0]
			for i := range n {
				c := random(rng, width, 0.5)
				if i%9 > 0 {
					c = Code{Lo: 0x77}
				}
				narrow = append(narrow, flip(rng, c, run(13, 0), rng.IntN(14)))
				c = random(rng, width, 0.5)
				if i%5 == 1 {
					c = flip(rng, wide[rng.IntN(i)], run(width-1, 0), rng.IntN(k+2))
				}
				for b := range width {
					if i%5 > 3 && (b%3 == 0 || slices.Contains(block, b)) {
						c = c.without(b)
					}
				}
				wide = append(wide, c)
			}
			checkJoins(t, narrow, width, k)
			checkJoins(t, wide, width, k)
		}
	}
}

// The pairs of equal codes are emitted without being held. Holding what is quadratic in
// a million would not end.
func TestDegenerateJoins(t *testing.T) {
	if testing.Short() {
		t.Skip("a million codes")
	}
	const n = 1_000_000
	rng := rand.New(rand.NewPCG(9, 9))
	codes := make([]uint64, n)
	for i := range codes {
		switch {
		case i%4 == 1:
			codes[i] = rng.Uint64() & 0xffff_0000_0000_ffff
		case i%4 == 2:
			codes[i] = 1
		case i%4 == 3:
			codes[i] = rng.Uint64()
		}
	}
	const want = 3_000_000
	last, seen := Pair{}, 0
	stop := errors.New("enough")
	st, err := SelfJoin(context.Background(), Codes64(codes), 3, JoinOptions{}, func(p Pair) error {
		if p.A > p.B || p.A < last.A || p.A == last.A && p.B <= last.B || p.Distance != bits.OnesCount64(codes[p.A]^codes[p.B]) {
			t.Fatalf("pair %v after %v", p, last)
		}
		last = p
		if seen++; seen == want {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) {
		t.Errorf("%d pairs, error %v", seen, err)
	}
	if st.Candidates > 2000*n { // in buckets of 1,024 codes that are compared whole
		t.Errorf("%d candidates among %d codes", st.Candidates, n)
	}
}

func FuzzJoin(f *testing.F) {
	f.Add([]byte("codes that are near one another, some of them equal"), uint8(3), uint8(1))
	f.Add(make([]byte, 300), uint8(1), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, k, width uint8) {
		defer func(was thresholds) { limits = was }(limits)
		limits = thresholds{crowded: 16, whole: 4, bucketBits: 2, byCodes: 9, expand: 5}
		bits := []int{32, 64, 128}[width%3]
		var codes []Code
		for i := 0; i+3 <= len(data) && len(codes) < 300; i += 3 {
			var c Code
			for _, v := range data[i : i+3] {
				c = c.xor(Code{}.with(int(v) % bits))
			}
			codes = append(codes, c)
		}
		checkJoins(t, codes, bits, int(k)%(bits+1))
	})
}

func TestJoinRefuses(t *testing.T) {
	ctx := context.Background()
	none := func(Pair) error { return nil }
	a := pack(64, make([]Code, 3))
	for name, err := range map[string]error{
		"no width":     second(SelfJoin(ctx, Codes{}, 3, JoinOptions{}, none)),
		"radius":       second(SelfJoin(ctx, a, 65, JoinOptions{}, none)),
		"workers":      second(SelfJoin(ctx, a, 3, JoinOptions{Workers: -1}, none)),
		"mixed widths": second(Join(ctx, a, pack(32, nil), 3, JoinOptions{}, none)),
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
		_, err := SelfJoin(ctx, codes, 3, JoinOptions{design: design}, func(Pair) error {
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
		if _, err := SelfJoin(ctx, codes, 3, JoinOptions{design: design}, func(Pair) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled join gives %v", design, err)
		}
	}
}
