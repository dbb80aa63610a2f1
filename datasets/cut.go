package datasets

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// lineCutter cuts a file into lines, or into rows of lines where a line break
// may stand in quotes. A line that blank accepts is not a row; if rows are kept,
// it belongs to the row after it.
type lineCutter struct {
	*openFile
	blank  func(line []byte) bool // nil for none
	whole  bool                   // the file is one line, whatever it holds
	buf    []byte                 // empty lines, and what the row has besides the reader's buffer
	line   int                    // read so far
	from   int                    // of the row in buf
	first  int                    // line of the row
	commas int64                  // in the row, of a table with quotes
}

func isEmpty(line []byte) bool     { return len(line) == 0 }
func isBlankJSON(line []byte) bool { return len(bytes.Trim(line, " \t\r\n")) == 0 }

// trimEnd returns a line without its line feed and a carriage return before that.
func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

func (c *lineCutter) place() string { return fmt.Sprintf("%s:%d", c.name, c.first) }

func (c *lineCutter) next() (RawRow, error) {
	c.buf = c.buf[:0]
	for from := 0; ; from = len(c.buf) {
		c.from, c.first, c.commas = from, c.line+1, 0
		line, err := c.readLine(from)
		if size, large := errors.AsType[*SizeError](err); large && c.skips() {
			c.line++
			return RawRow{Line: c.line, err: &BadRow{c.name, c.line, size}}, nil
		}
		if err != nil {
			return RawRow{}, err
		}
		if len(line) == 0 && !(c.whole && c.line == 0) { // the end
			c.layout.Tail = bytes.Clone(c.buf)
			return RawRow{}, io.EOF
		}
		c.line++
		if c.blank != nil && c.blank(trimEnd(line)) {
			switch {
			case !c.keep:
				c.buf = c.buf[:0]
			case len(c.buf) == from:
				c.buf = append(c.buf, line...)
			}
			if len(c.buf) > maxBlank {
				return RawRow{}, ended(c.place(), errBlank)
			}
			continue
		}
		if c.quoted {
			if line, err = c.quotedRow(line); err != nil {
				return RawRow{}, err
			}
		}
		c.layout.Open = !c.whole && line[len(line)-1] != '\n'
		switch {
		case len(c.buf) > from: // the line lies there
			line = c.buf
		case from > 0:
			c.buf = append(c.buf, line...)
			line = c.buf
		}
		return RawRow{Bytes: line, Line: c.first, from: from}, nil
	}
}

// quotedRow returns the row that begins with a line. A row that is too large
// ends the file, because a quote may be open at its end.
func (c *lineCutter) quotedRow(row []byte) ([]byte, error) {
	for line, open := row, false; ; {
		if int64(len(row)) > c.src.maxRow() {
			return nil, c.cutShort()
		}
		if open = inQuotes(line, c.comma, open); !open {
			return row, nil
		}
		if len(c.buf) == c.from {
			c.buf = append(c.buf, row...)
		}
		at := len(c.buf)
		var err error
		if line, err = c.readLine(at); err != nil {
			return nil, err
		}
		if len(c.buf) == at {
			c.buf = append(c.buf, line...)
		}
		row = c.buf[c.from:]
		if len(line) == 0 {
			return row, nil // the quote is never closed: a bad row
		}
		c.line++
	}
}

// inQuotes reports whether a line of a table ends within quotes, which it begins
// in if open is true. After something that RFC 4180 does not allow it does not,
// because encoding/csv ends a bad row with its line.
func inQuotes(line []byte, comma byte, open bool) bool {
	for {
		quote := bytes.IndexByte(line, '"')
		switch {
		case quote < 0:
			return open
		case open:
			line = line[quote+1:]
			open = len(line) > 0 && line[0] == '"'
			if !open && (len(line) == 0 || line[0] != comma) {
				return false
			}
			line = line[1:]
		case quote > 0 && line[quote-1] != comma:
			return false
		default:
			line, open = line[quote+1:], true
		}
	}
}

// skips reports whether a row that is too large is skipped: its bytes are not
// wanted, and the next row begins with the next line.
func (c *lineCutter) skips() bool { return !c.keep && !c.quoted }

// cutShort returns the error of a row that is too large. The rest of the row is
// not read.
func (c *lineCutter) cutShort() error {
	return fmt.Errorf("datasets: %s: %w", c.place(), &SizeError{c.src.maxRow(), c.src.maxDocument(), true})
}

// readLine returns the next line with its line end. The line lies in the
// reader's buffer, or in c.buf from index from if it is longer. It is empty at
// the end of the file.
func (c *lineCutter) readLine(from int) ([]byte, error) {
	for {
		part, err := c.ReadSlice('\n')
		if c.quoted {
			most := c.src.maxCommas()
			if c.commas += int64(bytes.Count(part, []byte{c.comma})); c.commas > most {
				return nil, fmt.Errorf("datasets: %s: more than %d of %q in a row", c.place(), most, c.comma)
			}
		}
		switch {
		case c.ends(err):
			if len(c.buf) == from {
				return part, nil
			}
			c.buf = append(c.buf, part...)
			return c.buf[from:], nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return nil, ended(c.place(), err)
		}
		c.buf = append(c.buf, part...)
		switch n := int64(len(c.buf) - c.from); {
		case n <= c.src.maxRow():
		case c.quoted:
			return nil, c.cutShort()
		default:
			return nil, c.tooLarge(n)
		}
	}
}

// ends reports whether a line ends with a part that ReadSlice returned.
func (c *lineCutter) ends(err error) bool { return err == io.EOF || err == nil && !c.whole }

// tooLarge skips the rest of a line after its first n bytes, and returns the
// error with its size. If no row can follow, it stops after maxLine bytes, the
// largest line that any limit allows.
func (c *lineCutter) tooLarge(n int64) error {
	size := &SizeError{Max: c.src.maxDocument()}
	for {
		part, err := c.ReadSlice('\n')
		n += int64(len(part))
		size.cut = (c.keep || c.whole) && n > maxLine
		switch {
		case c.ends(err) || size.cut:
			size.Bytes = n - int64(len(part)-len(trimEnd(part)))
			if size.cut {
				size.Bytes = maxLine
			}
			if c.keep {
				return fmt.Errorf("datasets: %s: %w", c.place(), size)
			}
			return size
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return ended(c.place(), err)
		}
	}
}
