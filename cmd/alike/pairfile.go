package main

import (
	"github.com/alike-go/alike/datasets"
)

// eachRow reads a table of two columns and whatever else it has, as a list of pairs or of
// documents with their clusters is: the first names a document and is not empty.
func eachRow(src datasets.Source, first, second string, use func(row datasets.Row, a, b string) error) error {
	src.ID, src.Text = first, []string{second}
	r, err := datasets.Open(src)
	if err != nil {
		return err
	}
	defer r.Close()
	for row, err := range r.Rows() {
		if err != nil {
			return err
		}
		if err := use(row, row.Doc.ID, row.Doc.Text); err != nil {
			return err
		}
	}
	return nil
}
