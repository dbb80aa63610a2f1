package datasets

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// header is the names of the columns of a table.
type header struct {
	names []string
	// more says that a row may have further fields, which have no name.
	more bool
}

// fields names the values of a row.
func (h header) fields(values []string) ([]Field, error) {
	if n := len(values); n < len(h.names) || n > len(h.names) && !h.more {
		return nil, fmt.Errorf("%d fields, want %d: %s", n, len(h.names), names(h.names))
	}
	fields := make([]Field, len(values))
	for i, v := range values {
		fields[i].Value = v
		if i < len(h.names) {
			fields[i].Name = h.names[i]
		} else {
			fields[i].Name = fmt.Sprintf("column%d", i+1)
		}
	}
	return fields, nil
}

// values returns the fields of a row of a table; line is its content.
func (p *Parser) values(row *RawRow, line []byte) ([]string, error) {
	if !row.file.quoted {
		if bytes.Count(line, []byte("\t")) >= maxFields {
			return nil, errFields
		}
		return strings.Split(string(line), "\t"), nil
	}
	values, err := p.splitQuoted(row)
	if len(values) > maxFields {
		return nil, errFields
	}
	return values, err
}

// splitQuoted returns the fields of a row of RFC 4180.
func (p *Parser) splitQuoted(row *RawRow) ([]string, error) {
	if p.csv == nil {
		p.row = new(bytes.Reader)
		p.csv = csv.NewReader(p.row)
		p.csv.FieldsPerRecord = -1 // counted in header.fields, whose error says more
	}
	p.row.Reset(row.Bytes[row.from:])
	defer p.row.Reset(nil) // lets the row go
	p.csv.Comma = rune(row.file.comma)
	values, err := p.csv.Read()
	if err != nil || len(row.Bytes) > 1<<20 {
		p.csv = nil // it may hold the rest of the row, or much memory
	}
	if err != nil {
		if e, ok := errors.AsType[*csv.ParseError](err); ok && e.Line > e.StartLine {
			return nil, fmt.Errorf("column %d of line %d: %w", e.Column, row.Line+e.Line-e.StartLine, e.Err)
		} else if ok {
			return nil, fmt.Errorf("column %d: %w", e.Column, e.Err)
		}
		return nil, err
	}
	for i, v := range values {
		if values[i], err = row.file.textOf(v); err != nil {
			return nil, fmt.Errorf("field %d: %w", i+1, err)
		}
	}
	return values, nil
}

// hasQuotes reports whether a table, of which head is the beginning, quotes its
// fields as CSV does: encoding/csv reads all of it without an error, and a field
// in quotes holds what made them necessary or stands in the first line.
func hasQuotes(head []byte, comma byte) bool {
	if bytes.IndexByte(head, '"') < 0 {
		return false
	}
	first, _, _ := bytes.Cut(head, []byte("\n"))
	yes := bytes.IndexByte(first, '"') >= 0
	// Quotes may be open where the beginning ends. That is no error of csv only if
	// reading fails there.
	r := csv.NewReader(io.MultiReader(bytes.NewReader(head), &capped{err: io.ErrUnexpectedEOF}))
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = rune(comma), -1, true
	for {
		fields, err := r.Read()
		if _, wrong := errors.AsType[*csv.ParseError](err); wrong {
			return false
		}
		if err != nil {
			fields = fields[:max(0, len(fields)-1)] // the last one may go on
		}
		yes = yes || slices.ContainsFunc(fields, func(f string) bool { return strings.ContainsAny(f, "\"\n"+string(comma)) })
		if err != nil {
			return yes
		}
	}
}

// firstLines returns the fields of the first lines of a table, for a look at
// them; a line that does not end within head is left out unless that is all.
func firstLines(head []byte, all bool, n int) [][]string {
	var out [][]string
	sc := bufio.NewScanner(bytes.NewReader(head))
	sc.Buffer(nil, len(head)+1)
	for len(out) < n && sc.Scan() {
		if len(sc.Bytes()) > 0 {
			out = append(out, strings.Split(sc.Text(), "\t"))
		}
	}
	if !all && len(out) > 1 && len(out) < n {
		out = slices.Delete(out, len(out)-1, len(out))
	}
	return out
}
