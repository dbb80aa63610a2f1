package datasets

import (
	"cmp"
	"fmt"
)

// pairRow is a labelled pair of texts and the record it comes from.
type pairRow struct {
	Record
	// ID1 and ID2 are the ids of the two texts, or empty if the source has none.
	ID1, ID2     string
	Text1, Text2 string
	// Grade is the label as the source states it: 0 or 1, or a grade.
	Grade float64
	// Split is what the name of the file states.
	Split Split
}

// openPairs opens a source of pairs: the files of a public data set, or a table,
// JSONL or Parquet file with columns for two texts and a label. Of a folder it
// reads the files whose names state a split (train, dev, valid, test), or all
// tables if there is none. Close the reader when done.
func openPairs(src Source) (*Reader[pairRow], error) {
	switch src.Format {
	case "lines", "text", "folder":
		return nil, fmt.Errorf("datasets: the format %q holds no pairs of texts", src.Format)
	}
	return newReader(src, opening{pairs: true}, new(Parser).pair)
}

// pairColumns are the columns of a pair by their names; the ids may be empty.
type pairColumns struct{ text1, text2, label, id1, id2 string }

// pairColumns chooses the columns of a pair.
func (src *Source) pairColumns(columns []string, nested bool) (pairColumns, error) {
	var err error
	choose := func(what, name string, usual []string, optional bool) string {
		switch {
		case name != "":
			if e := hasColumns(columns, []string{name}, nested); e != nil && err == nil {
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

// pair returns the pair of a row and the record it comes from. The error of a
// bad row is a *BadRow.
func (p *Parser) pair(row RawRow) (pairRow, error) {
	rec, err := p.Record(row)
	if err != nil {
		return pairRow{}, err
	}
	pair, err := row.file.pairOf(rec)
	if err != nil {
		return pairRow{}, &BadRow{rec.File, rec.Line, err}
	}
	return pair, nil
}

// pairOf makes the pair of a record.
func (f *rawFile) pairOf(rec Record) (pairRow, error) {
	c := f.pair
	if f.header.names == nil { // every row of JSONL has its own
		var err error
		if c, err = f.src.pairColumns(rec.Names(), true); err != nil {
			return pairRow{}, err
		}
	}
	row := pairRow{Record: rec, Split: splitOf(rec.File)}
	for _, text := range []struct {
		to     *string
		column string
	}{{&row.Text1, c.text1}, {&row.Text2, c.text2}, {&row.ID1, c.id1}, {&row.ID2, c.id2}} {
		if text.column == "" {
			continue
		}
		f := rec.field(text.column)
		if f == nil {
			return pairRow{}, fmt.Errorf("no field %q, want a string", text.column)
		}
		if f.JSON == "null" || f.nested() {
			return pairRow{}, fmt.Errorf("the field %q is %.20s, want a string", text.column, f.JSON)
		}
		*text.to = f.Value
	}
	if (row.ID1 == "") != (row.ID2 == "") {
		return pairRow{}, fmt.Errorf("the ids are %q and %q, want both or none", row.ID1, row.ID2)
	}
	if err := cmp.Or(badID(row.ID1), badID(row.ID2)); err != nil {
		return pairRow{}, err
	}
	row.Text1, row.Text2 = f.src.Plain(row.Text1), f.src.Plain(row.Text2)
	label, _ := rec.Get(c.label)
	var err error
	row.Grade, err = f.grade(label)
	return row, err
}

// highest are the highest labels of the public data sets.
var highest = map[string]float64{"mrpc": 1, "qqp": 1, "lcqmc": 1, "paws": 1, "stsb": 5}

// grade reads a label. A format with known labels allows no others, so that a
// column in the wrong place is noticed.
func (f *rawFile) grade(label string) (float64, error) {
	if f.src.Positive != "" {
		if label == f.src.Positive {
			return 1, nil
		}
		return 0, nil
	}
	v, err := ParseLabel(label)
	if err != nil {
		return 0, err
	}
	switch high := highest[f.format]; {
	case high == 1 && v != 0 && v != 1:
		return 0, fmt.Errorf("the label is %q, want 0 or 1", label)
	case high > 0 && v > high:
		return 0, fmt.Errorf("the label is %q, want a grade from 0 to %v", label, high)
	}
	return v, nil
}
