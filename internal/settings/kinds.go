package settings

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Int is a whole number from least to most. A zero option means the default.
func Int[O any](name string, def, least, most int, doc string, at func(*O) *int) Setting[O] {
	allowed := fmt.Sprintf("%d to %d", least, most)
	inside := func(n int) bool { return least <= n && n <= most }
	return Setting[O]{
		Key: Key{Name: name, Default: strconv.Itoa(def), Allowed: allowed, Doc: doc},
		Set: func(o *O, value string) error {
			n, err := strconv.Atoi(value)
			if err != nil || !inside(n) {
				return fmt.Errorf("want a whole number, %s", allowed)
			}
			*at(o) = n
			return nil
		},
		Get:   func(o *O) string { return strconv.Itoa(*at(o)) },
		check: check(name, def, allowed, at, inside),
	}
}

// IntOf is one of a few whole numbers. A zero option means the default.
func IntOf[O any](name string, def int, values []int, doc string, at func(*O) *int) Setting[O] {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = strconv.Itoa(v)
	}
	s := choice(name, strconv.Itoa(def), names, doc,
		func(o *O, i int) { *at(o) = values[i] },
		func(o *O) string { return strconv.Itoa(*at(o)) })
	s.check = check(name, def, s.Allowed, at, func(n int) bool { return slices.Contains(values, n) })
	return s
}

// Words names the values 0, 1, 2, ... of an enumerated option in specs. A value without
// a name cannot stand in a spec.
type Words []string

// Name returns the name of a value, and its number if it has none.
func (w Words) Name(i int) string {
	if i < 0 || i >= len(w) {
		return strconv.Itoa(i)
	}
	return w[i]
}

// Enum is one of a few words. constants names the values that Check accepts, as Go
// calls them; if it is nil Check does not look.
func Enum[O any, T ~int](name string, words Words, constants []string, doc string, at func(*O) *T) Setting[O] {
	named := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" })
	s := choice(name, words[0], named, doc,
		func(o *O, i int) { *at(o) = T(slices.Index(words, named[i])) },
		func(o *O) string { return words.Name(int(*at(o))) })
	if constants != nil {
		s.check = check(name, 0, OrList(constants), at, func(v T) bool { return v >= 0 && int(v) < len(constants) })
	}
	return s
}

// Bool is false or true.
func Bool[O any](name, doc string, at func(*O) *bool) Setting[O] {
	return Flag(name, "false", "true", doc, at)
}

// Flag is a truth value with words of its own.
func Flag[O any](name, off, on, doc string, at func(*O) *bool) Setting[O] {
	return choice(name, off, []string{off, on}, doc,
		func(o *O, i int) { *at(o) = i == 1 },
		func(o *O) string {
			if *at(o) {
				return on
			}
			return off
		})
}

// Seed is an unsigned number of 64 bits, 0 by default.
func Seed[O any](name, doc string, at func(*O) *uint64) Setting[O] {
	return Setting[O]{
		Key: Key{Name: name, Default: "0", Allowed: "0 to 2^64-1", Doc: doc},
		Set: func(o *O, value string) error {
			n, err := strconv.ParseUint(value, 0, 64)
			if err != nil {
				return errors.New("want a whole number, 0 to 2^64-1")
			}
			*at(o) = n
			return nil
		},
		Get: func(o *O) string { return strconv.FormatUint(*at(o), 10) },
	}
}

// Fit is the key by which a spec says that nothing was learnt. A spec cannot name
// a fit: it is read from its file.
func Fit[O any]() Setting[O] {
	return Setting[O]{
		Key: Key{Name: "fit", Default: "none", Allowed: "none", Doc: "what was learnt from a corpus; a fit itself is read from its file"},
		Set: func(_ *O, value string) error {
			if value != "none" {
				return errors.New("a fit is read from the file that holds it, want fit=none here and the file by --fit")
			}
			return nil
		},
	}
}

// choice is one of a few words, of which set takes the number.
func choice[O any](name, def string, words []string, doc string, set func(o *O, i int), get func(o *O) string) Setting[O] {
	allowed := OrList(words)
	return Setting[O]{
		Key: Key{Name: name, Default: def, Allowed: allowed, Doc: doc},
		Set: func(o *O, value string) error {
			i := slices.Index(words, value)
			if i < 0 {
				return fmt.Errorf("want %s", allowed)
			}
			set(o, i)
			return nil
		},
		Get: get,
	}
}

// check makes the check of an option. The option is called as its key, with a capital.
func check[O any, T ~int](name string, def T, want string, at func(*O) *T, ok func(T) bool) func(string, *O) error {
	option := strings.ToUpper(name[:1]) + name[1:]
	return func(pkg string, o *O) error {
		v := at(o)
		if *v == 0 {
			*v = def
		}
		if !ok(*v) {
			return fmt.Errorf("%s: %s is %d, want %s", pkg, option, int(*v), want)
		}
		return nil
	}
}
