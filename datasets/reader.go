package datasets

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Row is a document and the record it comes from.
type Row struct {
	Record
	Doc Doc
}

// Reader reads documents one by one; memory holds the current one only. It is
// not safe for concurrent use.
type Reader struct {
	files fileSequence
}

// Open opens a source of documents. Close the reader when done.
//
// Ids are not checked to be unique, because that would keep all of them in
// memory.
func Open(src Source) (*Reader, error) {
	if err := src.check(); err != nil {
		return nil, err
	}
	r := &Reader{fileSequence{src: src, skip: skipper{max: src.SkipBad, on: src.OnBad}}}
	if err := r.files.start(r.checkColumns); err != nil {
		return nil, err
	}
	return r, nil
}

// Next returns the next document. At the end the error is io.EOF. Every error
// is final. Bad rows are skipped up to Source.SkipBad; the next one is returned
// as a *BadRow.
func (r *Reader) Next() (Row, error) {
	var row Row
	err := r.files.next(func(rec Record) error {
		f := &r.files
		doc, err := f.src.document(&rec, f.inputs[f.at].id, len(f.inputs) > 1)
		row = Row{rec, doc}
		return err
	})
	if err != nil {
		return Row{}, err
	}
	return row, nil
}

// Rows iterates over the documents. An error ends the iteration; it comes with
// an empty row.
func (r *Reader) Rows() iter.Seq2[Row, error] { return sequence(r.Next) }

// Skipped returns the number of bad rows skipped so far.
func (r *Reader) Skipped() int { return r.files.skip.skipped }

// Done returns the share of the source that was read, in [0, 1], by the bytes on
// the disk; 0 where their number is unknown, as that of the standard input.
func (r *Reader) Done() float64 { return r.files.done() }

// Close closes the file that is open.
func (r *Reader) Close() error { return r.files.finish() }

// textColumns returns the columns of the text.
func (src *Source) textColumns() []string {
	if len(src.Text) == 0 {
		return []string{"text"}
	}
	return src.Text
}

// checkColumns reports columns that a table does not have.
func (r *Reader) checkColumns(columns []string) error {
	return hasColumns(columns, r.files.src.wanted())
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

func hasColumns(columns, want []string) error {
	for _, c := range want {
		if !slices.Contains(columns, c) {
			return fmt.Errorf("no column %q; the columns are %s", c, names(columns))
		}
	}
	return nil
}

// document makes the document of a record in the file of the given id; many says
// that there are several files, so that a line alone is no id.
func (src *Source) document(rec *Record, file string, many bool) (Doc, error) {
	var doc Doc
	var err error
	if doc.ID, err = src.idOf(rec, file, many); err != nil {
		return Doc{}, err
	}
	if doc.Lang, err = optional(rec, src.Lang, "lang"); err != nil {
		return Doc{}, err
	}
	columns := src.textColumns()
	texts := make([]string, 0, len(columns))
	for _, c := range columns {
		f := rec.field(c)
		if f == nil || f.JSON == "null" {
			continue // of several columns some may be missing, but not all
		}
		if strings.HasPrefix(f.JSON, "{") || strings.HasPrefix(f.JSON, "[") {
			return Doc{}, fmt.Errorf("the field %q is an object or an array, want a string", c)
		}
		texts = append(texts, f.Value)
	}
	if len(texts) == 0 {
		return Doc{}, fmt.Errorf("no field %s, want a string", strings.ReplaceAll(names(columns), ", ", " or "))
	}
	doc.Text = src.plain(strings.Join(texts, "\n"))
	return doc, nil
}

// plain returns the text that a column means.
func (src *Source) plain(text string) string {
	if src.HTML {
		return mainText(text)
	}
	return text
}

// idOf returns the id of a record: that of its column or its place.
func (src *Source) idOf(rec *Record, file string, many bool) (string, error) {
	id, err := optional(rec, src.ID, "id")
	switch {
	case err != nil:
		return "", err
	case strings.ContainsAny(id, "\t\r\n"):
		return "", fmt.Errorf("the id %q holds a tab or a line break", id)
	case id != "":
		return id, nil
	case src.ID != "":
		return "", fmt.Errorf("the field %q is empty", src.ID)
	case many || src.PathIDs:
		return file + ":" + strconv.Itoa(rec.Line), nil
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

// fileSequence reads the files of a source one after the other and skips bad
// rows.
type fileSequence struct {
	src    Source
	how    opening
	inputs []input
	at     int       // the file that is open
	open   *openFile // the last that was opened
	check  func(columns []string) error
	skip   skipper
	passed []*Layout // see RawReader.Passed
	size   int64     // of all files in bytes, as they lie on the disk; 0 where unknown
	closed int64     // of the files that were closed
	err    error     // final
}

// start opens the first file, so that errors of the source show at once.
func (f *fileSequence) start(check func(columns []string) error) error {
	var err error
	if f.inputs, err = f.src.inputs(f.how.pairs); err != nil {
		return err
	}
	f.how.many = len(f.inputs) > 1
	for i := range f.inputs {
		in := &f.inputs[i]
		if f.src.PathIDs {
			in.id = in.name
		}
		if info, err := os.Stat(in.path); err == nil && in.path != "-" {
			in.size = info.Size()
			f.size += in.size
		}
	}
	f.check = check
	return f.openNext()
}

func (f *fileSequence) openNext() error {
	in := f.inputs[f.at]
	o, err := f.src.open(in, f.how)
	if err != nil {
		return err
	}
	if o.columns != nil {
		if err := f.check(o.columns); err != nil {
			o.Close()
			return fmt.Errorf("datasets: %s:1: %w", in.name, err)
		}
	}
	f.open = o
	return nil
}

// row returns the next row.
func (f *fileSequence) row() (RawRow, error) {
	for f.err == nil {
		row, err := f.open.next()
		if err == nil {
			return row, nil
		}
		if f.err = err; err == io.EOF && f.at+1 < len(f.inputs) {
			if l := f.open.cut.layout(); f.how.keep && l.Rows == 0 {
				f.passed = append(f.passed, l)
			}
			f.err = f.close()
			if f.at++; f.err == nil {
				f.err = f.openNext()
			}
		}
	}
	return RawRow{}, f.err
}

// next calls use with the next record that use accepts.
func (f *fileSequence) next(use func(Record) error) error {
	for {
		row, err := f.row()
		if err != nil {
			return err
		}
		rec, err := f.open.parser.Record(row)
		if err == nil {
			if err = use(rec); err == nil {
				return nil
			}
			err = &BadRow{rec.File, rec.Line, err}
		}
		if !f.skip.pass(err) {
			f.err = err
		}
	}
}

// done returns the share of the files that was read.
func (f *fileSequence) done() float64 {
	if f.size == 0 {
		return 0
	}
	n := f.closed
	if !f.open.closed {
		n += f.open.packed.n
	}
	return min(1, float64(n)/float64(f.size))
}

// finish closes the file that is open for good.
func (f *fileSequence) finish() error {
	if f.err == nil {
		f.err = errors.New("datasets: the reader is closed")
	}
	return f.close()
}

func (f *fileSequence) close() error {
	if f.open.closed {
		return nil
	}
	f.open.closed = true
	f.closed += f.inputs[f.at].size
	return f.open.Close()
}

// sequence makes an iterator of a function that ends with io.EOF.
func sequence[T any](next func() (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			v, err := next()
			if err == io.EOF || !yield(v, err) || err != nil {
				return
			}
		}
	}
}
