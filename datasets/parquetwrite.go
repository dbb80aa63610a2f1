package datasets

import (
	"io"

	"github.com/parquet-go/parquet-go"
)

// groupBytes is how much text goes into one row group, which the writer keeps in
// memory.
const groupBytes = 64 << 20

// parquetWriter writes a table of texts.
type parquetWriter struct {
	*parquet.Writer
	row   parquet.Row
	bytes int // in the row group
}

func newParquetWriter(out io.Writer, names []string) *parquetWriter {
	schema := parquet.NewSchema("alike", newTexts(names))
	return &parquetWriter{
		Writer: parquet.NewWriter(out, schema, parquet.Compression(&parquet.Zstd)),
		row:    make(parquet.Row, len(names)),
	}
}

func (p *parquetWriter) write(row []string, null []bool) error {
	for i, v := range row {
		if p.row[i] = parquet.NullValue().Level(0, 0, i); !null[i] {
			p.row[i] = parquet.ByteArrayValue([]byte(v)).Level(0, 1, i)
			p.bytes += len(v)
		}
	}
	if _, err := p.WriteRows([]parquet.Row{p.row}); err != nil {
		return err
	}
	if p.bytes < groupBytes {
		return nil
	}
	p.bytes = 0
	return p.Flush()
}

// fieldGroup is a group in a given order; a parquet.Group orders its columns by name.
type fieldGroup struct {
	parquet.Group
	ordered []parquet.Field
}

// newTexts returns a group of optional texts.
func newTexts(names []string) fieldGroup {
	t := fieldGroup{Group: parquet.Group{}}
	for _, n := range names {
		t.Group[n] = parquet.Optional(parquet.String())
	}
	byName := map[string]parquet.Field{}
	for _, f := range t.Group.Fields() {
		byName[f.Name()] = f
	}
	for _, n := range names {
		t.ordered = append(t.ordered, byName[n])
	}
	return t
}

func (t fieldGroup) Fields() []parquet.Field { return t.ordered }
