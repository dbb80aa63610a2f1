// Package catalog is the one list of all methods, and of the spec strings that
// name them.
//
//	simhash
//	simhash:bits=128,tokens=jieba,weights=idf,top=200
//	shingle:tokens=word,width=1-2
//	exec:python3 method.py
//
// A spec is a method's name, and after a colon its keys with values, separated
// by commas. Keys at their default may be left out; a method's String is its
// canonical spec, with the keys that differ from the default in a fixed order,
// and Parse reads it back. A value that holds a comma is quoted as a Go string.
// The command after exec is taken unchanged; see Exec.
//
// The commands, serve, eval/choose, eval/surrogate and beam/pipeline open
// methods with it. A method's settings stand in a table in its own package;
// this package holds none.
//
// Importing this package brings in every method. A program that needs one method
// imports that method's package.
package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alike-go/alike/internal/settings"
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

// Key documents one key of a spec string.
type Key = settings.Key

// entry is an Entry with the parser of its settings.
type entry struct {
	Entry

	read func(rest string) ([]settings.Pair, error) // splits what stands behind the name
	open func(own []settings.Pair) (similarity.Method, error)
}

// takes reports whether a method has a key.
func (e entry) takes(name string) bool {
	return slices.ContainsFunc(e.Keys, func(k Key) bool { return k.Name == name })
}

// takesFeature reports whether a method has a key that the features of a whole run set.
func (e entry) takesFeature(name string) bool {
	return slices.ContainsFunc(e.Keys, func(k Key) bool { return k.Feature && k.Name == name })
}

// parseSpec returns the entry that a spec names and the settings of the spec.
func parseSpec(spec string) (e entry, own []settings.Pair, err error) {
	name, rest, _ := strings.Cut(strings.TrimSpace(spec), ":")
	if e, err = lookup(name); err != nil {
		return e, nil, err
	}
	if own, err = e.read(rest); err != nil {
		return e, nil, fmt.Errorf("catalog: %s: %w", spec, err)
	}
	return e, own, nil
}

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
	return entry{}, fmt.Errorf("catalog: no method %q, want %s", name, settings.OrList(append(Names(), Exec+":COMMAND")))
}

// Parse returns the method that a spec names. Unknown keys, bad values and
// settings that do not go together are errors that list what is allowed.
func Parse(spec string) (similarity.Method, error) { return parse(spec, nil) }

// parse is Parse with feature settings that the spec's own come after; methods
// that read no features ignore them.
func parse(spec string, features []settings.Pair) (similarity.Method, error) {
	e, own, err := parseSpec(spec)
	if err != nil {
		return nil, err
	}
	var all []settings.Pair
	for _, f := range features {
		if e.takesFeature(f.Key) && !names(own, f.Key) {
			all = append(all, f)
		}
	}
	m, err := e.open(append(all, own...))
	if err != nil {
		return nil, fmt.Errorf("catalog: %s: %w", spec, err)
	}
	return m, nil
}

// names reports whether settings name a key.
func names(pairs []settings.Pair, key string) bool {
	return slices.ContainsFunc(pairs, func(p settings.Pair) bool { return p.Key == key })
}

// ParseAll returns the methods that the specs name, or if there are none those of
// Defaults. features, such as "tokens=rune,width=2", are
// settings for every method that reads features and does not say otherwise itself.
func ParseAll(specs []string, features string) ([]similarity.Method, error) {
	if len(specs) == 0 {
		specs = Defaults()
	}
	shared, err := settings.Parse(features)
	if err != nil {
		return nil, fmt.Errorf("catalog: features %q: %w", features, err)
	}
	for _, s := range shared {
		if !slices.ContainsFunc(FeatureKeys(), func(k Key) bool { return k.Name == s.Key }) {
			return nil, fmt.Errorf("catalog: features %q: no key %q, want %s", features, s.Key, settings.OrList(settings.Names(FeatureKeys())))
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

// hide makes the builder of a typed method one of a Method.
func hide[O any, S any, M similarity.Sketcher[S]](build func(O) (M, error)) func(O) (similarity.Method, error) {
	return func(o O) (similarity.Method, error) {
		m, err := build(o)
		if err != nil {
			return nil, err
		}
		return similarity.Hide(m), nil
	}
}

// define makes the entry of a method with options of type O.
func define[O any](e Entry, table settings.Table[O], build func(O) (similarity.Method, error)) entry {
	table = extended(table)
	e.Keys = table.Keys()
	return entry{e, settings.Parse, func(own []settings.Pair) (similarity.Method, error) {
		var o O
		if err := table.Apply(&o, own); err != nil {
			return nil, err
		}
		return build(o)
	}}
}
