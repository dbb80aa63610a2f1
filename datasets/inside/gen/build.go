package main

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/alike-go/alike/datasets"
)

// language is what differs between the two sets.
type language struct {
	name string
	// collect fills the builder with groups.
	collect func(b *builder) error
	// features returns what two texts are compared by when negatives are chosen,
	// as sorted hashes without repetition.
	features func(text string) []uint64
	// units cuts a text into what planted edits work on; joined they give it back.
	units func(text string) []string
	// ocr and style are the planted edits that depend on the script.
	ocr, style func(r *rand.Rand, text string) string
}

// group is documents that are alike, a component of the set: every two of them
// make a positive pair. A group of one document serves the negatives.
type group struct {
	kind string
	docs []datasets.Doc
	// unit names the larger text that the group is a part of, such as a chapter
	// or a statute. A unit is never divided between the splits.
	unit string
	// work and kin name the book that the unit is a part of and the books that
	// tell what it tells; "" if there are no such. Two groups of one kin and
	// different works are not used as a negative.
	work, kin string
	// twin lists other texts of the same content (all editions of a verse): two
	// groups whose twins resemble each other are not used as a negative.
	twin []string
	// lender is the text that a planted edit has borrowed from, if it did: no
	// negative to this group.
	lender string
	long   bool
}

// builder collects groups and draws the pairs.
type builder struct {
	language
	random *rand.Rand
	groups []*group
	texts  map[string]bool // to keep every text unique
	pairs  []pair
}

type pair struct {
	a, b  string
	label int
	kind  string
	split datasets.Split
}

// source returns a random source of its own for every purpose, so that a change
// to one part of the data leaves the others as they are.
func source(names ...string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(strings.Join(names, "\x00")))
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}

// shuffled returns a copy of x in an order drawn under the names.
func shuffled[T any](x []T, names ...string) []T {
	x = slices.Clone(x)
	source(names...).Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
	return x
}

// add adds a group, unless one of its texts is in the set already or two of them
// are equal; it reports whether it did.
func (b *builder) add(g *group) bool {
	if b.texts == nil {
		b.texts = map[string]bool{}
	}
	for i, d := range g.docs {
		if d.Text == "" || b.texts[d.Text] {
			return false
		}
		for _, e := range g.docs[:i] {
			if d.Text == e.Text {
				return false
			}
		}
	}
	for _, d := range g.docs {
		b.texts[d.Text] = true
		g.long = g.long || len([]rune(d.Text)) >= longFrom
	}
	b.groups = append(b.groups, g)
	return true
}

// longFrom is the length in characters from which a document counts as long.
const longFrom = 600

// plant adds a document and an edited copy of it as a group. other is a text of
// the same sort that the edit may take words or passages from.
// The group g tells the rest.
func (b *builder) plant(g group, doc datasets.Doc, edit edit, other string) bool {
	copied := doc
	copied.ID += "~" + edit.name
	copied.Text = edit.apply(b.language, source("plant", copied.ID), doc.Text, other)
	g.kind = "planted-" + strings.TrimRight(edit.name, "0123456789")
	g.docs, g.lender = []datasets.Doc{doc, copied}, other
	return b.add(&g)
}

// devShare is the share of the units in the dev split. The test split is larger:
// it is what results are reported on.
const devShare = 0.4

// split draws the positive pairs and gives every group its split by its unit.
func (b *builder) split() {
	for _, g := range b.groups {
		split := b.splitOf(g)
		for i, d := range g.docs {
			for _, e := range g.docs[:i] {
				b.pairs = append(b.pairs, pair{e.ID, d.ID, 1, g.kind, split})
			}
		}
	}
}

func (b *builder) splitOf(g *group) datasets.Split {
	if source("split", b.name, g.unit).Float64() < devShare {
		return datasets.Dev
	}
	return datasets.Test
}
