package datasets

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// Extender is a Copier that adds columns to the rows. The rest of a row stays as
// it is. In JSONL new members stand before the closing brace, in a table new
// fields at the end of the line.
type Extender struct {
	c       *Copier
	columns []Column
	line    []byte
}

// NewExtender returns an extender, as NewCopier returns a copier. Lines of text have
// no columns.
func NewExtender(out io.Writer, r *RawReader, columns ...Column) (*Extender, error) {
	f := r.file()
	e := &Extender{columns: columns}
	for _, c := range columns {
		if slices.Contains(f.header.names, c.Name) {
			return nil, fmt.Errorf("datasets: %s has a column %q already", f.in.Name, c.Name)
		}
	}
	l := *r.Layout()
	switch {
	case f.format == "lines" || f.format == "text":
		return nil, fmt.Errorf("datasets: %s is text without columns, to which none can be added", f.in.Name)
	case f.format == "parquet":
		like := *f
		like.schema = newSchema(f.schema.Name(), f.schema.Fields(), columns)
		c, err := newCopier(out, nil, &like, &l)
		if err != nil {
			return nil, err
		}
		c.like, e.c = f, c
		return e, nil
	case len(l.Header) > 0:
		var names []any
		for _, c := range columns {
			names = append(names, c.Name)
		}
		l.Header = e.table(f, l.Header, names)
	}
	var err error
	e.c, err = newCopier(out, nil, f, &l)
	return e, err
}

// Write writes a row with the values of the columns. A value has the type of its
// column's Zero, or is nil.
func (e *Extender) Write(row RawRow, values ...any) error {
	if len(values) != len(e.columns) {
		panic(fmt.Sprintf("datasets: %d values for %d columns", len(values), len(e.columns)))
	}
	switch row.file.format {
	case "jsonl", "folder":
		row.Bytes = e.json(&row, values)
	case "parquet":
		n := len(row.file.schema.Columns())
		extended := row.parquet.Clone()
		for i, v := range values {
			value, level := parquet.NullValue(), 0
			if v != nil {
				value, level = parquet.ValueOf(v), 1
			}
			extended = append(extended, value.Level(0, level, n+i))
		}
		row.parquet = extended
	default:
		row.Bytes = e.table(row.file, row.Bytes, values)
	}
	return e.c.Write(row)
}

// Close ends what is written.
func (e *Extender) Close() error { return e.c.Close() }

// Contract has the rows that follow in the open file returned without the last
// column, a number that an Extender has added under a name.
func (r *RawReader) Contract(name string) {
	f := *r.open.rawFile
	if f.schema != nil {
		fields := f.schema.Fields()
		f.schema = newSchema(f.schema.Name(), fields[:len(fields)-1], nil)
	}
	if n := len(f.header.names); n > 0 {
		f.header.names = f.header.names[:n-1]
	}
	r.open.rawFile, r.added = &f, name
}

// contract takes the last column off a row.
func (r *RawReader) contract(row *RawRow) {
	from, to := -1, len(row.Content())+row.from
	switch f := row.file; {
	case f.schema != nil:
		n := len(f.schema.Columns())
		row.parquet = slices.DeleteFunc(row.parquet.Clone(), func(v parquet.Value) bool { return v.Column() >= n })
		return
	case f.format == "jsonl":
		to = bytes.LastIndexByte(row.Bytes, '}')
		from = bytes.LastIndex(row.Bytes, append(append([]byte{','}, quote(nil, r.added)...), ':'))
	default:
		from = bytes.LastIndexByte(row.Bytes[:to], f.comma)
	}
	if from >= row.from && from < to {
		row.Bytes = slices.Concat(row.Bytes[:from], row.Bytes[to:])
	}
}

// json puts members before the last brace of an object.
func (e *Extender) json(row *RawRow, values []any) []byte {
	end := bytes.LastIndexByte(row.Bytes, '}')
	if end < 0 {
		return row.Bytes // no object: a bad row
	}
	e.line = append(e.line[:0], row.Bytes[:end]...)
	comma := !bytes.HasSuffix(bytes.TrimRight(e.line[row.from:], " \t\r\n"), []byte("{"))
	for i, v := range values {
		if comma {
			e.line = append(e.line, ',')
		}
		comma = true
		e.line = append(quote(e.line, e.columns[i].Name), ':')
		switch v := v.(type) {
		case nil:
			e.line = append(e.line, "null"...)
		case string:
			e.line = quote(e.line, v)
		default:
			e.line = append(e.line, valueText(v)...)
		}
	}
	return append(e.line, row.Bytes[end:]...)
}

// table puts fields before the end of a line.
func (e *Extender) table(f *rawFile, line []byte, values []any) []byte {
	content := trimEnd(line)
	end := line[len(content):]
	e.line = append(e.line[:0], content...)
	for _, v := range values {
		text := ""
		if v != nil {
			text = valueText(v)
		}
		if f.quoted {
			text = quoteField(text, rune(f.comma))
		} else {
			text = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ").Replace(text)
		}
		e.line = append(append(e.line, f.comma), text...)
	}
	return append(e.line, end...)
}

func valueText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	panic(fmt.Sprintf("datasets: a value of the type %T in a column", v))
}

func quoteField(s string, comma rune) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Comma = comma
	w.Write([]string{s, ""}) // a lone empty field would be quoted
	w.Flush()
	return strings.TrimSuffix(b.String(), string(comma)+"\n")
}
