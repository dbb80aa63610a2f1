package rabinkarp

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// Method is [Manber] or [Winnow].
type Method interface {
	similarity.Sketcher[Sketch]

	// Fingerprints returns the fingerprints of a text with their places in the
	// original text, in ascending order, repeats included.
	Fingerprints(text string) []feature.Located

	fingerprinter
	fold() feature.Fold
}

var (
	_ Method = (*Manber)(nil)
	_ Method = (*Winnow)(nil)
)

func (m *Manber) fold() feature.Fold { return m.o.Fold }
func (m *Winnow) fold() feature.Fold { return m.o.Fold }

// defaultMaxDocs is IndexOptions.MaxDocs where none is given.
const defaultMaxDocs = 1000

// IndexOptions configures an Index. The zero value is a sound default.
type IndexOptions struct {
	// MaxDocs is the greatest number of documents that a fingerprint may be in to be
	// looked up; one in more is boilerplate, which an answer counts and leaves out.
	// Zero means 1000, a negative number that there is no limit.
	MaxDocs int
}

// Index knows which documents have which fingerprints where, and tells what a text
// shares with them. It holds no texts: 20 bytes for each fingerprint of each document,
// and some 30 more for each distinct one.
//
// Queries may run at the same time; adding may not run with anything.
type Index struct {
	m       Method
	maxDocs int

	prints map[uint64]posting
	spots  []spot
	docs   []int // distinct fingerprints of each
	twins  map[twin][]int
}

// posting is the list of documents that have a fingerprint.
type posting struct {
	last uint32 // the spot of the last document, counted from 1
	docs uint32 // may be above the limit, where the list then ends
}

// spot is the first place of a fingerprint in a document.
type spot struct {
	doc, before    uint32 // before is the spot of the document before, counted from 1
	at             uint32 // in the folded text
	start, covered uint32 // bytes of the original text
}

// NewIndex returns an empty index of documents under a method.
func NewIndex(m Method, o IndexOptions) *Index {
	switch {
	case o.MaxDocs == 0:
		o.MaxDocs = defaultMaxDocs
	case o.MaxDocs < 0:
		o.MaxDocs = math.MaxInt32
	}
	return &Index{m: m, maxDocs: o.MaxDocs, prints: make(map[uint64]posting), twins: make(map[twin][]int)}
}

// Len returns the number of documents.
func (x *Index) Len() int { return len(x.docs) }

// Add adds a document and returns its number, which is that of those before it. It is an
// error if the text has 4 GiB or the index would have more than 2^32-2 spots.
func (x *Index) Add(text string) (int, error) {
	d := open(x.m, x.m.fold(), text, true)
	spots := spotsOf(&d)
	if uint64(max(len(text), len(d.folded), len(x.spots)+len(spots), len(x.docs))) > math.MaxUint32-2 {
		return 0, fmt.Errorf("rabinkarp: index of %d documents and %d fingerprints has no room for %d bytes", len(x.docs), len(x.spots), len(text))
	}
	doc := len(x.docs)
	for _, s := range spots {
		p := x.prints[s.print]
		p.docs++
		if int(p.docs) <= x.maxDocs {
			x.spots = append(x.spots, spot{uint32(doc), p.last, uint32(s.at), uint32(s.span.Start), uint32(s.span.End - s.span.Start)})
			p.last = uint32(len(x.spots))
		}
		x.prints[s.print] = p
	}
	x.docs = append(x.docs, len(spots))
	if len(d.folded) > 0 {
		k := twinOf(d.folded)
		x.twins[k] = append(x.twins[k], doc)
	}
	return doc, nil
}

// firstPlace is a fingerprint of a text, at its first place.
type firstPlace struct {
	print uint64
	at    int // in the folded text
	span  feature.Span
}

// spotsOf returns the distinct fingerprints of a text by their first places, in ascending order.
func spotsOf(d *document) []firstPlace {
	seen := make(map[uint64]bool, len(d.places))
	var out []firstPlace
	for _, q := range d.places {
		if !seen[q.hash] {
			seen[q.hash] = true
			out = append(out, firstPlace{q.hash, q.at, d.span(q.at, q.at+d.width)})
		}
	}
	return out
}

// Answer is what an Index knows of a text.
type Answer struct {
	// Matches are the documents that share a fingerprint with the text or are equal to
	// it, those that share most first, of equal ones the lower number first.
	Matches []Match

	// Prints is the number of distinct fingerprints of the text.
	Prints int

	// Skipped are the places of those that more documents have than
	// IndexOptions.MaxDocs allows; what they alone connect is no match.
	Skipped []feature.Span
}

// Match is a document that shares something with a text.
type Match struct {
	Doc int

	// Shared is the number of fingerprints in both, of which those skipped are no part,
	// and Prints the number of the document's.
	Shared, Prints int

	// Equal reports whether checksum and size, when folded, are the same. An equal text
	// without a sample shares nothing and is a match all the same.
	Equal bool

	// Passages are the shared passages in the order of the text. A fingerprint that a
	// text repeats counts where it stands first.
	Passages []Passage
}

// Passage is a run of shared windows: neighbours among those chosen in the text that lie as far
// apart in the document. Between two of them, where no window was chosen, both are taken to be alike.
// Explain grows passages to their full length.
type Passage struct {
	Text, Doc feature.Span // byte offsets of the original texts
	Prints    int
}

// hit is a fingerprint of a text that a document has.
type hit struct {
	doc   uint32
	order int // of the fingerprint among those of the text that were looked up
	place firstPlace
	spot  spot
}

// Query returns what the index knows of a text.
func (x *Index) Query(text string) Answer {
	d := open(x.m, x.m.fold(), text, true)
	places := spotsOf(&d)
	a := Answer{Prints: len(places)}
	var hits []hit
	order := 0
	for _, q := range places {
		p := x.prints[q.print]
		if int(p.docs) > x.maxDocs {
			a.Skipped = append(a.Skipped, q.span)
			continue
		}
		for at := p.last; at > 0; {
			s := x.spots[at-1]
			hits = append(hits, hit{s.doc, order, q, s})
			at = s.before
		}
		order++
	}
	slices.SortFunc(hits, func(g, h hit) int { return cmp.Or(cmp.Compare(g.doc, h.doc), cmp.Compare(g.order, h.order)) })
	var equals []int
	if len(d.folded) > 0 {
		equals = x.twins[twinOf(d.folded)]
	}
	for len(hits) > 0 {
		n := 1
		for n < len(hits) && hits[n].doc == hits[0].doc {
			n++
		}
		doc := int(hits[0].doc)
		_, equal := slices.BinarySearch(equals, doc)
		a.Matches = append(a.Matches, Match{doc, n, x.docs[doc], equal, passages(hits[:n])})
		hits = hits[n:]
	}
	found := a.Matches
	for _, doc := range equals {
		if _, ok := slices.BinarySearchFunc(found, doc, func(m Match, doc int) int { return cmp.Compare(m.Doc, doc) }); !ok {
			a.Matches = append(a.Matches, Match{Doc: doc, Prints: x.docs[doc], Equal: true})
		}
	}
	slices.SortFunc(a.Matches, func(m, n Match) int { return cmp.Or(cmp.Compare(n.Shared, m.Shared), cmp.Compare(m.Doc, n.Doc)) })
	return a
}

// passages joins the hits of one document, in the order of the text.
func passages(hits []hit) []Passage {
	var out []Passage
	for i, h := range hits {
		doc := feature.Span{Start: int(h.spot.start), End: int(h.spot.start) + int(h.spot.covered)}
		if i > 0 {
			last, p := hits[i-1], &out[len(out)-1]
			if h.order == last.order+1 && h.place.at-last.place.at == int(h.spot.at)-int(last.spot.at) {
				p.Text.End, p.Doc.End = h.place.span.End, doc.End
				p.Prints++
				continue
			}
		}
		out = append(out, Passage{h.place.span, doc, 1})
	}
	return out
}
