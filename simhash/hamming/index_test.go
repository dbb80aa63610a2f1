package hamming

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// near is the oracle of every search: what a loop over all codes finds.
func near(codes []Code, q Code, k int) []Match {
	var out []Match
	for i, c := range codes {
		d := bits.OnesCount64(c.Lo^q.Lo) + bits.OnesCount64(c.Hi^q.Hi)
		if d <= k {
			out = append(out, Match{uint32(i), int32(d)})
		}
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
				queries := append(w.make(rng, width, k, 5), codes[:10]...)
				for range 20 {
					queries = append(queries, flip(rng, codes[rng.IntN(n)], run(width-1, 0), rng.IntN(k+2)))
				}
				want := make([][]Match, len(queries))
				for i, q := range queries {
					want[i] = near(codes, q, k)
				}
				for _, name := range designNames(width, k) {
					x, err := Build(pack(width, codes), k, Options{Design: name, Workers: 1 + n%3})
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
				x, err := Build(pack(width, codes), k, Options{Design: name})
				if err != nil {
					t.Fatal(err)
				}
				deep := depth(x.tables)
				if deep == 0 && d.Tables[0].Probe == 0 {
					t.Errorf("bits=%d/k=%d/%s: no bucket is cut", width, k, name)
				}
				deepest = max(deepest, deep)
				for range 30 {
					q := flip(rng, codes[rng.IntN(len(codes))], run(width-1, 0), rng.IntN(k+1))
					if got, want := x.Search(nil, q, k), near(codes, q, k); !slices.Equal(got, want) {
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

func TestEmptyIndex(t *testing.T) {
	for _, design := range []string{"", "scan", "blocks:4", "mih:2"} {
		x, err := Build(NewCodes(64, 0), 3, Options{Design: design})
		if err != nil {
			t.Fatal(err)
		}
		if got := x.Search(nil, Code{}, 64); x.Len() != 0 || len(got) > 0 {
			t.Errorf("%q: an empty index holds %d codes and finds %v", design, x.Len(), got)
		}
	}
}

// Matches are appended. Beyond the radius of the tables all codes are read.
func TestSearchAppendsAndSearchesWider(t *testing.T) {
	for _, bits := range []int{32, 64, 128} {
		for i, w := range workloads {
			rng := seeded(t, uint64(bits+i))
			codes := w.make(rng, bits, 3, 3000)
			x, err := Build(pack(bits, codes), 3, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range []int{3, 4, bits / 2, bits} {
				q := flip(rng, codes[rng.IntN(len(codes))], run(bits-1, 0), rng.IntN(5))
				kept := Match{Number: 5, Distance: 5}
				got := x.Search([]Match{kept}, q, k)
				if want := near(codes, q, k); got[0] != kept || !slices.Equal(got[1:], want) {
					t.Fatalf("within %d of %x: %v, want %v", k, q, got, want)
				}
			}
		}
	}
}

func TestBadOptions(t *testing.T) {
	build := func(radius int, o Options) error {
		_, err := Build(pack(64, make([]Code, 3)), radius, o)
		return err
	}
	for name, err := range map[string]error{
		"width":       second(Build(Codes{}, 3, Options{})),
		"radius":      build(-1, Options{}),
		"wide radius": build(65, Options{}),
		"workers":     build(3, Options{Workers: -1}),
		"design":      build(3, Options{Design: "blocks"}),
		"few blocks":  build(3, Options{Design: "blocks:3"}),
		"many blocks": build(3, Options{Design: "blocks:65"}),
		"many tables": build(8, Options{Design: "blocks:20"}),
		"many probes": build(8, Options{Design: "mih:1"}),
		"more":        build(3, Options{Design: "blocks:5,sorted"}),
		"no number":   build(3, Options{Design: "mih:two"}),
		"unknown":     build(3, Options{Design: "nested"}),
		"argument":    build(3, Options{Design: "scan:2"}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestMisusePanics(t *testing.T) {
	x, err := Build(NewCodes(32, 0), 3, Options{})
	if err != nil {
		t.Fatal(err)
	}
	list := NewCodes(64, 1)
	for name, f := range map[string]func(){
		"wide query":  func() { x.Search(nil, Code{Hi: 1}, 3) },
		"wide append": func() { list.Append(Code{Hi: 1}) },
		"list width":  func() { NewCodes(48, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestSearchAllocatesNothing(t *testing.T) {
	codes := fingerprints(30_000, false)
	for _, name := range []string{"", "scan", "blocks:4", "blocks:5", "mih:2"} {
		x, err := Build(Codes64(codes), 3, Options{Design: name})
		if err != nil {
			t.Fatal(err)
		}
		dst := make([]Match, 0, 100)
		i := 0
		if n := testing.AllocsPerRun(100, func() {
			dst = x.Search(dst[:0], Code{Lo: codes[i]}, 3)
			i++
		}); n > 0 {
			t.Errorf("%q: %v allocations a search", name, n)
		}
	}
}

// A million equal codes, and a million with few bits that vary, cost no more than
// their number: what is quadratic in it would take hours.
func TestDegenerateIndex(t *testing.T) {
	if testing.Short() {
		t.Skip("a million codes")
	}
	const n = 1_000_000
	rng := rand.New(rand.NewPCG(8, 8))
	codes := make([]uint64, n)
	for i := range codes {
		if i >= n/2 {
			codes[i] = rng.Uint64() & 0xfff00fff
		}
	}
	x, err := Build(Codes64(codes), 3, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Bytes(); got > 120*n {
		t.Errorf("%d bytes", got)
	}
	if got := len(x.Search(nil, Code{}, 0)); got < n/2 {
		t.Errorf("%d equal codes, want at least %d", got, n/2)
	}
	var dst []Match
	for i := range 2000 {
		// Far from the equal codes, but in their bucket of two tables.
		q := Code{Lo: uint64(i)<<48 | 0x0fff<<48}
		if dst = x.Search(dst[:0], q, 3); len(dst) > 0 {
			t.Fatalf("%d codes within 3 of %x", len(dst), q)
		}
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte("three bytes make a code, near the others"), uint8(3), uint8(1))
	f.Add(make([]byte, 900), uint8(8), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, k, width uint8) {
		bits := []int{32, 64, 128}[width%3]
		radius := int(k) % 12
		var codes []Code
		for b := range slices.Chunk(data, 3) {
			var c Code
			for _, v := range b {
				c = c.xor(Code{}.with(int(v) % bits))
			}
			codes = append(codes, c)
		}
		for _, design := range append(designNames(bits, radius), "") {
			x, err := Build(pack(bits, codes), radius, Options{Design: design})
			if err != nil {
				t.Fatal(err)
			}
			for i, q := range codes[:min(20, len(codes))] {
				within := i % (radius + 2)
				if got, want := x.Search(nil, q, within), near(codes, q, within); !slices.Equal(got, want) {
					t.Fatalf("%q: within %d of %x: %v, want %v", design, within, q, got, want)
				}
			}
		}
	})
}
