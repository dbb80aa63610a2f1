package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Copier writes rows as they stand in their files: byte for byte, behind the
// header of a table. In Parquet it writes value for value, under the schema of
// the file. It is not safe for concurrent use.
type Copier struct {
	out     output
	like    *rawFile
	parquet *parquetWriter
	open    bool // the last row lacks its line end

	whole *Layout // of NewFileCopier
	rows  int     // still to come, of that
}

// errText is the error for texts that are whole files: they cannot share a
// file.
var errText = errors.New("datasets: texts that are whole files do not go into one file")

// NewCopier returns a writer for rows of the file that r has open, and of all
// files of the same format and columns. The output is compressed like that file,
// unless it is Parquet. Close ends the output but does not close out.
func NewCopier(out io.Writer, r *RawReader) (*Copier, error) {
	return newCopier(out, nil, r.file(), r.Layout())
}

func newCopier(out, also io.Writer, f *rawFile, l *Layout) (*Copier, error) {
	if f.format == "text" {
		return nil, errText
	}
	c := &Copier{like: f}
	var err error
	if f.format == "parquet" {
		if c.out, err = newOutput(out, also, ""); err == nil {
			c.parquet = newParquetWriter(c.out, f.schema)
		}
		return c, err
	}
	if c.out, err = newOutput(out, also, l.Pack); err != nil {
		return nil, err
	}
	if l.BOM {
		c.out.WriteString("\xef\xbb\xbf")
	}
	c.out.Write(l.Header)
	c.open = len(l.Header) > 0 && l.Header[len(l.Header)-1] != '\n'
	return c, nil
}

// Extension returns the ending of a name for what NewCopier writes, such as
// ".jsonl.gz".
func (r *RawReader) Extension() string {
	l := r.Layout()
	ext := "." + l.Format
	switch {
	case l.Format == "lines" || l.Format == "text":
		ext = ".txt"
	case FileFormat("x"+ext) == "": // a table of a public data set
		ext = ".tsv"
	}
	if l.Pack != "" && l.Format != "parquet" {
		ext += "." + l.Pack
	}
	return ext
}

// Write writes a row. A damaged row of a Parquet file is an error: what it
// holds cannot be written.
func (c *Copier) Write(row RawRow) error {
	if err := c.fits(row.file); err != nil {
		return err
	}
	if errors.Is(row.err, errDamaged) {
		return fmt.Errorf("datasets: copy row %d of %s: %w", row.Line, row.File(), errors.Unwrap(row.err))
	}
	if c.parquet != nil {
		if err := c.parquet.write(row.parquet, parquetBytes(row.parquet)); err != nil {
			return fmt.Errorf("datasets: copy a row of %s: %w", row.File(), err)
		}
		return nil
	}
	return c.writeBytes(row.Bytes)
}

func (c *Copier) writeBytes(row []byte) error {
	if c.open {
		c.out.WriteByte('\n')
	}
	if c.rows--; c.whole != nil && c.rows == 0 && c.whole.Open {
		row = bytes.TrimSuffix(row, []byte("\n"))
	}
	if _, err := c.out.Write(row); err != nil {
		return fmt.Errorf("datasets: copy a row: %w", err)
	}
	c.open = !bytes.HasSuffix(row, []byte("\n"))
	return nil
}

// WriteBytes writes a row that is kept elsewhere as bytes. It returns an error
// for a Parquet file.
func (c *Copier) WriteBytes(row []byte) error {
	if c.parquet != nil {
		return errors.New("datasets: bytes are no row of a Parquet file")
	}
	return c.writeBytes(row)
}

// Fits returns the error that Write would return for rows of the file open in
// r, if they cannot follow the rows written before.
func (c *Copier) Fits(r *RawReader) error { return c.fits(r.file()) }

// fits reports an error unless rows of a file can stand beside those of the first.
func (c *Copier) fits(f *rawFile) error {
	l := c.like
	if f == l {
		return nil
	}
	same := f.format == l.format && f.comma == l.comma && names(f.header.names) == names(l.header.names)
	if same && f.schema != nil {
		same = f.schema.String() == l.schema.String()
	}
	if !same {
		return fmt.Errorf("datasets: %s is %s, %s is %s: files of different formats or columns do not go into one", l.in.Name, describe(l), f.in.Name, describe(f))
	}
	c.like = f
	return nil
}

func describe(f *rawFile) string {
	switch {
	case f.schema != nil:
		return "parquet of another schema"
	case f.header.names != nil:
		return f.format + " with the columns " + names(f.header.names)
	}
	return f.format
}

// Close ends what is written.
func (c *Copier) Close() error {
	var err error
	if c.parquet != nil {
		err = c.parquet.Close()
	} else if c.whole != nil {
		_, err = c.out.Write(c.whole.Tail)
	} else if c.open {
		err = c.out.WriteByte('\n')
	}
	if err = errors.Join(err, c.out.end()); err != nil {
		return fmt.Errorf("datasets: end what is copied: %w", err)
	}
	return nil
}

// NewFileCopier returns a writer that restores a file with the given layout
// from all of its rows, in order. r is a reader of such rows. The output also
// goes to also, uncompressed.
func NewFileCopier(out, also io.Writer, r *RawReader, l *Layout) (*Copier, error) {
	c, err := newCopier(out, also, r.file(), l)
	if err == nil && c.parquet == nil {
		c.whole = l
		c.rows = l.Rows
	}
	return c, err
}
