package datasets

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

// rows reads the rows of one file. After a *BadRow the next row can be read;
// every other error, io.EOF among them, ends the file.
type rows interface {
	next() (Record, error)
}

// lineReader reads lines that end at LF. It is the base of all formats whose rows
// are lines.
type lineReader struct {
	name  string
	lossy bool
	scan  *bufio.Scanner
	line  int
}

func newLineReader(s *stream, lossy bool) *lineReader {
	sc := bufio.NewScanner(s)
	sc.Buffer(nil, maxLine)
	return &lineReader{name: s.name, lossy: lossy, scan: sc}
}

// next returns the next line, which is valid until the following call, without
// its line feed and a carriage return before that.
func (l *lineReader) next() ([]byte, error) {
	if !l.scan.Scan() {
		switch err := l.scan.Err(); {
		case err == nil:
			return nil, io.EOF
		case errors.Is(err, bufio.ErrTooLong):
			return nil, fmt.Errorf("datasets: %s:%d: line of more than %d bytes", l.name, l.line+1, maxLine)
		default:
			return nil, fmt.Errorf("datasets: %s:%d: damaged or cut short: %w", l.name, l.line+1, err)
		}
	}
	l.line++
	line := l.scan.Bytes()
	if !utf8.Valid(line) {
		if !l.lossy {
			return nil, l.bad(notUTF8(line))
		}
		line = []byte(valid(string(line)))
	}
	return line, nil
}

// bad makes an error of the current line. If the file is damaged within this line
// that is what is wrong, and no later row can be read.
func (l *lineReader) bad(err error) error {
	if damage := l.scan.Err(); damage != nil {
		return fmt.Errorf("datasets: %s:%d: damaged or cut short: %w", l.name, l.line, damage)
	}
	return &BadRow{File: l.name, Line: l.line, Err: err}
}

// validPrefix returns how many bytes of a text are UTF-8 before the first that
// is not.
func validPrefix(b []byte) int {
	at := 0
	for at < len(b) {
		r, n := utf8.DecodeRune(b[at:])
		if r == utf8.RuneError && n < 2 {
			break
		}
		at += n
	}
	return at
}

// notUTF8 says where a text is no UTF-8.
func notUTF8(b []byte) error {
	at := validPrefix(b)
	return fmt.Errorf("byte %d is no UTF-8 (%q)", at+1, b[at:min(at+4, len(b))])
}

// valid replaces what is no UTF-8 as the Unicode standard recommends: one U+FFFD
// for each beginning of a sequence that is not completed.
func valid(s string) string {
	text, err := unicode.UTF8.NewDecoder().String(s)
	if err != nil {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	return text
}

// lineRows makes a document of every line that is not empty.
type lineRows struct{ *lineReader }

func (l lineRows) next() (Record, error) {
	for {
		line, err := l.lineReader.next()
		if err != nil {
			return Record{}, err
		}
		if len(line) > 0 {
			return Record{File: l.name, Line: l.line, Fields: []Field{{Name: "text", Value: string(line)}}}, nil
		}
	}
}

// wholeRows makes one document of a file.
type wholeRows struct {
	s     *stream
	id    string
	lossy bool
	done  bool
}

func (w *wholeRows) next() (Record, error) {
	if w.done {
		return Record{}, io.EOF
	}
	w.done = true
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(w.s, maxLine+1))
	text := b.Bytes()
	switch {
	case err != nil:
		return Record{}, fmt.Errorf("datasets: %s: damaged or cut short: %w", w.s.name, err)
	case n > maxLine:
		return Record{}, &BadRow{w.s.name, 1, fmt.Errorf("text of more than %d bytes", maxLine)}
	case utf8.Valid(text):
	case !w.lossy:
		line := 1 + bytes.Count(text[:validPrefix(text)], []byte("\n"))
		return Record{}, &BadRow{w.s.name, line, notUTF8(text)}
	default:
		text = []byte(valid(string(text)))
	}
	return Record{File: w.s.name, Line: 1, Fields: []Field{{Name: "id", Value: w.id}, {Name: "text", Value: string(text)}}}, nil
}
