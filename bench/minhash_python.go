package main

import (
	"errors"
	"fmt"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/feature"
)

// minhashCut begins with shingles that are cut already, as the rivals in Python take
// them: what is measured is to hash them and to make the sketch. It is left to them to take as
// many documents in one call as they can.
func minhashCut(in *Input) (*Row, error) {
	m, err := newMinhash()
	if err != nil {
		return nil, err
	}
	docs := make([][]string, len(in.Docs))
	number := make(map[string]int, len(in.Docs))
	shingles := 0
	for i, doc := range in.Docs {
		eachShingle(doc, func(b []byte) { docs[i] = append(docs[i], string(b)) })
		shingles += len(docs[i])
		number[doc] = i
	}
	var features []feature.Feature
	sketch := func(doc []string) []uint64 {
		features = features[:0]
		for _, s := range doc {
			features = append(features, feature.Feature{Hash: xxh3.HashString(s), Weight: 1})
		}
		return m.SketchFeatures(features)
	}
	if err := checkMinhash(in, func(a, b string) float64 {
		return m.Score(sketch(docs[number[a]]), sketch(docs[number[b]]))
	}); err != nil {
		return nil, fmt.Errorf("ours: %w", err)
	}
	row := &Row{
		Area: "minhash/cut shingles to sketch", Unit: NsHash, Work: float64(shingles),
		Ours: Contender{Name: m.String(), Run: func() {
			for _, doc := range docs {
				sink += sketch(doc)[0]
			}
		}},
		Rivals: []Contender{{Name: dgryskiMinWise, Run: func() {
			for _, doc := range docs {
				sink += dgryskiCut(doc).Signature()[0]
			}
		}}},
	}
	peers, stop, err := peersOf(docs, "datasketch", "rensa")
	if errors.Is(err, errAbsent) {
		row.Notes = append(row.Notes, err.Error())
		return row, nil
	} else if err != nil {
		return nil, err
	}
	in.atEnd(stop)
	for _, p := range peers {
		if _, err := p.number("sketch"); err != nil {
			return nil, err
		}
		if err := checkMinhash(in, func(a, b string) float64 {
			return p.must("estimate %d %d", number[a], number[b])
		}); err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		row.Rivals = append(row.Rivals, Contender{Name: p.name + " (Python)", Seconds: func() float64 { return p.must("sketch") }})
	}
	return row, nil
}
