package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	ekzhu "github.com/ekzhu/minhash-lsh"

	"github.com/alike-go/alike/shingle"
)

var lshRows = []Builder{
	{Area: "minhash/LSH build, 20,000 documents", Build: lshBuild, Heavy: true},
	{Area: "minhash/LSH query, 20,000 documents", Build: lshQuery, Heavy: true},
	{Area: "minhash/LSH memory a document", Build: lshMemory, Heavy: true},
}

const (
	ekzhuLSH     = "ekzhu/minhash-lsh"
	lshThreshold = 0.8

	// lshSure is a resemblance at which an index for lshThreshold should find nearly all.
	lshSure = 0.9
)

// lshInput is the sketches of a collection, and the pairs that an index should find.
type lshInput struct {
	m        *shingle.MinHash
	sketches []shingle.Signature
	values   [][]uint64 // the same, a value each
	pairs    [][2]int
	peers    []*peer
	note     string
}

func (in *Input) lshInput() (*lshInput, error) {
	if in.lsh != nil {
		return in.lsh, nil
	}
	m, err := newMinhash()
	if err != nil {
		return nil, err
	}
	exact, err := shingle.New(shingle.Options{Features: threeWords})
	if err != nil {
		return nil, err
	}
	docs := Texts(in.Scale(20_000), in.Seed)
	l := &lshInput{m: m, sketches: sketchAll(m, docs)}
	cut := make([][]string, len(docs))
	for i, doc := range docs {
		eachShingle(doc, func(b []byte) { cut[i] = append(cut[i], string(b)) })
		values := make([]uint64, minhashValues)
		for k := range values {
			values[k] = l.sketches[i][k/2] >> (k % 2 * 32) & (1<<32 - 1)
		}
		l.values = append(l.values, values)
	}
	found, err := pairs(exact, sketchAll(exact, docs), lshSure, 0)
	if err != nil {
		return nil, err
	}
	for _, p := range found {
		l.pairs = append(l.pairs, [2]int{p.A, p.B})
	}
	peers, stop, err := peersOf(cut, "datasketch", "rensa")
	if errors.Is(err, errAbsent) {
		l.note = err.Error()
	} else if err != nil {
		return nil, err
	} else {
		in.atEnd(stop)
		for _, p := range peers {
			if _, err := p.number("sketch"); err != nil {
				return nil, err
			}
			if _, err := p.number("build %g", lshThreshold); err != nil {
				return nil, err
			}
		}
		l.peers = peers
	}
	in.lsh = l
	return l, nil
}

func (l *lshInput) ours() *shingle.LSH {
	x, err := shingle.NewLSH(l.m, shingle.LSHOptions{Threshold: lshThreshold})
	if err != nil {
		panic("bench: " + err.Error())
	}
	for _, s := range l.sketches {
		x.Add(s)
	}
	return x
}

func (l *lshInput) theirs() *ekzhu.MinhashLSH {
	x := ekzhu.NewMinhashLSH32(minhashValues, lshThreshold)
	for i, v := range l.values {
		x.Add(i, v)
	}
	x.Index()
	return x
}

// finds returns the share of the pairs that ask finds, from their first document, in words where it is less
// than most, and an error where it is so little that something is wrong.
func (l *lshInput) finds(name string, ask func(doc int) []int) (string, error) {
	n := 0
	for _, p := range l.pairs {
		if slices.Contains(ask(p[0]), p[1]) {
			n++
		}
	}
	share := float64(n) / float64(len(l.pairs))
	switch {
	case share < 0.5:
		return "", fmt.Errorf("%s finds %.2f of the pairs of resemblance %g", name, share, lshSure)
	case share < 0.99:
		return fmt.Sprintf("finds %.0f %%", 100*share), nil
	}
	return "", nil
}

// row makes a row, with what each finds of the pairs.
func (l *lshInput) row(area string, unit Unit, ours, theirs Contender, order func(*peer) float64) (*Row, error) {
	x, y := l.ours(), l.theirs()
	row := &Row{
		Area: area, Unit: unit, Work: float64(len(l.sketches)), Ours: ours, Rivals: []Contender{theirs},
		Notes: []string{fmt.Sprintf("ours has %s; %d pairs have a resemblance of %g", x.Design(), len(l.pairs), lshSure)},
	}
	if l.note != "" {
		row.Notes = append(row.Notes, l.note)
	}
	var err error
	if row.Ours.Finds, err = l.finds("ours", func(doc int) (docs []int) {
		for _, m := range x.Query(nil, l.sketches[doc]) {
			docs = append(docs, m.Number)
		}
		return docs
	}); err != nil {
		return nil, err
	}
	if row.Rivals[0].Finds, err = l.finds(ekzhuLSH, func(doc int) (docs []int) {
		for _, key := range y.Query(l.values[doc]) {
			docs = append(docs, key.(int))
		}
		return docs
	}); err != nil {
		return nil, err
	}
	if order == nil {
		return row, nil
	}
	for _, p := range l.peers {
		finds, err := l.finds(p.name, p.found)
		if err != nil {
			return nil, err
		}
		row.Rivals = append(row.Rivals, Contender{Name: p.name + " (Python)", Finds: finds, Seconds: func() float64 { return order(p) }})
	}
	return row, nil
}

// found returns the documents that the peer's index has for a document.
func (p *peer) found(doc int) (docs []int) {
	line, err := p.ask("found %d", doc)
	if err != nil {
		panic("bench: " + err.Error())
	}
	for _, field := range strings.Fields(line) {
		i, err := strconv.Atoi(field)
		if err != nil {
			panic("bench: " + err.Error())
		}
		docs = append(docs, i)
	}
	return docs
}

func lshBuild(in *Input) (*Row, error) {
	l, err := in.lshInput()
	if err != nil {
		return nil, err
	}
	return l.row("minhash/LSH build, 20,000 documents", MicroDoc,
		Contender{Name: "shingle.LSH", Run: func() { sink += uint64(l.ours().Len()) }},
		Contender{Name: ekzhuLSH, Run: func() { k, _ := l.theirs().Params(); sink += uint64(k) }},
		func(p *peer) float64 { return p.must("build %g", lshThreshold) })
}

// lshQuery asks for every document that is in the index. Ours scores what it finds and leaves out what is
// below the threshold; the others return all candidates.
func lshQuery(in *Input) (*Row, error) {
	l, err := in.lshInput()
	if err != nil {
		return nil, err
	}
	x, y := l.ours(), l.theirs()
	found := make([]shingle.Match, 0, 1<<10)
	row, err := l.row("minhash/LSH query, 20,000 documents", Query,
		Contender{Name: "shingle.LSH", Run: func() {
			for _, s := range l.sketches {
				found = x.Query(found[:0], s)
				sink += uint64(len(found))
			}
		}},
		Contender{Name: ekzhuLSH, Run: func() {
			for _, v := range l.values {
				sink += uint64(len(y.Query(v)))
			}
		}},
		func(p *peer) float64 { return p.must("query %d", len(l.sketches)) })
	if err == nil {
		row.Bounds = []Bound{
			{Rival: ekzhuLSH, Floor: 3, Goal: 6},
			carried("semblance", 1, 2, 11.5/3.9, ekzhuLSH),
		}
	}
	return row, err
}

// lshMemory compares what ours says of itself, signatures included, with how much the
// heap grows by the rival's index, which keeps no signatures.
func lshMemory(in *Input) (*Row, error) {
	l, err := in.lshInput()
	if err != nil {
		return nil, err
	}
	n := float64(len(l.sketches))
	before := heap()
	theirs := l.theirs()
	grown := heap() - before
	runtime.KeepAlive(theirs)
	return l.row("minhash/LSH memory a document", ByteSize,
		Contender{Name: "shingle.LSH", Size: float64(l.ours().Bytes()) / n},
		Contender{Name: ekzhuLSH, Size: grown / n}, nil)
}

// heap returns the bytes in use after a collection of garbage.
func heap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
