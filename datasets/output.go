package datasets

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
)

// output is what a writer of records or of rows writes to.
type output struct {
	*bufio.Writer
	pack io.WriteCloser // nil if not compressed
}

// newOutput returns an output that is compressed with gz, zst or, if pack is
// empty, not at all. It also goes to also, uncompressed, unless that is nil.
func newOutput(out, also io.Writer, pack string) (output, error) {
	var o output
	switch pack {
	case "gz":
		o.pack = gzip.NewWriter(out)
	case "zst":
		// With 2 it encodes a block while the next one is written. The bytes are the same.
		z, err := zstd.NewWriter(out, zstd.WithEncoderConcurrency(2))
		if err != nil {
			return o, fmt.Errorf("datasets: compress: %w", err)
		}
		o.pack = z
	}
	if o.pack != nil {
		out = o.pack
	}
	if also != nil {
		out = io.MultiWriter(out, also)
	}
	o.Writer = bufio.NewWriterSize(out, 1<<16)
	return o, nil
}

// end writes what is left, but does not close what the output is written to.
func (o *output) end() error {
	err := o.Flush()
	if o.pack != nil {
		err = errors.Join(err, o.pack.Close())
	}
	return err
}

// groupBytes is how much text goes into one row group, which the writer keeps in
// memory.
const groupBytes = 64 << 20

// parquetWriter writes rows in groups.
type parquetWriter struct {
	*parquet.Writer
	bytes int64 // in the row group
}

func newParquetWriter(out io.Writer, schema *parquet.Schema) *parquetWriter {
	return &parquetWriter{Writer: parquet.NewWriter(out, schema, parquet.Compression(&parquet.Zstd))}
}

// write writes a row of about size bytes.
func (p *parquetWriter) write(row parquet.Row, size int64) error {
	if _, err := p.WriteRows([]parquet.Row{row}); err != nil {
		return err
	}
	if p.bytes += size; p.bytes < groupBytes {
		return nil
	}
	p.bytes = 0
	return p.Flush()
}

// Column is a column of a table. Zero is an example of its values: a string, an
// int64, a float64 or a bool.
type Column struct {
	Name string
	Zero any
}

// newSchema returns a schema of given fields and, behind them, optional columns.
func newSchema(name string, fields []parquet.Field, columns []Column) *parquet.Schema {
	g := fieldGroup{parquet.Group{}, fields}
	for _, f := range fields {
		g.Group[f.Name()] = f
	}
	for _, c := range columns {
		var node parquet.Node
		switch c.Zero.(type) {
		case string:
			node = parquet.String()
		case int64:
			node = parquet.Int(64)
		case float64:
			node = parquet.Leaf(parquet.DoubleType)
		case bool:
			node = parquet.Leaf(parquet.BooleanType)
		default:
			panic(fmt.Sprintf("datasets: a column of the type %T", c.Zero))
		}
		g.Group[c.Name] = parquet.Optional(node)
		g.ordered = append(g.ordered, parquet.Group{c.Name: g.Group[c.Name]}.Fields()[0])
	}
	return parquet.NewSchema(name, g)
}

// fieldGroup is a group in a given order; a parquet.Group orders its columns by
// name.
type fieldGroup struct {
	parquet.Group
	ordered []parquet.Field
}

func (g fieldGroup) Fields() []parquet.Field { return g.ordered }
