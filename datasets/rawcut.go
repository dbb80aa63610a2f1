package datasets

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// lineCutter cuts a file in lines. What blank accepts is no row of its own.
type lineCutter struct {
	s     *stream
	l     Layout
	blank func(line []byte) bool
	buf   []byte // empty lines and the beginning of a line longer than the reader's buffer
	line  int    // read so far
}

func isEmpty(line []byte) bool     { return len(line) == 0 }
func isBlankJSON(line []byte) bool { return len(bytes.Trim(line, " \t\r\n")) == 0 }

// trimEnd returns a line without its line feed and a carriage return before that.
func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

func (c *lineCutter) layout() *Layout { return &c.l }

func (c *lineCutter) next() (RawRow, error) {
	c.buf = c.buf[:0]
	for from := 0; ; from = len(c.buf) {
		line, err := c.readLine(from)
		if err != nil {
			return RawRow{}, err
		}
		if len(line) == 0 { // the end
			c.l.Tail = bytes.Clone(c.buf)
			return RawRow{}, io.EOF
		}
		c.line++
		if c.blank(trimEnd(line)) {
			if len(c.buf) == from {
				c.buf = append(c.buf, line...)
			}
			continue
		}
		c.l.Open = line[len(line)-1] != '\n'
		switch {
		case len(c.buf) > from: // the line lies there
			line = c.buf
		case from > 0:
			c.buf = append(c.buf, line...)
			line = c.buf
		}
		return RawRow{Bytes: line, Line: c.line, from: from}, nil
	}
}

// readLine returns the next line with its line end: in the reader's buffer, or,
// where it is longer, in c.buf from from. It is empty at the end of the file.
func (c *lineCutter) readLine(from int) ([]byte, error) {
	for {
		part, err := c.s.ReadSlice('\n')
		switch {
		case err == nil || err == io.EOF:
			if len(c.buf) == from {
				return part, nil
			}
			c.buf = append(c.buf, part...)
			return c.buf[from:], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, fmt.Errorf("datasets: %s:%d: damaged or cut short: %w", c.s.name, c.line+1, err)
		}
		if c.buf = append(c.buf, part...); len(c.buf)-from > maxLine {
			return nil, fmt.Errorf("datasets: %s:%d: line of more than %d bytes", c.s.name, c.line+1, maxLine)
		}
	}
}

// wholeCutter takes a file for one row.
type wholeCutter struct {
	s    *stream
	l    Layout
	done bool
}

func (c *wholeCutter) layout() *Layout { return &c.l }

func (c *wholeCutter) next() (RawRow, error) {
	if c.done {
		return RawRow{}, io.EOF
	}
	c.done = true
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(c.s, maxLine+1))
	if err != nil {
		return RawRow{}, fmt.Errorf("datasets: %s: damaged or cut short: %w", c.s.name, err)
	}
	if n > maxLine {
		return RawRow{}, fmt.Errorf("datasets: %s: text of more than %d bytes", c.s.name, maxLine)
	}
	return RawRow{Bytes: b.Bytes(), Line: 1}, nil
}

// quotedCutter cuts a table of RFC 4180, which cannot be done without parsing it.
type quotedCutter struct {
	q   *quotedRows
	tee *tee
	l   Layout
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

func newQuotedCutter(s *stream, comma rune, f *rawFile, l Layout) (*quotedCutter, error) {
	c := &quotedCutter{q: newQuotedRows(s, comma, f.lossy), tee: &tee{r: s}, l: l}
	c.q.left.r = c.tee
	if f.header.names == nil {
		names, _, err := c.q.values()
		if err != nil {
			return nil, err
		}
		f.header.names = slices.Clone(names)
		c.l.Header = bytes.Clone(c.tee.cut(c.q.csv.InputOffset()))
	}
	c.q.header = f.header
	return c, nil
}

func (c *quotedCutter) layout() *Layout { return &c.l }

func (c *quotedCutter) next() (RawRow, error) {
	rec, err := c.q.next()
	bad, isBad := errors.AsType[*BadRow](err)
	row := RawRow{Line: rec.Line, fields: rec.Fields}
	switch {
	case isBad:
		row.Line, row.err = bad.Line, bad
	case err == io.EOF:
		c.l.Tail = bytes.Clone(c.tee.buf)
		return RawRow{}, err
	case err != nil:
		return RawRow{}, err
	}
	row.Bytes = c.tee.cut(c.q.csv.InputOffset())
	row.from = len(row.Bytes) - len(bytes.TrimLeft(row.Bytes, "\r\n"))
	c.l.Open = !bytes.HasSuffix(row.Bytes, []byte("\n"))
	return row, nil
}

// parquetCutter hands out the rows of a Parquet file.
type parquetCutter struct {
	p *parquetRows
	l Layout
}

func (c *parquetCutter) layout() *Layout { return &c.l }

func (c *parquetCutter) next() (RawRow, error) {
	rec, err := c.p.next()
	bad, isBad := errors.AsType[*BadRow](err)
	switch {
	case isBad:
		return RawRow{Line: bad.Line, err: bad, parquet: c.p.last.Clone()}, nil
	case err != nil:
		return RawRow{}, err
	}
	return RawRow{Line: rec.Line, fields: rec.Fields, parquet: c.p.last.Clone()}, nil
}

func splitTabs(line []byte) []string { return strings.Split(string(line), "\t") }
