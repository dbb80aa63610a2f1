package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/parquet-go/parquet-go"
)

// RawRow is a row of a file as it stands there.
type RawRow struct {
	// Bytes are the bytes of the row with its line end, and before them those of the
	// empty lines that part it from the row before, so that the rows of a file, one
	// behind the other, are the file but for its Layout. The last row of a file may
	// lack its line end. They are valid until the following call of Next. A row of
	// a Parquet file has none.
	Bytes []byte

	// Line is where the row begins, as in Record.
	Line int

	file    *rawFile
	from    int         // in Bytes, past the empty lines
	fields  []Field     // of formats that cannot be cut without being parsed
	err     error       // of such a row
	parquet parquet.Row // of a Parquet file
}

// File returns the path of the file, as in Record.
func (r *RawRow) File() string { return r.file.in.name }

// Content returns the row without empty lines before it and its line end.
func (r *RawRow) Content() []byte { return trimEnd(r.Bytes[r.from:]) }

// Keep returns the row with its bytes moved to the end of buf, for a caller that
// needs it beyond the next one. The rows of a buffer stay valid as it grows.
func (r *RawRow) Keep(buf []byte) (RawRow, []byte) {
	kept := *r
	at := len(buf)
	buf = append(buf, r.Bytes...)
	kept.Bytes = buf[at:len(buf):len(buf)]
	return kept, buf
}

// Layout is what a file holds besides its rows.
type Layout struct {
	File   string `json:"file"`             // as in Record
	Format string `json:"format"`           // resolved; one of Formats
	Pack   string `json:"pack,omitempty"`   // how the file is compressed: "gz", "zst" or ""
	BOM    bool   `json:"bom,omitempty"`    // it begins with a byte order mark
	Quoted bool   `json:"quoted,omitempty"` // the fields of a table may stand in quotes
	Header []byte `json:"header,omitempty"` // what stands before the first row: the line of a table's names
	Tail   []byte `json:"tail,omitempty"`   // empty lines behind the last row
	Rows   int    `json:"rows"`

	// Open says that the last row does not end in a line end.
	Open bool `json:"open,omitempty"`
}

// RawReader reads the rows of a source without taking them apart, which costs a
// small part of what Reader does, and hands out their very bytes. It is not safe
// for concurrent use.
type RawReader struct {
	src    Source
	like   *Layout // of OpenLike
	inputs []input
	at     int
	file   *rawFile
	cut    cutter
	stream *stream
	close  func() error
	size   int64 // of all files in bytes, as they lie on the disk; 0 where unknown
	closed int64 // bytes read of the files that were closed
	passed []*Layout
	err    error // final
}

// rawFile is what the rows of a file have in common. It does not change once the
// file is open.
type rawFile struct {
	src    *Source
	in     input
	many   bool // the source has several files
	format string
	header header
	quoted bool // see Layout
	lossy  bool
	schema *parquet.Schema
}

// cutter cuts a file in rows. A row that is bad, which cutters that parse find, is
// no error of next.
type cutter interface {
	next() (RawRow, error)
	// layout is complete at the end of the file.
	layout() *Layout
}

// OpenRaw opens a source for its rows. Close the reader when done.
func OpenRaw(src Source) (*RawReader, error) {
	if err := src.check(); err != nil {
		return nil, err
	}
	r := &RawReader{src: src}
	var err error
	if r.inputs, err = r.src.inputs(false); err != nil {
		return nil, err
	}
	for i := range r.inputs {
		in := &r.inputs[i]
		if r.src.PathIDs {
			in.id = in.name
		}
		if info, err := os.Stat(in.path); err == nil && in.path != "-" {
			r.size += info.Size()
		}
	}
	if err := r.open(); err != nil {
		r.closeFile()
		return nil, err
	}
	return r, nil
}

// OpenLike opens a file for its rows, of the format and with a header or none as in the layout of
// another, whose rows it holds. What the columns are called is not looked at.
func OpenLike(path string, like *Layout) (*RawReader, error) {
	src := Source{Path: path, Format: like.Format, Quotes: "none"}
	if like.Quoted {
		src.Quotes = "csv"
	}
	r := &RawReader{src: src, like: like, inputs: []input{{path: path, name: path, id: path}}}
	if err := r.open(); err != nil {
		r.closeFile()
		return nil, err
	}
	return r, nil
}

// Next returns the next row. At the end the error is io.EOF. Every error is final:
// rows that turn out to be bad are not one here but in Parser.
func (r *RawReader) Next() (RawRow, error) {
	for r.err == nil {
		row, err := r.cut.next()
		if err == nil {
			row.file = r.file
			l := r.cut.layout()
			l.Rows++
			return row, nil
		}
		if r.err = err; err == io.EOF && r.at+1 < len(r.inputs) {
			if l := r.cut.layout(); l.Rows == 0 {
				r.passed = append(r.passed, l)
			}
			r.err = r.closeFile()
			if r.at++; r.err == nil {
				r.err = r.open()
			}
		}
	}
	return RawRow{}, r.err
}

// Layout returns what is known of the file that is open: all of it once the next
// row is one of another file or the end.
func (r *RawReader) Layout() *Layout { return r.cut.layout() }

// Passed returns the layouts of the files without rows that have come to their end since it was asked last, but for the
// last file of all.
func (r *RawReader) Passed() []*Layout {
	passed := r.passed
	r.passed = nil
	return passed
}

// Done returns the share of the source that was read, as Reader.Done does.
func (r *RawReader) Done() float64 {
	if r.size == 0 {
		return 0
	}
	n := r.closed
	if r.close != nil {
		n += r.stream.packed.n
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
	if r.close == nil {
		return nil
	}
	err := r.close()
	r.close = nil
	r.closed += r.stream.packed.n
	return err
}

// open opens the file whose turn it is.
func (r *RawReader) open() error {
	in := r.inputs[r.at]
	size := sniffed
	if r.src.Format == "text" {
		size = 1 << 16
	}
	var stdin io.Reader
	if in.path == "-" {
		if stdin = r.src.Input; stdin == nil {
			return errors.New(`datasets: the path is "-", but Input is nil`)
		}
	}
	s, err := openStream(in.path, in.name, stdin, size)
	if err != nil {
		return err
	}
	r.stream, r.close = s, s.Close
	return r.openRows(s, in)
}

// openRows makes the cutter of an open file.
func (r *RawReader) openRows(s *stream, in input) error {
	src := &r.src
	format := src.Format
	if format == "" {
		head, _ := s.head()
		format = docFormat(in.path, head)
	}
	l := Layout{File: in.name, Format: format, Pack: s.packing(), BOM: s.bom}
	f := &rawFile{src: src, in: in, many: len(r.inputs) > 1, format: format, lossy: src.Lossy || format == "qqp"}
	r.file = f
	switch format {
	case "jsonl", "folder":
		l.Format = "jsonl"
		r.cut = &lineCutter{s: s, l: l, blank: isBlankJSON}
	case "lines":
		r.cut = &lineCutter{s: s, l: l, blank: isEmpty}
	case "text":
		r.cut = &wholeCutter{s: s, l: l}
	case "parquet":
		p, err := openParquet(s, f.lossy)
		if err != nil {
			return err
		}
		f.schema = p.file.Schema()
		r.cut = &parquetCutter{p: p, l: l}
		r.close = func() error { return errors.Join(p.Close(), s.Close()) }
		return r.checkColumns(p.columns(), in)
	default:
		return r.openTable(s, l)
	}
	return nil
}

// openTable reads the header of a table.
func (r *RawReader) openTable(s *stream, l Layout) error {
	// The reader of parsed rows knows which tables have a header and quotes: it says
	// so of the beginning, and the rows are cut here.
	head, all := s.head()
	lines := firstLines(head, all, 1)
	if len(lines) == 0 && r.like != nil {
		r.cut = &lineCutter{s: s, l: l, blank: isEmpty}
		return nil
	}
	if len(lines) == 0 {
		if _, err := s.Peek(1); err != nil && err != io.EOF {
			return fmt.Errorf("datasets: %s:1: damaged or cut short: %w", s.name, err)
		}
		return fmt.Errorf("datasets: %s:1: no header: the file is empty", s.name)
	}
	f := r.file
	f.header = r.src.headerOf(f.format, lines[0])
	if r.like != nil {
		f.header = header{}
		if len(r.like.Header) == 0 {
			f.header.names = []string{}
		}
	}
	quoted, comma := r.src.quoting(f.format, head)
	if f.quoted, l.Quoted = quoted, quoted; quoted {
		c, err := newQuotedCutter(s, comma, f, l)
		if err != nil {
			return err
		}
		r.cut = c
		return r.checkColumns(f.header.names, f.in)
	}
	c := &lineCutter{s: s, l: l, blank: isEmpty}
	r.cut = c
	for f.header.names == nil {
		row, err := c.next()
		if err != nil {
			return err
		}
		c.l.Header = bytes.Clone(row.Bytes)
		f.header.names = splitTabs(row.Content())
	}
	return r.checkColumns(f.header.names, f.in)
}

func (r *RawReader) checkColumns(columns []string, in input) error {
	if r.like != nil {
		return nil
	}
	if err := hasColumns(columns, r.src.wanted()); err != nil {
		return fmt.Errorf("datasets: %s:1: %w", in.name, err)
	}
	return nil
}

// packing names the compression of a stream.
func (s *stream) packing() string {
	switch s.unpack.(type) {
	case nil:
		return ""
	case *gzip.Reader:
		return "gz"
	}
	return "zst"
}
