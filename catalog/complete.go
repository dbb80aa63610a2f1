package catalog

import (
	"strings"

	"github.com/alike-go/alike/internal/settings"
)

// Complete returns the specs that continue what was typed so far, for shell
// completion: names, then keys, then the words a key allows.
func Complete(typed string) []string {
	name, rest, inKeys := strings.Cut(typed, ":")
	var out []string
	if !inKeys {
		for _, n := range append(Names(), Exec+":") {
			if strings.HasPrefix(n, name) {
				out = append(out, n)
			}
		}
		return out
	}
	e, err := lookup(name)
	if err != nil {
		return nil
	}
	done, last := "", rest
	if i := strings.LastIndexByte(rest, ','); i >= 0 {
		done, last = rest[:i+1], rest[i+1:]
	}
	prefix := name + ":" + done
	keyName, value, inValue := strings.Cut(last, "=")
	used, _ := settings.Parse(strings.TrimSuffix(done, ","))
	for _, k := range e.Keys {
		switch {
		case inValue && k.Name == keyName:
			for _, v := range words(k.Allowed) {
				if strings.HasPrefix(v, value) && !strings.Contains(v, " ") {
					out = append(out, prefix+k.Name+"="+v)
				}
			}
		case !inValue && strings.HasPrefix(k.Name, keyName):
			if !names(used, k.Name) {
				out = append(out, prefix+k.Name+"=")
			}
		}
	}
	return out
}
