package main

import (
	"fmt"
	"slices"

	"github.com/chmduquesne/rollinghash"
	"github.com/chmduquesne/rollinghash/adler32"
	"github.com/chmduquesne/rollinghash/buzhash64"
	"github.com/chmduquesne/rollinghash/rabinkarp64"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/rabinkarp"
)

var rollingRows = []Builder{
	{Area: "manber/every window", Build: manberEvery},
	{Area: "manber/every window, 1 in 16 kept", Build: manberDense},
	{Area: "winnow/k=50 w=100", Build: winnowing},
}

const (
	rollWindow   = 50
	winnowLength = 100

	// Document by document, as ours, and by the module's interfaces.
	rabinKarp = "rollinghash rabinkarp64"
	buzhash   = "rollinghash buzhash64"
	adler     = "rollinghash adler32"

	// For scale: all documents as one text, calls inlined by hand; and the least that
	// a rolling hash can be.
	rabinKarpLong = "rabinkarp64, one text, inlined"
	buzhashLong   = "buzhash64, one text, inlined"
	resticChunker = "restic/chunker, one text"
	oneChain      = "limit: polynomial, one text"

	semblanceToRK = 42.0 / 133 // winnowing by semblance against all windows by rabinkarp64
)

// manberEvery keeps one window in 256, as published for sif: what is left is
// nearly the hashing alone, which is all that the rivals do.
func manberEvery(in *Input) (*Row, error) { return manberRow(in, "manber/every window", 8) }

// manberDense keeps as many as our default, which is for documents and not for
// file systems: keeping, sorting and storing them then costs more than hashing.
// No floor was set for it.
func manberDense(in *Input) (*Row, error) {
	row, err := manberRow(in, "manber/every window, 1 in 16 kept", rabinkarp.DefaultKeep)
	if err == nil {
		row.Bounds = nil
	}
	return row, err
}

// manberRow lets every window count, also those that overlap a chosen one.
func manberRow(in *Input, area string, keep int) (*Row, error) {
	m, err := rabinkarp.NewManber(rabinkarp.ManberOptions{
		Window: rollWindow, Keep: keep, Fold: bytesAsTheyAre, Overlap: true,
	})
	if err != nil {
		return nil, err
	}
	if err := checkPrints(in, m.Fingerprints, m.Sketch, rollWindow); err != nil {
		return nil, err
	}
	row, err := rollingRow(in, area, m.String(), m.Sketch)
	if err == nil {
		row.Bounds = []Bound{{Rival: rabinKarp, Floor: 3, Goal: 4.5}}
	}
	return row, err
}

func winnowing(in *Input) (*Row, error) {
	m, err := rabinkarp.NewWinnow(rabinkarp.WinnowOptions{K: rollWindow, Window: winnowLength, Fold: bytesAsTheyAre})
	if err != nil {
		return nil, err
	}
	if err := checkPrints(in, m.Fingerprints, m.Sketch, rollWindow); err != nil {
		return nil, err
	}
	// No importable module winnows.
	row, err := rollingRow(in, "winnow/k=50 w=100", m.String(), m.Sketch)
	if err == nil {
		row.Bounds = []Bound{carried("semblance", 2, 3.5, semblanceToRK, rabinKarp)}
	}
	return row, err
}

// bytesAsTheyAre folds as little as can be, since the rivals fold nothing.
var bytesAsTheyAre = feature.Fold{Form: feature.NoForm, KeepCase: true, Space: feature.KeepSpace}

// rollingRow sketches each document, and lets the rivals roll over the same bytes
// and gather the least hash, the least that can be done with them.
func rollingRow(in *Input, area, name string, sketch func(string) rabinkarp.Sketch) (*Row, error) {
	row := &Row{
		Area: area, Unit: MBs, Work: float64(in.Bytes),
		Ours: Contender{Name: name, Run: func() {
			for _, doc := range in.Docs {
				sink += sketch(doc).Sum
			}
		}},
	}
	docs := make([][]byte, len(in.Docs))
	for i, doc := range in.Docs {
		docs[i] = []byte(doc)
	}
	if err := checkChunks(in.Joined()); err != nil {
		return nil, fmt.Errorf("%s: %w", resticChunker, err)
	}
	for _, r := range []struct {
		name  string
		roll  func([]byte) uint64
		twin  rollinghash.Hash // evaluates windows directly
		texts [][]byte
	}{
		{rabinKarp, func(doc []byte) uint64 { return roll(sharedRabinKarp, doc) }, rabinkarp64.New(), docs},
		{buzhash, func(doc []byte) uint64 { return roll(sharedBuzhash, doc) }, buzhash64.New(), docs},
		{adler, func(doc []byte) uint64 { return roll32(sharedAdler, doc) }, adler32.New(), docs},
		{rabinKarpLong, rollRabinKarp, rabinkarp64.New(), [][]byte{in.Joined()}},
		{buzhashLong, rollBuzhash, buzhash64.New(), [][]byte{in.Joined()}},
		{resticChunker, chunks, nil, [][]byte{in.Joined()}},
		{oneChain, rollOneChain, nil, [][]byte{in.Joined()}},
	} {
		if r.twin != nil {
			if got, want := r.roll(docs[0]), leastDirectly(docs[0], r.twin); got != want {
				return nil, fmt.Errorf("%s: the least rolled hash is %#x, evaluated directly %#x", r.name, got, want)
			}
		}
		row.Rivals = append(row.Rivals, Contender{Name: r.name, Run: func() {
			for _, text := range r.texts {
				sink += r.roll(text)
			}
		}})
	}
	return row, nil
}

// checkPrints sketches each fingerprinted window by itself, which evaluates its
// hash directly, and wants the fingerprint that rolling gave it; and the located fingerprints
// to be those of the sketch.
func checkPrints(in *Input, locate func(string) []feature.Located, sketch func(string) rabinkarp.Sketch, window int) error {
	found := 0
	for _, doc := range in.Docs[:min(50, len(in.Docs))] {
		var prints []uint64
		for _, at := range locate(doc) {
			if at.End-at.Start != window {
				return fmt.Errorf("ours: a fingerprint of %d bytes, want %d", at.End-at.Start, window)
			}
			if alone := sketch(doc[at.Start:at.End]).Prints; len(alone) != 1 || alone[0] != at.Hash {
				return fmt.Errorf("ours: window %d rolled to %#x, evaluated directly %#x", at.Start, at.Hash, alone)
			}
			prints = append(prints, at.Hash)
		}
		slices.Sort(prints)
		if prints = slices.Compact(prints); !slices.Equal(prints, sketch(doc).Prints) {
			return fmt.Errorf("ours: %d located fingerprints, %d in the sketch", len(prints), len(sketch(doc).Prints))
		}
		found += len(prints)
	}
	if found == 0 {
		return fmt.Errorf("ours: no fingerprints at all")
	}
	return nil
}
