package datasets

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// jsonRows reads one JSON object a line; empty lines are passed over.
type jsonRows struct {
	*lineReader
	keys map[string]string // one string for each name, not one for each field
}

func (j jsonRows) next() (Record, error) {
	for {
		line, err := j.lineReader.next()
		if err != nil {
			return Record{}, err
		}
		if len(trimSpace(string(line))) == 0 {
			continue
		}
		fields, err := j.fields(line)
		if err != nil {
			return Record{}, j.bad(err)
		}
		return Record{File: j.name, Line: j.line, Fields: fields}, nil
	}
}

// fields takes a line apart in the order of its members. The decoder of
// encoding/json would lose the order or the spelling of numbers.
func (j jsonRows) fields(line []byte) ([]Field, error) {
	if !json.Valid(line) {
		var v any
		err := json.Unmarshal(line, &v)
		if s, ok := errors.AsType[*json.SyntaxError](err); ok {
			return nil, fmt.Errorf("no JSON object: byte %d: %w", s.Offset, err)
		}
		return nil, errors.New("no JSON object")
	}
	text := trimSpace(string(line))
	if text[0] != '{' {
		return nil, errors.New("a JSON value that is no object, want an object a line")
	}
	var fields []Field
	for text = trimSpace(text[1:]); text[0] != '}'; {
		key, rest := cutValue(text)
		name, ok := j.keys[key]
		if !ok {
			var err error
			if name, err = unquote(key); err != nil {
				return nil, err
			}
			if len(j.keys) < 1<<10 {
				j.keys[key] = name
			}
		}
		var value string
		value, text = cutValue(trimSpace(trimSpace(rest)[1:])) // past the colon
		f := Field{Name: name, Value: value, JSON: value}
		switch value[0] {
		case '"':
			var err error
			if f.Value, err = unquote(value); err != nil {
				return nil, err
			}
		case 'n':
			f.Value = ""
		}
		fields = append(fields, f)
		if text = trimSpace(text); text[0] == ',' {
			text = trimSpace(text[1:])
		}
	}
	return fields, nil
}

func trimSpace(s string) string { return strings.Trim(s, " \t\r\n") }

// cutValue cuts a valid JSON text after the value that it begins with.
func cutValue(s string) (value, rest string) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			for i++; s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return s[:i+1], s[i+1:]
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 { // the value was a number or a word
				return s[:i], s[i:]
			}
			if depth--; depth == 0 {
				return s[:i+1], s[i+1:]
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return s[:i], s[i:]
			}
		}
	}
	return s, ""
}

// unquote returns the text of a JSON string. Half a surrogate pair, which JSON
// can write and UTF-8 cannot, becomes U+FFFD.
func unquote(s string) (string, error) {
	if strings.IndexByte(s, '\\') < 0 {
		return s[1 : len(s)-1], nil
	}
	var text string
	err := json.Unmarshal([]byte(s), &text)
	return text, err
}
