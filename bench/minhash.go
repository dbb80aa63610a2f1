package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	dgryski "github.com/dgryski/go-minhash"
	ekzhu "github.com/ekzhu/minhash-lsh"
	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/shingle"
)

var minhashRows = []Builder{
	{Area: "minhash/text to sketch", Build: minhashText},
	{Area: "minhash/cut shingles to sketch", Build: minhashCut},
	{Area: "minhash/hashes to sketch", Build: minhashHashes},
	{Area: "minhash/compare", Build: minhashCompare},
	{Area: "minhash/size", Build: minhashSize},
	{Area: "minhash/size, 512 of 1 bit", Build: minhashOneBit},
}

const (
	minhashValues   = 128
	dgryskiMinWise  = "dgryski/go-minhash MinWise"
	ekzhuMinhash    = "ekzhu/minhash-lsh Minhash"
	textbookMinhash = "textbook, 64 bits"
	doubleMinhash   = "textbook, h1+i*h2"
)

func newMinhash() (*shingle.MinHash, error) {
	return shingle.NewMinHash(shingle.MinHashOptions{Features: threeWords, Size: minhashValues})
}

func minhashText(in *Input) (*Row, error) {
	m, err := newMinhash()
	if err != nil {
		return nil, err
	}
	if err := checkMinhash(in, func(a, b string) float64 { return m.Score(m.Sketch(a), m.Sketch(b)) }); err != nil {
		return nil, fmt.Errorf("ours: %w", err)
	}
	if err := checkMinhash(in, func(a, b string) float64 { return dgryskiSketch(a).Similarity(dgryskiSketch(b)) }); err != nil {
		return nil, fmt.Errorf("%s: %w", dgryskiMinWise, err)
	}
	if err := checkMinhash(in, func(a, b string) float64 {
		return agree(ekzhuSketch(a).Signature(), ekzhuSketch(b).Signature())
	}); err != nil {
		return nil, fmt.Errorf("%s: %w", ekzhuMinhash, err)
	}
	return &Row{
		Area: "minhash/text to sketch", Unit: MBs, Work: float64(in.Bytes),
		Ours: Contender{Name: m.String(), Run: func() {
			for _, doc := range in.Docs {
				sink += m.Sketch(doc)[0]
			}
		}},
		Rivals: []Contender{
			{Name: dgryskiMinWise, Run: func() {
				for _, doc := range in.Docs {
					sink += dgryskiSketch(doc).Signature()[0]
				}
			}},
			{Name: ekzhuMinhash, Run: func() {
				for _, doc := range in.Docs {
					sink += ekzhuSketch(doc).Signature()[0]
				}
			}},
		},
		Bounds: []Bound{
			{Rival: dgryskiMinWise, Floor: 3, Goal: 6},
			carried("semblance", 1.5, 3.3, 2.1, dgryskiMinWise),
		},
	}, nil
}

// checkMinhash wants the error of the estimate on planted pairs to be what 128
// values give: the standard error is at most .044, at J = .5.
func checkMinhash(in *Input, estimate func(a, b string) float64) error {
	sets, err := in.Shingles()
	if err != nil {
		return err
	}
	var squares float64
	for _, p := range in.Pairs {
		a, b := shingle.Set{Hashes: sets[p.Original]}, shingle.Set{Hashes: sets[p.Copy]}
		diff := estimate(in.Docs[p.Original], in.Docs[p.Copy]) - a.Resemblance(b)
		squares += diff * diff
	}
	if rmse := math.Sqrt(squares / float64(len(in.Pairs))); !(rmse < 0.055) {
		return fmt.Errorf("the estimate of Jaccard's index is off by %.3f (root of mean square)", rmse)
	}
	return nil
}

func minhashHashes(*Input) (*Row, error) {
	m, err := newMinhash()
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(128, 3))
	text := newTextbook()
	hashes := make([][]uint64, lists)
	features := make([][]feature.Feature, lists)
	for i := range hashes {
		// Each list shares its second half with the first half of the one before, so
		// that Jaccard's index of neighbours is 1/3.
		hashes[i] = random(r, accumulated)
		if i > 0 {
			copy(hashes[i][accumulated/2:], hashes[i-1])
		}
		for _, h := range hashes[i] {
			features[i] = append(features[i], feature.Feature{Hash: h, Weight: 1})
		}
	}
	var ours, theirs float64
	for i := 1; i < lists; i++ {
		ours += m.Score(m.SketchFeatures(features[i]), m.SketchFeatures(features[i-1])) / (lists - 1)
		theirs += agree(text.sketch(hashes[i]), text.sketch(hashes[i-1])) / (lists - 1)
	}
	if math.Abs(ours-1.0/3) > 0.03 || math.Abs(theirs-1.0/3) > 0.03 {
		return nil, fmt.Errorf("a Jaccard index of .333 is estimated %.3f by ours, %.3f by %s", ours, theirs, textbookMinhash)
	}
	return &Row{
		Area: "minhash/hashes to sketch", Unit: NsHash, Work: lists * accumulated,
		Ours: Contender{Name: m.String(), Run: func() {
			for _, list := range features {
				sink += m.SketchFeatures(list)[0]
			}
		}},
		Rivals: []Contender{
			{Name: textbookMinhash, Run: func() {
				for _, list := range hashes {
					sink += text.sketch(list)[0]
				}
			}},
			{Name: doubleMinhash, Run: func() {
				for _, list := range hashes {
					sink += text.double(list)[0]
				}
			}},
		},
		Bounds: []Bound{carried("semblance", 2, 5, 123.0/36, textbookMinhash)},
	}, nil
}

// agree returns the share of values that are the same in two signatures.
func agree(a, b []uint64) float64 {
	same := 0.0
	for i := range a {
		if a[i] == b[i] {
			same++
		}
	}
	return same / float64(len(a))
}

func minhashCompare(in *Input) (*Row, error) {
	m, err := newMinhash()
	if err != nil {
		return nil, err
	}
	// Neighbours, of which one in six is a near-duplicate: most pairs of a scan are
	// unrelated, and a rival that branches should not suffer from any other mix.
	n := min(64, len(in.Docs)-1)
	ours := make([][2]shingle.Signature, n)
	theirs := make([][2]*dgryski.MinWise, n)
	for i := range n {
		a, b := in.Docs[i], in.Docs[i+1]
		ours[i] = [2]shingle.Signature{m.Sketch(a), m.Sketch(b)}
		theirs[i] = [2]*dgryski.MinWise{dgryskiSketch(a), dgryskiSketch(b)}
		if x, y := m.Score(ours[i][0], ours[i][1]), theirs[i][0].Similarity(theirs[i][1]); math.Abs(x-y) > 0.25 {
			return nil, fmt.Errorf("documents %d and %d: ours estimates %.3f, %s %.3f", i, i+1, x, dgryskiMinWise, y)
		}
	}
	return &Row{
		Area: "minhash/compare", Unit: NsPair, Work: float64(n),
		Ours: Contender{Name: m.String(), Run: func() {
			for _, p := range ours {
				sink += math.Float64bits(m.Score(p[0], p[1]))
			}
		}},
		Rivals: []Contender{{Name: dgryskiMinWise, Run: func() {
			for _, p := range theirs {
				sink += math.Float64bits(p[0].Similarity(p[1]))
			}
		}}},
		Bounds: []Bound{
			{Rival: dgryskiMinWise, Floor: 1, Goal: 2},
			carried("semblance", 1, 2, 54.0/36, dgryskiMinWise),
		},
	}, nil
}

func minhashSize(in *Input) (*Row, error) {
	return sizeRow(in, "minhash/size", shingle.MinHashOptions{Features: threeWords, Size: minhashValues}, 2, 2)
}

func minhashOneBit(in *Input) (*Row, error) {
	return sizeRow(in, "minhash/size, 512 of 1 bit",
		shingle.MinHashOptions{Features: threeWords, Size: 512, Bits: 1}, 2, 16)
}

func sizeRow(in *Input, area string, o shingle.MinHashOptions, floor, goal float64) (*Row, error) {
	m, err := shingle.NewMinHash(o)
	if err != nil {
		return nil, err
	}
	return &Row{
		Area: area, Unit: ByteSize,
		Ours:   Contender{Name: m.String(), Size: float64(m.Bytes(m.Sketch(in.Docs[0])))},
		Rivals: []Contender{{Name: dgryskiMinWise, Size: float64(binary.Size(dgryskiSketch(in.Docs[0]).Signature()))}},
		Bounds: []Bound{{Rival: dgryskiMinWise, Floor: floor, Goal: goal}},
	}, nil
}

// dgryskiSketch pushes the windows of three words, cut by a plain loop.
func dgryskiSketch(doc string) *dgryski.MinWise {
	m := dgryski.NewMinWise(xxh3.Hash, func(b []byte) uint64 { return xxh3.HashSeed(b, 1) }, minhashValues)
	eachShingle(doc, m.Push)
	return m
}

// dgryskiCut pushes shingles that are cut already.
func dgryskiCut(doc []string) *dgryski.MinWise {
	m := dgryski.NewMinWise(xxh3.Hash, func(b []byte) uint64 { return xxh3.HashSeed(b, 1) }, minhashValues)
	for _, s := range doc {
		m.Push([]byte(s))
	}
	return m
}

func ekzhuSketch(doc string) *ekzhu.Minhash {
	m := ekzhu.NewMinhash(1, minhashValues)
	eachShingle(doc, m.Push)
	return m
}
