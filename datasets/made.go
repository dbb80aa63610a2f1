package datasets

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Reading is what a Source says of documents beyond where they are. The report of a
// deduplication holds it, so that its folder is read as its input was.
type Reading struct {
	ID      string   `json:"id_field,omitempty"`
	Text    []string `json:"text_field,omitempty"`
	Lang    string   `json:"lang_field,omitempty"`
	Columns []string `json:"columns,omitempty"`
	Quotes  string   `json:"quotes,omitempty"`
	HTML    bool     `json:"html,omitempty"`
	Lossy   bool     `json:"lossy,omitempty"`

	Delimiter string `json:"delimiter,omitempty"`
}

// Reading returns how the source is read, or nil if all is as usual.
func (src Source) Reading() *Reading {
	if kept, _, err := src.made(); err == nil && len(kept) > 0 {
		src = kept[0]
	}
	return src.reading()
}

func (src *Source) reading() *Reading {
	r := Reading{src.ID, src.Text, src.Lang, src.Columns, src.Quotes, src.HTML, src.Lossy, src.Delimiter}
	if b, _ := json.Marshal(r); string(b) == "{}" {
		return nil
	}
	return &r
}

// As returns the source read as r says, unless it says itself how it is read. r may
// be nil.
func (src Source) As(r *Reading) Source {
	if r == nil || src.reading() != nil {
		return src
	}
	src.ID, src.Text, src.Lang, src.Columns = r.ID, r.Text, r.Lang, r.Columns
	src.Quotes, src.HTML, src.Lossy, src.Delimiter = r.Quotes, r.HTML, r.Lossy, r.Delimiter
	return src
}

// The files by which the folder of a deduplication is known. Package dedup/local
// writes them.
const (
	madeReport = "report.json"
	madeLayout = "layout.json"
)

// Made returns the sources of the documents that a deduplication has kept and removed
// in a folder, each read as its input was: several if these were written in pieces, and
// none if it is another folder.
func Made(dir string) (kept, removed []Source, err error) { return Source{Path: dir}.made() }

// made returns the sources of the documents that a deduplication has kept and
// removed, if the source is the folder that it made: several if these were written
// in pieces. There are none for other sources.
func (src Source) made() (kept, removed []Source, err error) {
	if src.Format != "" || src.Path == "" || src.Path == "-" {
		return nil, nil, nil
	}
	if _, err := os.Stat(filepath.Join(src.Path, madeLayout)); err != nil {
		return nil, nil, nil
	}
	name := filepath.Join(src.Path, madeReport)
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	var report struct {
		Reading *Reading `json:"reading"`
	}
	if err == nil {
		err = json.Unmarshal(b, &report)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	if kept, err = src.parts("kept", report.Reading); err != nil {
		return nil, nil, err
	}
	removed, err = src.parts("removed", report.Reading)
	return kept, removed, err
}

// parts returns the sources of one output of the folder that the source is.
func (src Source) parts(output string, how *Reading) (parts []Source, err error) {
	names, err := Pieces(src.Path, output)
	for _, name := range names {
		part := src
		part.Path, part.Format = filepath.Join(src.Path, name), ""
		if info, err := os.Stat(part.Path); err == nil && info.IsDir() {
			part.Format = "text"
		} else if extension(unpacked(name)) == ".txt" {
			part.Format = "lines"
		}
		parts = append(parts, part.As(how))
	}
	return parts, err
}

// Pieces returns the names of the files or the folder of one output of a deduplication,
// such as kept, removed or why: one, or several in order if it was written in pieces, or
// none.
func Pieces(dir, output string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("datasets: list the files of %s: %w", dir, withoutPath(err))
	}
	for _, e := range entries {
		base, ending, _ := strings.Cut(e.Name(), ".")
		if ending != "sketches" && (base == output || strings.HasPrefix(base, output+"-")) {
			names = append(names, e.Name())
		}
	}
	slices.SortFunc(names, func(a, b string) int { // the numbers of pieces have at least five digits
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	return names, nil
}

// readMade reads the folder of a deduplication as a set: the documents that it kept
// and removed, and its clusters as truth. It returns nil for another folder.
func readMade(dir string) (*Set, error) {
	kept, removed, err := Source{Path: dir}.made()
	if len(kept) == 0 || err != nil {
		return nil, err
	}
	files := folder{os.DirFS(dir), dir, nil}
	name, ok := find(files, "clusters.tsv")
	if !ok {
		return nil, fmt.Errorf("datasets: %s holds no clusters.tsv: it was written in pieces, or made below the document", dir)
	}
	l := &library{number: map[string]int{}}
	for _, src := range slices.Concat(kept, removed) {
		if info, err := os.Stat(src.Path); err == nil && !info.IsDir() && info.Size() == 0 {
			continue // a run that removed nothing
		}
		r, err := Open(src)
		if err != nil {
			return nil, err
		}
		for row, err := range r.Rows() {
			if err == nil && l.number[row.Doc.ID] > 0 {
				err = fmt.Errorf("datasets: %s:%d: the id %q stands for another document too", row.File, row.Line, row.Doc.ID)
			}
			if err != nil {
				return nil, errors.Join(err, r.Close())
			}
			l.docs = append(l.docs, row.Doc)
			l.number[row.Doc.ID] = len(l.docs)
		}
		if err := r.Close(); err != nil {
			return nil, err
		}
	}
	for id := range l.number {
		l.number[id]--
	}
	s := &Set{Name: filepath.Base(dir), Description: "The documents of a deduplication, and its clusters", Docs: l.docs}
	l.strangers = true // the documents of --against are in clusters, and not in the folder
	if s.Clusters, err = readClusters(files, name, l); err != nil {
		return nil, err
	}
	s.sample()
	return s, nil
}
