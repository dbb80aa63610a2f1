package datasets

import "fmt"

// Labelled is a row of a table that says of two documents, by their ids, whether they are
// alike.
type Labelled struct {
	Row
	ID1, ID2 string
	Label    float64 // as ParseLabel returns it
	Kind     string  // what the table says besides, or empty
}

// EachLabelled reads a table with the columns id1, id2, label and perhaps kind, such as
// people's answers or the pairs of a set, and calls use with each row. An error of use
// ends it. The id, the text and the label of src are ignored.
func EachLabelled(src Source, use func(Labelled) error) error {
	src.ID, src.Text, src.Label = "id1", []string{"id2"}, ""
	r, err := Open(src)
	if err != nil {
		return err
	}
	defer r.Close()
	for row, err := range r.Rows() {
		if err != nil {
			return err
		}
		l := Labelled{Row: row, ID1: row.Doc.ID, ID2: row.Doc.Text}
		text, _ := row.Get("label")
		if l.Label, err = ParseLabel(text); err != nil {
			return fmt.Errorf("datasets: %s:%d: %w", row.File, row.Line, err)
		}
		l.Kind, _ = row.Get("kind")
		if err := use(l); err != nil {
			return err
		}
	}
	return nil
}
