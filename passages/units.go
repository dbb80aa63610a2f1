package passages

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/rabinkarp"
)

// Unit says what a passage is.
type Unit int

// What a passage is: any text, a whole line, or a paragraph, which is the text
// between blank lines. Lines and paragraphs include the white space that they
// begin with, but not the white space that they end with. It does not count when
// they are compared.
const (
	Any Unit = iota
	Lines
	Paragraphs
)

// DefaultLength returns the default of Options.MinLength. A line of 20 characters
// is more than a heading or a closing brace.
func (u Unit) DefaultLength() int {
	if u == Any {
		return DefaultLength
	}
	return 20
}

// String returns the name of one unit.
func (u Unit) String() string { return [...]string{"passage", "line", "paragraph"}[u] }

// each calls do with the units of a text from a place on, until it returns false.
func (u Unit) each(text []byte, from int, do func(start, end int) bool) {
	start, end := -1, 0 // of a paragraph that may go on
	for from < len(text) {
		next := len(text)
		if n := bytes.IndexByte(text[from:], '\n'); n >= 0 {
			next = from + n + 1
		}
		line := len(bytes.TrimRightFunc(text[from:next], unicode.IsSpace))
		if start >= 0 && (line == 0 || u == Lines) {
			if !do(start, end) {
				return
			}
			start = -1
		}
		if line > 0 {
			if start < 0 {
				start = from
			}
			end = from + line
		}
		from = next
	}
	if start >= 0 {
		do(start, end)
	}
}

// unitAt returns the end of the unit that starts at a place.
func (u Unit) unitAt(text []byte, start int) (end int) {
	u.each(text, start, func(_, e int) bool { end = e; return false })
	return end
}

// foldUnit appends a folded unit to dst.
func (f *Finder) foldUnit(dst, unit []byte) []byte {
	return f.o.Fold.Normalize(dst, string(bytes.TrimLeftFunc(unit, unicode.IsSpace)))
}

// prepareUnits is Prepare for lines and paragraphs.
func (f *Finder) prepareUnits(text string) (*Prepared, error) {
	if len(text) > math.MaxUint32 {
		return nil, fmt.Errorf("passages: a text of %d bytes, want less than 4 GiB", len(text))
	}
	p := &Prepared{text: text, folded: []byte(text)}
	var b []byte
	f.o.Unit.each(p.folded, 0, func(start, end int) bool {
		if b = f.foldUnit(b[:0], p.folded[start:end]); f.o.count(b) >= f.o.MinLength {
			p.windows = append(p.windows, rabinkarp.Window{Hash: xxh3.Hash(b), At: start})
		}
		return true
	})
	return p, nil
}

// units is members for lines and paragraphs: it reports the units at the places
// that are equal.
func (f *Finder) units(g *grower, places []uint64) error {
	var first, unit []byte
	for len(places) > 0 {
		var same, others []uint64 // others have the same hash
		g.members = g.members[:0]
		for i, p := range places {
			b, err := f.folded.at(uint32(p >> 32))
			if err != nil {
				return err
			}
			start := int(uint32(p))
			unit = f.foldUnit(unit[:0], b[start:f.o.Unit.unitAt(b, start)])
			if i == 0 {
				first = append(first[:0], unit...)
			}
			if !bytes.Equal(unit, first) {
				others = append(others, p)
				continue
			}
			same = append(same, p)
			g.members = append(g.members, member{doc: uint32(p >> 32)})
		}
		if g.enough(g.members) {
			err := g.emit(found{
				hash: xxh3.Hash(first), length: f.o.count(first), bytes: 1, // EachPlace finds the end
				docs: g.countDocs(g.members), places: same,
			})
			if err != nil {
				return err
			}
		}
		places = others
	}
	return nil
}

// Place is an occurrence of a passage in the text of a document that Text
// returns. All places of a passage have the same text, or with Lines and
// Paragraphs the same folded text.
type Place struct {
	Doc, Start, End int
	Passage         int // number, from 0 to less than Passages
}

// EachPlace calls do with the places of all reported passages, also those that
// lie in longer ones, in the order of documents and starts, the longest first.
// It is called instead of Each.
func (f *Finder) EachPlace(ctx context.Context, do func(Place) error) (Stats, error) {
	if err := f.find(ctx); err != nil {
		return f.stats, err
	}
	return f.stats, f.found.eachPlace(ctx, "places", func(o occurrence) error {
		if !f.found.all[o.of].kept {
			return nil
		}
		if f.o.Unit != Any {
			text, err := f.folded.at(o.doc)
			if err != nil {
				return err
			}
			o.end = f.o.Unit.unitAt(text, o.start)
		}
		return do(Place{int(o.doc), o.start, o.end, int(o.of)})
	})
}

// Passages returns the number of passages that have a number in Place.
func (f *Finder) Passages() int { return len(f.found.all) }

// Text returns the text of a document that places are in, which must not be
// changed. It is folded, unless Unit is set. It may be called once EachPlace has
// called do, from many goroutines.
func (f *Finder) Text(doc int) ([]byte, error) { return f.folded.at(uint32(doc)) }

// Original returns the text of a document as it was added, and where spans of
// Text stand in it. Of a character that folding takes for several, a span has
// all. It may be called when Text may.
func (f *Finder) Original(doc int, spans []feature.Span) (text string, original []feature.Span, err error) {
	if f.o.Unit != Any {
		b, err := f.folded.at(uint32(doc))
		return string(b), spans, err
	}
	back, err := f.unfolder(uint32(doc))
	if err != nil {
		return "", nil, err
	}
	for _, s := range spans {
		original = append(original, back.span(s))
	}
	return back.text, original, nil
}

// Within reports whether a place of a text lies within a character or a word, so
// that a cut there would divide it.
func Within(text string, i int) bool {
	if i <= 0 || i >= len(text) {
		return false
	}
	if !utf8.RuneStart(text[i]) {
		return true
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	return feature.Joins(r) || feature.InWord(r) && feature.InWord(before)
}
