package hamming

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"
)

// near is the oracle of every search: what a loop over all codes finds.
func near(codes []Code, numbers []uint32, q Code, k int) []Match {
	var out []Match
	for i, c := range codes {
		d := bits.OnesCount64(c.Lo^q.Lo) + bits.OnesCount64(c.Hi^q.Hi)
		if d <= k {
			out = append(out, Match{numbers[i], int32(d)})
		}
	}
	slices.SortFunc(out, func(a, b Match) int {
		if a.Number != b.Number {
			return int(a.Number) - int(b.Number)
		}
		return int(a.Distance - b.Distance)
	})
	return out
}

func identity(n int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = uint32(i)
	}
	return out
}

func TestEveryDesignFindsWhatALoopFinds(t *testing.T) {
	n := 700
	if testing.Short() {
		n = 200
	}
	for _, width := range []int{32, 64, 128} {
		for _, k := range []int{0, 1, 2, 3, 5, 8} {
			for _, w := range workloads {
				rng := seeded(t, uint64(width*100+k))
				codes := w.make(rng, width, k, n)
				numbers := identity(n)
				queries := append(w.make(rng, width, k, 5), codes[:10]...)
				for range 20 {
					queries = append(queries, flip(rng, codes[rng.IntN(n)], run(width-1, 0), rng.IntN(k+2)))
				}
				want := make([][]Match, len(queries))
				for i, q := range queries {
					want[i] = near(codes, numbers, q, k)
				}
				for _, name := range designs(width, k) {
					x, err := Build(pack(width, codes), nil, k, Options{Design: name, Workers: 1 + n%3})
					if err != nil {
						t.Fatal(err)
					}
					if x.Len() != n {
						t.Errorf("%s: Len is %d, want %d", name, x.Len(), n)
					}
					for i, q := range queries {
						if got := x.Search(nil, q, k); !slices.Equal(got, want[i]) {
							t.Fatalf("bits=%d/k=%d/%s/%s: within %d of %x: %v, want %v", width, k, w.name, name, k, q, got, want[i])
						}
					}
				}
			}
		}
	}
}

// Crowded buckets are cut into pieces, to several depths.
func TestCrowdedBuckets(t *testing.T) {
	defer func(was thresholds) { limits = was }(limits)
	limits.crowded = 64
	n := 8000
	if testing.Short() {
		n = 3000
	}
	deepest := 0
	for _, width := range []int{32, 64, 128} {
		for _, k := range []int{1, 3, 4} {
			for _, name := range []string{fmt.Sprintf("blocks:%d", k+1), fmt.Sprintf("blocks:%d", k+2), "mih:2"} {
				d, err := parseDesign(name, width, k)
				if err != nil {
					t.Fatal(err)
				}
				rng := seeded(t, uint64(width+k))
				// Half of the codes share all but one block, the rest vary everywhere; of the
				// half, half again vary in twelve bits only.
				block := split(run(width-1, 0), k+1)[0]
				few := block[:min(12, len(block))]
				var codes []Code
				for i := range n {
					switch c := (Code{Lo: 0x5a5a5a5a}); {
					case i%2 == 0:
						codes = append(codes, random(rng, width, 0.5))
					case i%4 == 1:
						codes = append(codes, flip(rng, c, run(width/2, 0), rng.IntN(width/2)))
					default:
						codes = append(codes, flip(rng, c, few, rng.IntN(len(few))))
					}
				}
				x, err := Build(pack(width, codes), nil, k, Options{Design: name})
				if err != nil {
					t.Fatal(err)
				}
				deep := depth(x.parts[0].tables)
				if deep == 0 && d.Tables[0].Probe == 0 {
					t.Errorf("bits=%d/k=%d/%s: no bucket is cut", width, k, name)
				}
				deepest = max(deepest, deep)
				numbers := identity(len(codes))
				for range 30 {
					q := flip(rng, codes[rng.IntN(len(codes))], run(width-1, 0), rng.IntN(k+1))
					if got, want := x.Search(nil, q, k), near(codes, numbers, q, k); !slices.Equal(got, want) {
						t.Fatalf("bits=%d/k=%d/%s: %d codes within %d of %x, want %d", width, k, name, len(got), k, q, len(want))
					}
				}
			}
		}
	}
	if deepest < 2 {
		t.Error("no bucket inside a bucket is cut")
	}
}

// depth returns how deep buckets are cut.
func depth(tables []table) int {
	most := 0
	for _, t := range tables {
		for _, in := range t.inside {
			most = max(most, 1+depth(in))
		}
	}
	return most
}
