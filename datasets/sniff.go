package datasets

import (
	"os"
	"path/filepath"
)

// HoldsPairs reports whether a file begins with a labelled pair of texts.
func (src Source) HoldsPairs() bool { return begins(openPairs(src)) }

// begins reports whether a reader could be opened and has a row.
func begins[T Row | pairRow](r *Reader[T], err error) bool {
	if err != nil {
		return false
	}
	defer r.Close()
	_, err = r.Next()
	return err == nil
}

// Labelled reports whether a set may have labels. A folder has none without a file
// of pairs or clusters, and a file has none if it does not begin with a pair.
func (src Source) Labelled() bool {
	info, err := os.Stat(src.Path)
	if err != nil || !info.IsDir() {
		return err != nil || src.HoldsPairs()
	}
	dir := os.DirFS(src.Path)
	kinds, err := pairKinds(folder{dir, src.Path, nil})
	_, clustered := find(dir, "clusters.tsv")
	return err != nil || clustered || len(kinds) > 0
}

// DocsPath returns the path of a set's documents, for what reads no sets by name.
// ok is false if there is no such path.
func (src Source) DocsPath() (path string, ok bool) {
	if info, err := os.Stat(src.Path); err == nil && (info.IsDir() || !src.HoldsPairs()) {
		return src.Path, true
	}
	if dir, ok := SharedDir(); ok && filepath.IsLocal(src.Path) {
		path = filepath.Join(dir, src.Path)
		_, err := os.Stat(path)
		return path, err == nil
	}
	return "", false
}

// ReadDocs returns the documents of a source.
func ReadDocs(src Source) ([]Doc, error) {
	r, err := Open(src)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var docs []Doc
	for row, err := range r.Rows() {
		if err != nil {
			return nil, err
		}
		docs = append(docs, row.Doc)
	}
	return docs, nil
}

// FieldNames returns the names of the fields of the first document, for messages. There
// are none if there is no such document.
func (src Source) FieldNames() []string {
	r, err := Open(src)
	if err != nil {
		return nil
	}
	defer r.Close()
	row, err := r.Next()
	if err != nil {
		return nil
	}
	return row.Names()
}
