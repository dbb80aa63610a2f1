package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
)

// ReadSet reads a source into a set. A folder in the layout of this package is
// read as Load reads it; everything else must hold pairs of texts with labels.
//
// Texts that have no ids of their own become one document for each distinct
// text, in the order in which they first occur, with ids counted from 1. Pairs
// belong to the split that the name of their file states; labels and grades are
// those of Load.
func ReadSet(src Source) (*Set, error) {
	if err := src.check(); err != nil {
		return nil, err
	}
	if (src.Format == "" || src.Format == "folder") && isDir(src.Path) && holdsSet(src.Path) {
		return readFolder(os.DirFS(src.Path), filepath.Base(src.Path), "", src.skipper())
	}
	r, err := openPairs(src)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	c := collector{set: &Set{Name: setName(src)}, src: &src, number: map[string]int{}, at: map[string]string{}}
	for row, err := range r.Rows() {
		if err != nil {
			return nil, err
		}
		if err := c.add(row); err != nil && !r.skip.pass(err) {
			return nil, err
		}
	}
	s := c.set
	if len(s.Pairs) == 0 {
		return nil, fmt.Errorf("datasets: %s holds no pair", src.Path)
	}
	if src.Positive != "" && !slices.ContainsFunc(s.Pairs, func(p Pair) bool { return p.Grade == 1 }) {
		return nil, fmt.Errorf("datasets: %s: no pair has the label %q of pairs that are alike", src.Path, src.Positive)
	}
	s.label(cmp.Or(src.AlikeFrom, semevalAlike))
	return s, nil
}

// setName names a set after its source as Load takes it.
func setName(src Source) string {
	base := path.Base(filepath.ToSlash(src.Path))
	if src.Format == "" {
		return base
	}
	return src.Format + ":" + base
}

// collector makes documents of the texts of pairs.
type collector struct {
	set    *Set
	src    *Source
	number map[string]int    // of a document, by its id or by its text
	at     map[string]string // where an id was first seen
	texts  bool              // the pairs have no ids
}

func (c *collector) add(row pairRow) error {
	// Both texts are looked at before either is added: a bad row adds none.
	for _, d := range []struct{ id, text string }{{row.ID1, row.Text1}, {row.ID2, row.Text2}} {
		if n, ok := c.number[d.id]; ok && d.id != "" && c.set.Docs[n].Text != d.text {
			return &BadRow{row.File, row.Line, fmt.Errorf("the id %q has another text at %s", d.id, c.at[d.id])}
		}
	}
	if row.ID1 != "" && row.ID1 == row.ID2 && row.Text1 != row.Text2 {
		return &BadRow{row.File, row.Line, fmt.Errorf("the id %q has two texts", row.ID1)}
	}
	if row.ID1 == "" != c.texts && len(c.set.Docs) > 0 {
		return &BadRow{row.File, row.Line, errors.New("some pairs have ids and others have none")}
	}
	c.texts = row.ID1 == ""
	a, b := c.document(row, row.ID1, row.Text1), c.document(row, row.ID2, row.Text2)
	c.set.Pairs = append(c.set.Pairs, Pair{A: a, B: b, Grade: row.Grade, Split: row.Split})
	return nil
}

// document returns the number of the document of a text.
func (c *collector) document(row pairRow, id, text string) int {
	key := id
	if id == "" {
		key = text
	}
	if n, ok := c.number[key]; ok {
		return n
	}
	n := len(c.set.Docs)
	if id == "" {
		id = strconv.Itoa(n + 1)
	} else {
		c.at[id] = fmt.Sprintf("%s:%d", row.File, row.Line)
	}
	c.number[key] = n
	lang, _ := row.Get("lang")
	if c.src.Lang != "" {
		lang, _ = row.Get(c.src.Lang)
	}
	c.set.Docs = append(c.set.Docs, Doc{ID: id, Text: text, Lang: lang})
	return n
}

// namedSource returns the source that Load means by FORMAT:PATH or by the path of
// a file, and whether it means one.
func namedSource(name string) (Source, bool) {
	src := Source{}.At(name)
	if src.Format != "" {
		return src, true
	}
	info, err := os.Stat(name)
	return src, err == nil && info.Mode().IsRegular()
}
