package datasets

import (
	"os"
	"path/filepath"
)

// HoldsPairs reports whether a file begins with a labelled pair of texts.
func HoldsPairs(path string) bool { return begins(openPairs(Source{Path: path})) }

// holdsDocs reports whether a file begins with a document, and not with a pair.
func holdsDocs(path string) bool {
	return !HoldsPairs(path) && begins(Open(Source{Path: path}))
}

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
// of pairs or clusters, and a file of documents has none.
func Labelled(nameOrPath string) bool {
	info, err := os.Stat(nameOrPath)
	if err != nil || !info.IsDir() {
		return err != nil || !holdsDocs(nameOrPath)
	}
	dir := os.DirFS(nameOrPath)
	kinds, err := pairKinds(folder{dir, nameOrPath, nil})
	_, clustered := find(dir, "clusters.tsv")
	return err != nil || clustered || len(kinds) > 0
}

// DocsPath returns the path of a set's documents, for what reads no sets by name.
// ok is false if there is no such path.
func DocsPath(nameOrPath string) (path string, ok bool) {
	if info, err := os.Stat(nameOrPath); err == nil && (info.IsDir() || holdsDocs(nameOrPath)) {
		return nameOrPath, true
	}
	if dir, ok := SharedDir(); ok && filepath.IsLocal(nameOrPath) {
		path = filepath.Join(dir, nameOrPath)
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
