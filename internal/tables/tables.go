// Package tables writes the rows of a command in the format that its flags name:
// for people, for programs or for papers.
//
// A command fills an Output from its flags and states its columns. Write writes
// rows that are complete, and a Writer takes them one by one. Rows of data go
// through datasets.Writer, so that every command writes the same CSV, TSV, JSONL
// and Parquet.
//
// Only cmd/alike imports it. What a column means belongs there.
package tables

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/internal/durable"
	"github.com/alike-go/alike/internal/jsonl"
)

// Formats are the formats of rows. The first is made for reading, md and latex
// for documents, and the others for programs.
var Formats = []string{"table", "tsv", "csv", "jsonl", "md", "latex", "parquet"}

// Output says how rows are written.
type Output struct {
	// Format is one of Formats.
	Format string

	// Columns are the names of the columns to write, in that order. None means all.
	Columns []string

	// Wide says that a table may be wider than 80 columns.
	Wide bool

	hide, fold []string
}

// Hide returns an output whose tables have a column only if they are wide. It is
// for times: their width must not decide which columns fit.
func (o Output) Hide(name string) Output {
	o.hide = append(slices.Clone(o.hide), name)
	return o
}

// Fold returns an output whose tables leave out columns, in the order of the
// names, until they fit 80 columns. It names columns that are rarely read. One with
// a + before its name goes with the one before it.
func (o Output) Fold(names ...string) Output {
	o.fold = names
	return o
}

// Aside returns the output of a table beside the main one: it has all columns.
func (o Output) Aside() Output {
	o.Columns = nil
	return o
}

// Data reports whether programs read the format. Then there is one table with
// exact figures and nothing besides.
func (o Output) Data() bool {
	return slices.Contains([]string{"tsv", "csv", "jsonl", "parquet"}, o.Format)
}

// Say writes whole lines around a table, where Prose does.
func (o Output) Say(w io.Writer, format string, args ...any) error {
	_, err := fmt.Fprintf(o.Prose(w), format, args...)
	return err
}

// Prose returns a writer for the text around a table. What follows the last
// line break is lost. Lines are wrapped like tables, except for commands, which
// can be copied. In LaTeX the lines become comments, and in data they are left
// out.
func (o Output) Prose(w io.Writer) io.Writer {
	switch {
	case o.Data():
		return io.Discard
	case o.Format == "latex":
		return &comments{w: w}
	case o.Format == "table" && !o.Wide:
		return &prose{w: w}
	}
	return w
}

// prose wraps lines.
type prose struct {
	w    io.Writer
	line []byte // the beginning of one
}

func (p *prose) Write(b []byte) (int, error) {
	p.line = append(p.line, b...)
	for {
		line, rest, whole := bytes.Cut(p.line, []byte("\n"))
		if !whole {
			return len(b), nil
		}
		if _, err := io.WriteString(p.w, fill(string(line))+"\n"); err != nil {
			return 0, err
		}
		p.line = rest
	}
}

// fill breaks a line at spaces, so that no part is wider than a page unless a word is.
// Parts have the indent of the line. A command stays whole, and so does "5 %".
func fill(line string) string {
	text := strings.TrimLeft(line, " ")
	if displaywidth.String(line) <= page || strings.HasPrefix(text, "alike ") {
		return line
	}
	indent := line[:len(line)-len(text)]
	var out strings.Builder
	width := 0
	const glue = "\u00a0%"
	for at, word := range strings.Split(strings.ReplaceAll(text, " %", glue), " ") {
		word = strings.ReplaceAll(word, glue, " %")
		n := displaywidth.String(word)
		switch {
		case at == 0:
			out.WriteString(indent)
			width = len(indent)
		case width+1+n > page:
			out.WriteString("\n" + indent)
			width = len(indent)
		default:
			out.WriteByte(' ')
			width++
		}
		out.WriteString(word)
		width += n
	}
	return out.String()
}

// comments writes lines as comments of LaTeX.
type comments struct {
	w    io.Writer
	open bool // within a line
}

func (c *comments) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		if !c.open && len(line) > 1 {
			line = slices.Concat([]byte("% "), line)
		} else if !c.open {
			continue
		}
		c.open = !bytes.HasSuffix(line, []byte("\n"))
		if _, err := c.w.Write(line); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// Column is the head of a column of numbers, which stand right. A "<" before the
// head says that the cells are words, which stand left.
type Column string

// Head returns the head of a column.
func (c Column) Head() string { return strings.TrimPrefix(string(c), "<") }

func (c Column) words() bool { return strings.HasPrefix(string(c), "<") }

// Write writes values. JSONL has them as they are, and the other formats have
// their cells.
func Write[T any](w io.Writer, o Output, values []T, columns []Column, cells func(T) []string) error {
	out, err := o.To(w, columns...)
	if err != nil {
		return err
	}
	for _, v := range values {
		var row []string
		if o.Format != "jsonl" {
			row = cells(v)
		}
		if err := out.Add(v, row); err != nil {
			return err
		}
	}
	return out.Close()
}

// Table writes rows of cells.
func Table(w io.Writer, o Output, columns []Column, cells [][]string) error {
	return Write(w, o, cells, columns, func(row []string) []string { return row })
}

// Writer writes rows one by one. It is not safe for concurrent use.
type Writer struct {
	o       Output
	w       io.Writer
	path    string   // of the file to write, or empty
	columns []Column // those to write
	heads   []string // of all columns
	data    *datasets.Writer
	rows    [][]string // of a format that is not data
}

// To returns a writer of rows to w.
func (o Output) To(w io.Writer, columns ...Column) (*Writer, error) {
	return o.writer(w, "", columns, func() (*datasets.Writer, error) { return datasets.NewWriter(w, o.Format) })
}

// documents are the endings of files in formats that are not data.
var documents = map[string]string{".md": "md", ".tex": "latex", ".txt": "table"}

// Create returns a writer to a file, whose ending says the format. The file is
// there once it is complete.
func (o Output) Create(path string, columns ...Column) (*Writer, error) {
	if o.Format = cmp.Or(documents[filepath.Ext(path)], datasets.FileFormat(path)); o.Format == "" {
		return nil, fmt.Errorf("%s: the name ends in %q, want .tsv, .csv, .jsonl or .parquet, perhaps with .gz or .zst, or .md, .tex or .txt", path, filepath.Ext(path))
	}
	if !o.Data() { // what is written at once is checked now too
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return nil, err
		}
	}
	return o.writer(nil, path, columns, func() (*datasets.Writer, error) { return datasets.Create(path) })
}

// writer returns a writer, which opens what takes data.
func (o Output) writer(w io.Writer, path string, columns []Column, open func() (*datasets.Writer, error)) (*Writer, error) {
	out := &Writer{o: o, w: w, path: path, columns: columns}
	for _, c := range columns {
		out.heads = append(out.heads, c.Head())
	}
	heads := out.heads
	if len(o.Columns) > 0 && o.Format != "jsonl" { // which finds them in each value
		heads, out.columns = o.Columns, nil
		for _, name := range o.Columns {
			i := slices.Index(out.heads, name)
			if i < 0 {
				return nil, noColumn(name, out.heads)
			}
			out.columns = append(out.columns, columns[i])
		}
	}
	if !o.Data() {
		return out, nil
	}
	var err error
	if out.data, err = open(); err != nil {
		return nil, err
	}
	if err := out.data.Columns(heads...); err != nil {
		out.data.Abort()
		return nil, err
	}
	return out, nil
}

func noColumn(name string, names []string) error {
	return fmt.Errorf("there is no column %q, want some of %s", name, strings.Join(names, ", "))
}

// Write writes a row as fields, which have the order and the names of the columns.
func (w *Writer) Write(fields []datasets.Field) error {
	if len(w.o.Columns) > 0 {
		picked := make([]datasets.Field, len(w.o.Columns))
		for k, name := range w.o.Columns {
			i := slices.IndexFunc(fields, func(f datasets.Field) bool { return f.Name == name })
			if i < 0 {
				var names []string
				for _, f := range fields {
					names = append(names, f.Name)
				}
				return noColumn(name, names)
			}
			picked[k] = fields[i]
		}
		fields = picked
	}
	if w.data != nil {
		return w.data.Write(fields)
	}
	row := make([]string, len(fields))
	for i, f := range fields {
		row[i] = f.Value
	}
	w.rows = append(w.rows, row)
	return nil
}

// Add writes a row: in JSONL the value, which is an object, otherwise its cells
// in the order of the columns.
func (w *Writer) Add(value any, cells []string) error {
	if w.o.Format == "jsonl" {
		fields, err := object(value)
		if err != nil {
			return err
		}
		return w.Write(fields)
	}
	fields := make([]datasets.Field, len(cells))
	for i, c := range cells {
		fields[i] = datasets.Field{Name: w.heads[i], Value: c}
	}
	return w.Write(fields)
}

// object returns the fields of a value.
func object(value any) (fields []datasets.Field, err error) {
	var b bytes.Buffer
	if err := jsonl.Encode(&b, []any{value}); err != nil {
		return nil, err
	}
	d := json.NewDecoder(&b)
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("tables: a value is written as %v, want an object", t)
	}
	for d.More() {
		var raw json.RawMessage
		name, err := d.Token()
		if err = errors.Join(err, d.Decode(&raw)); err != nil {
			return nil, err
		}
		fields = append(fields, datasets.Field{Name: name.(string), JSON: string(raw)})
	}
	return fields, nil
}

// Close writes what is left. A file gets its name.
func (w *Writer) Close() error {
	switch {
	case w.data != nil:
		return w.data.Close()
	case w.path == "":
		return w.o.render(w.w, w.columns, w.rows)
	}
	if err := durable.Write(w.path, func(to io.Writer) error { return w.o.render(to, w.columns, w.rows) }); err != nil {
		return fmt.Errorf("write %s: %w", w.path, err)
	}
	return nil
}

// Abort drops a file. It does nothing after Close.
func (w *Writer) Abort() {
	if w.data != nil {
		w.data.Abort()
	}
}
