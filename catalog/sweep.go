package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alike-go/alike/internal/settings"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/similarity"
)

// Sweep returns the specs with every combination of the values of some keys: each
// sweep is "key=value,value,...". A method that does not take a key keeps its
// spec as it is; a key that none takes is an error. A value that the spec itself
// sets is replaced.
func Sweep(specs, sweeps []string) ([]string, error) {
	if len(specs) == 0 {
		specs = Defaults()
	}
	for _, sweep := range sweeps {
		name, list, ok := strings.Cut(sweep, "=")
		if !ok || name == "" || list == "" {
			return nil, fmt.Errorf("catalog: sweep %q, want key=value,value", sweep)
		}
		var next []string
		taken := false
		for _, spec := range specs {
			e, own, err := parseSpec(spec)
			if err != nil {
				return nil, err
			}
			if !e.takes(name) {
				next = append(next, spec)
				continue
			}
			taken = true
			own = slices.DeleteFunc(own, func(p settings.Pair) bool { return p.Key == name })
			for _, v := range strings.Split(list, ",") {
				parts := []string{}
				for _, s := range append(own[:len(own):len(own)], settings.Pair{Key: name, Value: v}) {
					parts = append(parts, s.Key+"="+settings.Quote(s.Value))
				}
				next = append(next, similarity.Spec(e.Name, parts...))
			}
		}
		if !taken {
			return nil, fmt.Errorf("catalog: sweep %q: no method takes the key %s", sweep, name)
		}
		specs = next
	}
	return specs, nil
}

// Value returns the value of a key in a spec, or the key's default if the spec does not
// name it. ok is false if the method does not take the key, or the spec is wrong.
func Value(spec, key string) (value string, ok bool) {
	e, own, err := parseSpec(spec)
	if err != nil {
		return "", false
	}
	for _, p := range own {
		if p.Key == key {
			return p.Value, true
		}
	}
	for _, k := range e.Keys {
		if k.Name == key {
			return k.Default, true
		}
	}
	return "", false
}

// Reference returns the exact method whose score a method estimates on the same
// features, and nil for a method that is exact itself or estimates nothing: the
// resemblance of sets for MinHash and Bloom filters, that of bags for weighted
// MinHash, the cosine of term frequencies for SimHash on the cosine scale.
func Reference(m similarity.Method) similarity.Method {
	e, own, err := parseSpec(m.String())
	if err != nil {
		return nil
	}
	value := func(key string) string {
		for _, s := range own {
			if s.Key == key {
				return s.Value
			}
		}
		return ""
	}
	var exact string
	switch name := e.Name; {
	case name == "minhash" && value("scheme") == shingle.ICWS.String():
		exact = "shingle:bag=true"
	case name == "minhash", name == "bloom" && value("score") != "raw":
		exact = "shingle"
	case name == "simhash" && value("score") != "linear" && value("weights") == "" && value("levels") == "" && value("top") == "":
		exact = "cosine:scheme=tf"
	default:
		return nil
	}
	var parts []string
	for _, s := range own {
		if e.takesFeature(s.Key) {
			parts = append(parts, s.Key+"="+s.Value)
		}
	}
	exactName, exactRest, _ := strings.Cut(exact, ":")
	ref, err := Parse(similarity.Spec(exactName, append([]string{exactRest}, parts...)...))
	if err != nil || ref.FitState() != similarity.FitUseless {
		return nil // what it estimates depends on a fit
	}
	return ref
}
