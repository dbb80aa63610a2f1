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

// fields names the values of a row.
func (h header) fields(values []string) []Field {
	fields := make([]Field, len(values))
	for i, v := range values {
		fields[i].Value = v
		if i < len(h.names) {
			fields[i].Name = h.names[i]
		} else {
			fields[i].Name = fmt.Sprintf("column%d", i+1)
		}
	}
	return fields
}

// quotedCutter cuts a table of RFC 4180, whose fields may stand in quotes and
// then hold line breaks. That takes parsing it.
type quotedCutter struct {
	*openFile
	csv  *csv.Reader
	left *rowBudget
	tee  *tee // nil if the bytes are not wanted
	last int  // line of the row that was read last
}

// tee keeps what is read through it from an offset on.
type tee struct {
	r    io.Reader
	from int64
	buf  []byte
}

func (t *tee) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	t.buf = append(t.buf, p[:n]...)
	return n, err
}

// cut returns the bytes up to an offset, valid until the next call.
func (t *tee) cut(to int64) []byte {
	n := to - t.from
	out := t.buf[:n:n]
	t.buf, t.from = t.buf[n:], to
	return out
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

// openQuoted makes the cutter of a table with quotes, and reads its header.
func (o *openFile) openQuoted(comma rune) error {
	left := &rowBudget{comma: []byte(string(comma))}
	left.r = o.stream
	left.err = &stopped{&SizeError{o.src.maxRow(), o.src.maxDocument(), true}}
	left.fields = &stopped{fmt.Errorf("more than %d of %q in a row", o.src.maxRow()/passable/4, comma)}
	c := &quotedCutter{openFile: o, csv: csv.NewReader(left), left: left}
	c.csv.Comma = comma
	c.csv.FieldsPerRecord = -1 // counted in header.check, whose error says more
	if o.keep {
		c.tee = &tee{r: o.stream}
		left.r = c.tee
	}
	o.cut = c
	if o.header.names != nil {
		return nil
	}
	names, _, err := c.values()
	if err != nil {
		return err
	}
	o.header.names = names
	if c.tee != nil {
		o.layout.Header = bytes.Clone(c.tee.cut(c.csv.InputOffset()))
	}
	return nil
}

func (c *quotedCutter) next() (RawRow, error) {
	values, line, err := c.values()
	row := RawRow{Line: line}
	if err == nil {
		if err = c.header.check(len(values)); err != nil {
			err = &BadRow{c.name, line, err}
		}
	}
	switch _, bad := err.(*BadRow); {
	case err == nil:
		row.fields = c.header.fields(values)
	case bad:
		row.err = err
	default:
		if err == io.EOF && c.tee != nil {
			c.layout.Tail = bytes.Clone(c.tee.buf)
		}
		return RawRow{}, err
	}
	if c.tee != nil {
		row.Bytes = c.tee.cut(c.csv.InputOffset())
		row.from = len(row.Bytes) - len(bytes.TrimLeft(row.Bytes, "\r\n"))
		c.layout.Open = !bytes.HasSuffix(row.Bytes, []byte("\n"))
	}
	return row, nil
}

// values returns the fields of the next row and the line that it begins in.
func (c *quotedCutter) values() ([]string, int, error) {
	c.left.begin(c.src) // a quote that is never closed must not read the whole file into memory
	values, err := c.csv.Read()
	if err != nil && c.left.failed != nil {
		err = c.left.failed // the parser drops it if the row is cut at a quote
	}
	if err != nil {
		if p, ok := errors.AsType[*csv.ParseError](err); ok {
			err := fmt.Errorf("column %d of line %d: %w", p.Column, p.Line, p.Err)
			if p.Line == p.StartLine {
				err = fmt.Errorf("column %d: %w", p.Column, p.Err)
			}
			return nil, p.StartLine, &BadRow{c.name, p.StartLine, err}
		}
		if err == io.EOF {
			return nil, 0, err
		}
		return nil, 0, ended(fmt.Sprintf("%s: after line %d", c.name, c.last), err)
	}
	line, _ := c.csv.FieldPos(0)
	c.last = line
	for i, v := range values {
		if utf8.ValidString(v) {
			continue
		}
		text, err := c.text([]byte(v))
		if err != nil {
			return nil, line, &BadRow{c.name, line, fmt.Errorf("field %d: %w", i+1, err)}
		}
		values[i] = string(text)
	}
	return values, line, nil
}

// hasQuotes reports whether a table, of which head is the beginning, quotes its
// fields as CSV does. A quote where CSV allows none says no. A field in quotes
// says yes if it holds what made the quotes necessary, or stands in the first
// line.
func hasQuotes(head []byte, comma rune) bool {
	ends := "\n" + string(comma)
	if whole := bytes.LastIndexAny(head, ends) + 1; !bytes.HasPrefix(head[whole:], []byte(`"`)) {
		head = head[:whole]
	}
	first, _, _ := bytes.Cut(head, []byte("\n"))
	yes := bytes.Count(first, []byte(`"`)) > 1
	// The table goes on where its beginning ends, perhaps within quotes, so that
	// this end is an error other than io.EOF.
	r := csv.NewReader(atMost(bytes.NewReader(head), int64(len(head))))
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = comma, -1, true
	for {
		fields, err := r.Read()
		if err != nil && len(fields) > 0 {
			fields = fields[:len(fields)-1] // the last one is not whole
		}
		for _, f := range fields {
			yes = yes || strings.ContainsAny(f, `"`+ends)
		}
		if err != nil {
			_, bad := errors.AsType[*csv.ParseError](err)
			return yes && !bad
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
