// Package settings describes the settings of a method, or of a part of one,
// once: as a table of keys. From the table follow the canonical spec, the
// header of persisted sketches, the parser, the check of options with their
// defaults, shell completion and the list of methods.
//
// Each method package exports its table; package catalog reads specs by it.
// What a setting does to a sketch belongs to the method, not here.
package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Key documents one key of a spec string.
type Key struct {
	Name    string `json:"key"`
	Default string `json:"default"` // as a spec would say it, "-" if there is none
	Allowed string `json:"allowed"`
	Doc     string `json:"doc"`
	Feature bool   `json:"feature"` // shared by all methods that read features
}

// Setting is a key of options of type O.
type Setting[O any] struct {
	Key

	// Set sets the option from a value in a spec. The error says what is wanted.
	Set func(o *O, value string) error

	// Get returns the value as Set takes it, and "" if there is none. It is nil
	// for a setting that New resolves into others.
	Get func(o *O) string

	// Scoring marks a setting that only changes scores. Sketches do not depend on it.
	Scoring bool

	// Part returns the options that a lifted setting belongs to; see Lift.
	Part func(o *O) any

	// check replaces a zero option by its default. The error names an option that is out of range.
	check func(pkg string, o *O) error
}

// OfScores returns the setting marked as Scoring.
func (s Setting[O]) OfScores() Setting[O] {
	s.Scoring = true
	return s
}

// Input returns the setting as one that New resolves into others. It has no default.
func (s Setting[O]) Input() Setting[O] {
	s.Default, s.Get, s.check = "-", nil, nil
	return s
}

// Table lists the settings of options in the order of canonical specs.
type Table[O any] []Setting[O]

// Check fills in defaults. It returns an error for the first option that is out of range.
func (t Table[O]) Check(pkg string, o *O) error {
	for _, s := range t {
		if s.check == nil {
			continue
		}
		if err := s.check(pkg, o); err != nil {
			return err
		}
	}
	return nil
}

// Changed returns the settings that differ from their default as "key=value,key=value".
// Lifted settings are left out: the part prints its own.
func (t Table[O]) Changed(o *O) string {
	return t.print(o, func(s Setting[O], value string) bool {
		return value != "" && (value != s.Default || s.Default == "-")
	})
}

// All returns all settings that a sketch depends on, as Changed does.
func (t Table[O]) All(o *O) string {
	return t.print(o, func(s Setting[O], value string) bool { return !s.Scoring })
}

func (t Table[O]) print(o *O, want func(s Setting[O], value string) bool) string {
	var parts []string
	for _, s := range t {
		if s.Get == nil || s.Part != nil {
			continue
		}
		if v := s.Get(o); want(s, v) {
			parts = append(parts, s.Name+"="+Quote(v))
		}
	}
	return strings.Join(parts, ",")
}

// Apply sets the options that a spec names.
func (t Table[O]) Apply(o *O, pairs []Pair) error {
	for _, p := range pairs {
		i := slices.IndexFunc(t, func(s Setting[O]) bool { return s.Name == p.Key })
		if i < 0 {
			return fmt.Errorf("no key %q, want %s", p.Key, OrList(Names(t.Keys())))
		}
		if err := t[i].Set(o, p.Value); err != nil {
			return fmt.Errorf("%s=%s: %w", p.Key, p.Value, err)
		}
	}
	return nil
}

// Keys returns the documentation of the settings.
func (t Table[O]) Keys() []Key {
	keys := make([]Key, len(t))
	for i, s := range t {
		keys[i] = s.Key
	}
	return keys
}

// Without returns the table without some keys.
func (t Table[O]) Without(names ...string) Table[O] {
	return slices.DeleteFunc(slices.Clone(t), func(s Setting[O]) bool { return slices.Contains(names, s.Name) })
}

// Shared returns the table with the Feature of some keys set, or of all if none is named.
func (t Table[O]) Shared(shared bool, names ...string) Table[O] {
	t = slices.Clone(t)
	for i := range t {
		if len(names) == 0 || slices.Contains(names, t[i].Name) {
			t[i].Feature = shared
		}
	}
	return t
}

// Lift makes settings of a part of the options settings of the whole.
func Lift[O, P any](t Table[P], part func(*O) *P) Table[O] {
	out := make(Table[O], len(t))
	for i, s := range t {
		out[i] = Setting[O]{
			Key:  s.Key,
			Set:  func(o *O, value string) error { return s.Set(part(o), value) },
			Get:  func(o *O) string { return s.Get(part(o)) },
			Part: func(o *O) any { return part(o) },
		}
	}
	return out
}

// Names returns the names of keys.
func Names(keys []Key) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.Name
	}
	return names
}

// Pair is one setting of a spec.
type Pair struct{ Key, Value string }

// Parse splits "key=value,key=value". A value in double quotes is a Go string.
func Parse(s string) ([]Pair, error) {
	var out []Pair
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
		if slices.ContainsFunc(out, func(p Pair) bool { return p.Key == name }) {
			return nil, fmt.Errorf("key %s stands twice", name)
		}
		out = append(out, Pair{name, value})
		s = rest
	}
	return out, nil
}

// Quote returns a value as Parse reads it.
func Quote(value string) string {
	if strings.ContainsAny(value, `,"`) {
		return strconv.Quote(value)
	}
	return value
}

// OrList joins words as "a, b or c".
func OrList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
