package local

import (
	"fmt"
	"os"
	"slices"

	"github.com/alike-go/alike/datasets"
)

// Audited is a removal with the texts of both documents. A text is nil if the folder
// does not hold it: that of a document of --against, or of a run that dropped the
// removed ones.
type Audited struct {
	Removal
	Text, KeptText *string
}

// Audit returns the removals of documents that have an id or stand at a place,
// such as "news.csv:3", and the removals for such documents. It also returns
// the other removals of their clusters without texts, or with Options.Below
// those that have a cut for text of the document, each with the first such cut.
// src says how the documents are read, or else the report of the run does. It
// is an error if the folder has no such document; a document that stays and
// stands alone is no error.
func (m *Made) Audit(id string, src datasets.Source) (found []Audited, others []Removal, err error) {
	t := &Texts{made: m}
	var places []TextPlace
	clusters := map[int]bool{}
	err = t.Removals(func(_, _ int, w *Removal, p TextPlace) error {
		if w.is(id) || w.Kept != nil && (w.Kept.ID == id || w.Kept.At == id) {
			found, places = append(found, Audited{Removal: *w}), append(places, p)
			clusters[w.Cluster] = true
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	if len(found) == 0 && m.Report.Below == nil {
		return nil, nil, m.stays(id, src)
	}
	err = m.Removals(func(_, _ int, w *Removal) error {
		if w.is(id) {
			return nil
		}
		if i := slices.IndexFunc(w.Cuts, func(c Cut) bool { return c.Kept != nil && (c.Kept.ID == id || c.Kept.At == id) }); i >= 0 {
			w.Cuts = w.Cuts[i : i+1]
			others = append(others, *w)
		}
		if w.Cluster > 0 && clusters[w.Cluster] && !slices.ContainsFunc(found, func(f Audited) bool { return f.Ref == w.Ref }) {
			others = append(others, *w)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	if len(found) == 0 && len(others) == 0 {
		return nil, nil, m.stays(id, src)
	}
	// The texts are read once more, because the places of kept documents depend on
	// all removals.
	want := map[string]map[int][]**string{"kept": {}, "removed": {}}
	for i := range found {
		f, p := &found[i], places[i]
		if file := m.File(f.At); file != "" {
			f.Text = m.fileText("removed", file, src)
			if f.Kept != nil && !f.Kept.Against {
				if file = m.File(f.Kept.At); file != "" {
					f.KeptText = m.fileText("kept", file, src)
				}
			}
			continue
		}
		if p.removed >= 0 {
			want["removed"][p.removed] = append(want["removed"][p.removed], &f.Text)
		}
		if part, n := t.keptAt(p); n >= 0 {
			want[part][n] = append(want[part][n], &f.KeptText)
		}
	}
	for part, places := range want {
		if err := m.eachDocument(part, src, func(n int, d *datasets.Doc) bool {
			for _, text := range places[n] {
				*text = &d.Text
			}
			delete(places, n)
			return len(places) > 0
		}); err != nil {
			return nil, nil, err
		}
	}
	return found, others, nil
}

// is reports whether a removed document has an id or stands at a place.
func (w *Removal) is(id string) bool { return w.ID == id && id != "" || w.At == id }

// stays returns an error unless a document with the id is kept.
func (m *Made) stays(id string, src datasets.Source) error {
	there := false
	err := m.eachDocument("kept", src, func(_ int, d *datasets.Doc) bool {
		there = d.ID == id
		return !there
	})
	if err == nil && !there {
		err = fmt.Errorf("dedup: %s names no document %q among those removed, or kept for them, and keeps none: want its id, or its file and line as in %s", m.dir, id, whyFile)
	}
	return err
}

// eachDocument calls do with the documents that were kept or removed, until it returns
// false. n counts them from 0.
func (m *Made) eachDocument(part string, src datasets.Source, do func(n int, d *datasets.Doc) bool) error {
	kept, removed, err := datasets.Made(m.dir)
	if err != nil {
		return err
	}
	pieces := map[string][]datasets.Source{"kept": kept, "removed": removed}[part]
	n, more := 0, true
	each := func(r *datasets.Reader[datasets.Row], err error) error {
		if r == nil || err != nil {
			return err
		}
		defer r.Close()
		for row, err := range r.Rows() {
			if err != nil {
				return err
			}
			if more = do(n, &row.Doc); !more {
				break
			}
			n++
		}
		return nil
	}
	if len(pieces) < 2 {
		return each(m.Documents(part, src))
	}
	for _, p := range pieces {
		if info, err := os.Stat(p.Path); err == nil && info.Size() == 0 {
			continue
		}
		own := src
		own.Path, own.Format = p.Path, p.Format
		if err := each(datasets.Open(own.As(m.Report.Reading))); err != nil || !more {
			return err
		}
	}
	return nil
}

// fileText returns the text of a file in a folder of texts, or nil.
func (m *Made) fileText(part, file string, src datasets.Source) (text *string) {
	_ = m.eachDocument(part, src, func(_ int, d *datasets.Doc) bool {
		if d.ID == file {
			text = &d.Text
		}
		return text == nil
	})
	return text
}
