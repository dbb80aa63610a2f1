package main

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/simhash"
)

var simhashRows = []Builder{
	{Area: "simhash/words", Build: simhashWords},
	{Area: "simhash/3-word shingles", Build: simhashShingles},
	{Area: "simhash/accumulate", Build: simhashAccumulate},
	{Area: "simhash/accumulate weighted", Build: simhashWeighted},
}

const mfonda = "mfonda's method"

// The rows on hashes alone take 400 hashes at a time, and many such lists in turn:
// the branch predictor of today's processors learns a single one by heart, and
// the branching rivals would look twice as fast as they are on documents.
const (
	accumulated = 400
	lists       = 64
)

func simhashWords(in *Input) (*Row, error) {
	return simhashText(in, "simhash/words", feature.Options{}, wordSimhash, 25, 40, 2, 3, 14.5)
}

func simhashShingles(in *Input) (*Row, error) {
	return simhashText(in, "simhash/3-word shingles", threeWords, shingleSimhash, 15, 25, 2, 3, 9.1)
}

func simhashText(in *Input, area string, o feature.Options, theirs func([]byte) uint64,
	floor, goal, anyFloor, anyGoal, semblance float64) (*Row, error) {
	m, err := simhash.New(simhash.Options{Features: o})
	if err != nil {
		return nil, err
	}
	ours := func(doc string) uint64 { return m.Sketch(doc).Lo }
	text := make([][]byte, len(in.Docs))
	for i, doc := range in.Docs {
		text[i] = []byte(doc)
	}
	if err := checkSimhash(in, func(i int) uint64 { return ours(in.Docs[i]) }); err != nil {
		return nil, fmt.Errorf("ours: %w", err)
	}
	if err := checkSimhash(in, func(i int) uint64 { return theirs(text[i]) }); err != nil {
		return nil, fmt.Errorf("%s: %w", mfonda, err)
	}
	return &Row{
		Area: area, Unit: MBs, Work: float64(in.Bytes),
		Ours: Contender{Name: m.String(), Run: func() {
			for _, doc := range in.Docs {
				sink += ours(doc)
			}
		}},
		Rivals: []Contender{{Name: mfonda, Run: func() {
			for _, doc := range text {
				sink += theirs(doc)
			}
		}}},
		Bounds: []Bound{
			{Rival: mfonda, Floor: floor, Goal: goal},
			carried("semblance", anyFloor, anyGoal, semblance, mfonda),
		},
	}, nil
}

// checkSimhash sketches twice, and wants copies with one word in a hundred edited to
// be much nearer to their originals than unrelated documents are to each other.
func checkSimhash(in *Input, sketch func(i int) uint64) error {
	distance := func(a, b int) float64 { return float64(bits.OnesCount64(sketch(a) ^ sketch(b))) }
	var near, far, n float64
	for _, p := range in.Pairs {
		if p.Edit == Edit1 {
			near += distance(p.Original, p.Copy)
			far += distance(p.Original, (p.Original+7)%len(in.Docs))
			n++
		}
	}
	if d := distance(0, 0); d != 0 || sketch(0) == 0 {
		return fmt.Errorf("a document is %g bits from itself, its fingerprint is %#x", d, sketch(0))
	}
	if near/n*1.7 > far/n {
		return fmt.Errorf("copies are %.1f bits off, unrelated documents %.1f", near/n, far/n)
	}
	return nil
}

func simhashAccumulate(*Input) (*Row, error) {
	r := rand.New(rand.NewPCG(400, 64))
	hashes := make([][]uint64, lists)
	boxed := make([][]counted, lists)
	for i := range hashes {
		hashes[i] = random(r, accumulated)
		for _, h := range hashes[i] {
			boxed[i] = append(boxed[i], wordFeature{h, 1})
		}
		// Ties differ by design, and an odd number of hashes has none.
		odd := accumulated - 1
		if a, b := simhash.SumHashes(64, simhash.TieZero, hashes[i][:odd]).Lo, signs(vote(boxed[i][:odd])); a != b {
			return nil, fmt.Errorf("ours is %#x, %s %#x", a, mfonda, b)
		}
	}
	return &Row{
		Area: "simhash/accumulate", Unit: NsHash, Work: lists * accumulated,
		Ours: Contender{Name: "simhash.SumHashes", Run: func() {
			for _, list := range hashes {
				sink += simhash.SumHashes(64, simhash.TieSalt, list).Lo
			}
		}},
		Rivals: []Contender{
			{Name: mfonda, Run: func() {
				for _, list := range boxed {
					sink += signs(vote(list))
				}
			}},
			{Name: "64 counters, no branch", Run: func() {
				for _, list := range hashes {
					sink += plainCounters(list)
				}
			}},
		},
		Bounds: []Bound{
			{Rival: mfonda, Floor: 50, Goal: 200},
			carried("semblance", 4, 15, 281.0/20, mfonda),
		},
	}, nil
}

func simhashWeighted(*Input) (*Row, error) {
	const rival = "64 float counters"
	r := rand.New(rand.NewPCG(400, 65))
	features := make([][]feature.Feature, lists)
	for i := range features {
		for _, h := range random(r, accumulated) {
			features[i] = append(features[i], feature.Feature{Hash: h, Weight: 0.5 + r.ExpFloat64()})
		}
		// Weights may be held to fewer digits, so a bit whose sum is almost nothing may differ.
		a := simhash.Sum(64, simhash.TieZero, features[i]).Lo
		for j, sum := range floatCounters(features[i]) {
			if (a>>j&1 == 1) != (sum > 0) && (sum > 1e-3 || sum < -1e-3) {
				return nil, fmt.Errorf("bit %d of ours is %d, the counter is %g", j, a>>j&1, sum)
			}
		}
	}
	return &Row{
		Area: "simhash/accumulate weighted", Unit: NsHash, Work: lists * accumulated,
		Ours: Contender{Name: "simhash.Sum", Run: func() {
			for _, list := range features {
				sink += simhash.Sum(64, simhash.TieSalt, list).Lo
			}
		}},
		Rivals: []Contender{{Name: rival, Run: func() {
			for _, list := range features {
				sink += floatSimhash(list)
			}
		}}},
		Bounds: []Bound{{Rival: rival, Floor: 10, Goal: 18}},
	}, nil
}
