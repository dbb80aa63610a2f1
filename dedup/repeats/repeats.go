// Package repeats decides which text goes where parts of documents repeat: lines,
// paragraphs or passages. It holds the rule, without an engine and without files.
//
// Documents come in the order in which they are wanted, and text is decided from
// the left to the right. Text goes if it lies in a part that has been seen before,
// and the same text of the earlier place stands. The first place of a part is its
// keeper. So one copy of everything stays:
//
//   - A cut names the place of the same text that is kept. No cut ever touches a
//     place that is named.
//   - Parts may overlap. If some of a keeper has gone itself, because it is in an
//     earlier part, only what is left of it is kept for others.
//   - A document that becomes too short goes as a whole, and keeps nothing. The
//     next document with its parts keeps them.
//   - A document that would lose too much is left alone.
//   - Less than a minimum length is never cut out. Little is left of a keeper when
//     most of it is in an earlier part.
//
// [Tidy] then fits the cuts to the text: whole words, and no white space left
// over.
//
// Package dedup/local runs it. Finding parts belongs to package passages.
package repeats

import (
	"slices"
	"sort"
	"unicode"
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
)

// Options configures a Cutter. The zero value keeps one copy of each part.
type Options struct {
	// None keeps no copy: every place of a part goes.
	None bool

	// MinLength is the minimum number of characters that are cut out in one place.
	MinLength int

	// Divide calls do with the parts of a cut that are the same text as what is kept
	// for it. Without it the whole cut is.
	Divide func(doc int, c Cut, do func(Cut))

	// MinLeft is the minimum length of what is left of a document that something
	// was cut out of, as Length counts. A shorter document goes as a whole.
	MinLeft int

	// MaxShare is the maximum share of a document to cut, by Length. A document
	// that would lose more is left alone. Zero means 1.
	MaxShare float64
}

// Place is where a part stands in a document, in bytes.
type Place struct {
	Start, End int
	Part       int // number, from 0 on
}

// Cut is text that goes, in bytes of its document.
type Cut struct {
	Start, End int
	Kept       Kept // the same text, which stands; Doc is -1 if there is none
}

// Kept is text that is kept for a Cut.
type Kept struct{ Doc, Start, End int }

// Fate is what becomes of a document.
type Fate int

// A document is whole, or cut, or goes because too little of it would be left. It
// is left alone if too much of it would go.
const (
	Whole Fate = iota
	Shortened
	Dropped
	Alone
)

// Cutter decides on documents one after another.
type Cutter struct {
	o     Options
	kept  []keeper               // by part
	parts map[int][]feature.Span // what stands of keepers that are not whole
	first map[int]int            // in a document: the place that is first of its part
	done  []feature.Span         // in a document: what was cut, ascending and apart
}

type keeper struct{ doc, start, end uint32 } // doc counts from 1; 0 is none

// New returns a cutter for so many parts. It holds 12 bytes for each, and some 100 for
// one whose keeper is not whole.
func New(parts int, o Options) *Cutter {
	if o.MaxShare == 0 {
		o.MaxShare = 1
	}
	if o.Divide == nil || o.None {
		o.Divide = func(_ int, c Cut, do func(Cut)) { do(c) }
	}
	return &Cutter{o: o, kept: make([]keeper, parts), parts: map[int][]feature.Span{}, first: map[int]int{}}
}

// Document decides on the next document, given its text and the places of parts
// in it, by ascending start and the longest first. Places that overlap others must
// have the same length as all places of their part.
func (c *Cutter) Document(doc int, text []byte, places []Place) ([]Cut, Fate) {
	if len(places) == 0 {
		return nil, Whole
	}
	clear(c.first)
	c.done = c.done[:0]
	var cuts []Cut
	for i, p := range places {
		from := Kept{-1, p.Start, p.End}
		stands := []feature.Span{{Start: p.Start, End: p.End}}
		if !c.o.None {
			var ok bool
			if from, stands, ok = c.keeper(doc, places, p); !ok {
				c.first[p.Part] = i
				continue
			}
		}
		for _, s := range stands {
			whole := s == (feature.Span{Start: from.Start, End: from.End})
			if whole {
				s = feature.Span{Start: p.Start, End: p.End}
			} else {
				s = feature.Span{Start: s.Start - from.Start + p.Start, End: s.End - from.Start + p.Start}
			}
			for _, e := range c.without(s) {
				kept := from
				if !whole || e != s {
					if !c.o.None {
						e = trim(text, e)
					}
					kept.Start += e.Start - p.Start
					kept.End = kept.Start + e.End - e.Start
				}
				if e.Start < e.End {
					c.o.Divide(doc, Cut{e.Start, e.End, kept}, func(cut Cut) {
						cuts = append(cuts, cut)
						c.add(feature.Span{Start: cut.Start, End: cut.End})
					})
				}
			}
		}
	}
	slices.SortFunc(cuts, func(a, b Cut) int { return a.Start - b.Start })
	cuts = c.long(text, cuts)
	fate := c.fate(text)
	switch {
	case fate == Alone:
		cuts, c.done = nil, c.done[:0]
	case fate == Dropped:
		for i := range cuts { // the document keeps nothing for itself either
			if cuts[i].Kept.Doc == doc {
				cuts[i].Kept.Doc = -1
			}
		}
		return cuts, fate
	}
	if !c.o.None {
		c.keep(doc, places)
	}
	return cuts, fate
}

// long returns the cuts without those that are too short together with the cuts
// beside them.
func (c *Cutter) long(text []byte, cuts []Cut) []Cut {
	if c.o.MinLength == 0 {
		return cuts
	}
	long := cuts[:0]
	for from := 0; from < len(cuts); {
		to := from + 1
		for to < len(cuts) && Length(text[cuts[to-1].End:cuts[to].Start]) == 0 {
			to++
		}
		if utf8.RuneCount(text[cuts[from].Start:cuts[to-1].End]) >= c.o.MinLength {
			long = append(long, cuts[from:to]...)
		}
		from = to
	}
	c.done = c.done[:0]
	for _, cut := range long {
		c.add(feature.Span{Start: cut.Start, End: cut.End})
	}
	return long
}

// keeper returns the place that is kept of a part before a place of it, and what
// stands of that; ok is false if there is none.
func (c *Cutter) keeper(doc int, places []Place, p Place) (from Kept, stands []feature.Span, ok bool) {
	if k := c.kept[p.Part]; k.doc > 0 {
		from = Kept{int(k.doc) - 1, int(k.start), int(k.end)}
		if stands, ok = c.parts[p.Part]; !ok {
			stands = []feature.Span{{Start: from.Start, End: from.End}}
		}
		return from, stands, true
	}
	i, ok := c.first[p.Part]
	if !ok {
		return from, nil, false
	}
	// Cuts to come are all behind the start of p, so that what stands before it
	// is decided.
	from = Kept{doc, places[i].Start, places[i].End}
	return from, c.without(feature.Span{Start: from.Start, End: min(from.End, p.Start)}), true
}

// without returns what was not cut of a span.
func (c *Cutter) without(s feature.Span) []feature.Span {
	var out []feature.Span
	i := sort.Search(len(c.done), func(i int) bool { return c.done[i].End > s.Start })
	for ; i < len(c.done) && c.done[i].Start < s.End; i++ {
		if c.done[i].Start > s.Start {
			out = append(out, feature.Span{Start: s.Start, End: c.done[i].Start})
		}
		s.Start = c.done[i].End
	}
	if s.Start < s.End {
		out = append(out, s)
	}
	return out
}

// add notes that a span, which is apart from all others, was cut.
func (c *Cutter) add(s feature.Span) {
	i := sort.Search(len(c.done), func(i int) bool { return c.done[i].End >= s.Start })
	j := i
	for ; j < len(c.done) && c.done[j].Start <= s.End; j++ {
		s = feature.Span{Start: min(s.Start, c.done[j].Start), End: max(s.End, c.done[j].End)}
	}
	c.done = slices.Replace(c.done, i, j, s)
}

// fate says what becomes of the document, by what was cut.
func (c *Cutter) fate(text []byte) Fate {
	if len(c.done) == 0 {
		return Whole
	}
	if c.o.MaxShare == 1 && c.o.MinLeft == 0 {
		return Shortened
	}
	gone, all := 0, Length(text)
	for _, s := range c.done {
		gone += Length(text[s.Start:s.End])
	}
	switch {
	case float64(gone) > c.o.MaxShare*float64(all):
		return Alone
	case all-gone < c.o.MinLeft:
		return Dropped
	}
	return Shortened
}

// keep notes the first places of parts that nothing was kept of yet.
func (c *Cutter) keep(doc int, places []Place) {
	for part, i := range c.first {
		p := feature.Span{Start: places[i].Start, End: places[i].End}
		stands := c.without(p)
		if len(stands) == 0 {
			continue
		}
		c.kept[part] = keeper{uint32(doc) + 1, uint32(p.Start), uint32(p.End)}
		if stands[0] != p {
			c.parts[part] = stands
		}
	}
}

// trim takes white space off the ends of a span.
func trim(text []byte, s feature.Span) feature.Span {
	for s.Start < s.End {
		r, n := utf8.DecodeRune(text[s.Start:s.End])
		if !unicode.IsSpace(r) {
			break
		}
		s.Start += n
	}
	for s.Start < s.End {
		r, n := utf8.DecodeLastRune(text[s.Start:s.End])
		if !unicode.IsSpace(r) {
			break
		}
		s.End -= n
	}
	return s
}

// Length returns the number of characters of a text that are not white space.
func Length(text []byte) int {
	n := 0
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			if text[i] > ' ' {
				n++
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if !unicode.IsSpace(r) {
			n++
		}
		i += size
	}
	return n
}
