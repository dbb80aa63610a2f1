package datasets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
)

// parquetRows reads the rows of a Parquet file, a few at a time.
type parquetRows struct {
	name   string
	lossy  bool
	file   *parquet.File
	groups []parquet.RowGroup // still to read
	rows   parquet.Rows       // of the group that is being read
	buffer []parquet.Row
	left   []parquet.Row // of the buffer
	last   parquet.Row   // that was returned, or was bad; valid until the next
	ended  bool          // the group has no rows after the buffer
	number int
	kinds  []parquet.Kind // of the leaves of the schema
	spool  *os.File       // nil if the file itself is read
}

// openParquet opens a Parquet file. Its directory stands at its end, so that what
// is compressed as a whole, or comes from the standard input, is first written to
// a temporary file.
func openParquet(s *stream, lossy bool) (*parquetRows, error) {
	p := &parquetRows{name: s.name, lossy: lossy, buffer: make([]parquet.Row, 16)}
	file := s.file
	if !s.raw || file == nil {
		spool, err := os.CreateTemp("", "alike-*.parquet")
		if err != nil {
			return nil, fmt.Errorf("datasets: open %s: %w", s.name, err)
		}
		p.spool, file = spool, spool
		if _, err := io.Copy(spool, &capped{r: s, left: maxFile, max: maxFile}); err != nil {
			p.Close()
			return nil, fmt.Errorf("datasets: %s: damaged or cut short: %w", s.name, err)
		}
	}
	info, err := file.Stat()
	if err == nil {
		err = guard(func() (err error) {
			p.file, err = parquet.OpenFile(file, info.Size(), parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
			return err
		})
	}
	if err != nil {
		p.Close()
		return nil, fmt.Errorf("datasets: open %s: no sound Parquet file: %w", s.name, err)
	}
	p.groups = p.file.RowGroups()
	for _, path := range p.file.Schema().Columns() {
		leaf, _ := p.file.Schema().Lookup(path...)
		p.kinds = append(p.kinds, leaf.Node.Type().Kind())
	}
	return p, nil
}

// columns returns the names of the columns.
func (p *parquetRows) columns() []string {
	var names []string
	for _, f := range p.file.Schema().Fields() {
		names = append(names, f.Name())
	}
	return names
}

func (p *parquetRows) next() (Record, error) {
	for len(p.left) == 0 {
		if err := p.fill(); err == io.EOF {
			return Record{}, err
		} else if err != nil {
			return Record{}, fmt.Errorf("datasets: %s: after row %d: damaged or cut short: %w", p.name, p.number, err)
		}
	}
	row := p.left[0]
	p.left, p.last = p.left[1:], row
	p.number++
	fields, err := p.fields(row)
	if err != nil {
		return Record{}, &BadRow{p.name, p.number, err}
	}
	return Record{File: p.name, Line: p.number, Fields: fields}, nil
}

// fill reads rows into the buffer, perhaps none.
func (p *parquetRows) fill() error {
	return guard(func() error {
		if p.rows == nil || p.ended {
			if err := p.closeGroup(); err != nil {
				return err
			}
			if len(p.groups) == 0 {
				return io.EOF
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

// sound reports whether a row has values of the right type in all columns in
// their order. The library would follow a number as if it were an address.
func (p *parquetRows) sound(row parquet.Row) bool {
	at := -1
	for _, v := range row {
		if c := v.Column(); c == at+1 {
			at = c
		} else if c != at || v.RepetitionLevel() == 0 {
			return false
		}
		if at >= len(p.kinds) || !v.IsNull() && v.Kind() != p.kinds[at] {
			return false
		}
	}
	return at == len(p.kinds)-1
}

// fields returns the columns of a row; a nested one is written as JSON.
func (p *parquetRows) fields(row parquet.Row) ([]Field, error) {
	var values map[string]any
	err := guard(func() error {
		if !p.sound(row) {
			return errors.New("damaged: values are missing or not of the type of their column")
		}
		values = map[string]any{}
		return p.file.Schema().Reconstruct(&values, row)
	})
	if err != nil {
		return nil, err
	}
	columns := p.file.Schema().Fields()
	fields := make([]Field, 0, len(columns))
	for _, c := range columns {
		f := Field{Name: c.Name()}
		switch v := values[f.Name].(type) {
		case nil:
			f.JSON = "null"
		case string:
			f.Value = strings.Clone(v) // the page that it lies in is used again
			if !utf8.ValidString(f.Value) {
				if !p.lossy {
					return nil, fmt.Errorf("column %q: %w", f.Name, notUTF8([]byte(f.Value)))
				}
				f.Value = valid(f.Value)
			}
		default:
			b, err := json.Marshal(v)
			if err != nil { // a number such as NaN, which JSON has not
				f.Value = fmt.Sprint(v)
				break
			}
			f.Value, f.JSON = string(b), string(b)
		}
		fields = append(fields, f)
	}
	return fields, nil
}

func (p *parquetRows) closeGroup() error {
	if p.rows == nil {
		return nil
	}
	err := p.rows.Close()
	p.rows = nil
	return err
}

// Close removes the temporary file.
func (p *parquetRows) Close() error {
	err := guard(p.closeGroup)
	if p.spool != nil {
		err = errors.Join(err, p.spool.Close(), os.Remove(p.spool.Name()))
		p.spool = nil
	}
	return err
}

// guard makes an error of a panic: the library panics on some damaged files.
func guard(read func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return read()
}
