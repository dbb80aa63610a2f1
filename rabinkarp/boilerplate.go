package rabinkarp

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/internal/parallel"
)

// Common is a passage that many texts have.
type Common struct {
	// Text is the passage as it stands in one of the texts, number Doc, from byte Start to End.
	Text            string
	Doc, Start, End int

	// Docs is the number of texts that it was found in, by a window chosen there. Others
	// may have it too, if it is short.
	Docs int
}

// Boilerplate returns the passages that at least so many of the texts have: headers,
// licences, navigation, quotations. A passage is reported unless fewer than that of
// its texts have nothing longer around it. The one that fills most bytes in all texts
// together comes first.
//
// Passages are found by the windows that the method chooses, and grown byte by byte in the
// folded texts: what lies between such windows everywhere is missed. Under Winnow
// every passage of Window+K-1 bytes that enough texts have is part of a reported
// one, unless it is a text's ninth repetition of a window, or the texts go on from one
// window in hundreds of ways. Of a character that a passage cuts the example shows the whole.
//
// The texts are folded twice; memory is that of the folded texts with a fingerprint in
// common, and 64 MB of counters. It is an error if least is below 2.
func Boilerplate(m Method, texts []string, least int) ([]Common, error) {
	if least < 2 {
		return nil, fmt.Errorf("rabinkarp: boilerplate of at least %d texts, want 2 or more", least)
	}
	b := boilerplate{m: m, least: least, places: make(map[uint64][]occurrence), done: make(map[uint64]bool), reported: make(map[xxh3.Uint128]int)}
	b.read(texts, runtime.GOMAXPROCS(0))
	b.find()
	b.prune()
	out := make([]Common, len(b.found))
	for i, f := range b.found {
		d := open(m, m.fold(), texts[f.doc], true)
		span := d.span(f.from, f.to)
		out[i] = Common{texts[f.doc][span.Start:span.End], f.doc, span.Start, span.End, f.docs}
	}
	slices.SortFunc(out, func(p, q Common) int {
		return cmp.Or(cmp.Compare(len(q.Text)*q.Docs, len(p.Text)*p.Docs), cmp.Compare(p.Doc, q.Doc), cmp.Compare(p.Start, q.Start), cmp.Compare(p.End, q.End))
	})
	return out, nil
}

// perPlace and perBranch bound how often the places of a window are gone through in ways
// to go on: texts made of one short piece over and over go on in too many.
const perPlace, perBranch = 256, 64

// mostRepeats bounds how often a window counts in one text: tables and rules repeat
// it over and over.
const mostRepeats = 8

// boilerplate is the search under way.
type boilerplate struct {
	m        Method
	least    int
	folded   [][]byte                // of texts with a frequent fingerprint
	chosen   [][]place               // their frequent fingerprints
	places   map[uint64][]occurrence // of each of those, ascending
	done     map[uint64]bool         // those that need not be grown
	reported map[xxh3.Uint128]int    // what was found, by its bytes, in found
	found    []commonPlace
	budget   int // what growing the fingerprint at hand may still cost
}

// occurrence is a place in a folded text.
type occurrence struct{ doc, at int }

// commonPlace is a passage at its first occurrence in folded texts.
type commonPlace struct{ doc, from, to, docs int }

// read gathers the places of the fingerprints that enough texts have. Counting them
// roughly first spares a map of all.
func (b *boilerplate) read(texts []string, workers int) {
	sketches := make([]Sketch, len(texts))
	parallel.For(context.Background(), workers, len(texts), func(_, i int) {
		s := sketch(b.m, b.m.fold(), texts[i])
		sketches[i] = Sketch{Prints: s.Prints}
	})
	rough := countRoughly(sketches, workers)
	often := func(print uint64) bool { return int(*rough.counter(print)) >= b.least }
	docs := make(map[uint64]int)
	for i := range sketches {
		for _, p := range sketches[i].Prints {
			if often(p) {
				docs[p]++
			}
		}
		sketches[i].Prints = nil
	}
	b.folded, b.chosen = make([][]byte, len(texts)), make([][]place, len(texts))
	parallel.For(context.Background(), workers, len(texts), func(_, i int) {
		folded := b.m.fold().Normalize(nil, texts[i])
		b.chosen[i] = slices.DeleteFunc(b.m.choose(nil, &scratch{once: true}, folded), func(p place) bool { return docs[p.hash] < b.least })
		if len(b.chosen[i]) > 0 {
			b.folded[i] = folded
		}
	})
	for i, chosen := range b.chosen {
		for _, p := range chosen {
			at := b.places[p.hash]
			if k := len(at) - mostRepeats; k < 0 || at[k].doc != i {
				b.places[p.hash] = append(at, occurrence{i, p.at})
			}
		}
	}
}

// find grows every frequent fingerprint.
func (b *boilerplate) find() {
	for i, chosen := range b.chosen {
		width := b.m.width(b.folded[i])
		for _, p := range chosen {
			if b.done[p.hash] {
				continue
			}
			b.done[p.hash] = true
			// Windows with one fingerprint are hardly ever different, but may be.
			windows := make(map[string][]occurrence)
			for _, o := range b.places[p.hash] {
				if text := b.folded[o.doc]; o.at+width <= len(text) {
					w := string(text[o.at : o.at+width])
					windows[w] = append(windows[w], o)
				}
			}
			b.budget = perPlace * (len(b.places[p.hash]) + perBranch)
			for _, w := range slices.Sorted(maps.Keys(windows)) {
				if docsOf(windows[w]) >= b.least {
					b.right(windows[w], width)
				}
			}
		}
	}
}

// right grows a passage of so many bytes to the right, and from wherever it must stop
// to the left.
func (b *boilerplate) right(at []occurrence, size int) {
	size += b.alike(at, size)
	stop := b.branch(at, size, func(group []occurrence) { b.right(group, size+1) })
	if stop {
		b.left(at, size)
	}
}

// left grows a passage to the left and reports it wherever it must stop, unless it is
// one that goes on to the right.
func (b *boilerplate) left(at []occurrence, size int) {
	n := b.alikeBefore(at)
	moved := make([]occurrence, len(at))
	for i, o := range at {
		moved[i] = occurrence{o.doc, o.at - n}
	}
	size += n
	stop := b.branch(moved, -1, func(group []occurrence) {
		for i := range group {
			group[i].at--
		}
		b.left(group, size+1)
	})
	if stop && b.branch(moved, size, func([]occurrence) {}) {
		b.report(moved, size)
	}
}

// branch calls each for the occurrences that go on alike, if enough texts do, by the byte
// that stands so far behind their beginning. It reports whether the passage ends
// here: enough texts, or all, do not go on so.
func (b *boilerplate) branch(at []occurrence, offset int, each func([]occurrence)) bool {
	var groups [256][]occurrence
	var rest []occurrence
	for _, o := range at {
		if k := o.at + offset; k >= 0 && k < len(b.folded[o.doc]) {
			c := b.folded[o.doc][k]
			groups[c] = append(groups[c], o)
		} else {
			rest = append(rest, o)
		}
	}
	on := false
	b.budget -= len(at) + perBranch
	for _, g := range groups {
		if docsOf(g) < b.least || b.budget < 0 {
			rest = append(rest, g...)
			continue
		}
		on = true
		each(g)
	}
	slices.SortFunc(rest, func(o, p occurrence) int { return cmp.Compare(o.doc, p.doc) })
	return !on || docsOf(rest) >= b.least
}

// alike returns how many bytes all occurrences have in common from the offset on.
func (b *boilerplate) alike(at []occurrence, offset int) int {
	first := b.folded[at[0].doc][at[0].at+offset:]
	n := len(first)
	for _, o := range at[1:] {
		text := b.folded[o.doc][o.at+offset:]
		n = min(n, len(text))
		if bytes.Equal(first[:n], text[:n]) {
			continue
		}
		k := 0
		for first[k] == text[k] {
			k++
		}
		n = k
	}
	return n
}

// alikeBefore returns how many bytes all occurrences have in common before them.
func (b *boilerplate) alikeBefore(at []occurrence) int {
	first := b.folded[at[0].doc][:at[0].at]
	n := len(first)
	for _, o := range at[1:] {
		text := b.folded[o.doc][:o.at]
		k := 0
		for k < min(n, len(text)) && first[len(first)-1-k] == text[len(text)-1-k] {
			k++
		}
		n = k
	}
	return n
}

func (b *boilerplate) report(at []occurrence, size int) {
	r := commonPlace{at[0].doc, at[0].at, at[0].at + size, docsOf(at)}
	// Windows that not all of its texts chose may have led to it before.
	sum := xxh3.Hash128(b.folded[r.doc][r.from:r.to])
	if i, ok := b.reported[sum]; ok {
		b.found[i].docs = max(b.found[i].docs, r.docs)
	} else {
		b.reported[sum] = len(b.found)
		b.found = append(b.found, r)
	}
	// A window that occurs only within this passage, and wherever that occurs, would grow
	// to the same.
	width := b.m.width(b.folded[r.doc])
	chosen := b.chosen[r.doc]
	from, _ := slices.BinarySearchFunc(chosen, r.from, func(p place, at int) int { return cmp.Compare(p.at, at) })
	for _, p := range chosen[from:] {
		if p.at+width > r.to {
			break
		}
		if len(b.places[p.hash]) == len(at) {
			b.done[p.hash] = true
		}
	}
}

// prune drops passages within others of as many texts: of windows that only some of the
// texts chose, they are no passages of their own.
func (b *boilerplate) prune() {
	slices.SortFunc(b.found, func(p, q commonPlace) int {
		return cmp.Or(cmp.Compare(q.docs, p.docs), cmp.Compare(q.to-q.from, p.to-p.from))
	})
	var kept []byte
	b.found = slices.DeleteFunc(b.found, func(c commonPlace) bool {
		passage := b.folded[c.doc][c.from:c.to]
		if bytes.Contains(kept, passage) {
			return true
		}
		kept = append(append(kept, passage...), 0xff) // a byte that no folded text has
		return false
	})
}

// docsOf counts the documents of ascending occurrences.
func docsOf(at []occurrence) int {
	n := 0
	for i, o := range at {
		if i == 0 || o.doc != at[i-1].doc {
			n++
		}
	}
	return n
}
