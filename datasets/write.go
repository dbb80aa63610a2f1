package datasets

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/alike-go/alike/internal/durable"
)

// Writer writes records as JSONL, CSV, TSV or Parquet. It is not safe for
// concurrent use.
type Writer struct {
	format  string
	out     output
	csv     *csv.Writer
	parquet *parquetWriter
	columns []string // of a table, those of the first record
	line    []byte
	records int

	file *durable.File // nil if the writer is not ours to name
	path string
}

// Create makes a file, whose name tells the format (.jsonl, .csv, .tsv, .parquet)
// and the compression (.gz or .zst added). It is written aside and gets its name
// in Close, so that there is never half a file of that name.
func Create(path string) (*Writer, error) {
	format := FileFormat(path)
	if format == "" {
		return nil, fmt.Errorf("datasets: create %s: the name ends in %q, want .jsonl, .csv, .tsv or .parquet, and perhaps .gz or .zst", path, filepath.Ext(path))
	}
	f, err := durable.Create(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: create %s: %w", path, withoutPath(err))
	}
	w, err := newWriter(f, format, packed(path))
	if err != nil {
		return nil, errors.Join(err, f.Abort())
	}
	w.file, w.path = f, path
	return w, nil
}

// NewWriter returns a writer of a format, one of jsonl, csv, tsv and parquet.
// Close ends what is written but does not close out.
func NewWriter(out io.Writer, format string) (*Writer, error) {
	return newWriter(out, format, "")
}

func newWriter(to io.Writer, format, pack string) (*Writer, error) {
	out, err := newOutput(to, nil, pack)
	if err != nil {
		return nil, err
	}
	w := &Writer{format: format, out: out}
	switch format {
	case "jsonl", "tsv":
	case "csv":
		w.csv = csv.NewWriter(w.out)
	case "parquet":
		// The schema is that of the first record.
	default:
		return nil, fmt.Errorf("datasets: the format to write is %q, want jsonl, csv, tsv or parquet", format)
	}
	return w, nil
}

// WriteDoc writes a document: its id and text, and its language if the first
// document has one.
func (w *Writer) WriteDoc(d Doc) error {
	fields := []Field{{Name: "id", Value: d.ID}, {Name: "text", Value: d.Text}, {Name: "lang", Value: d.Lang}}
	if d.Lang == "" && (w.columns == nil || len(w.columns) == 2) {
		fields = fields[:2]
	}
	return w.Write(fields)
}

func (w *Writer) writeDocs(docs []Doc) error {
	for _, d := range docs {
		if err := w.WriteDoc(d); err != nil {
			return err
		}
	}
	return nil
}

// Columns states the columns of a table before its first record, so that a table
// without records has its header too. Otherwise the first record states them.
// Columns does nothing in JSONL.
func (w *Writer) Columns(names ...string) error {
	if w.format == "jsonl" || w.columns != nil {
		return nil
	}
	fields := make([]Field, len(names))
	for i, n := range names {
		fields[i].Name = n
	}
	if err := w.begin(fields); err != nil {
		return fmt.Errorf("datasets: write the columns: %w", err)
	}
	return nil
}

// Write writes one record. JSONL keeps every field as it is. The other formats
// are tables of texts, whose columns are the fields of the first record: a later
// record that lacks one has an empty text there, and one that has others is an
// error. TSV knows no quotes: a tab or a line break in a field is an error.
func (w *Writer) Write(fields []Field) error {
	w.records++
	err := w.write(fields)
	if err != nil {
		return fmt.Errorf("datasets: write record %d: %w", w.records, err)
	}
	return nil
}

func (w *Writer) write(fields []Field) error {
	if w.format == "jsonl" {
		return w.writeJSON(fields)
	}
	if w.columns == nil {
		if err := w.begin(fields); err != nil {
			return err
		}
	}
	row := make([]string, len(w.columns))
	null := make([]bool, len(w.columns))
	for i := range null {
		null[i] = true
	}
	at := 0
	for _, f := range fields {
		for n := 0; w.columns[at] != f.Name; n++ { // nearly always the next one
			if at = (at + 1) % len(w.columns); n == len(w.columns) {
				return fmt.Errorf("the field %q is no column; the first record has %s", f.Name, names(w.columns))
			}
		}
		row[at], null[at] = f.Value, f.JSON == "null"
		at = (at + 1) % len(w.columns)
	}
	switch w.format {
	case "csv":
		return w.csv.Write(row)
	case "tsv":
		return w.writeTSV(row)
	}
	values, size := make(parquet.Row, len(row)), 0
	for i, v := range row {
		if values[i] = parquet.NullValue().Level(0, 0, i); !null[i] {
			values[i] = parquet.ByteArrayValue([]byte(v)).Level(0, 1, i)
			size += len(v)
		}
	}
	return w.parquet.write(values, int64(size))
}

// begin writes the header of a table.
func (w *Writer) begin(fields []Field) error {
	if len(fields) == 0 {
		return errors.New("no fields")
	}
	for _, f := range fields {
		if slices.Contains(w.columns, f.Name) {
			return fmt.Errorf("two fields have the name %q", f.Name)
		}
		w.columns = append(w.columns, f.Name)
	}
	switch w.format {
	case "csv":
		return w.csv.Write(w.columns)
	case "tsv":
		return w.writeTSV(w.columns)
	}
	var columns []Column
	for _, c := range w.columns {
		columns = append(columns, Column{c, ""})
	}
	w.parquet = newParquetWriter(w.out, newSchema("alike", nil, columns))
	return nil
}

func (w *Writer) writeTSV(row []string) error {
	for i, v := range row {
		if strings.ContainsAny(v, "\t\r\n") {
			return fmt.Errorf("the field %q holds a tab or a line break, which TSV cannot hold", w.columns[i])
		}
	}
	_, err := w.out.WriteString(strings.Join(row, "\t") + "\n")
	return err
}

func (w *Writer) writeJSON(fields []Field) error {
	w.line = append(w.line[:0], '{')
	for i, f := range fields {
		if i > 0 {
			w.line = append(w.line, ',')
		}
		w.line = append(quote(w.line, f.Name), ':')
		switch {
		case f.JSON == "":
			w.line = quote(w.line, f.Value)
		case strings.ContainsAny(f.JSON, "\r\n"):
			b := bytes.NewBuffer(w.line)
			if err := json.Compact(b, []byte(f.JSON)); err != nil {
				return fmt.Errorf("the field %q: %w", f.Name, err)
			}
			w.line = b.Bytes()
		default:
			w.line = append(w.line, f.JSON...)
		}
	}
	w.line = append(w.line, '}', '\n')
	_, err := w.out.Write(w.line)
	return err
}

// quote appends a text as JSON, without the escapes that only HTML needs.
func quote(dst []byte, s string) []byte {
	b := bytes.NewBuffer(dst)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic("datasets: a string cannot be written as JSON: " + err.Error()) // it always can
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// finish ends the table and the compression.
func (w *Writer) finish() error {
	var err error
	if w.csv != nil {
		w.csv.Flush()
		err = w.csv.Error()
	}
	if w.format == "parquet" && w.parquet == nil {
		return errors.New("no record to take the columns of a Parquet file from")
	}
	if w.parquet != nil {
		err = errors.Join(err, w.parquet.Close())
	}
	return errors.Join(err, w.out.end())
}

// Close ends the file and gives it its name; a file that was there is replaced.
// After an error there is no new file.
func (w *Writer) Close() error {
	err := w.finish()
	if w.file == nil {
		if err != nil {
			return fmt.Errorf("datasets: end what is written: %w", err)
		}
		return nil
	}
	if err == nil {
		err = w.file.Commit()
	} else {
		err = errors.Join(err, w.file.Abort())
	}
	if err != nil {
		return fmt.Errorf("datasets: write %s: %w", w.path, err)
	}
	w.file = nil
	return nil
}

// Abort drops the file. It does nothing after Close, so that you can defer it.
func (w *Writer) Abort() {
	if w.file != nil {
		w.file.Abort()
		w.file = nil
	}
}
