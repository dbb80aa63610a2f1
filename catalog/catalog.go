// Package catalog is the one list of all methods, and of the spec strings that
// name them.
//
//	simhash
//	simhash:bits=128,tokens=jieba,weights=idf,top=200
//	shingle:tokens=word,width=1-2
//	exec:python3 method.py
//
// A spec is a method's name, and after a colon keys with their values, parted by
// commas. Keys at their default may be left out; a method's String is its
// canonical spec, with the keys that differ from the default in a fixed order, and
// Parse reads it back. A value that holds a comma is quoted as a Go string. Behind exec
// stands a command, just as it is; see Exec.
//
// Importing this package brings in every method and, in builds with cgo,
// gojieba. A program that needs one method imports that method's package.
package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/alike-go/alike/similarity"
)

// Entry documents a method.
type Entry struct {
	Name    string `json:"name"`
	Summary string `json:"summary"` // what a sketch is and what is scored
	When    string `json:"when"`    // when to use it
	Reads   string `json:"reads"`   // what it reads by default: features or folded bytes
	Keys    []Key  `json:"keys"`    // its own keys first, then those of features

	// OnDemand marks a method that runs only where a spec names it: a baseline whose
	// cost no one should pay unasked.
	OnDemand bool `json:"on_demand"`
}

// entry is an Entry with the parser of its settings.
type entry struct {
	Entry

	parse func(settings []setting) (similarity.Method, error)
}

type setting struct{ key, value string }

// Names returns the names of all methods but Exec in the order of the catalog.
func Names() []string {
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name
	}
	return names
}

// Defaults returns the names of the methods that run where none is named: all but those
// on demand.
func Defaults() []string {
	var names []string
	for _, e := range entries {
		if !e.OnDemand {
			names = append(names, e.Name)
		}
	}
	return names
}

// Lookup returns the entry of a method, or an error that lists the names.
func Lookup(name string) (Entry, error) {
	e, err := lookup(name)
	return e.Entry, err
}

func lookup(name string) (entry, error) {
	if name == Exec {
		return commands, nil
	}
	for _, e := range entries {
		if e.Name == name {
			return e, nil
		}
	}
	return entry{}, fmt.Errorf("catalog: no method %q, want %s", name, orList(append(Names(), Exec+":COMMAND")))
}

// Parse returns the method that a spec names. Unknown keys, bad values and
// settings that do not go together are errors that list what is allowed.
func Parse(spec string) (similarity.Method, error) { return parse(spec, nil) }

// parse is Parse with feature settings that the spec's own come after; methods
// that read no features ignore them.
func parse(spec string, features []setting) (similarity.Method, error) {
	name, rest, _ := strings.Cut(strings.TrimSpace(spec), ":")
	e, err := lookup(name)
	if err != nil {
		return nil, err
	}
	read := settings
	if name == Exec {
		read = execSettings
	}
	own, err := read(rest)
	if err != nil {
		return nil, fmt.Errorf("catalog: %s: %w", spec, err)
	}
	all := own
	if len(features) > 0 {
		all = nil
		for _, s := range features {
			known := slices.ContainsFunc(e.Keys, func(k Key) bool { return k.Feature && k.Name == s.key })
			named := slices.ContainsFunc(own, func(o setting) bool { return o.key == s.key })
			if known && !named {
				all = append(all, s)
			}
		}
		all = append(all, own...)
	}
	m, err := e.parse(all)
	if err != nil {
		return nil, fmt.Errorf("catalog: %s: %w", spec, err)
	}
	return m, nil
}

// ParseAll returns the methods that the specs name, or if there are none those of
// Defaults. features, such as "tokens=rune,width=2", are
// settings for every method that reads features and does not say otherwise itself.
func ParseAll(specs []string, features string) ([]similarity.Method, error) {
	if len(specs) == 0 {
		specs = Defaults()
	}
	shared, err := settings(features)
	if err != nil {
		return nil, fmt.Errorf("catalog: features %q: %w", features, err)
	}
	for _, s := range shared {
		if !slices.ContainsFunc(FeatureKeys(), func(k Key) bool { return k.Name == s.key }) {
			return nil, fmt.Errorf("catalog: features %q: no key %q, want %s", features, s.key, orList(keyNames(FeatureKeys())))
		}
	}
	methods := make([]similarity.Method, len(specs))
	for i, spec := range specs {
		if methods[i], err = parse(spec, shared); err != nil {
			return nil, err
		}
	}
	return methods, nil
}

// settings splits "key=value,key=value". A value in double quotes is a Go string.
func settings(s string) ([]setting, error) {
	var out []setting
	for s != "" {
		name, rest, ok := strings.Cut(s, "=")
		if !ok || name == "" || strings.Contains(name, ",") {
			return nil, fmt.Errorf("%q, want key=value", s)
		}
		var value string
		if strings.HasPrefix(rest, `"`) {
			quoted, err := strconv.QuotedPrefix(rest)
			if err == nil {
				value, err = strconv.Unquote(quoted)
			}
			if err != nil {
				return nil, fmt.Errorf("%s=%s: want a closed quotation", name, rest)
			}
			rest = rest[len(quoted):]
			if rest != "" && rest[0] != ',' {
				return nil, fmt.Errorf("%q after the value of %s, want a comma", rest, name)
			}
			rest = strings.TrimPrefix(rest, ",")
		} else {
			var more bool
			if value, rest, more = strings.Cut(rest, ","); more && rest == "" {
				return nil, fmt.Errorf("nothing after the last comma, want key=value")
			}
		}
		if slices.ContainsFunc(out, func(o setting) bool { return o.key == name }) {
			return nil, fmt.Errorf("key %s stands twice", name)
		}
		out = append(out, setting{name, value})
		s = rest
	}
	return out, nil
}

// hide makes the builder of a typed method one of a Method.
func hide[O any, S any, M similarity.Sketcher[S]](build func(O) (M, error)) func(O) (similarity.Method, error) {
	return func(o O) (similarity.Method, error) {
		m, err := build(o)
		if err != nil {
			return nil, err
		}
		return similarity.Hide[S](m), nil
	}
}

// define makes the entry of a method with options of type O.
func define[O any](e Entry, build func(O) (similarity.Method, error), keys ...[]key[O]) entry {
	all := slices.Concat(keys...)
	e.Keys = documented(all)
	return entry{e, func(settings []setting) (similarity.Method, error) {
		var o O
		if err := setKeys(&o, all, settings); err != nil {
			return nil, err
		}
		return build(o)
	}}
}

// setKeys sets the options that settings name.
func setKeys[O any](o *O, keys []key[O], settings []setting) error {
	for _, s := range settings {
		i := slices.IndexFunc(keys, func(k key[O]) bool { return k.Name == s.key })
		if i < 0 {
			return fmt.Errorf("no key %q, want %s", s.key, orList(keyNames(documented(keys))))
		}
		if err := keys[i].set(o, s.value); err != nil {
			return fmt.Errorf("%s=%s: %w", s.key, s.value, err)
		}
	}
	return nil
}

func documented[O any](keys []key[O]) []Key {
	out := make([]Key, len(keys))
	for i, k := range keys {
		out[i] = k.Key
	}
	return out
}

func keyNames(keys []Key) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.Name
	}
	return names
}
