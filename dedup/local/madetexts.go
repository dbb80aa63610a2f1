package local

import (
	"cmp"
	"errors"
	"slices"

	"github.com/alike-go/alike/datasets"
)

// Texts are the documents that a run kept and removed, in memory. The documents of a
// removal are found by its TextPlace.
type Texts struct {
	Kept, Removed []datasets.Doc // none where the run wrote none

	made *Made
	rows []int // removed ones, ascending
	bad  []int // removed rows without a document, ascending
}

// TextPlace says where the two documents of a removal stand among Texts.
type TextPlace struct {
	removed int  // position among the removed documents, or -1
	kept    int  // row among those of all sources, or -1
	file    bool // each document is a file, and kept is a position among the kept documents
	gone    bool // or among the removed ones
}

// Texts reads the documents that the run kept and removed. Of each of the two it reads
// the first ones, until it has the given number of documents or bytes of text. src says
// how documents are read; see Documents.
func (m *Made) Texts(src datasets.Source, documents, bytes int) (*Texts, error) {
	t := &Texts{made: m}
	var err error
	if t.Kept, err = m.texts("kept", src, documents, bytes); err != nil {
		return nil, err
	}
	t.Removed, err = m.texts("removed", src, documents, bytes)
	return t, err
}

func (m *Made) texts(part string, src datasets.Source, documents, bytes int) (docs []datasets.Doc, err error) {
	r, err := m.Documents(part, src)
	if r == nil || err != nil {
		return nil, err
	}
	defer r.Close()
	for row, err := range r.Rows() {
		if err != nil {
			return nil, err
		}
		docs = append(docs, row.Doc)
		if bytes -= len(row.Doc.Text); bytes <= 0 || len(docs) >= documents {
			break
		}
	}
	return docs, nil
}

// Removals calls do for each removal, as Made.Removals does. KeptAt and RemovedAt take
// the places after it has returned.
func (t *Texts) Removals(do func(line, row int, w *Removal, p TextPlace) error) error {
	t.rows, t.bad = nil, nil
	readable := 0
	err := t.made.Removals(func(line, row int, w *Removal) (err error) {
		t.rows = append(t.rows, row)
		p := TextPlace{removed: -1, kept: -1}
		if w.Reason == reasonBad {
			t.bad = append(t.bad, row)
			return do(line, row, w, p)
		}
		p.removed = readable
		readable++
		switch {
		case w.Reason == reasonFirst, w.Reason == reasonCut, w.Reason == reasonShort:
		case w.Kept == nil:
			return errors.New("no document kept, want one")
		case w.Kept.Against:
		default:
			if p.kept, err = t.made.Row(w.Kept.Ref); err != nil {
				return err
			}
			if file := t.made.File(w.Kept.At); file != "" {
				if p.file, p.kept = true, find(t.Kept, file); p.kept < 0 {
					p.gone, p.kept = true, find(t.Removed, file)
				}
			}
		}
		if file := t.made.File(w.At); file != "" {
			p.removed = find(t.Removed, file)
		}
		return do(line, row, w, p)
	})
	slices.Sort(t.rows)
	slices.Sort(t.bad)
	return err
}

// find returns the position of a document among documents in the order of their
// ids, or -1.
func find(docs []datasets.Doc, id string) int {
	i, ok := slices.BinarySearchFunc(docs, id, func(d datasets.Doc, id string) int { return cmp.Compare(d.ID, id) })
	if !ok {
		return -1
	}
	return i
}

// RemovedAt returns the document that was removed. ok is false if its text is not there.
func (t *Texts) RemovedAt(p TextPlace) (doc datasets.Doc, ok bool) { return nth(t.Removed, p.removed) }

// KeptAt returns the document that stays for it; with the policy none that one went too.
// ok is false if its text is not there, as if it is a document of --against.
func (t *Texts) KeptAt(p TextPlace) (doc datasets.Doc, ok bool) {
	part, i := t.keptAt(p)
	if part == "removed" {
		return nth(t.Removed, i)
	}
	return nth(t.Kept, i)
}

// keptAt returns where the document of KeptAt stands: kept or removed, and its position
// there, or -1.
func (t *Texts) keptAt(p TextPlace) (part string, i int) {
	gone, i := p.gone, p.kept
	if !p.file && i >= 0 {
		// It stands in its file behind those kept before it.
		var before int
		if before, gone = slices.BinarySearch(t.rows, i); gone {
			bad, _ := slices.BinarySearch(t.bad, i)
			i = before - bad
		} else {
			i -= before
		}
	}
	if gone {
		return "removed", i
	}
	return "kept", i
}

func nth(docs []datasets.Doc, i int) (doc datasets.Doc, ok bool) {
	if i < 0 || i >= len(docs) {
		return doc, false
	}
	return docs[i], true
}
