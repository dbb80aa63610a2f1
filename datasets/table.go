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
	"unicode/utf8"
)

// header is the names of the columns of a table.
type header struct {
	names []string
	// more says that a row may have further fields, which have no name.
	more bool
}

// check reports whether a row may have n fields.
func (h header) check(n int) error {
	switch {
	case n > maxFields:
		return errFields
	case n < len(h.names) || n > len(h.names) && !h.more:
		return fmt.Errorf("%d fields, want %d: %s", n, len(h.names), names(h.names))
	}
	return nil
}

// record names the fields of a row.
func (h header) record(file string, line int, values []string) (Record, error) {
	if err := h.check(len(values)); err != nil {
		return Record{}, err
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
	return Record{File: file, Line: line, Fields: fields}, nil
}

// quotedRows reads a table of RFC 4180, whose fields may stand in quotes and
// then hold line breaks.
type quotedRows struct {
	*rawFile
	csv  *csv.Reader
	left *rowBudget
	last int // line of the row that was read last
}

// rowBudget fails if a row becomes too large to hold. The parser takes about
// fifty bytes per field besides the text, so the number of separators is
// limited too. Separators in quotes count as well: a quarter of a document may
// be commas.
type rowBudget struct {
	capped
	comma  []byte
	commas int64 // that may still come
	blank  int   // bytes of empty lines since the row before, or less than 0 after them
	fields error // if more come
	failed error // the first error but io.EOF; it is final
}

func (b *rowBudget) Read(p []byte) (int, error) {
	if b.failed != nil {
		return 0, b.failed
	}
	n, err := b.capped.Read(p)
	if b.blank >= 0 {
		if b.blank += n; len(bytes.TrimLeft(p[:n], "\r\n")) > 0 {
			b.blank = -1
		}
	}
	b.commas -= int64(bytes.Count(p[:n], b.comma))
	switch {
	case err != nil:
	case b.commas < 0:
		err = b.fields
	case b.blank > maxBlank:
		err = errBlank
	}
	if err != io.EOF {
		b.failed = err
	}
	return n, err
}

// begin begins a row.
func (b *rowBudget) begin(src *Source) {
	const ahead = 4096 // that the parser has read of the rows after it
	b.left, b.commas, b.blank = src.maxRow()+ahead, src.maxRow()/passable/4+ahead, 0
}

func newQuotedRows(o *openFile, comma rune) *quotedRows {
	left := &rowBudget{comma: []byte(string(comma))}
	left.r = o.stream
	left.err = &stopped{&SizeError{o.src.maxRow(), o.src.maxDocument(), true}}
	left.fields = &stopped{fmt.Errorf("more than %d of %q in a row", o.src.maxRow()/passable/4, comma)}
	c := csv.NewReader(left)
	c.Comma = comma
	c.FieldsPerRecord = -1 // counted in header.record, whose error says more
	return &quotedRows{rawFile: o.rawFile, csv: c, left: left}
}

func (q *quotedRows) next() (Record, error) {
	values, line, err := q.values()
	if err != nil {
		return Record{}, err
	}
	r, err := q.header.record(q.in.name, line, values)
	if err != nil {
		return Record{}, &BadRow{q.in.name, line, err}
	}
	return r, nil
}

// values returns the fields of the next row and the line that it begins in.
func (q *quotedRows) values() ([]string, int, error) {
	q.left.begin(q.src) // a quote that is never closed must not read the whole file into memory
	values, err := q.csv.Read()
	if err != nil && q.left.failed != nil {
		err = q.left.failed // the parser drops it if the row is cut at a quote
	}
	if err != nil {
		if p, ok := errors.AsType[*csv.ParseError](err); ok {
			err := fmt.Errorf("column %d of line %d: %w", p.Column, p.Line, p.Err)
			if p.Line == p.StartLine {
				err = fmt.Errorf("column %d: %w", p.Column, p.Err)
			}
			return nil, p.StartLine, &BadRow{q.in.name, p.StartLine, err}
		}
		if err == io.EOF {
			return nil, 0, err
		}
		return nil, 0, ended(fmt.Sprintf("%s: after line %d", q.in.name, q.last), err)
	}
	line, _ := q.csv.FieldPos(0)
	q.last = line
	for i, v := range values {
		if utf8.ValidString(v) {
			continue
		}
		text, err := q.text([]byte(v))
		if err != nil {
			return nil, line, &BadRow{q.in.name, line, fmt.Errorf("field %d: %w", i+1, err)}
		}
		values[i] = string(text)
	}
	return values, line, nil
}

// hasQuotes reports whether a table, of which head is the beginning, quotes its
// fields as CSV does. A quote within a field that does not begin with one says
// no; so does one that begins a field and is not closed at the end of a field. A
// field in quotes says yes if it holds what made the quotes necessary, or stands
// in the first line.
func hasQuotes(head []byte, comma byte) bool {
	yes := false
	line := 1
	for len(head) > 0 {
		if head[0] != '"' {
			end := bytes.IndexAny(head, string(comma)+"\n")
			if end < 0 {
				break
			}
			if bytes.IndexByte(head[:end], '"') >= 0 {
				return false
			}
			if head[end] == '\n' {
				line++
			}
			head = head[end+1:]
			continue
		}
		field, ok := cutQuoted(head, comma)
		if !ok {
			return false
		}
		if field == nil {
			break // the beginning ends within the field
		}
		inside := field[1 : len(field)-1]
		yes = yes || line == 1 || bytes.ContainsAny(inside, "\"\n"+string(comma))
		line += bytes.Count(field, []byte("\n"))
		head = head[len(field):]
		if len(head) > 0 && head[0] == '\r' {
			head = head[1:]
		}
		if len(head) > 0 {
			if head[0] == '\n' {
				line++
			}
			head = head[1:]
		}
	}
	return yes
}

// cutQuoted returns the field in quotes that head begins with, quotes included,
// or nil if it does not end within head. ok is false if something other than the
// end of the field follows the closing quote.
func cutQuoted(head []byte, comma byte) (field []byte, ok bool) {
	for i := 1; i < len(head); i++ {
		if head[i] != '"' {
			continue
		}
		if i+1 == len(head) {
			return nil, true
		}
		switch head[i+1] {
		case '"':
			i++
		case comma, '\n', '\r':
			return head[:i+1], true
		default:
			return nil, false
		}
	}
	return nil, true
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
