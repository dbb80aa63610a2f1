package datasets

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// lineCutter cuts a file into lines. A line that blank accepts is not a row;
// if rows are kept, it belongs to the row after it.
type lineCutter struct {
	*openFile
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

func (c *lineCutter) place() string { return fmt.Sprintf("%s:%d", c.name, c.line+1) }

func (c *lineCutter) next() (RawRow, error) {
	c.buf = c.buf[:0]
	for from := 0; ; from = len(c.buf) {
		line, err := c.readLine(from)
		if size, large := errors.AsType[*SizeError](err); large && !c.keep {
			c.line++
			return RawRow{Line: c.line, err: &BadRow{c.name, c.line, size}}, nil
		}
		if err != nil {
			return RawRow{}, err
		}
		if len(line) == 0 { // the end
			c.layout.Tail = bytes.Clone(c.buf)
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
				return RawRow{}, ended(fmt.Sprintf("%s:%d", c.name, c.line), errBlank)
			}
			continue
		}
		c.layout.Open = line[len(line)-1] != '\n'
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
		part, err := c.ReadSlice('\n')
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
		part, err := c.ReadSlice('\n')
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
	*openFile
	done bool
}

func (c *wholeCutter) next() (RawRow, error) {
	if c.done {
		return RawRow{}, io.EOF
	}
	c.done = true
	var b bytes.Buffer
	max := c.src.maxRow()
	n, err := b.ReadFrom(io.LimitReader(c, max+1))
	size := &SizeError{Bytes: n, Max: c.src.maxDocument()}
	if err == nil && n > max {
		b.Reset()
		n, err = io.Copy(io.Discard, io.LimitReader(c, maxLine+1-n))
		size.Bytes += n
		if size.cut = size.Bytes > maxLine; size.cut {
			size.Bytes = maxLine
		}
	}
	switch {
	case err != nil:
		return RawRow{}, ended(c.name, err)
	case size.Bytes <= max:
		return RawRow{Bytes: b.Bytes(), Line: 1}, nil
	case c.keep:
		return RawRow{}, fmt.Errorf("datasets: %s: %w", c.name, size)
	}
	return RawRow{Line: 1, err: &BadRow{c.name, 1, size}}, nil
}

func splitTabs(line []byte) []string { return strings.Split(string(line), "\t") }
