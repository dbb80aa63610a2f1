package catalog

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/alike-go/alike/feature"
)

// Key documents one key of a spec string.
type Key struct {
	Name    string `json:"key"`
	Default string `json:"default"`
	Allowed string `json:"allowed"`
	Doc     string `json:"doc"`
	Feature bool   `json:"feature"` // shared by all methods that read features
}

// key is a Key of a method with options of type O.
type key[O any] struct {
	Key
	set func(o *O, value string) error
}

// whole is a key that is a whole number between least and most.
func whole[O any](name, def string, least, most int, doc string, field func(*O) *int) key[O] {
	k := Key{Name: name, Default: def, Allowed: fmt.Sprintf("%d to %d", least, most), Doc: doc}
	return key[O]{k, func(o *O, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < least || n > most {
			return fmt.Errorf("want a whole number, %s", k.Allowed)
		}
		*field(o) = n
		return nil
	}}
}

// real is a key that is a number above least and below most.
func real[O any](name, def string, least, most float64, doc string, field func(*O) *float64) key[O] {
	k := Key{Name: name, Default: def, Allowed: fmt.Sprintf("above %g, below %g", least, most), Doc: doc}
	return key[O]{k, func(o *O, v string) error {
		x, err := strconv.ParseFloat(v, 64)
		if err != nil || math.IsNaN(x) || x <= least || x >= most {
			return fmt.Errorf("want a number %s", k.Allowed)
		}
		*field(o) = x
		return nil
	}}
}

// seed is a key that is an unsigned 64-bit number.
func seed[O any](name, doc string, field func(*O) *uint64) key[O] {
	k := Key{Name: name, Default: "0", Allowed: "0 to 2^64-1", Doc: doc}
	return key[O]{k, func(o *O, v string) error {
		n, err := strconv.ParseUint(v, 0, 64)
		if err != nil {
			return fmt.Errorf("want a whole number, %s", k.Allowed)
		}
		*field(o) = n
		return nil
	}}
}

// truth is a key that is true or false.
func truth[O any](name, doc string, field func(*O) *bool) key[O] {
	return word(name, "false", []string{"false", "true"}, doc, func(o *O, v string) { *field(o) = v == "true" })
}

// word is a key whose value is one of the words allowed.
func word[O any](name, def string, allowed []string, doc string, set func(o *O, v string)) key[O] {
	k := Key{Name: name, Default: def, Allowed: orList(allowed), Doc: doc}
	return key[O]{k, func(o *O, v string) error {
		for _, a := range allowed {
			if v == a {
				set(o, v)
				return nil
			}
		}
		return fmt.Errorf("want %s", orList(allowed))
	}}
}

// oneOf is a key whose values are T's, each by its String.
func oneOf[O any, T fmt.Stringer](name, doc string, values []T, field func(*O) *T) key[O] {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = v.String()
	}
	return word(name, names[0], names, doc, func(o *O, v string) {
		for i, n := range names {
			if n == v {
				*field(o) = values[i]
			}
		}
	})
}

// fitKey is the key by which a spec says that nothing was learnt. A fit cannot be
// named in a spec: it comes from its file.
func fitKey[O any]() key[O] {
	k := Key{Name: "fit", Default: "none", Allowed: "none", Doc: "what was learnt from a corpus; a fit itself is read from its file"}
	return key[O]{k, func(_ *O, v string) error {
		if v != "none" {
			return fmt.Errorf("a fit is read from the file that holds it, want fit=none here and the file by --fit")
		}
		return nil
	}}
}

// foldKeys are the keys of the methods that read folded bytes.
func foldKeys[O any](field func(*O) *feature.Fold) []key[O] {
	var out []key[O]
	for _, k := range feature.FoldKeys {
		out = append(out, key[O]{
			Key{Name: k.Name, Default: k.Default, Allowed: k.Values, Doc: k.Doc},
			func(o *O, v string) error { return k.Set(field(o), v) },
		})
	}
	return out
}

// orList joins words as "a, b or c".
func orList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
