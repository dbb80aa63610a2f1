package datasets

import (
	"errors"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
)

// RawRow is a row of a file in its original form.
type RawRow struct {
	// Bytes is the row with its line end, after the empty lines between it and
	// the row before. All rows of a file one after another are the file without
	// its Layout. The last row of a file may lack its line end. Bytes is valid
	// until the next call of Next. It is nil for a row of a Parquet file.
	Bytes []byte

	// Line is where the row begins, as in Record.
	Line int

	file    *rawFile
	from    int         // in Bytes, past the empty lines
	err     error       // of a row that is damaged or too large
	parquet parquet.Row // of a Parquet file
}

// File returns the path of the file, as in Record.
func (r *RawRow) File() string { return r.file.in.Name }

// Content returns the row without empty lines before it and its line end.
func (r *RawRow) Content() []byte { return trimEnd(r.Bytes[r.from:]) }

// Size returns the size of the document in bytes: of its row without empty
// lines, or of the values of a Parquet row.
func (r *RawRow) Size() int64 {
	if r.parquet != nil {
		return parquetBytes(r.parquet)
	}
	return int64(len(r.Content()))
}

// Memory returns about how many bytes the row takes in memory: its bytes, or
// the values of a Parquet row.
func (r *RawRow) Memory() int64 {
	const value = 24 // bytes of a parquet.Value, besides its text
	return int64(len(r.Bytes)) + value*int64(len(r.parquet)) + parquetTexts(r.parquet)
}

// Keep returns the row with its bytes copied to the end of buf, for a caller
// that needs it after the next call of Next. The rows of a buffer stay valid as
// it grows.
func (r *RawRow) Keep(buf []byte) (RawRow, []byte) {
	kept := *r
	at := len(buf)
	buf = append(buf, r.Bytes...)
	kept.Bytes = buf[at:len(buf):len(buf)]
	return kept, buf
}

// Layout is what a file holds besides its rows.
type Layout struct {
	File      string `json:"file"`                // as in Record
	Format    string `json:"format"`              // resolved; one of Formats
	Pack      string `json:"pack,omitempty"`      // how the file is compressed: "gz", "zst" or ""
	BOM       bool   `json:"bom,omitempty"`       // it begins with a byte order mark
	Quoted    bool   `json:"quoted,omitempty"`    // the fields of a table may stand in quotes
	Delimiter string `json:"delimiter,omitempty"` // between the fields of CSV, if it is no comma
	Header    []byte `json:"header,omitempty"`    // what stands before the first row: the line of a table's names
	Tail      []byte `json:"tail,omitempty"`      // empty lines behind the last row
	Rows      int    `json:"rows"`

	// Open says that the last row does not end in a line end.
	Open bool `json:"open,omitempty"`
}

// rawFile is what the rows of a file have in common. It does not change once the
// file is open.
type rawFile struct {
	src    *Source
	in     File
	many   bool // the source has several files
	format string
	header header
	quoted bool // see Layout
	comma  byte // between the fields of a table
	lossy  bool
	schema *parquet.Schema
	pair   pairColumns // of a table of pairs
}

// RawReader reads the rows of a source as bytes, without parsing them. That
// takes a small part of the time that Reader takes. It is not safe for
// concurrent use.
type RawReader struct {
	src    Source
	how    opening
	inputs []File
	at     int       // the file that is open
	open   *openFile // the last that was opened
	passed []*Layout // see Passed
	size   int64     // of all files in bytes, as they lie on the disk; 0 where unknown
	closed int64     // of the files that were closed
	err    error     // final
	added  string    // see Contract
}

// OpenRaw opens a source for its rows. Close the reader when done.
func OpenRaw(src Source) (*RawReader, error) { return openRows(src, opening{keep: true}) }

// OpenLike opens a file that holds rows of another file, with the format and
// the header, if any, of that file's layout. It does not check the names of the
// columns.
func OpenLike(path string, like *Layout) (*RawReader, error) {
	src := Source{Path: path, Format: like.Format, Delimiter: like.Delimiter, Quotes: "none"}
	if like.Quoted {
		src.Quotes = "csv"
	}
	return openRows(src, opening{keep: true, like: like})
}

// openRows opens the first file of a source, so that its errors show at once.
func openRows(src Source, how opening) (*RawReader, error) {
	if err := src.check(); err != nil {
		return nil, err
	}
	r := &RawReader{src: src, how: how}
	var err error
	if r.inputs, err = r.src.inputs(how.pairs); err != nil {
		return nil, err
	}
	r.how.many = len(r.inputs) > 1
	for i := range r.inputs {
		in := &r.inputs[i]
		if src.PathIDs {
			in.ID = in.Name
		}
		if info, err := os.Stat(in.Path); err == nil && in.Path != "-" {
			r.size += info.Size()
		}
	}
	if err := r.openNext(); err != nil {
		return nil, err
	}
	return r, nil
}

// Next returns the next row. At the end the error is io.EOF. Every error is
// final. A bad row is not an error here, but in Parser.
func (r *RawReader) Next() (RawRow, error) {
	for r.err == nil {
		row, err := r.open.next()
		if err == nil {
			if r.added != "" {
				r.contract(&row)
			}
			return row, nil
		}
		if r.err = err; err == io.EOF && r.at+1 < len(r.inputs) {
			if l := r.Layout(); r.how.keep && l.Rows == 0 {
				r.passed = append(r.passed, l)
			}
			r.err = r.closeFile()
			if r.at++; r.err == nil {
				r.err = r.openNext()
			}
		}
	}
	return RawRow{}, r.err
}

// openNext opens the file whose turn it is; the last one stays if that fails.
func (r *RawReader) openNext() error {
	o, err := r.src.open(r.inputs[r.at], r.how)
	if err == nil {
		r.open = o
	}
	return err
}

// Layout returns the layout of the open file. It is complete after Next has
// returned a row of another file or io.EOF.
func (r *RawReader) Layout() *Layout { return &r.open.layout }

// Passed returns the layouts of the files without rows that ended since the
// last call, except for the last file of the source.
func (r *RawReader) Passed() []*Layout {
	passed := r.passed
	r.passed = nil
	return passed
}

// Done returns the share of the source that was read, in [0, 1], by the bytes on
// the disk; 0 where their number is unknown, as that of the standard input.
func (r *RawReader) Done() float64 {
	if r.size == 0 {
		return 0
	}
	n := r.closed
	if !r.open.closed {
		n += r.open.packed.n
	}
	return min(1, float64(n)/float64(r.size))
}

// Close closes the file that is open.
func (r *RawReader) Close() error {
	if r.err == nil {
		r.err = errors.New("datasets: the reader is closed")
	}
	return r.closeFile()
}

func (r *RawReader) closeFile() error {
	if r.open.closed {
		return nil
	}
	r.open.closed = true
	r.closed += r.open.size
	return r.open.Close()
}

// file returns what the rows of the open file have in common.
func (r *RawReader) file() *rawFile { return r.open.rawFile }
