package passages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
)

// ViewOptions bounds a View. The zero value has nothing.
type ViewOptions struct {
	Passages int              // maximum number of passages
	Places   int              // maximum number of places of a passage that are listed
	Text     int              // maximum number of bytes of text
	ID       func(int) string // of a document, by its number
}

// PageView bounds a view that people read in a browser.
var PageView = ViewOptions{Passages: 500, Places: 50, Text: 4 << 20}

const (
	viewDocs    = 1000    // documents with text
	viewMarks   = 100_000 // places in documents with text
	viewStart   = 1200    // bytes of a passage that the list shows
	viewContext = 600     // bytes that are kept around a place where a passage begins or ends
	viewGap     = 1000    // bytes: fewer are not left out
)

// View is what fits on a page of the passages of a collection: the most
// repeated ones, and documents that they stand in. It is written as JSON.
type View struct {
	Docs        int   `json:"n_documents" doc:"documents of the collection"`
	Passages    int64 `json:"n_passages" doc:"passages found"`
	Occurrences int64 `json:"n_occurrences" doc:"of all passages found"`
	MinLength   int   `json:"min_length" doc:"minimum length of a passage"`
	Words       bool  `json:"words" doc:"whether lengths count words instead of characters"`

	// List has the passages in the most documents, these first.
	List []ViewPassage `json:"passages" doc:"the passages in the most documents, these first"`

	// Documents are those that a place of List names.
	Documents []ViewDocument `json:"documents" doc:"the documents that a place names"`

	// Texts is the number of documents with text.
	Texts int `json:"n_texts" doc:"documents with text"`

	// Unmarked reports that some documents with text have more places than fit.
	Unmarked bool `json:"unmarked,omitempty" doc:"whether documents with text have more places than those given"`
}

// ViewPassage is a passage of a View.
type ViewPassage struct {
	ID          string `json:"passage" doc:"a hash of the folded text"`
	Length      int    `json:"length" doc:"in characters of the folded text, or in words"`
	Docs        int    `json:"n_documents" doc:"documents that it stands in"`
	Occurrences int    `json:"n_occurrences"`
	Text        string `json:"text" doc:"the start of the first occurrence"`

	// Places are the first occurrences and all in documents with text.
	Places []ViewPlace `json:"places" doc:"the first occurrences, and all in documents with text"`
}

// ViewPlace is an occurrence.
type ViewPlace struct {
	Document   int `json:"document" doc:"index in documents"`
	Start      int `json:"start" doc:"first byte"`
	End        int `json:"end" doc:"byte behind the last"`
	StartUTF16 int `json:"start_utf16"`
	EndUTF16   int `json:"end_utf16"`
	Line       int `json:"line" doc:"from 1"`
	LastLine   int `json:"last_line"`
}

// ViewDocument is a document of a View.
type ViewDocument struct {
	Number int    `json:"number" doc:"in the collection, from 0"`
	ID     string `json:"id"`
	Old    bool   `json:"old,omitempty" doc:"whether it is one of the old documents"`
	UTF16  int    `json:"length_utf16,omitempty" doc:"length of the text, if there are parts"`

	// Parts are the text around the ends of passages, empty if it did not fit.
	Parts []ViewPart `json:"parts,omitempty" doc:"the text, but for what is far from the ends of passages; none if it did not fit"`
}

// ViewPart is a part of a text.
type ViewPart struct {
	Start int    `json:"start_utf16"`
	Line  int    `json:"line" doc:"its first line, from 1"`
	Text  string `json:"text"`
}

// View returns what fits on a page. It is called after Each.
//
// Each listed passage in turn chooses the document of its first place, then
// each that of its second place, and so on. A chosen document whose text does
// not fit is skipped.
func (f *Finder) View(ctx context.Context, o ViewOptions) (*View, error) {
	c := f.found
	if c == nil {
		return nil, errors.New("passages: View before Each")
	}
	v := &View{
		Docs: f.stats.Docs, Passages: f.stats.Passages, Occurrences: f.stats.Occurrences, MinLength: f.o.least(), Words: f.o.MinWords > 0,
		List: []ViewPassage{}, Documents: []ViewDocument{},
	}
	listed := map[uint32]int{} // candidates
	for i, n := range c.mostRepeated(o.Passages) {
		p := &c.all[n]
		listed[n] = i
		v.List = append(v.List, ViewPassage{ID: p.id(), Length: int(p.length), Docs: int(p.docs), Occurrences: int(p.places), Places: []ViewPlace{}})
	}
	first := make([][]Occurrence, len(v.List))
	err := c.eachListed(ctx, listed, func(i int, at Occurrence) {
		if len(first[i]) < max(1, o.Places) {
			first[i] = append(first[i], at)
		}
	})
	if err != nil {
		return nil, err
	}
	chosen := choose(first)
	marks := map[int][]place{}
	if o.Text > 0 {
		for _, doc := range chosen {
			marks[doc] = nil
		}
		n := 0
		err = c.eachListed(ctx, listed, func(i int, at Occurrence) {
			all, ok := marks[at.Doc]
			switch {
			case !ok:
			case n == viewMarks:
				v.Unmarked = true
			default:
				n++
				marks[at.Doc] = append(all, place{i, at})
			}
		})
		if err != nil {
			return nil, err
		}
	}
	// Documents with text come first, in the order that they were chosen.
	index := map[int]int{}
	add := func(doc int) *ViewDocument {
		d := ViewDocument{Number: doc, Old: f.old != nil && doc >= int(*f.old)}
		if o.ID != nil {
			d.ID = o.ID(doc)
		}
		index[doc] = len(v.Documents)
		v.Documents = append(v.Documents, d)
		return &v.Documents[len(v.Documents)-1]
	}
	left := o.Text
	places := make([][]Occurrence, len(v.List))
	for _, doc := range chosen {
		if len(marks[doc]) == 0 {
			continue
		}
		text, err := f.original.part(uint32(doc), 0, f.original.size(uint32(doc)))
		if err != nil {
			return nil, err
		}
		parts, size, units := condensed(text, marks[doc])
		if size > left {
			continue
		}
		left -= size
		d := add(doc)
		d.Parts, d.UTF16 = parts, units
		v.Texts++
		for _, m := range marks[doc] {
			places[m.of] = append(places[m.of], m.at)
		}
	}
	for i := range v.List {
		p := &v.List[i]
		if len(first[i]) > 0 {
			at := first[i][0]
			if p.Text, err = f.original.part(uint32(at.Doc), at.Bytes.Start, min(at.Bytes.End, at.Bytes.Start+viewStart)); err != nil {
				return nil, err
			}
			p.Text = strings.ToValidUTF8(p.Text, "") // the last rune may be cut
		}
		for _, at := range inOrder(places[i], first[i][:min(o.Places, len(first[i]))]) {
			n, ok := index[at.Doc]
			if !ok {
				add(at.Doc)
				n = index[at.Doc]
			}
			p.Places = append(p.Places, ViewPlace{n, at.Bytes.Start, at.Bytes.End, at.UTF16.Start, at.UTF16.End, at.FirstLine, at.LastLine})
		}
	}
	return v, nil
}

// place is an occurrence of the listed passage of.
type place struct {
	of int
	at Occurrence
}

// inOrder returns the occurrences that are in a or b, in their order.
func inOrder(a, b []Occurrence) []Occurrence {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(a, b Occurrence) int {
		return cmp.Or(cmp.Compare(a.Doc, b.Doc), cmp.Compare(a.Bytes.Start, b.Bytes.Start), cmp.Compare(a.Bytes.End, b.Bytes.End))
	})
	return slices.Compact(all)
}

// choose returns documents: those of all first places, then those of all second
// ones, and so on.
func choose(places [][]Occurrence) (docs []int) {
	seen := map[int]bool{}
	for round, more := 0, true; more; round++ {
		more = false
		for _, all := range places {
			if round >= len(all) {
				continue
			}
			if more = true; seen[all[round].Doc] {
				continue
			}
			if len(docs) == viewDocs {
				return docs
			}
			seen[all[round].Doc] = true
			docs = append(docs, all[round].Doc)
		}
	}
	return docs
}

// eachListed calls do with the occurrences of the listed candidates.
func (c *candidates) eachListed(ctx context.Context, listed map[uint32]int, do func(i int, at Occurrence)) error {
	n := int64(0)
	err := c.located.Each(func(row []byte) error {
		if n++; n%(1<<16) == 0 {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			c.f.o.Progress("view", float64(n)/float64(c.f.stats.Occurrences))
		}
		_, of, at := readRow(row)
		if i, ok := listed[of]; ok {
			do(i, at)
		}
		return nil
	})
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("passages: %w", err)
	}
	return err
}

// condensed returns the parts of a text near its start, and near the start or
// the end of a place. It returns their size in bytes, and the length of the
// whole text in UTF-16.
func condensed(text string, places []place) (parts []ViewPart, size, units int) {
	keep := []feature.Span{{Start: 0, End: min(viewContext, len(text))}}
	ends := []int{}
	for _, p := range places {
		ends = append(ends, p.at.Bytes.Start, p.at.Bytes.End)
	}
	slices.Sort(ends)
	for _, at := range ends {
		from, to := max(0, at-viewContext), min(len(text), at+viewContext)
		if last := &keep[len(keep)-1]; from <= last.End+viewGap {
			last.End = max(last.End, to)
		} else {
			keep = append(keep, feature.Span{Start: from, End: to})
		}
	}
	if last := &keep[len(keep)-1]; len(text) <= last.End+viewGap {
		last.End = len(text)
	}
	at, line := 0, 1
	forward := func(to int) {
		for at < len(text) && at < to {
			r, n := utf8.DecodeRuneInString(text[at:])
			if r == '\n' {
				line++
			}
			at += n
			units += utf16.RuneLen(r)
		}
	}
	for _, k := range keep {
		forward(k.Start)
		from, p := at, ViewPart{Start: units, Line: line}
		forward(k.End)
		p.Text = text[from:at]
		parts = append(parts, p)
		size += len(p.Text)
	}
	forward(len(text))
	return parts, size, units
}
