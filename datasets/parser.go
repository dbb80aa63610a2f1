package datasets

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Parser takes the rows of a RawReader apart. It is not safe for concurrent use;
// several goroutines take a parser each. The zero value is ready.
type Parser struct {
	json jsonFields
	csv  *csv.Reader   // of a table with quotes; nil if there is none yet
	row  *bytes.Reader // what csv reads
}

// Row returns the document of a row and the record it comes from, as Reader would.
// The error of a bad row is a *BadRow.
func (p *Parser) Row(row RawRow) (Row, error) {
	rec, err := p.Record(row)
	if err != nil {
		return Row{}, err
	}
	doc, err := row.file.document(&rec)
	if err != nil {
		return Row{}, &BadRow{rec.File, rec.Line, err}
	}
	if row.file.in.sources && rec.field("source") == nil {
		rec.Fields = append(rec.Fields, Field{Name: "source", Value: sourceOf(doc.ID)})
	}
	return Row{rec, doc}, nil
}

// Record returns the fields of a row.
func (p *Parser) Record(row RawRow) (Record, error) {
	if row.err != nil {
		return Record{}, row.err
	}
	f := row.file
	rec := Record{File: f.in.Name, Line: row.Line}
	line := row.Content()
	if f.format == "text" {
		line = row.Bytes
	}
	var err error
	if !f.quoted { // there each field is checked
		line, err = f.text(line)
	}
	switch {
	case err != nil && f.format == "text":
		rec.Line += bytes.Count(line[:validPrefix(line)], []byte("\n"))
	case err != nil:
	case f.format == "parquet":
		rec.Fields, err = f.parquetFields(row.parquet)
	case f.format == "jsonl" || f.format == "folder":
		rec.Fields, err = p.json.fields(line)
	case f.format == "lines":
		rec.Fields = []Field{{Name: "text", Value: string(line)}}
	case f.format == "text":
		rec.Fields = []Field{{Name: "id", Value: f.in.ID}, {Name: "text", Value: string(line)}}
	default:
		var values []string
		if values, err = p.values(&row, line); err == nil {
			rec.Fields, err = f.header.fields(values)
		}
	}
	if err != nil {
		return Record{}, &BadRow{rec.File, rec.Line, err}
	}
	return rec, nil
}

// textColumns returns the columns of the text.
func (src *Source) textColumns() []string {
	if len(src.Text) == 0 {
		return []string{"text"}
	}
	return src.Text
}

// wanted returns the columns that a table of documents must have.
func (src *Source) wanted() []string {
	want := slices.Clone(src.textColumns())
	for _, c := range []string{src.ID, src.Lang} {
		if c != "" {
			want = append(want, c)
		}
	}
	return want
}

// ColumnError is the error for columns or fields that a file or a row does not have.
type ColumnError struct {
	Want, Have []string
	field      bool // of a row without a header
}

// Error returns what is missing, and what is there.
func (e *ColumnError) Error() string {
	if want := strings.ReplaceAll(names(e.Want), ", ", " or "); e.field {
		return fmt.Sprintf("no field %s, want a string; the fields are %s", want, names(e.Have))
	} else {
		return fmt.Sprintf("no column %s; the columns are %s", want, names(e.Have))
	}
}

// hasColumns returns an error if a column is missing. nested says that columns may
// have members.
func hasColumns(columns, want []string, nested bool) error {
	for _, c := range want {
		inside := func(column string) bool { _, ok := pathAfter(c, column); return ok }
		if !slices.Contains(columns, c) && !(nested && slices.ContainsFunc(columns, inside)) {
			return &ColumnError{Want: []string{c}, Have: columns}
		}
	}
	return nil
}

// document makes the document of a record.
func (f *rawFile) document(rec *Record) (doc Doc, err error) {
	if doc.ID, err = f.idOf(rec); err != nil {
		return Doc{}, err
	}
	if doc.Lang, err = optional(rec, f.src.Lang, "lang"); err != nil {
		return Doc{}, err
	}
	columns := f.src.textColumns()
	texts := make([]string, 0, len(columns))
	for _, c := range columns {
		field := rec.field(c)
		if field == nil || field.JSON == "null" {
			continue // of several columns some may be missing, but not all
		}
		if field.nested() {
			return Doc{}, fmt.Errorf("the field %q is an object or an array, want a string", c)
		}
		texts = append(texts, field.Value)
	}
	if len(texts) == 0 {
		return Doc{}, &ColumnError{columns, rec.Names(), true}
	}
	doc.Text = f.src.Plain(strings.Join(texts, "\n"))
	return doc, nil
}

// Plain returns the text that a column of the source means: of HTML, what a reader
// would see.
func (src *Source) Plain(text string) string {
	if src.HTML {
		return mainText(text)
	}
	return text
}

// idOf returns the id of a record: that of its column or its place.
func (f *rawFile) idOf(rec *Record) (string, error) {
	id, err := optional(rec, f.src.ID, "id")
	switch {
	case err != nil:
		return "", err
	case badID(id) != nil:
		return "", badID(id)
	case id != "":
		return id, nil
	case f.src.ID != "":
		return "", fmt.Errorf("the field %q is empty", f.src.ID)
	case f.many || f.src.PathIDs: // a line alone is no id
		return f.in.ID + ":" + strconv.Itoa(rec.Line), nil
	}
	return strconv.Itoa(rec.Line), nil
}

// optional returns the value of a column that must be there if it is named, and
// may be there under its usual name otherwise.
func optional(rec *Record, name, usual string) (string, error) {
	if name == "" {
		v, _ := rec.Get(usual)
		return v, nil
	}
	v, ok := rec.Get(name)
	if !ok {
		return "", fmt.Errorf("no field %q", name)
	}
	return v, nil
}

// badID returns an error for an id that a line of a table cannot hold.
func badID(id string) error {
	if strings.ContainsAny(id, "\t\r\n") {
		return fmt.Errorf("the id %q holds a tab or a line break", id)
	}
	return nil
}
