package catalog

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// Seeded returns a spec with a secret seed for each key of its method that is a
// seed, unless the spec sets it. Nobody outside can make documents then that all
// fall into one bucket.
func Seeded(spec string) (string, error) {
	name, settings, _ := strings.Cut(spec, ":")
	e, err := Lookup(name)
	if err != nil {
		return "", err
	}
	var all []string
	if settings != "" {
		all = strings.Split(settings, ",")
	}
	for _, k := range e.Keys {
		if k.Name != "seed" && k.Name != "permseed" || k.Feature && !strings.HasPrefix(e.Reads, "features") {
			continue
		}
		if slices.ContainsFunc(all, func(s string) bool { return strings.HasPrefix(s, k.Name+"=") }) {
			continue
		}
		var b [8]byte
		rand.Read(b[:]) // never fails
		all = append(all, fmt.Sprintf("%s=%d", k.Name, max(binary.BigEndian.Uint64(b[:]), 1)))
	}
	if len(all) == 0 {
		return name, nil
	}
	return name + ":" + strings.Join(all, ","), nil
}
