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

// lineCutter cuts a file into lines. A line that blank accepts is not a row.
type lineCutter struct {
	s     *stream
	l     Layout
	blank func(line []byte) bool
	keep  bool // empty lines belong to the row after them
	src   *Source
	buf   []byte // empty lines and the beginning of a line longer than the reader's buffer
	line  int    // read so far
}

func newLineCutter(o *openFile, l Layout, blank func([]byte) bool, keep bool) *lineCutter {
	return &lineCutter{s: o.stream, l: l, blank: blank, keep: keep, src: o.src}
}

func isEmpty(line []byte) bool     { return len(line) == 0 }
func isBlankJSON(line []byte) bool { return len(bytes.Trim(line, " \t\r\n")) == 0 }

// trimEnd returns a line without its line feed and a carriage return before that.
func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

func (c *lineCutter) layout() *Layout { return &c.l }

func (c *lineCutter) place() string { return fmt.Sprintf("%s:%d", c.s.name, c.line+1) }

func (c *lineCutter) next() (RawRow, error) {
	c.buf = c.buf[:0]
	for from := 0; ; from = len(c.buf) {
		line, err := c.readLine(from)
		if size, large := errors.AsType[*SizeError](err); large && !c.keep {
			c.line++
			return RawRow{Line: c.line, err: &BadRow{c.s.name, c.line, size}}, nil
		}
		if err != nil {
			return RawRow{}, err
		}
		if len(line) == 0 { // the end
			c.l.Tail = bytes.Clone(c.buf)
			return RawRow{}, io.EOF
		}
		c.line++
		if c.blank(trimEnd(line)) {
			switch {
			case !c.keep:
				c.buf = c.buf[:0]
			case len(c.buf) == from:
				c.buf = append(c.buf, line...)
			}
			if len(c.buf) > maxBlank {
				return RawRow{}, ended(fmt.Sprintf("%s:%d", c.s.name, c.line), errBlank)
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

// readLine returns the next line with its line end. The line lies in the
// reader's buffer, or in c.buf from index from if it is longer. It is empty at
// the end of the file.
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
			return nil, ended(c.place(), err)
		}
		if c.buf = append(c.buf, part...); int64(len(c.buf)-from) > c.src.maxRow() {
			return nil, c.tooLarge(int64(len(c.buf) - from))
		}
	}
}

// tooLarge skips the rest of a line after its first n bytes, and returns the
// error with its size. If no row can follow, it stops after maxLine bytes, the
// largest line that any limit allows.
func (c *lineCutter) tooLarge(n int64) error {
	size := &SizeError{Max: c.src.maxDocument()}
	for {
		part, err := c.s.ReadSlice('\n')
		n += int64(len(part))
		size.cut = c.keep && n > maxLine
		switch {
		case err == nil || err == io.EOF || size.cut:
			size.Bytes = n - int64(len(part)-len(trimEnd(part)))
			if size.cut {
				size.Bytes = maxLine
			}
			if c.keep {
				return fmt.Errorf("datasets: %s: %w", c.place(), size)
			}
			return size
		case !errors.Is(err, bufio.ErrBufferFull):
			return ended(c.place(), err)
		}
	}
}

// wholeCutter returns a whole file as one row.
type wholeCutter struct {
	o    *openFile
	l    Layout
	keep bool
	done bool
}

func (c *wholeCutter) layout() *Layout { return &c.l }

func (c *wholeCutter) next() (RawRow, error) {
	if c.done {
		return RawRow{}, io.EOF
	}
	c.done = true
	var b bytes.Buffer
	max := c.o.src.maxRow()
	n, err := b.ReadFrom(io.LimitReader(c.o.stream, max+1))
	size := &SizeError{Bytes: n, Max: c.o.src.maxDocument()}
	if err == nil && n > max {
		b.Reset()
		n, err = io.Copy(io.Discard, io.LimitReader(c.o.stream, maxLine+1-n))
		size.Bytes += n
		if size.cut = size.Bytes > maxLine; size.cut {
			size.Bytes = maxLine
		}
	}
	switch {
	case err != nil:
		return RawRow{}, ended(c.o.name, err)
	case size.Bytes <= max:
		return RawRow{Bytes: b.Bytes(), Line: 1}, nil
	case c.keep:
		return RawRow{}, fmt.Errorf("datasets: %s: %w", c.o.name, size)
	}
	return RawRow{Line: 1, err: &BadRow{c.o.name, 1, size}}, nil
}

// quotedCutter cuts a table of RFC 4180. That takes parsing it.
type quotedCutter struct {
	q   *quotedRows
	tee *tee // nil if the bytes are not wanted
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

func newQuotedCutter(o *openFile, comma rune, l Layout, keep bool) (*quotedCutter, error) {
	c := &quotedCutter{q: newQuotedRows(o, comma), l: l}
	if keep {
		c.tee = &tee{r: o.stream}
		c.q.left.r = c.tee
	}
	if o.header.names == nil {
		names, _, err := c.q.values()
		if err != nil {
			return nil, err
		}
		o.header.names = slices.Clone(names)
		if keep {
			c.l.Header = bytes.Clone(c.tee.cut(c.q.csv.InputOffset()))
		}
	}
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
	case err == io.EOF && c.tee != nil:
		c.l.Tail = bytes.Clone(c.tee.buf)
		return RawRow{}, err
	case err != nil:
		return RawRow{}, err
	}
	if c.tee != nil {
		row.Bytes = c.tee.cut(c.q.csv.InputOffset())
		row.from = len(row.Bytes) - len(bytes.TrimLeft(row.Bytes, "\r\n"))
		c.l.Open = !bytes.HasSuffix(row.Bytes, []byte("\n"))
	}
	return row, nil
}

// parquetCutter hands out the rows of a Parquet file.
type parquetCutter struct {
	p    *parquetRows
	l    Layout
	keep bool // the values are wanted after the next row
}

func (c *parquetCutter) layout() *Layout { return &c.l }

func (c *parquetCutter) next() (RawRow, error) {
	rec, err := c.p.next()
	bad, isBad := errors.AsType[*BadRow](err)
	row := RawRow{Line: rec.Line, fields: rec.Fields}
	switch {
	case isBad:
		row.Line, row.err = bad.Line, bad
	case err != nil:
		return RawRow{}, err
	}
	if row.parquet = c.p.last; c.keep {
		row.parquet = row.parquet.Clone()
	}
	return row, nil
}

func splitTabs(line []byte) []string { return strings.Split(string(line), "\t") }
