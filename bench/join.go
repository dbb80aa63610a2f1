package main

import (
	"fmt"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/similarity"
)

var joinRows = []Builder{
	{Area: "shingle/join, 20,000 word sets, t=0.8", Build: joinWords(0.8, 10, 8, 20, 1.5), Heavy: true},
	{Area: "shingle/join, 20,000 word sets, t=0.5", Build: joinWords(0.5, 50, 5, 12, 1.8), Heavy: true},
	{Area: "shingle/join, 100,000 shingle sets, t=0.8", Build: joinShingles(0.8, 10, 3, 6, 1), Heavy: true},
	{Area: "shingle/join, 100,000 shingle sets, t=0.5", Build: joinShingles(0.5, 20, 4, 9, 1), Heavy: true},
	{Area: "shingle/text to pairs, 20,000 documents, t=0.8", Build: textToPairs, Heavy: true},
}

const setSearch = "go-set-similarity-search's method"

func joinWords(t float64, every int, floor, goal, slower float64) func(*Input) (*Row, error) {
	return func(in *Input) (*Row, error) {
		return joinRow(in, fmt.Sprintf("shingle/join, 20,000 word sets, t=%g", t), feature.Options{}, 20_000, t, every, floor, goal, slower)
	}
}

func joinShingles(t float64, every int, floor, goal, slower float64) func(*Input) (*Row, error) {
	return func(in *Input) (*Row, error) {
		return joinRow(in, fmt.Sprintf("shingle/join, 100,000 shingle sets, t=%g", t), threeWords, 100_000, t, every, floor, goal, slower)
	}
}

// joinSets are the sets of a row, kept for the next one on the same.
type joinSets struct {
	key     string
	sets    []shingle.Set
	numbers [][]int
}

func (in *Input) joinSets(m *shingle.Method, n int) (joinSets, error) {
	key := fmt.Sprint(m, n)
	if in.join.key != key {
		in.join = joinSets{} // or both would lie in memory
		sets := sketchAll(m, Texts(n, in.Seed))
		numbers := numbered(sets)
		if err := sameSets(sets, numbers); err != nil {
			return joinSets{}, err
		}
		in.join = joinSets{key, sets, numbers}
	}
	return in.join, nil
}

// joinRow finds all pairs of sets. Ours begins with hashes, the rival with numbers
// by frequency, which it was given for nothing; textToPairs counts that too. Where the rival is
// slower than the original was by its published times, ours has to be faster by as much.
func joinRow(in *Input, area string, o feature.Options, n int, t float64, every int, floor, goal, slower float64) (*Row, error) {
	m, err := shingle.New(shingle.Options{Features: o})
	if err != nil {
		return nil, err
	}
	s, err := in.joinSets(m, in.Scale(n))
	if err != nil {
		return nil, err
	}
	ours, err := pairs(m, s.sets, t, 1)
	if err != nil {
		return nil, err
	}
	theirs, _ := allPairs(s.numbers, t, every)
	if err := checkAllPairs(s.numbers, ours, theirs, every); err != nil {
		return nil, err
	}
	bound := Bound{Rival: setSearch, Floor: floor, Goal: goal}
	if slower > 1 {
		bound = carried("the original", floor, goal, slower, setSearch)
	}
	return &Row{
		Area: area, Unit: Seconds,
		Ours: Contender{Name: m.String(), Run: func() { sink += uint64(mustPairs(m, s.sets, t, 1)) }},
		Rivals: []Contender{{
			Name: setSearch, Share: 1 / float64(every),
			Seconds: func() float64 { _, took := allPairs(s.numbers, t, every); return took },
		}},
		Bounds: []Bound{bound},
		Notes:  []string{fmt.Sprintf("%d pairs", len(ours))},
	}, nil
}

// checkAllPairs wants of the pairs that ours found those whose longer set probed, no more and no less.
func checkAllPairs(numbers [][]int, ours []similarity.Pair, theirs [][2]int, every int) error {
	rank := make([]int, len(numbers))
	for k, x := range bySize(numbers) {
		rank[x] = k
	}
	want := map[[2]int]bool{}
	for _, p := range ours {
		x, y := p.A, p.B
		if rank[x] < rank[y] {
			x, y = y, x
		}
		if rank[x]%every == 0 {
			want[[2]int{x, y}] = true
		}
	}
	for _, p := range theirs {
		if !want[p] {
			return fmt.Errorf("%s finds documents %v, ours does not", setSearch, p)
		}
	}
	if len(theirs) != len(want) {
		return fmt.Errorf("%s finds %d pairs, ours %d", setSearch, len(theirs), len(want))
	}
	return nil
}

// textToPairs counts all the way from the texts: the rival has to number its shingles by frequency.
func textToPairs(in *Input) (*Row, error) {
	const t = 0.8
	m, err := shingle.New(shingle.Options{Features: threeWords})
	if err != nil {
		return nil, err
	}
	in.join = joinSets{}
	docs := Texts(in.Scale(20_000), in.Seed)
	ours := func() ([]similarity.Pair, error) {
		sets := make([]shingle.Set, len(docs))
		for i, doc := range docs {
			sets[i] = m.Sketch(doc)
		}
		return pairs(m, sets, t, 1)
	}
	theirs := func() ([][]int, [][2]int) {
		raw := make([][]string, len(docs))
		for i, doc := range docs {
			raw[i] = cutSet(doc)
		}
		sets := byFrequency(raw)
		found, _ := allPairs(sets, t, 1)
		return sets, found
	}
	a, err := ours()
	if err != nil {
		return nil, err
	}
	sets, b := theirs()
	if err := checkAllPairs(sets, a, b, 1); err != nil {
		return nil, err
	}
	return &Row{
		Area: "shingle/text to pairs, 20,000 documents, t=0.8", Unit: Seconds,
		Ours: Contender{Name: m.String(), Run: func() {
			found, err := ours()
			if err != nil {
				panic("bench: " + err.Error())
			}
			sink += uint64(len(found))
		}},
		Rivals: []Contender{{Name: setSearch, Run: func() { _, found := theirs(); sink += uint64(len(found)) }}},
		// 58 s for 100,000 documents, of which 52 for the numbers, against 15 s wanted.
		Bounds: []Bound{{Rival: setSearch, Floor: 2, Goal: 3.9}},
	}, nil
}
