package datasets

import (
	"encoding/json"
	"strings"
)

// isPath reports whether a name can be a path into nested values.
func isPath(name string) bool { return strings.ContainsAny(name, ".[") }

// nested returns the field that a path leads to, or nil if there is none. Several
// values are one text with line feeds between them; null counts as absent.
func (r Record) nested(path string) *Field {
	var found []Field
	for i := range r.Fields {
		if rest, ok := pathAfter(path, r.Fields[i].Name); ok && r.Fields[i].nested() {
			found = follow(found, r.Fields[i].JSON, rest)
		}
	}
	switch len(found) {
	case 0:
		return nil
	case 1:
		found[0].Name = path
		return &found[0]
	}
	texts := make([]string, len(found))
	for i := range found {
		if found[i].nested() {
			return &found[i] // which is an error for whoever wants a text
		}
		texts[i] = found[i].Value
	}
	return &Field{Name: path, Value: strings.Join(texts, "\n")}
}

// pathAfter returns what a path says behind a name that it begins with.
func pathAfter(path, name string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(path, name)
	return rest, ok && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "[]"))
}

// follow appends the values that a path leads to from a sound object or array.
func follow(found []Field, raw, path string) []Field {
	if rest, ok := strings.CutPrefix(path, "[]"); ok {
		for _, element := range elements(raw) {
			found = followed(found, element, rest)
		}
		return found
	}
	members, _ := new(jsonFields).split(raw)
	for _, m := range members {
		if path[1:] == m.Name {
			found = followed(found, m, "")
		} else if rest, ok := pathAfter(path[1:], m.Name); ok {
			found = followed(found, m, rest)
		}
	}
	return found
}

func followed(found []Field, at Field, path string) []Field {
	switch {
	case at.JSON == "null":
	case path == "":
		found = append(found, at)
	case at.nested():
		found = follow(found, at.JSON, path)
	}
	return found
}

// elements returns the values of a sound array, and none of anything else.
func elements(raw string) (out []Field) {
	var values []json.RawMessage
	if json.Unmarshal([]byte(raw), &values) != nil {
		return nil
	}
	for _, v := range values {
		var f Field
		new(jsonFields).value(&f, string(v))
		out = append(out, f)
	}
	return out
}
