package datasets

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/parquet-go/jsonlite"
)

// jsonFields takes JSON objects apart. The zero value is ready.
type jsonFields struct {
	keys map[string]string // one string for each name, not one for each field
	text []byte            // of a string, without its escapes
}

// fields takes a line of UTF-8 apart in the order of its members, each with its
// value as it is spelled. That is several times as fast as by encoding/json,
// which only says what is wrong with a line.
func (j *jsonFields) fields(line []byte) ([]Field, error) {
	if fields, ok := j.split(string(line)); ok {
		return fields, nil
	}
	if text := trimLeft(string(line)); text != "" && text[0] == '[' {
		return nil, errors.New("a JSON array, want an object a line, as jq -c '.[]' makes of it")
	}
	if err := json.Unmarshal(line, new(json.RawMessage)); err != nil {
		if s, ok := errors.AsType[*json.SyntaxError](err); ok {
			return nil, fmt.Errorf("no JSON object: byte %d: %w", s.Offset, err)
		}
		return nil, errors.New("no JSON object")
	}
	if trimLeft(string(line))[0] != '{' {
		return nil, errors.New("a JSON value that is no object, want an object a line")
	}
	return nil, errFields
}

// split is fields for a sound object of at most maxFields members.
func (j *jsonFields) split(line string) ([]Field, bool) {
	text, ok := strings.CutPrefix(strings.Trim(line, " \t\r\n"), "{")
	if !ok {
		return nil, false
	}
	fields := make([]Field, 0, 4)
	for {
		text = trimLeft(text)
		key, rest, ok := cutString(text)
		if !ok {
			break
		}
		name, err := j.name(key)
		if err != nil {
			return nil, false
		}
		if text, ok = strings.CutPrefix(trimLeft(rest), ":"); !ok {
			return nil, false
		}
		f := Field{Name: name}
		if text, ok = j.value(&f, trimLeft(text)); !ok {
			return nil, false
		}
		fields = append(fields, f)
		if text = trimLeft(text); text == "}" {
			return fields, true
		}
		if len(fields) == maxFields {
			return nil, false
		}
		if text, ok = strings.CutPrefix(text, ","); !ok {
			return nil, false
		}
	}
	return fields, len(fields) == 0 && text == "}"
}

// value fills in the value that text begins with and returns the rest.
func (j *jsonFields) value(f *Field, text string) (rest string, ok bool) {
	if f.JSON, rest, ok = cutString(text); ok {
		if f.Value = f.JSON[1 : len(f.JSON)-1]; isPlain(f.Value) {
			return rest, true
		}
		var err error
		if j.text, err = jsonlite.AppendUnquote(j.text[:0], f.JSON); err != nil { // as for half a surrogate pair
			f.Value, err = unquote(f.JSON)
			return rest, err == nil
		}
		f.Value = string(j.text)
		if cap(j.text) > 1<<20 {
			j.text = nil
		}
		return rest, true
	}
	f.JSON, rest = cutValue(text)
	if f.JSON != "null" {
		f.Value = f.JSON
	}
	return rest, json.Valid([]byte(f.JSON))
}

// isPlain reports whether a JSON string between its quotes means what it is.
func isPlain(s string) bool {
	if strings.IndexByte(s, '\\') >= 0 {
		return false
	}
	for i := range len(s) {
		if s[i] < ' ' {
			return false
		}
	}
	return true
}

// name returns the name that a key means.
func (j *jsonFields) name(key string) (string, error) {
	if name, ok := j.keys[key]; ok {
		return name, nil
	}
	name, err := unquote(key)
	if err == nil && len(j.keys) < 1<<10 {
		if j.keys == nil {
			j.keys = map[string]string{}
		}
		name = strings.Clone(name) // or it would keep the line
		j.keys[strings.Clone(key)] = name
	}
	return name, err
}

// cutString cuts a text after the JSON string that it begins with.
func cutString(text string) (raw, rest string, ok bool) {
	if text == "" || text[0] != '"' {
		return "", text, false
	}
	for at := 1; ; {
		n := strings.IndexByte(text[at:], '"')
		if n < 0 {
			return "", text, false
		}
		at += n + 1
		escapes := 0
		for text[at-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return text[:at], text[at:], true
		}
	}
}

func trimLeft(s string) string {
	if s != "" && s[0] > ' ' {
		return s
	}
	return strings.TrimLeft(s, " \t\r\n")
}

// cutValue cuts a text after the JSON value that it begins with, if it does begin
// with one: whether the value is sound is not known.
func cutValue(s string) (value, rest string) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			text, _, ok := cutString(s[i:])
			if !ok {
				return s, ""
			}
			i += len(text) - 1
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

// unquote returns the text of a JSON string, or an error if it is not one. Half a
// surrogate pair, which JSON can write and UTF-8 cannot, becomes U+FFFD.
func unquote(s string) (string, error) {
	if inner := s[1 : len(s)-1]; isPlain(inner) {
		return inner, nil
	}
	var text string
	err := json.Unmarshal([]byte(s), &text)
	return text, err
}
