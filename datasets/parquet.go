package datasets

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// parquetCutter reads the rows of a Parquet file, a few at a time.
type parquetCutter struct {
	*openFile
	file   *parquet.File
	groups []parquet.RowGroup // still to read
	at     io.ReaderAt
	rows   parquet.Rows // of the group that is being read
	buffer []parquet.Row
	left   []parquet.Row // of the buffer
	ended  bool          // the group has no rows after the buffer
	number int
	kinds  []parquet.Kind // of the leaves of the schema
	spool  *os.File       // nil if the file itself is read
}

// openParquet opens a Parquet file. Its directory is at the end of the file, so
// a file that is compressed as a whole, or comes from standard input, is first
// written to a temporary file. The directory may have at most most bytes.
func (o *openFile) openParquet(most int64) error {
	p := &parquetCutter{openFile: o, buffer: make([]parquet.Row, 16)}
	o.cut = p
	file := o.stream.file
	if o.unpack != nil || file == nil {
		spool, err := os.CreateTemp("", "alike-*.parquet")
		if err != nil {
			return fmt.Errorf("datasets: open %s: %w", o.name, err)
		}
		p.spool, file = spool, spool
		if _, err := io.Copy(spool, atMost(o.stream, maxFile)); err != nil {
			return ended(o.name, err)
		}
	}
	info, err := file.Stat()
	if err == nil {
		err = checkFooter(file, info.Size(), most)
	}
	if err == nil {
		err = guard(func() (err error) {
			p.file, err = parquet.OpenFile(file, info.Size(), parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
			if err != nil {
				return err
			}
			o.schema = p.file.Schema()
			for _, path := range o.schema.Columns() {
				leaf, _ := o.schema.Lookup(path...)
				p.kinds = append(p.kinds, leaf.Node.Type().Kind())
			}
			return nil
		})
	}
	if err != nil {
		if _, sound := errors.AsType[*stopped](err); sound {
			return ended(o.name, err)
		}
		return fmt.Errorf("datasets: open %s: no sound Parquet file: %w", o.name, err)
	}
	p.at, p.groups = file, p.file.RowGroups()
	for _, f := range o.schema.Fields() {
		o.header.names = append(o.header.names, f.Name())
	}
	return nil
}

// checkFooter returns an error if the directory of a file is too large to hold.
func checkFooter(file io.ReaderAt, size, most int64) error {
	var end [8]byte // the size of the directory, and the magic bytes
	if _, err := file.ReadAt(end[:], max(0, size-int64(len(end)))); err != nil {
		return eof(err)
	}
	if n := binary.LittleEndian.Uint32(end[:]); string(end[4:]) == parquetMagic && int64(n) > most {
		return &stopped{fmt.Errorf("the directory of the Parquet file has %d bytes, want at most %d: write the file with fewer row groups, or raise the limit of documents", n, most)}
	}
	return nil
}

func (p *parquetCutter) next() (RawRow, error) {
	for len(p.left) == 0 {
		if err := p.fill(); err == io.EOF {
			return RawRow{}, err
		} else if err != nil {
			return RawRow{}, ended(fmt.Sprintf("%s: after row %d", p.name, p.number), err)
		}
	}
	p.number++
	row := RawRow{Line: p.number, parquet: p.left[0]}
	p.left = p.left[1:]
	if !p.sound(row.parquet) {
		row.err = &BadRow{p.name, p.number, fmt.Errorf("%w: values are missing or not of the type of their column", errDamaged)}
	}
	if p.keep { // the next row may overwrite the values
		row.parquet = row.parquet.Clone()
	}
	return row, nil
}

// fill reads rows into the buffer, perhaps none.
func (p *parquetCutter) fill() error {
	if ctx := p.src.context(); ctx.Err() != nil {
		return &stopped{context.Cause(ctx)}
	}
	return guard(func() error {
		if p.rows == nil || p.ended {
			if err := p.closeGroup(); err != nil {
				return err
			}
			if len(p.groups) == 0 {
				return io.EOF
			}
			if err := p.checkPages(len(p.file.RowGroups()) - len(p.groups)); err != nil {
				return err
			}
			p.rows, p.groups, p.ended = p.groups[0].Rows(), p.groups[1:], false
		}
		n, err := p.rows.ReadRows(p.buffer)
		p.left = p.buffer[:n]
		if p.ended = errors.Is(err, io.EOF); p.ended {
			err = nil
		} else if n == 0 && err == nil {
			err = io.ErrNoProgress
		}
		return err
	})
}

// checkPages returns an error if a row group has a page that is too large to
// hold. The library would allocate whatever the header of a page says.
func (p *parquetCutter) checkPages(group int) error {
	most := p.src.maxBlock()
	for _, c := range p.file.Metadata().RowGroups[group].Columns {
		m := &c.MetaData
		at := m.DataPageOffset
		if m.DictionaryPageOffset != 0 {
			at = m.DictionaryPageOffset
		}
		for end := at + m.TotalCompressedSize; at < end; {
			h, n, err := p.pageHeader(at, end, most)
			if err != nil {
				return err
			}
			values := max(h.DataPageHeader.V.NumValues, h.DataPageHeaderV2.V.NumValues, h.DictionaryPageHeader.V.NumValues)
			const each = 6 // bytes that a value takes with its levels, however well they are packed
			size := max(n, int64(h.CompressedPageSize), int64(h.UncompressedPageSize), each*int64(values))
			if size >= most {
				return &stopped{fmt.Errorf("column %q has a page of %d bytes or more, want less than %d: write the file with smaller pages, or raise the limit of documents", strings.Join(m.PathInSchema, "."), size, most)}
			}
			at += n + max(0, int64(h.CompressedPageSize))
		}
	}
	return nil
}

// pageHeader reads the header of a page and returns its size, or most if the
// header is too large to hold.
func (p *parquetCutter) pageHeader(at, end, most int64) (h format.PageHeader, size int64, err error) {
	for n := int64(1 << 12); ; n = min(16*n, most) { // the statistics in some headers hold whole texts
		b := make([]byte, max(0, min(n, end-at)))
		m, err := p.at.ReadAt(b, at)
		if err != nil && err != io.EOF {
			return h, 0, err
		}
		var c thrift.CompactProtocol
		in := c.NewReaderFromBytes(b[:m])
		h = format.PageHeader{}
		err = thrift.NewDecoder(in).Decode(&h)
		switch {
		case err == nil:
			return h, int64(in.BytesRead()), nil
		case int64(m) < n:
			return h, 0, err
		case n == most:
			return h, most, nil
		}
	}
}

// errDamaged is the error of a row that the library can neither take apart nor
// write.
var errDamaged = errors.New("damaged")

// sound reports whether a row has values of the right type in all columns in
// their order. The library would follow a number as if it were an address.
func (p *parquetCutter) sound(row parquet.Row) bool {
	at := -1
	for _, v := range row {
		if v.RepetitionLevel() == 0 {
			at++ // the first value of a column
		}
		if v.Column() != at || at == len(p.kinds) || !v.IsNull() && v.Kind() != p.kinds[at] {
			return false
		}
	}
	return at == len(p.kinds)-1
}

// parquetFields returns the columns of a sound row; a nested one is written as
// JSON.
func (f *rawFile) parquetFields(row parquet.Row) ([]Field, error) {
	values := map[string]any{}
	if err := guard(func() error { return f.schema.Reconstruct(&values, row) }); err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	columns := f.schema.Fields()
	fields := make([]Field, 0, len(columns))
	for _, c := range columns {
		field := Field{Name: c.Name()}
		switch v := values[field.Name].(type) {
		case nil:
			field.JSON = "null"
		case string:
			var err error
			if field.Value, err = f.textOf(strings.Clone(v)); err != nil { // the page that v lies in is used again
				return nil, fmt.Errorf("column %q: %w", field.Name, err)
			}
		default:
			b, err := json.Marshal(v)
			if err != nil { // a number such as NaN, which JSON has not
				field.Value = fmt.Sprint(v)
				break
			}
			field.Value, field.JSON = string(b), string(b)
		}
		fields = append(fields, field)
	}
	return fields, nil
}

// parquetBytes returns the size of the values of a row: of the texts in bytes,
// and 8 bytes per value.
func parquetBytes(row parquet.Row) int64 { return 8*int64(len(row)) + parquetTexts(row) }

// parquetTexts returns the size of the texts of a row in bytes.
func parquetTexts(row parquet.Row) int64 {
	n := 0
	for _, v := range row {
		if v.Kind() == parquet.ByteArray {
			n += len(v.ByteArray())
		}
	}
	return int64(n)
}

func (p *parquetCutter) closeGroup() error {
	if p.rows == nil {
		return nil
	}
	err := p.rows.Close()
	p.rows = nil
	return err
}

// Close removes the temporary file.
func (p *parquetCutter) Close() error {
	err := guard(p.closeGroup)
	if p.spool != nil {
		err = errors.Join(err, p.spool.Close(), os.Remove(p.spool.Name()))
		p.spool = nil
	}
	return err
}

// guard turns a panic into an error: the library panics on some damaged files.
func guard(read func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return read()
}
