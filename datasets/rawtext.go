package datasets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// CanSetText returns an error if Parser.SetText cannot change the texts of a
// source, because a text is not the value of one column.
func (src *Source) CanSetText() error {
	column := src.textColumns()[0]
	switch {
	case src.HTML:
		return fmt.Errorf("datasets: %s is read as HTML, and only its text is known: no part of it can be taken out", src.Path)
	case len(src.Text) > 1:
		return fmt.Errorf("datasets: texts of %s are put together from %d columns, want one to take parts out", src.Path, len(src.Text))
	case isPath(column):
		return fmt.Errorf("datasets: the text of %s is the path %q, want a column to take parts out", src.Path, column)
	}
	return nil
}

// SetText returns a sound row with another text. All other values stay as they
// are, in JSONL and Parquet to the byte. The row is valid until the next call.
func (p *Parser) SetText(row RawRow, text string) (RawRow, error) {
	f := row.file
	fail := func(err error) (RawRow, error) {
		return row, fmt.Errorf("datasets: %s:%d: change the text: %w", f.in.Name, row.Line, err)
	}
	if err := f.src.CanSetText(); err != nil {
		return row, err
	}
	column := f.src.textColumns()[0]
	end := row.Bytes[min(len(row.Bytes), row.from+len(row.Content())):]
	var line []byte
	switch {
	case f.format == "parquet":
		leaf, ok := f.schema.Lookup(column)
		if !ok {
			return fail(&ColumnError{Want: []string{column}, Have: []string{}})
		}
		row.parquet = row.parquet.Clone()
		for i, v := range row.parquet {
			if v.Column() == leaf.ColumnIndex {
				row.parquet[i] = parquet.ValueOf(text).Level(v.RepetitionLevel(), v.DefinitionLevel(), v.Column())
			}
		}
		return row, nil
	case f.format == "jsonl" || f.format == "folder":
		from, to, err := member(row.Content(), column)
		if err != nil {
			return fail(err)
		}
		from, to = from+row.from, to+row.from
		row.Bytes = slices.Concat(row.Bytes[:from], quote(nil, text), row.Bytes[to:])
		return row, nil
	case f.format == "text":
		row.Bytes = []byte(text)
		return row, nil
	case f.format == "lines":
		line = []byte(text)
	default:
		values, err := p.values(&row, row.Content())
		if err != nil {
			return fail(err)
		}
		at := len(f.header.names) - 1
		for ; at >= 0 && f.header.names[at] != column; at-- {
		}
		if at < 0 {
			return fail(&ColumnError{Want: []string{column}, Have: f.header.names})
		}
		values[at] = text
		for i, v := range values {
			if i > 0 {
				line = append(line, f.comma)
			}
			if f.quoted {
				v = quoteField(v, rune(f.comma))
			}
			line = append(line, v...)
		}
	}
	if !f.quoted && (strings.ContainsAny(text, "\r\n") || f.format != "lines" && strings.Contains(text, "\t")) || len(bytes.TrimSpace(line)) == 0 {
		return fail(fmt.Errorf("%.100q is no line", text))
	}
	row.Bytes = slices.Concat(row.Bytes[:row.from], line, end)
	return row, nil
}

// member returns where the value of the last member of a name stands in a sound
// JSON object.
func member(object []byte, name string) (from, to int, err error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if _, err := dec.Token(); err != nil {
		return 0, 0, err
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return 0, 0, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return 0, 0, err
		}
		if key == name {
			to = int(dec.InputOffset())
			from = to - len(value)
		}
	}
	if to == 0 {
		return 0, 0, &ColumnError{[]string{name}, nil, true}
	}
	return from, to, nil
}
