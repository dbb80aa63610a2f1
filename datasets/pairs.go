package datasets

import (
	"fmt"
	"strings"
)

// PairRow is a labelled pair of texts and the record it comes from.
type PairRow struct {
	Record
	// ID1 and ID2 are the ids of the two texts, or empty if the source has none.
	ID1, ID2     string
	Text1, Text2 string
	// Grade is the label as the source states it: 0 or 1, or a grade.
	Grade float64
	// Split is what the name of the file states.
	Split Split
}

// PairReader reads labelled pairs of texts one by one; memory holds the current
// one only. It is not safe for concurrent use.
type PairReader struct {
	files   fileSequence
	columns pairColumns // of the table that is open
}

// OpenPairs opens a source of pairs: the files of a public data set, or a table,
// JSONL or Parquet file with columns for two texts and a label. Of a folder it
// reads the files whose names state a split (train, dev, valid, test), or all
// tables if there is none. Close the reader when done.
func OpenPairs(src Source) (*PairReader, error) {
	if err := src.check(); err != nil {
		return nil, err
	}
	switch src.Format {
	case "lines", "text", "folder":
		return nil, fmt.Errorf("datasets: the format %q holds no pairs of texts", src.Format)
	}
	r := &PairReader{files: fileSequence{src: src, how: opening{pairs: true}, skip: skipper{max: src.SkipBad, on: src.OnBad}}}
	if err := r.files.start(r.setColumns); err != nil {
		return nil, err
	}
	return r, nil
}

// Next returns the next pair. At the end the error is io.EOF. Every error is
// final: bad rows that the source allows are passed over, and the first one
// beyond them is returned as a *BadRow.
func (r *PairReader) Next() (PairRow, error) {
	var row PairRow
	err := r.files.next(func(rec Record) (err error) {
		row, err = r.pair(rec)
		return err
	})
	if err != nil {
		return PairRow{}, err
	}
	return row, nil
}

// Close closes the file that is open.
func (r *PairReader) Close() error { return r.files.finish() }

// pairColumns are the columns of a pair by their names; the ids may be empty.
type pairColumns struct{ text1, text2, label, id1, id2 string }

func (r *PairReader) setColumns(columns []string) (err error) {
	r.columns, err = r.files.src.pairColumns(columns)
	return err
}

// pairColumns chooses the columns of a pair among those there are.
func (src *Source) pairColumns(columns []string) (pairColumns, error) {
	var err error
	choose := func(what, name string, usual []string, optional bool) string {
		switch {
		case name != "":
			if e := hasColumns(columns, []string{name}); e != nil && err == nil {
				err = e
			}
		default:
			if name = firstOf(columns, usual); name == "" && !optional && err == nil {
				err = fmt.Errorf("no column for %s, such as %s; the columns are %s", what, names(usual), names(columns))
			}
		}
		return name
	}
	c := pairColumns{
		text1: choose("the first text", src.Text1, usualText1, false),
		text2: choose("the second text", src.Text2, usualText2, false),
		label: choose("the label", src.Label, usualLabel, false),
		id1:   choose("the first id", src.ID1, usualID1, true),
		id2:   choose("the second id", src.ID2, usualID2, true),
	}
	return c, err
}

// pair makes the pair of a record.
func (r *PairReader) pair(rec Record) (PairRow, error) {
	c := r.columns
	if r.files.open.columns == nil { // every row of JSONL has its own
		columns := make([]string, len(rec.Fields))
		for i, f := range rec.Fields {
			columns[i] = f.Name
		}
		var err error
		if c, err = r.files.src.pairColumns(columns); err != nil {
			return PairRow{}, err
		}
	}
	row := PairRow{Record: rec, Split: splitOf(rec.File)}
	for _, text := range []struct {
		to     *string
		column string
	}{{&row.Text1, c.text1}, {&row.Text2, c.text2}, {&row.ID1, c.id1}, {&row.ID2, c.id2}} {
		if text.column == "" {
			continue
		}
		f := rec.field(text.column)
		if f.JSON == "null" || strings.HasPrefix(f.JSON, "{") || strings.HasPrefix(f.JSON, "[") {
			return PairRow{}, fmt.Errorf("the field %q is %.20s, want a string", text.column, f.JSON)
		}
		*text.to = f.Value
	}
	if (row.ID1 == "") != (row.ID2 == "") {
		return PairRow{}, fmt.Errorf("the ids are %q and %q, want both or none", row.ID1, row.ID2)
	}
	for _, id := range []string{row.ID1, row.ID2} {
		if strings.ContainsAny(id, "\t\r\n") {
			return PairRow{}, fmt.Errorf("the id %q holds a tab or a line break", id)
		}
	}
	row.Text1, row.Text2 = r.files.src.plain(row.Text1), r.files.src.plain(row.Text2)
	label, _ := rec.Get(c.label)
	var err error
	row.Grade, err = r.files.open.grade(label)
	return row, err
}

// highest are the highest labels of the public data sets.
var highest = map[string]float64{"mrpc": 1, "qqp": 1, "lcqmc": 1, "paws": 1, "stsb": 5}

// grade reads a label. A format whose labels are known allows no others, so that
// a column that has slipped shows.
func (o *openFile) grade(label string) (float64, error) {
	switch label {
	case "true", "True":
		label = "1"
	case "false", "False":
		label = "0"
	}
	v, err := parseLabel([]byte(label))
	if err != nil {
		return 0, err
	}
	switch high := highest[o.format]; {
	case high == 1 && v != 0 && v != 1:
		return 0, fmt.Errorf("the label is %q, want 0 or 1", label)
	case high > 0 && v > high:
		return 0, fmt.Errorf("the label is %q, want a grade from 0 to %v", label, high)
	}
	return v, nil
}
