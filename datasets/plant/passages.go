package plant

import (
	"fmt"
	"iter"
	"strings"

	"github.com/alike-go/alike/datasets"
)

// Passage is a passage that a document took from another one, its source: the
// bytes from Start up to End of its text, and from SourceStart up to SourceEnd of
// the text of the source.
type Passage struct {
	Start, End             int
	Source                 string // the id
	SourceStart, SourceEnd int

	// Edit and Record say what was done to the passage. Two kinds are no edits and have
	// no rate: "copy", where nothing was done, and "reorder", where sentences stand in
	// another order.
	Edit   Edit
	Record Record
}

// What Passages does to a passage besides edits. Apply does not do these, and they
// have no rate.
const (
	// kindCopy takes the passage as it is.
	kindCopy Kind = "copy"
	// kindReorder takes its parts, of one or a few sentences, in another order. No
	// part stays in its place.
	kindReorder Kind = "reorder"
)

// Passages makes documents. Some of them hold passages of other documents, their
// sources. A third of the passages are copied as they are, a third have
// their sentences in another order, and a third are edited. An edit that changes
// nothing counts as a copy. Nothing else is shared: each passage is taken once, and
// sources take none. Beyond the ends of a passage the two texts may agree by chance,
// for a few characters.
//
// A document and its sources are a function of the options and its number alone.
// Passages is safe for concurrent use.
type Passages struct {
	*Maker
	share float64
	edits []Choice
	mix   alias
	words []string // that edits add
}

// DefaultPassageMix returns the edits of passages: the mixed one at 2, 5, 10, 20
// and 30 %, punctuation and case.
func DefaultPassageMix() []Choice {
	mix, err := ParseMix("mixed:0.02,mixed:0.05,mixed:0.1,mixed:0.2,mixed:0.3,punct:0.1,case:0.1")
	if err != nil {
		panic(err)
	}
	return mix
}

// NewPassages returns a maker of documents with passages. The options say
// what a document has besides passages: Mean is the mean number of these words.
// Share is the probability for a document to hold passages, from 0 to 1. Mix is
// the edits of passages; nil means DefaultPassageMix(). Boilerplate, Truncate and
// Quote are errors: they add text around the passage, or drop a part of it.
func NewPassages(o MakeOptions, share float64, mix []Choice) (*Passages, error) {
	if !(share >= 0 && share <= 1) {
		return nil, fmt.Errorf("plant: the share of documents with passages is %v, want 0 to 1", share)
	}
	m, err := NewMaker(o)
	if err != nil {
		return nil, err
	}
	p := &Passages{Maker: m, share: share, edits: mix}
	if p.edits == nil {
		p.edits = DefaultPassageMix()
	}
	var weights []float64
	for _, c := range p.edits {
		if err := c.check(); err != nil {
			return nil, err
		}
		if k := c.Edit.Kind; k == Boilerplate || k == Truncate || k == Quote {
			return nil, fmt.Errorf("plant: the edit %v is not within a passage, want another", c.Edit)
		}
		weights = append(weights, c.Weight)
	}
	if p.mix, err = newChooser("Mix", weights); err != nil {
		return nil, err
	}
	r := seeded(m.options.Seed, 'w')
	text := string(m.sentences(nil, &r, 2000, -1))
	for start, end := range m.options.Lang.units(text) {
		p.words = append(p.words, text[start:end])
	}
	return p, nil
}

// String returns all options in one line, for the README of what was made.
func (p *Passages) String() string {
	return fmt.Sprintf("%s share=%v mix=%s", p.Maker, p.share, FormatMix(p.edits))
}

// Docs returns n documents, and before each that holds passages its sources. The
// document of number 7 is "d7", and its second source "d7.2". It never returns an
// error.
func (p *Passages) Docs(n uint64) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for i := range n {
			for _, d := range p.group(i) {
				if !yield(d, nil) {
					return
				}
			}
		}
	}
}

// All these numbers are equally likely.
const (
	maxSources = 3 // of a document, at least 1
	maxMore    = 2 // passages, besides one of each source
	minParts   = 3 // of a passage
	maxParts   = 10
)

// group returns a document and, before it, its sources.
func (p *Passages) group(number uint64) []Document {
	r := seeded(p.options.Seed, 'h', number)
	w := composer{Passages: p, r: &r, topic: p.turn(&r)}
	id := fmt.Sprintf("d%d", number)
	if !r.Chance(p.share) {
		return []Document{w.document(id, w.own(nil, p.length.draw(&r)))}
	}
	sources := make([][]byte, 1+r.Below(maxSources))
	type taken struct {
		parts   []string
		passage Passage
	}
	var passages []taken
	for i := range len(sources) + r.Below(maxMore+1) {
		s := i
		if i >= len(sources) {
			s = r.Below(len(sources))
		}
		var t taken
		for range minParts + r.Below(maxParts-minParts+1) {
			t.parts = append(t.parts, w.part())
		}
		sources[s] = w.own(sources[s], p.length.draw(&r)/2)
		t.passage.Source = fmt.Sprintf("%s.%d", id, s+1)
		sources[s], t.passage.SourceStart = w.add(sources[s], w.join(t.parts))
		t.passage.SourceEnd = len(sources[s])
		passages = append(passages, t)
	}
	var docs []Document
	for i, text := range sources {
		docs = append(docs, w.document(fmt.Sprintf("%s.%d", id, i+1), w.own(text, p.length.draw(&r)/2)))
	}
	for i := len(passages) - 1; i > 0; i-- {
		j := r.Below(i + 1)
		passages[i], passages[j] = passages[j], passages[i]
	}
	var text []byte
	var planted []Passage
	own := p.length.draw(&r) / (len(passages) + 1)
	for _, t := range passages {
		text = w.own(text, own)
		text, t.passage.Start = w.add(text, w.edit(t.parts, &t.passage))
		t.passage.End = len(text)
		planted = append(planted, t.passage)
	}
	d := w.document(id, w.own(text, own))
	d.Passages = planted
	return append(docs, d)
}

// composer writes a document and its sources.
type composer struct {
	*Passages
	r     *Rand
	topic int
}

func (w *composer) document(id string, text []byte) Document {
	return Document{Doc: datasets.Doc{ID: id, Text: string(text), Lang: string(w.options.Lang)}, Original: id}
}

// add appends a part of a text, often as a paragraph of its own. It returns where
// the part starts.
func (w *composer) add(text []byte, part string) ([]byte, int) {
	switch {
	case len(text) == 0:
	case w.r.Below(2) == 0:
		text = append(text, "\n\n"...)
	default:
		text = append(text, w.space()...)
	}
	return append(text, part...), len(text)
}

// own appends about n words that stand nowhere else, at least one.
func (w *composer) own(text []byte, n int) []byte {
	text, _ = w.add(text, string(w.sentences(nil, w.r, max(1, n), w.topic)))
	return text
}

// part returns a part of a passage: one or a few sentences, of 6 to 27 words.
func (w *composer) part() string {
	return string(w.sentences(nil, w.r, 6+w.r.Below(22), w.topic))
}

func (w *composer) space() string {
	if w.options.Lang == Chinese {
		return ""
	}
	return " "
}

func (w *composer) join(parts []string) string { return strings.Join(parts, w.space()) }

// edit returns a passage as it stands in the document that took it, and says what
// was done.
func (w *composer) edit(parts []string, p *Passage) string {
	whole := w.join(parts)
	p.Edit = Edit{Kind: kindCopy}
	switch w.r.Below(3) {
	case 0:
		p.Edit = Edit{Kind: kindReorder}
		// A cyclic permutation (Sattolo 1986) leaves none in its place.
		for i := len(parts) - 1; i > 0; i-- {
			j := w.r.Below(i)
			parts[i], parts[j] = parts[j], parts[i]
		}
		return w.join(parts)
	case 1:
		edit := w.edits[w.mix.pick(w.r.Uint64())].Edit
		if text, rec := Apply(w.r, edit, whole, w.words, w.options.Lang); rec.Touched > 0 {
			p.Edit, p.Record = edit, rec
			return text
		}
	}
	return whole
}
