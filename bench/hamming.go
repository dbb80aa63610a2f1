package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/alike-go/alike/simhash/hamming"
)

var hammingRows = []Builder{
	{Area: "hamming/scan, 100,000 codes", Build: hammingScan("hamming/scan, 100,000 codes", 100_000, 2, 3)},
	{Area: "hamming/scan, 10^7 codes", Build: hammingScan("hamming/scan, 10^7 codes", 10_000_000, 1.2, 1.6), Heavy: true},
	{Area: "hamming/query k=3, 10^6, 4 tables", Build: hammingQuery6, Heavy: true},
	{Area: "hamming/query k=3, 10^7, 4 tables", Build: hammingQuery7, Heavy: true},
	{Area: "hamming/query k=3, 10^7, 10 tables", Build: hammingTen, Heavy: true},
	{Area: "hamming/memory a code, 10^6", Build: hammingMemory, Heavy: true},
	{Area: "hamming/build, 10^6", Build: hammingBuild6, Heavy: true},
	{Area: "hamming/build, 10^7", Build: hammingBuild7, Heavy: true},
	{Area: "hamming/all pairs k=3, 10^6", Build: hammingPairs6, Heavy: true},
	{Area: "hamming/all pairs k=3, 10^6 biased", Build: hammingBiased, Heavy: true},
	{Area: "hamming/all pairs k=3, 10^7", Build: hammingPairs7, Heavy: true},
}

const (
	plainScan    = "scan, math/bits"
	hundredScans = "100 scans, math/bits"
	allScans     = "all pairs, math/bits"
	bkRival      = "sho's method (BK-tree)"
	bkSearches   = "sho's method, a search for each"

	radius     = 3
	fourTables = "blocks:4"
	tenTables  = "blocks:5"
	bkNode     = 576 // bytes of a node as Go allocates it
)

// codes returns fingerprints, of which it keeps the last for the next row.
func (in *Input) codes(n int, biased bool) []uint64 {
	key := fmt.Sprint(n, biased)
	if in.code.key != key {
		in.code.key, in.code.codes = key, Codes(n, biased, in.Seed)
	}
	return in.code.codes
}

// queries returns n codes to look for: one in a hundred is near to one that is there.
func queries(codes []uint64, n int) []uint64 {
	r := rand.New(rand.NewPCG(3, 3))
	out := make([]uint64, n)
	for i := range out {
		if out[i] = r.Uint64(); i%100 == 0 {
			out[i] = codes[r.IntN(len(codes))] ^ 1<<r.IntN(64)
		}
	}
	return out
}

func newIndex(codes []uint64, design string, workers int) (*hamming.Index, error) {
	return hamming.Build(hamming.Codes64(codes), radius, hamming.Options{Design: design, Workers: workers})
}

// checkIndex wants a search to find as many codes as the scan does, for some queries.
func checkIndex(x *hamming.Index, codes, queries []uint64) error {
	var found []hamming.Match
	for _, q := range queries {
		found = x.Search(found[:0], hamming.Code{Lo: q}, radius)
		if want := scan(codes, q, radius); len(found) != want {
			return fmt.Errorf("ours finds %d codes within %d bits of %#x, the scan %d", len(found), radius, q, want)
		}
	}
	return nil
}

// searching looks the queries up one after another.
func searching(x *hamming.Index, queries []uint64) func() {
	found := make([]hamming.Match, 0, 1<<10)
	return func() {
		for _, q := range queries {
			found = x.Search(found[:0], hamming.Code{Lo: q}, radius)
			sink += uint64(len(found))
		}
	}
}

func scanning(codes, queries []uint64) func() {
	return func() {
		for _, q := range queries {
			sink += uint64(scan(codes, q, radius))
		}
	}
}

func hammingScan(area string, n int, floor, goal float64) func(*Input) (*Row, error) {
	return func(in *Input) (*Row, error) {
		codes := in.codes(in.Scale(n), false)
		x, err := newIndex(codes, "scan", 1)
		if err != nil {
			return nil, err
		}
		few := queries(codes, 2)
		if err := checkIndex(x, codes, few); err != nil {
			return nil, err
		}
		return &Row{
			Area: area, Unit: NsCode, Work: float64(len(few) * len(codes)),
			Ours:   Contender{Name: "hamming, scan", Run: searching(x, few)},
			Rivals: []Contender{{Name: plainScan, Run: scanning(codes, few)}},
			Bounds: []Bound{{Rival: plainScan, Floor: floor, Goal: goal}},
		}, nil
	}
}

// queryRow looks 10,000 codes up, of which the scan does a few.
func queryRow(in *Input, area string, n int, design string) (row *Row, codes, many []uint64, err error) {
	const scanned = 10
	codes = in.codes(in.Scale(n), false)
	many = queries(codes, 10_000)
	x, err := newIndex(codes, design, 0)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := checkIndex(x, codes, many[:40]); err != nil {
		return nil, nil, nil, err
	}
	return &Row{
		Area: area, Unit: Query, Work: float64(len(many)),
		Ours: Contender{Name: "hamming " + design, Run: searching(x, many)},
		Rivals: []Contender{{
			Name: plainScan, Share: scanned / float64(len(many)), Run: scanning(codes, many[:scanned]),
		}},
	}, codes, many, nil
}

func hammingQuery6(in *Input) (*Row, error) {
	row, codes, many, err := queryRow(in, "hamming/query k=3, 10^6, 4 tables", 1_000_000, fourTables)
	if err != nil {
		return nil, err
	}
	tree := newBKTree(codes)
	few := many[:10]
	for _, q := range few {
		if got, want := tree.count(q, radius), scan(codes, q, radius); got != want {
			return nil, fmt.Errorf("%s finds %d codes, the scan %d", bkRival, got, want)
		}
	}
	row.Rivals = append(row.Rivals, Contender{Name: bkRival, Share: float64(len(few)) / float64(len(many)), Run: func() {
		for _, q := range few {
			sink += uint64(tree.count(q, radius))
		}
	}})
	// 1.5 times semblance, which takes 2.34 µs where the scan takes 1.3 ms.
	row.Bounds = []Bound{{Rival: plainScan, Floor: 833, Goal: 2000}}
	return row, nil
}

func hammingQuery7(in *Input) (*Row, error) {
	row, _, _, err := queryRow(in, "hamming/query k=3, 10^7, 4 tables", 10_000_000, fourTables)
	if err != nil {
		return nil, err
	}
	// 5 times go-simstore, which takes 21.9 µs where the scan takes 13.3 ms.
	row.Bounds = []Bound{{Rival: plainScan, Floor: 3040, Goal: 4000}}
	return row, nil
}

func hammingTen(in *Input) (*Row, error) {
	row, codes, many, err := queryRow(in, "hamming/query k=3, 10^7, 10 tables", 10_000_000, tenTables)
	if err != nil {
		return nil, err
	}
	four, err := newIndex(codes, fourTables, 0)
	if err != nil {
		return nil, err
	}
	row.Rivals = append(row.Rivals, Contender{Name: "hamming " + fourTables, Run: searching(four, many)})
	row.Bounds = []Bound{
		{Rival: plainScan, Floor: 3040, Goal: 4000},
		{Rival: "hamming " + fourTables, Floor: 1, Goal: 1},
	}
	return row, nil
}

func hammingMemory(in *Input) (*Row, error) {
	codes := in.codes(in.Scale(1_000_000), false)
	x, err := newIndex(codes, fourTables, 0)
	if err != nil {
		return nil, err
	}
	n := float64(len(codes))
	return &Row{
		Area: "hamming/memory a code, 10^6", Unit: ByteSize,
		Ours:   Contender{Name: "hamming " + fourTables, Size: float64(x.Bytes()) / n},
		Rivals: []Contender{{Name: bkRival, Size: bkNode}},
		Bounds: []Bound{{Rival: bkRival, Floor: bkNode / 64.0, Goal: bkNode / 48.0}},
	}, nil
}

func building(codes []uint64, workers int) func() {
	return func() {
		x, err := newIndex(codes, fourTables, workers)
		if err != nil {
			panic("bench: " + err.Error())
		}
		sink += uint64(x.Len())
	}
}

func hammingBuild6(in *Input) (*Row, error) {
	codes := in.codes(in.Scale(1_000_000), false)
	return &Row{
		Area: "hamming/build, 10^6", Unit: Seconds,
		Ours:   Contender{Name: "hamming " + fourTables, Run: building(codes, 1)},
		Rivals: []Contender{{Name: bkRival, Run: func() { sink += newBKTree(codes).code }}},
		Bounds: []Bound{carried("faiss IndexBinaryMultiHash", 10, 20, 2.4/1.76, bkRival)},
	}, nil
}

func hammingBuild7(in *Input) (*Row, error) {
	codes := in.codes(in.Scale(10_000_000), false)
	return &Row{
		Area: "hamming/build, 10^7", Unit: Seconds,
		Ours: Contender{Name: "hamming " + fourTables, Run: building(codes, 1)},
		Rivals: []Contender{{
			Name: hundredScans, Share: 0.02, Run: scanning(codes, codes[:2]),
		}},
		// 1.2 s wanted where the scan takes 13.3 ms; the floor is twice as long.
		Bounds: []Bound{{Rival: hundredScans, Floor: 0.55, Goal: 1.11}},
	}, nil
}

// selfJoin returns the number of pairs within the radius.
func selfJoin(codes []uint64, workers int) (n int, err error) {
	_, err = hamming.SelfJoin(context.Background(), hamming.Codes64(codes), radius, hamming.JoinOptions{Workers: workers},
		func(hamming.Pair) error { n++; return nil })
	return n, err
}

func joining(codes []uint64, workers int) func() {
	return func() {
		n, err := selfJoin(codes, workers)
		if err != nil {
			panic("bench: " + err.Error())
		}
		sink += uint64(n)
	}
}

// pairsRow joins codes with themselves. The scan's time for all pairs is that of half the
// scans of all codes for each.
func pairsRow(in *Input, area string, n int, biased bool) (*Row, []uint64, error) {
	codes := in.codes(in.Scale(n), biased)
	n, err := checkedJoin(codes)
	if err != nil {
		return nil, nil, err
	}
	return &Row{
		Area: area, Unit: Seconds,
		Ours: Contender{Name: "hamming.SelfJoin", Run: joining(codes, 1)},
		Rivals: []Contender{{
			Name: allScans, Share: 4 / float64(len(codes)), Run: scanning(codes, codes[:2]),
		}},
		Notes: []string{fmt.Sprintf("%d pairs", n)},
	}, codes, nil
}

// checkedJoin returns the number of pairs, and wants those of the first codes to be as many as
// the scan finds.
func checkedJoin(codes []uint64) (n int, err error) {
	const looked = 100
	var got, want int
	_, err = hamming.SelfJoin(context.Background(), hamming.Codes64(codes), radius, hamming.JoinOptions{},
		func(p hamming.Pair) error {
			if p.A < looked {
				got++
			}
			n++
			return nil
		})
	if err != nil {
		return 0, err
	}
	for i, c := range codes[:min(looked, len(codes))] {
		want += scan(codes[i+1:], c, radius)
	}
	if got != want {
		return 0, fmt.Errorf("the join finds %d pairs of the first %d codes, the scan %d", got, looked, want)
	}
	return n, nil
}

func hammingPairs6(in *Input) (*Row, error) {
	row, codes, err := pairsRow(in, "hamming/all pairs k=3, 10^6", 1_000_000, false)
	if err != nil {
		return nil, err
	}
	tree := newBKTree(codes)
	const searched = 10
	row.Rivals = append(row.Rivals, Contender{Name: bkSearches, Share: searched / float64(len(codes)), Run: func() {
		for _, q := range codes[:searched] {
			sink += uint64(tree.count(q, radius))
		}
	}})
	// 4 and 8 times simhash-cpp, which takes 0.89 s where a scan takes 1.3 ms.
	row.Bounds = []Bound{{Rival: allScans, Floor: 2920, Goal: 5840}}
	return row, nil
}

func hammingBiased(in *Input) (*Row, error) {
	const uniform = "hamming.SelfJoin, uniform bits"
	row, _, err := pairsRow(in, "hamming/all pairs k=3, 10^6 biased", 1_000_000, true)
	if err != nil {
		return nil, err
	}
	other := Codes(in.Scale(1_000_000), false, in.Seed)
	row.Rivals = append(row.Rivals, Contender{Name: uniform, Run: joining(other, 1)})
	row.Bounds = []Bound{{Rival: uniform, Floor: 0.5, Goal: 0.8}}
	return row, nil
}

func hammingPairs7(in *Input) (*Row, error) {
	row, _, err := pairsRow(in, "hamming/all pairs k=3, 10^7", 10_000_000, false)
	if err != nil {
		return nil, err
	}
	// 140 scans wanted; the floor is 4 times simhash-cpp, which takes 14.4 s where a scan takes 13.3 ms.
	row.Bounds = []Bound{{Rival: allScans, Floor: 18_500, Goal: 35_700}}
	return row, nil
}
